/** The texts of announcements about accounts, from the catalogues: operations import none. */
import type { Catalogues } from 'texts:types';
import { isLanguage } from '../texts/languages.ts';
import { bindCatalogue } from '../texts/message.ts';
import { RELAY_CATALOGUES } from '../texts/relay-catalogues.ts';

/** @param tag English for `undefined`, and for a language that the relay does not have */
export function announcementTexts(tag: string | undefined): Catalogues['announcements'] {
  const language = isLanguage(tag) ? tag : 'en';
  return bindCatalogue(RELAY_CATALOGUES.announcements[language], language) as Catalogues['announcements'];
}
