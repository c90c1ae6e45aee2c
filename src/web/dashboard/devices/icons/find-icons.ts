/** Finds icons by what people call them, in their language and in the others. */
import { ICON_NAMES, type IconName } from '../../../../home/vocabulary/icon-names.ts';
import { find } from '../../shell/search/find.ts';

type IconWords = Readonly<Record<IconName, string>>;

/**
 * @param words of the page's language: for each icon its name and synonyms, between commas
 * @param others of the other languages
 * @returns best first; all for an empty query
 */
export function findIcons(query: string, words: IconWords, others: readonly IconWords[]): readonly IconName[] {
  if (query.trim() === '') return ICON_NAMES;
  const items = ICON_NAMES.map((icon) => {
    const [name = icon, ...synonyms] = partsOf(words[icon]);
    return { icon, name, synonyms, words: [icon, ...others.flatMap((each) => partsOf(each[icon]))] };
  });
  return find(items, query).map(({ icon }) => icon);
}

function partsOf(words: string): readonly string[] {
  return words.split(',').map((part) => part.trim());
}
