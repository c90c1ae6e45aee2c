import type { ApiContext } from '../../env.ts';
import { languageOf, type TextsIn, type TextsLike } from '../../language.ts';
import { de } from './de.tsx';
import { en } from './en.tsx';

export type PageTexts = TextsLike<typeof en>;

export const texts: TextsIn<typeof en> = { en, de };

/** The texts in the caller's language. */
export function textsOf(c: ApiContext): PageTexts {
  return texts[languageOf(c)];
}
