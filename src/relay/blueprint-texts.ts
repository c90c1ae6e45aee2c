/** The texts of the relay’s blueprints, from the catalogues: operations import none. */
import type { Catalogues } from 'texts:types';
import type { Language } from '../texts/languages.ts';
import { bindCatalogue } from '../texts/message.ts';
import { RELAY_CATALOGUES } from '../texts/relay-catalogues.ts';

export function blueprintTexts(language: Language): Catalogues['blueprints'] {
  return bindCatalogue(RELAY_CATALOGUES.blueprints[language], language) as Catalogues['blueprints'];
}
