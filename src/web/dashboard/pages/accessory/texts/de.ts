import type { TextsLike } from '../../../texts/texts.ts';
import type { en } from './en.ts';

export const de: TextsLike<typeof en> = {
  missing: 'Dieses Gerät ist nicht hier',
  missingText: 'Es wurde entfernt oder ist in einem anderen Zuhause.',
  toHome: 'Zur Übersicht',
  about: 'Über das Gerät',
  history: 'Verlauf',
  share: 'Freigeben',
  change: 'Ändern oder löschen',
  connection: 'Verbindung, Firmware, Entfernen',
  identify: 'Blinken lassen',
  identified: 'Es sollte jetzt blinken oder piepen.',
  renamed: (name) => `Umbenannt in „${name}“`,
  moved: (room) => `Verschoben nach „${room}“`,
  details: 'Alle Angaben',
  hidden: 'vom Hersteller versteckt',
  nothing: 'Es gibt nichts einzustellen oder anzuzeigen.',
  mayOnlyLook:
    'Du kannst dieses Zuhause ansehen, aber nicht steuern. Frage die Besitzerin, den Besitzer oder einen Admin.',
  silent: 'Es antwortet nicht. Prüfe, ob es Strom hat und in Reichweite ist.',
  paused: 'Das Zuhause ist angehalten: Seine Geräte werden nicht gefragt, bis es weitergeht.',
  offline: 'Das Zuhause ist gerade nicht verbunden.',
  vanished: 'Die Bridge führt es nicht mehr. Es bleibt 30 Tage erhalten, falls es zurückkommt.',
  remedies: {
    batteryLow: 'Bald wechseln oder laden: Leer meldet das Gerät nichts mehr.',
    fault: 'Am Gerät oder in der App des Herstellers steht, was los ist.',
    tampered: 'Es wurde geöffnet oder bewegt. Prüfe, ob es an seinem Platz und geschlossen ist.',
    filter: 'Wechseln oder reinigen.',
  },
  lastHeard: 'Zuletzt gehört:',
};
