/** `a scene`, `an automation`. @param noun the pronunciation decides, not only the spelling: `a user`, `an hour` */
export function withArticle(noun: string): string {
  return `${beginsWithVowelSound(noun) ? 'an' : 'a'} ${noun}`;
}

function beginsWithVowelSound(noun: string): boolean {
  if (/^(?:uni|use|usu|uti|eu|one\b)/i.test(noun)) return false;
  return /^(?:[aeiou]|hour|honest|heir)/i.test(noun);
}
