import type { TextsLike } from '../../../texts/texts.ts';
import type { en } from './en.ts';

export const de: TextsLike<typeof en> = {
  missing: 'Dieses Gerät ist nicht hier',
  missingText: 'Es wurde entfernt oder ist in einem anderen Zuhause.',
  toHome: 'Zur Übersicht',
  about: 'Über das Gerät',
  history: 'Verlauf',
  share: 'Freigeben',
  identify: 'Gerät sich zeigen lassen',
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
  lastHeard: 'Zuletzt gehört:',
};
