import { pluralIn, type TextsLike } from '../../../texts/texts.ts';
import type { en } from './en.ts';

const plural = pluralIn('de');

export const de: TextsLike<typeof en> = {
  noRoomYet: 'Noch ohne Raum',
  noRoomText: 'Hier sind Geräte, bis du ihnen einen Raum gibst.',
  toHome: 'Zuhause',
  notFound: 'Diesen Raum gibt es nicht mehr',
  notFoundText: 'Jemand hat ihn gelöscht. Was darin war, hat jetzt keinen Raum.',
  empty: 'Dieser Raum ist leer',
  emptyText: 'Verschiebe Geräte von der Startseite hierher: Wähle dort „Bearbeiten“ und ziehe sie in diesen Raum.',
  lightsOn: 'Lichter an',
  lightsOff: 'Lichter aus',
  lights: (on, all) =>
    on === 0 ? 'Alle Lichter sind aus' : `${on} von ${plural(all, { one: '# Licht', other: '# Lichtern' })} an`,
  climate: 'Klima',
  attention: 'Braucht Aufmerksamkeit',
};
