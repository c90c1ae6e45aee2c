/** The language of the page: what the person chose, else the first of the browser's that there is. */
import { useSyncExternalStore } from 'react';

export const LANGUAGES = { en: 'English', de: 'Deutsch' } as const;
export type Language = keyof typeof LANGUAGES;

const KEY = 'hearthd.language';
const listeners = new Set<() => void>();
/** Found when it is first asked for: what needs no page can be loaded where there is no browser. */
let current: Language | undefined;

function findLanguage(): Language {
  const wished = [kept(), ...(navigator.languages ?? [])];
  const known = wished
    .map((tag) => tag?.slice(0, 2).toLowerCase())
    .find((tag): tag is Language => tag !== undefined && tag in LANGUAGES);
  return known ?? 'en';
}

function kept(): string | undefined {
  try {
    return localStorage.getItem(KEY) ?? undefined;
  } catch {
    return undefined;
  }
}

/** @param language `undefined`: as the browser says. */
export function setLanguage(language: Language | undefined): void {
  try {
    if (language) localStorage.setItem(KEY, language);
    else localStorage.removeItem(KEY);
  } catch {
    // Kept until the page is left.
  }
  current = language ?? findLanguage();
  document.documentElement.lang = current;
  for (const listener of listeners) listener();
}

/** What the person chose; `undefined`: as the browser says. */
export function chosenLanguage(): Language | undefined {
  const tag = kept();
  return tag !== undefined && tag in LANGUAGES ? (tag as Language) : undefined;
}

export function languageNow(): Language {
  current ??= findLanguage();
  return current;
}

export function useLanguage(): Language {
  return useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, languageNow);
}

/**
 * The locale of numbers and times: the browser's own where it is of that language (`de-AT`, `en-GB`), since people chose it for their
 * computer.
 */
export function localeOf(language: Language): string {
  return navigator.languages?.find((tag) => tag.toLowerCase().startsWith(language)) ?? language;
}
