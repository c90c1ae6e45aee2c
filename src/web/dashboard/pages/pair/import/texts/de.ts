import { pluralIn, type TextsLike } from '../../../../texts/texts.ts';
import type { en } from './en.ts';

const plural = pluralIn('de');

export const de: TextsLike<typeof en> = {
  title: 'Geräte übernehmen',
  lead: 'Was ein anderes Programm gekoppelt hat, funktioniert hier mit den Schlüsseln aus dessen Datei: Nichts muss zurückgesetzt oder neu gekoppelt werden.',
  files: 'Diese Dateien werden gelesen',
  sources: [
    ['Home Assistant', '.storage/core.config_entries in seinem Konfigurationsordner'],
    ['aiohomekit', 'pairing.json'],
    ['hap-controller', 'die Datei mit den Langzeitdaten'],
  ],
  before: 'Vorher',
  stop: 'Das andere Programm oder seine HomeKit-Integration ausschalten: Die meisten Geräte hören nur auf eines von beiden.',
  keep: 'Die Geräte dort nicht entfernen. Damit würden sie ihre Schlüssel vergessen.',
  secret:
    'Die Datei ist ein Schlüssel zum Zuhause. Von der von Home Assistant verlassen nur diese Schlüssel den Browser.',
  choose: 'Datei auswählen',
  chooseAnother: 'Andere Datei auswählen',
  reading: 'Die Datei wird gelesen …',
  tooLarge: 'Die Datei ist zu groß, um nur Kopplungen zu enthalten.',
  notJson: 'Das ist keine dieser Dateien: Sie ist kein JSON. Nimm das unveränderte Original.',
  noPairings:
    'In dieser Datei sind keine Kopplungen. Nimm eine der oben genannten. Die Datei eines Geräts, etwa von Homebridge, öffnet nichts: Kopple es mit seinem Code.',
  found: (file, count) => plural(count, { one: `# Kopplung in ${file}`, other: `# Kopplungen in ${file}` }),
  ready: (count) =>
    plural(count, { one: '# Gerät kann übernommen werden.', other: '# Geräte können übernommen werden.' }),
  nothingNew: 'Nichts davon kann übernommen werden.',
  take: (count) => plural(count, { one: '# Gerät übernehmen', other: '# Geräte übernehmen' }),
  taking: 'Jedes davon wird verbunden … Das dauert bis zu 15 Sekunden.',
  done: (count) => plural(count, { one: '# Gerät ist jetzt hier.', other: '# Geräte sind jetzt hier.' }),
  doneNone: 'Kein Gerät konnte übernommen werden.',
  list: 'Kopplungen in der Datei',
  toHome: 'Zum Zuhause',
  pairByCode: 'Mit Code koppeln',
  outcomes: {
    new: ['Bereit', 'Seine Schlüssel sind vollständig.'],
    imported: ['Übernommen', 'Es ist verbunden und im Zuhause.'],
    already_here: ['Schon hier', 'Es ist mit diesem Relay gekoppelt und bleibt, wie es ist.'],
    unreachable: [
      'Übernommen, aber weg',
      'Es antwortet gerade nicht. Sobald es Strom und Netz hat, verbindet es sich von selbst.',
    ],
    refused: [
      'Abgelehnt',
      'Es kennt diese Schlüssel nicht mehr: Es wurde zurückgesetzt oder im anderen Programm entfernt. Kopple es mit seinem Code.',
    ],
    unsupported: [
      'Nicht möglich',
      'Es wird über Bluetooth oder Thread erreicht, was dieses Relay nicht spricht. Nur Geräte im Netz können übernommen werden.',
    ],
    invalid: [
      'Beschädigt',
      'Seine Schlüssel in der Datei sind unvollständig oder verändert. Nimm die Originaldatei, oder kopple es mit seinem Code.',
    ],
  },
  keepOff: 'Lass die HomeKit-Integration des anderen Programms von nun an aus, und entferne die Geräte dort nicht.',
};
