/** Finds things by what they are called, as people write it: without regard to case, accents, umlauts written out, or blanks. */

export interface Findable {
  readonly name: string;
  /** Further words: the room, what kind it is. */
  readonly words: readonly string[];
}

const LETTERS: Readonly<Record<string, string>> = { ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', ł: 'l', đ: 'd' };

/** What of a text is compared: `Küche` and `kuche` are one, and so is `Kueche` by `spellings`. */
export function foldText(text: string): string {
  const plain = text.toLowerCase().replaceAll(/[ßæœøłđ]/g, (letter) => LETTERS[letter] ?? letter);
  return plain.normalize('NFKD').replaceAll(/\p{M}/gu, '');
}

const WRITTEN_OUT: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue' };

/** The ways in which somebody may write it. */
function spellings(text: string): readonly string[] {
  const lower = text.normalize('NFC').toLowerCase();
  const written = lower.replaceAll(/[äöü]/g, (letter) => WRITTEN_OUT[letter] ?? letter);
  return written === lower ? [foldText(text)] : [foldText(text), foldText(written)];
}

/**
 * What has every word of the query, best first: those whose name begins with it, then those whose name has a word that does, then the
 * others. Equals keep their order.
 */
export function find<T extends Findable>(items: readonly T[], query: string): readonly T[] {
  const wanted = foldText(query).split(/\s+/).filter(Boolean);
  if (wanted.length === 0) return [];
  const ranked = items.flatMap((item) => {
    const rank = rankOf(item, wanted);
    return rank === undefined ? [] : [{ item, rank }];
  });
  return ranked.sort((a, b) => a.rank - b.rank).map(({ item }) => item);
}

function rankOf({ name, words }: Findable, wanted: readonly string[]): number | undefined {
  const names = spellings(name);
  const texts = [...names, ...words.flatMap(spellings)];
  if (!wanted.every((word) => texts.some((text) => text.includes(word)))) return undefined;
  const [first = ''] = wanted;
  if (names.some((text) => text.startsWith(first))) return 0;
  if (names.some((text) => text.split(/[^\p{L}\p{N}]+/u).some((word) => word.startsWith(first)))) return 1;
  return names.some((text) => text.includes(first)) ? 2 : 3;
}
