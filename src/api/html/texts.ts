import type { ApiContext } from '../env.ts';
import { languageOf } from '../language.ts';
import { type TextsOf, textsIn } from '../page-texts.ts';

export type PageTexts = TextsOf<'pages'>;

export const texts = textsIn('pages');

/** The texts in the caller's language. */
export function textsOf(c: ApiContext): PageTexts {
  return texts[languageOf(c)];
}
