import type { ApiContext } from '../env.ts';
import { languageOf } from '../language.ts';
import { type TextsOf, textsIn } from '../page-texts.ts';

export type ShareTexts = TextsOf<'share-pages'>;

export const texts = textsIn('share-pages');

/** The texts in the caller's language. */
export function textsOf(c: ApiContext): ShareTexts {
  return texts[languageOf(c)];
}
