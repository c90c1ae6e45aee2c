import { pluralIn, type TextsLike } from '../../../../texts/texts.ts';
import type { en } from './en.ts';

const plural = pluralIn('de');

export const de: TextsLike<typeof en> = {
  lead: 'Jede Nacht wird eine Kopie des ganzen Hauses aufgehoben, und sieben davon bleiben. Hier machst du weitere, bewahrst sie anderswo auf und holst eine zurück.',
  create: 'Jetzt sichern',
  created: 'Die Sicherung ist gemacht.',
  upload: 'Hochladen',
  uploading: (percent) => `Wird hochgeladen … ${percent}`,
  uploaded: 'Die Sicherung ist hochgeladen.',
  list: 'Sicherungen',
  emptyTitle: 'Noch keine Sicherungen',
  empty: 'Die erste entsteht in der nächsten Nacht von selbst. Du kannst auch jetzt eine machen.',
  kinds: {
    nightly: 'Von selbst gemacht',
    manual: 'Von Hand gemacht',
    'before-upgrade': 'Vor einer Aktualisierung',
    'before-restore': 'Vor einer Wiederherstellung: holt das zurück',
    uploaded: 'Hochgeladen',
  },
  faults: {
    damaged: 'Beschädigt: nicht wiederherstellbar',
    foreign: 'Nicht von hearthd: nicht wiederherstellbar',
    altered: 'Verändert: nicht wiederherstellbar',
    incomplete: 'Unvollständig, während der Benutzung kopiert: nicht wiederherstellbar',
    unreadable: 'Nicht lesbar: prüfe die Rechte und den Speicher',
    newer: 'Von einer neueren Version: erst aktualisieren',
  },
  encrypted: 'Verschlüsselt',
  otherRelay: 'Von einem anderen Relay',
  rooms: (count) => plural(count, { one: '# Raum', other: '# Räume' }),
  scenes: (count) => plural(count, { one: '# Szene', other: '# Szenen' }),
  automations: (count) => plural(count, { one: '# Automation', other: '# Automationen' }),
  restore: 'Wiederherstellen',
  restoreOf: (when) => `Die Sicherung vom ${when} wiederherstellen`,
  downloadOf: (when) => `Die Sicherung vom ${when} herunterladen`,
  deleteOf: (when) => `Die Sicherung vom ${when} löschen`,
  deleteQuestion: 'Diese Sicherung löschen?',
  deleteBody: (when) =>
    `Die Sicherung vom ${when} ist dann weg und lässt sich nicht zurückholen. Das Haus selbst bleibt, wie es ist.`,
  deleteAction: 'Sicherung löschen',
  deleted: 'Die Sicherung ist gelöscht.',
  download: {
    title: 'Sicherung herunterladen',
    encrypt: 'Mit einem Passwort verschlüsseln (empfohlen)',
    password: 'Passwort für die Datei',
    passwordHelp: 'Mindestens 8 Zeichen. Ohne es kann niemand die Datei öffnen, auch du nicht.',
    plainWarning:
      'Ohne Passwort enthält die Datei die Schlüssel aller Geräte: Wer sie hat, kann deine Schlösser öffnen.',
    encryptedAlready: 'Diese Sicherung ist verschlüsselt. Sie wird so heruntergeladen und behält ihr Passwort.',
    action: 'Herunterladen',
  },
  dialog: {
    title: 'Diese Sicherung wiederherstellen?',
    of: (when) => `Das Haus geht zurück auf den Stand vom ${when}.`,
    back: 'Zuhause, Räume, Namen, Szenen, Automationen, Mitglieder und Freigaben kommen zurück, wie sie damals waren.',
    members:
      'Wer damals Mitglied war, ist es wieder, auch wer seither entfernt wurde: Sieh danach die Mitglieder durch.',
    lost: 'Was seither entstanden oder geändert ist, ist weg. Es wird als eigene Sicherung aufgehoben, damit du das rückgängig machen kannst.',
    kept: 'Geräte bleiben gekoppelt, auch die seither gekoppelten. Passwörter, Anmeldungen und Zugriffstoken bleiben, wie sie jetzt sind.',
    pause: 'Das Relay startet neu. Das dauert einige Sekunden, in denen sich von hier nichts schalten lässt.',
    noAccount:
      'Dein Konto gab es damals noch nicht: Du wirst abgemeldet und brauchst eines von damals, um dich anzumelden.',
    otherRelay:
      'Diese Sicherung ist von einem anderen Relay. Alle werden abgemeldet und melden sich mit einem Konto von dort an.',
    password: 'Passwort der Sicherung',
    action: 'Jetzt wiederherstellen',
  },
  restarting: {
    title: 'Das Relay startet neu',
    text: 'Die Sicherung wird zurückgeholt. Diese Seite geht von selbst weiter, sobald das Relay antwortet.',
    slow: 'Es dauert länger als üblich. Taugt die Sicherung nicht, kommt das Haus von selbst zurück, wie es war.',
  },
  last: {
    restored: (when) => `Das Haus wurde ${when} wiederhergestellt.`,
    undo: 'Rückgängig machen',
    failed: (why) => `Die Wiederherstellung ging nicht, und das Haus ist, wie es war. ${why}`,
  },
};
