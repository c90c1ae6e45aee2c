/** The language of the page: the user's choice, else the first supported one of the browser's. */
import { useSyncExternalStore } from 'react';
import { isLanguage, type Language } from '../../../texts/languages.ts';
import { loadTexts } from '../../../texts/texts.ts';

const KEY = 'hearthd.language';
const listeners = new Set<() => void>();
/** Determined at first use, so that modules without a page also load outside a browser. */
let current: Language | undefined;

function findLanguage(): Language {
  const preferred = [kept(), ...(navigator.languages ?? [])];
  return preferred.map((tag) => tag?.slice(0, 2).toLowerCase()).find(isLanguage) ?? 'en';
}

function kept(): string | undefined {
  try {
    return localStorage.getItem(KEY) ?? undefined;
  } catch {
    return undefined;
  }
}

/** @param language `undefined`: the browser's language. */
export async function setLanguage(language: Language | undefined): Promise<void> {
  try {
    if (language) localStorage.setItem(KEY, language);
    else localStorage.removeItem(KEY);
  } catch {
    // Without storage the choice lasts until the page closes.
  }
  const next = language ?? findLanguage();
  await loadTexts(next);
  current = next;
  document.documentElement.lang = current;
  for (const listener of listeners) listener();
}

/** The user's choice; `undefined`: the browser's language. */
export function chosenLanguage(): Language | undefined {
  const tag = kept();
  return isLanguage(tag) ? tag : undefined;
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
 * The locale of numbers and times: the browser's own if it has the page's language (`de-AT`, `en-GB`), because the user
 * chose it for this device.
 */
export function localeOf(language: Language): string {
  return navigator.languages?.find((tag) => tag.toLowerCase().startsWith(language)) ?? language;
}
