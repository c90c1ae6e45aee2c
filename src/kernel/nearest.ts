/** The word of `known` closest to a mistyped `word`, or `undefined` if none is close. */
export function nearest(word: string, known: Iterable<string>): string | undefined {
  const folded = fold(word);
  let best: { readonly candidate: string; readonly distance: number } | undefined;
  for (const candidate of known) {
    const distance = editDistance(folded, fold(candidate));
    if (distance <= Math.max(2, Math.floor(candidate.length / 3)) && distance < (best?.distance ?? Infinity)) {
      best = { candidate, distance };
    }
  }
  return best?.candidate;
}

/** A longer input is not a word, and would be slow to compare. */
const MAX_WORD_LENGTH = 40;

/** Users expect `logLevel`, `log-level` and `LOG_LEVEL` to be the same word. */
function fold(word: string): string {
  return word
    .slice(0, MAX_WORD_LENGTH)
    .toLowerCase()
    .replaceAll(/[-_.\s]/g, '');
}

/** Levenshtein distance: insertions, deletions and replacements. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, replaced));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
