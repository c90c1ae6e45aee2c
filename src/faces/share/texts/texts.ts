import type { FaceContext } from '../../env.ts';
import { languageOf, type TextsIn, type TextsLike } from '../../language.ts';
import { de } from './de.tsx';
import { en } from './en.tsx';

export type ShareTexts = TextsLike<typeof en>;

export const texts: TextsIn<typeof en> = { en, de };

/** In the language that whoever asks wants to read. */
export function textsOf(c: FaceContext): ShareTexts {
  return texts[languageOf(c)];
}
