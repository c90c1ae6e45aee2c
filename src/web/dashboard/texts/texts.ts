/** The texts of the dashboard in the page's language: catalogues of `src/texts`, imported as `texts:<name>`. */
import { use } from 'react';
import type { Texts } from '../../../texts/texts.ts';
import { languageNow, useLanguage } from './language.ts';

/** What components have waited for. */
const awaited = new WeakMap<Texts<object>, Promise<void>>();

/** Re-renders when the language changes, and suspends until it is loaded. */
export function useTexts<T extends object>(texts: Texts<T>): T {
  const language = useLanguage();
  const loading = texts.load(language);
  if (loading !== undefined) awaited.set(texts, loading);
  const last = awaited.get(texts);
  // Also when it is loaded: React goes on where a component waited, and takes the hooks below for those of an update if
  // there is no `use` then.
  if (last !== undefined) use(last);
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
