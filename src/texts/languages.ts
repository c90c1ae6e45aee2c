/** The languages of the pages. Each has a folder of catalogues beside this file. */
export const LANGUAGES = {
  en: 'English',
  de: 'Deutsch',
} as const;

export type Language = keyof typeof LANGUAGES;

export function isLanguage(tag: string | undefined): tag is Language {
  return tag !== undefined && Object.hasOwn(LANGUAGES, tag);
}
