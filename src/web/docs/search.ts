/** The manual's search: sections with all words of the query, best first. Pure, and fast enough to run on each key. */

export interface Section {
  /** `/docs/install#upgrade`. */
  readonly address: string;
  /** Title of the section's page. */
  readonly page: string;
  readonly heading: string;
  readonly text: string;
}

export interface Hit extends Section {
  /** The text around the first match, in pieces: every second one is a word of the query. */
  readonly excerpt: readonly string[];
}

const MAX_HITS = 20;
/** The length of the text before and after the first match. */
const CHARACTERS_BEFORE = 40;
const CHARACTERS_AFTER = 120;

/** A match in a heading scores more than one in the text; a match at the start of a word more than one inside. */
const WEIGHTS = { heading: 12, page: 5, text: 1 } as const;
const AT_START = 2;
/** Instructions rank before background documents. */
const BEHIND = /\/(?:contract-|changelog|code|contributing|tests|security-policy)[^/]*$/;

export function search(sections: readonly Section[], question: string): readonly Hit[] {
  const words = [
    ...new Set(
      fold(question)
        .split(/\s+/)
        .filter((word) => word !== ''),
    ),
  ];
  if (words.length === 0) return [];
  return sections
    .map((section, order) => ({ section, order, score: scoreOf(section, words) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || a.order - b.order)
    .slice(0, MAX_HITS)
    .map(({ section }) => ({ ...section, excerpt: excerptOf(section.text, words) }));
}

/** @returns 0 if a word is missing */
function scoreOf({ address, page, heading, text }: Section, words: readonly string[]): number {
  const fields = { heading: fold(heading), page: fold(page), text: fold(text) };
  let score = 0;
  for (const word of words) {
    let best = 0;
    for (const [name, weight] of Object.entries(WEIGHTS) as [keyof typeof WEIGHTS, number][]) {
      const at = fields[name].indexOf(word);
      if (at >= 0) best = Math.max(best, weight * (startsWord(fields[name], word) ? AT_START : 1));
    }
    if (best === 0) return 0;
    score += best;
  }
  return BEHIND.test(address) ? score / 2 : score;
}

function startsWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1))
    if (at === 0 || !/[\p{L}\p{N}]/u.test(text[at - 1] ?? '')) return true;
  return false;
}

/** Lower case, one character for one: positions in it are positions in the text. */
function fold(text: string): string {
  return [...text]
    .map((character) => (character.toLowerCase().length === character.length ? character.toLowerCase() : character))
    .join('');
}

function excerptOf(text: string, words: readonly string[]): readonly string[] {
  const folded = fold(text);
  const places = words.map((word) => folded.indexOf(word)).filter((at) => at >= 0);
  const first = places.length > 0 ? Math.min(...places) : 0;
  const from = Math.max(0, first - CHARACTERS_BEFORE);
  const part = text.slice(from, first + CHARACTERS_AFTER);
  const pieces = cut(part, words);
  const before = from > 0 ? '…' : '';
  const after = from + part.length < text.length ? '…' : '';
  return pieces.map(
    (piece, index) => `${index === 0 ? before : ''}${piece}${index === pieces.length - 1 ? after : ''}`,
  );
}

/** Text, word, text, word, text. */
function cut(text: string, words: readonly string[]): readonly string[] {
  const pattern = words.map((word) => word.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|');
  return text.split(new RegExp(`(${pattern})`, 'iu'));
}
