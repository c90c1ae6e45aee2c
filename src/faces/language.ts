/**
 * In which language a person is answered: what their browser asks for, else English. The relay knows no language of a person: the
 * dashboard keeps the one that is chosen there in the browser, which sends it nowhere. Programs are answered in English alone.
 */
import { type DetectorOptions, detectFromHeader, detectFromQuery } from 'hono/language';
import type { FaceContext } from './env.ts';

const LANGUAGES = ['en', 'de'] as const;
export type Language = (typeof LANGUAGES)[number];

/** Each part's texts lie beside it, one file a language. English is what the others are measured by: what is missing does not compile. */
export type TextsLike<T> = {
  readonly [K in keyof T]: T[K] extends string
    ? string
    : T[K] extends (...values: infer Values) => infer Text
      ? (...values: Values) => Text
      : TextsLike<T[K]>;
};

export type TextsIn<T> = Readonly<Record<Language, TextsLike<T>>>;

const DETECTOR: DetectorOptions = {
  order: ['querystring', 'header'],
  lookupFromHeaderKey: 'Accept-Language',
  lookupQueryString: 'lang',
  lookupCookie: '',
  lookupFromPathIndex: 0,
  caches: false,
  ignoreCase: true,
  fallbackLanguage: 'en',
  supportedLanguages: [...LANGUAGES],
};

/** The one most wished for that there is (RFC 9110 §12.5.4); `de` is there for `de-AT` too. */
export function languageOf(c: FaceContext): Language {
  return known(detectFromHeader(c, DETECTOR)) ?? 'en';
}

/** For what a page asks for that is open already: in the language of that page, which it says as `?lang=`. */
export function languageOfPage(c: FaceContext): Language {
  return known(detectFromQuery(c, DETECTOR)) ?? languageOf(c);
}

function known(tag: string | undefined): Language | undefined {
  return LANGUAGES.find((language) => language === tag);
}
