/**
 * Chooses the language of a response to a person: the one their browser prefers, else English. The relay stores no
 * language per user: the dashboard stores the user's choice in the browser and does not send it. Programs get English
 * only.
 */
import { type DetectorOptions, detectFromHeader, detectFromQuery } from 'hono/language';
import { parseAccept } from 'hono/utils/accept';
import { isLanguage, LANGUAGES, type Language } from '../texts/languages.ts';
import type { ApiContext } from './env.ts';

const DETECTOR: DetectorOptions = {
  order: ['querystring', 'header'],
  lookupFromHeaderKey: 'Accept-Language',
  lookupQueryString: 'lang',
  lookupCookie: '',
  lookupFromPathIndex: 0,
  caches: false,
  ignoreCase: true,
  fallbackLanguage: 'en',
  supportedLanguages: Object.keys(LANGUAGES),
};

/** The most preferred available language (RFC 9110 §12.5.4); `de` matches `de-AT` too. */
export function languageOf(c: ApiContext): Language {
  return known(detectFromHeader(c, DETECTOR)) ?? 'en';
}

/** For requests of an open page: the language of that page, which it sends as `?lang=`. */
export function languageOfPage(c: ApiContext): Language {
  return known(detectFromQuery(c, DETECTOR)) ?? languageOf(c);
}

/** A language of a region. Other parts of a tag are left out, so that few locales exist for all that clients send. */
const REGIONAL = /^([a-z]{2})-([a-z]{2})$/i;

/** The locale of dates and times: that of the browser's region if it names one (`en-GB`), else the language's own. */
export function localeOf(c: ApiContext): string {
  const language = languageOf(c);
  for (const { type, q } of parseAccept(c.req.header('Accept-Language') ?? '')) {
    const [, base, region] = REGIONAL.exec(type) ?? [];
    if (q > 0 && base?.toLowerCase() === language && region) return `${language}-${region.toUpperCase()}`;
  }
  return language;
}

function known(tag: string | undefined): Language | undefined {
  return isLanguage(tag) ? tag : undefined;
}
