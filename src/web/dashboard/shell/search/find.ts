/** Finds items by name, independent of case, accents, written-out umlauts and spaces. */

export interface Findable {
  readonly name: string;
  /** Further words: the room, the kind. */
  readonly words: readonly string[];
  /** Other names of it, as good as its own where the whole query is one of them. */
  readonly synonyms?: readonly string[];
}

const LETTERS: Readonly<Record<string, string>> = { ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', ł: 'l', đ: 'd' };

/** The normalized text: `Küche` and `kuche` are equal, and `spellings` adds `Kueche`. */
export function foldText(text: string): string {
  const plain = text.toLowerCase().replaceAll(/[ßæœøłđ]/g, (letter) => LETTERS[letter] ?? letter);
  return plain.normalize('NFKD').replaceAll(/\p{M}/gu, '');
}

const WRITTEN_OUT: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue' };

/** The possible spellings of a text. */
function spellings(text: string): readonly string[] {
  const lower = text.normalize('NFC').toLowerCase();
  const written = lower.replaceAll(/[äöü]/g, (letter) => WRITTEN_OUT[letter] ?? letter);
  return written === lower ? [foldText(text)] : [foldText(text), foldText(written)];
}

/**
 * Items with every word of the query, best first: those whose name begins with it, then those with a word in the name
 * that does, then the others. Equal matches keep their order.
 */
export function find<T extends Findable>(items: readonly T[], query: string): readonly T[] {
  const wanted = foldText(query).split(/\s+/).filter(Boolean);
  if (wanted.length === 0) return [];
  const ranked = items.flatMap((item) => {
    const rank = isSynonym(item, wanted.join(' ')) ? 0 : rankOf(item, wanted);
    return rank === undefined ? [] : [{ item, rank }];
  });
  return ranked.sort((a, b) => a.rank - b.rank).map(({ item }) => item);
}

function isSynonym({ synonyms = [] }: Findable, query: string): boolean {
  return synonyms.flatMap(spellings).includes(query);
}

function rankOf({ name, words, synonyms = [] }: Findable, wanted: readonly string[]): number | undefined {
  const names = spellings(name);
  const texts = [...names, ...[...words, ...synonyms].flatMap(spellings)];
  if (!wanted.every((word) => texts.some((text) => text.includes(word)))) return undefined;
  const [first = ''] = wanted;
  if (names.some((text) => text.startsWith(first))) return 0;
  if (names.some((text) => text.split(/[^\p{L}\p{N}]+/u).some((word) => word.startsWith(first)))) return 1;
  return names.some((text) => text.includes(first)) ? 2 : 3;
}
