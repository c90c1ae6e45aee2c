import { pluralIn, type TextsLike } from '../../texts/texts.ts';
import type { en } from './en.ts';

const plural = pluralIn('de');

export const de: TextsLike<typeof en> = {
  search: 'Suchen',
  hint: 'Suchen (Taste: /)',
  label: 'Zuhause durchsuchen',
  teach: 'Geräte, Räume, Szenen, Gruppen, Automationen und Seiten.',
  clear: 'Suche leeren',
  results: 'Gefunden',
  found: (count) => plural(count, { one: '# gefunden', other: '# gefunden' }),
  nothing: (query) => `Nichts heißt „${query}“.`,
  accessory: 'Gerät',
  group: 'Gruppe',
  room: 'Raum',
  scene: 'Szene',
  automation: 'Automation',
  page: 'Seite',
};
