import type { TextsLike } from '../../texts/texts.ts';
import type { en } from './en.ts';

export const de: TextsLike<typeof en> = {
  nav: {
    label: 'Hauptmenü',
    home: 'Zuhause',
    automations: 'Automationen',
    scenes: 'Szenen',
    history: 'Verlauf',
    people: 'Personen & Freigaben',
    virtual: 'Virtuelle Geräte',
    notifications: 'Mitteilungen',
    system: 'System',
    developer: 'Entwickler',
    settings: 'Einstellungen',
    more: 'Mehr',
    pair: 'Gerät hinzufügen',
  },
  skip: 'Zum Inhalt springen',
  switchHome: 'Angezeigtes Zuhause',
  signOut: 'Abmelden',
  away: 'Das Relay ist nicht erreichbar',
  lost: 'Verbindung verloren. Was du siehst, ist vielleicht veraltet.',
  reconnect: 'Jetzt verbinden',
  paused: 'Dieses Zuhause ist angehalten: Seine Geräte sind freigegeben, bis es fortgesetzt wird.',
  notConnected: 'Das Relay sucht noch nach den Geräten dieses Zuhauses.',
  noHomes: 'Noch kein Zuhause',
  noHomesText:
    'Dein Konto gehört zu keinem Zuhause. Bitte jemanden, dem eines gehört, dich einzuladen; die Einladung erscheint dann hier.',
  notFound: 'Hier ist nichts',
  notFoundText: 'Vielleicht ist die Seite umgezogen, oder was sie zeigte, wurde gelöscht.',
  toHome: 'Zum Zuhause',
  loadingHome: 'Das Zuhause wird geöffnet …',
  crashed: 'Diese Seite funktioniert nicht mehr',
  crashedText: 'Alles andere geht weiter. Passiert es wieder, lade die Seite neu.',
  crashedReload: 'Neu laden',
};
