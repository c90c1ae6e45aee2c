/** The texts of the dashboard in the page's language: catalogues of `src/texts`, imported as `texts:<name>`. */
import { use } from 'react';
import type { Texts } from '../../../texts/texts.ts';
import { languageNow, useLanguage } from './language.ts';

/** Re-renders when the language changes, and suspends until it is loaded. */
export function useTexts<T extends object>(texts: Texts<T>): T {
  const language = useLanguage();
  const loading = texts.load(language);
  if (loading !== undefined) use(loading);
  return texts.in(language);
}

/** For use outside of components. */
export function textsNow<T extends object>(texts: Texts<T>): T {
  return texts.in(languageNow());
}

/** The text of a word that the relay sends, if it is known here. */
export function textOf(texts: Readonly<Record<string, string>>, word: string | undefined): string | undefined {
  return word !== undefined && isKeyOf(texts, word) ? texts[word] : undefined;
}

export function isKeyOf<T extends object>(texts: T, word: string): word is Extract<keyof T, string> {
  return Object.hasOwn(texts, word);
}
