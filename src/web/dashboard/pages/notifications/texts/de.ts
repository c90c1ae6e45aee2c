import { pluralIn, type TextsLike } from '../../../texts/texts.ts';
import type { en } from './en.ts';

const plural = pluralIn('de');

export const de: TextsLike<typeof en> = {
  title: 'Mitteilungen',
  lead: 'Was Automationen dir in den letzten 30 Tagen mitgeteilt haben, und auf welchen Wegen du davon hören willst.',
  test: 'Probe senden',
  testMessage: 'So sieht eine Mitteilung aus.',
  tested: 'Auf jedem eingerichteten Weg gesendet.',
  clear: 'Liste leeren',
  clearTitle: 'Liste der Mitteilungen leeren?',
  clearText: 'Was dir mitgeteilt wurde, wird vergessen. Neue Mitteilungen kommen wie bisher.',
  cleared: 'Die Liste ist leer.',
  emptyTitle: 'Noch wurde nichts mitgeteilt',
  emptyText:
    'Automationen können dir etwas mitteilen: dass die Waschmaschine fertig ist, dass Wasser auf dem Boden steht. Füge einer den Schritt „Mitteilen“ hinzu.',
  older: 'Ältere zeigen',
  failedBy: (channels) => `nicht zugestellt ${channels}`,
  told: { local: 'im Dashboard', push: 'per Push', email: 'per E-Mail' },
  heldBack: 'zurückgehalten: mehr als 30 in der Stunde',
  ofAutomation: (name) => `von der Automation „${name}“`,
  prefs: 'Wie du davon hörst',
  prefsLead: 'Was für eine Automation gilt, geht vor ihr Zuhause, und das Zuhause vor alles andere.',
  channels: { local: 'Im Dashboard', push: 'Push (ntfy)', email: 'E-Mail' },
  notSetUp: 'Noch nicht eingerichtet: zu den Einstellungen',
  everywhere: 'Alles',
  homeScope: (name) => `Zuhause „${name}“`,
  automationScope: (name) => `Automation „${name}“`,
  gone: 'von etwas, das es nicht mehr gibt',
  asAbove: 'Wie oben',
  reset: (scope) => `${scope}: wieder wie oben`,
  chooseRule: 'Auswählen …',
  addRule: 'Anders einstellen für …',
  thisHome: 'Dieses Zuhause',
  count: (count) => plural(count, { one: '# Mitteilung', other: '# Mitteilungen' }),
};
