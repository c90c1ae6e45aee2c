import type { TextsLike } from '../texts.ts';
import { pluralIn } from '../texts.ts';
import type { en } from './en.ts';

const plural = pluralIn('de');

export const de: TextsLike<typeof en> = {
  save: 'Sichern',
  cancel: 'Abbrechen',
  close: 'Schließen',
  back: 'Zurück',
  next: 'Weiter',
  done: 'Fertig',
  add: 'Hinzufügen',
  edit: 'Bearbeiten',
  rename: 'Umbenennen',
  delete: 'Löschen',
  remove: 'Entfernen',
  undo: 'Rückgängig',
  retry: 'Erneut versuchen',
  search: 'Suchen',
  name: 'Name',
  room: 'Raum',
  home: 'Zuhause',
  on: 'Ein',
  off: 'Aus',
  yes: 'Ja',
  no: 'Nein',
  more: 'Mehr',
  copy: 'Kopieren',
  copied: 'Kopiert',
  copyByHand: 'Markiert. Drücke Strg+C oder nutze „Kopieren“ auf deinem Gerät.',
  download: 'Herunterladen',
  loading: 'Wird geladen …',
  optional: 'freiwillig',
  never: 'nie',
  accessories: (count) => plural(count, { one: '# Gerät', other: '# Geräte' }),
  accessoryOf: (name) => `Gerät „${name}“`,
  refused: (what, why) => `${what}: ${why}`,
  errors: {
    offline: 'Das Relay antwortet nicht. Prüfe, ob es an ist und ob dieses Gerät in seinem Netz ist.',
    rate_limited: 'Das war zu oft. Warte einen Moment und versuche es noch einmal.',
    insufficient_permissions:
      'Deine Rolle in diesem Zuhause erlaubt das nicht. Frage jemanden, dem es gehört oder der es verwaltet.',
    developer_mode_required: 'Dafür braucht es den Entwicklermodus. Schalte ihn in den Einstellungen ein.',
    accessory_unreachable:
      'Es antwortet nicht. Prüfe, ob es Strom hat und in Reichweite ist, und versuche es noch einmal.',
    relay_not_connected:
      'Das Zuhause ist nicht verbunden: Es ist angehalten, oder das Relay startet noch. Versuche es gleich noch einmal.',
    storage_unavailable: 'Das Relay kann gerade nichts sichern. Sieh unter „System“ nach seinem Speicher.',
    internal: 'Im Relay ist etwas schiefgegangen. Was, steht in seinem Protokoll unter „System“.',
    unknown: 'Es hat nicht geklappt.',
  },
};
