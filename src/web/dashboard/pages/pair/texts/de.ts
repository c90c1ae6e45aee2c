import type { TextsLike } from '../../../texts/texts.ts';
import { pluralIn } from '../../../texts/texts.ts';
import type { en } from './en.ts';

const plural = pluralIn('de');

export const de: TextsLike<typeof en> = {
  title: 'Gerät hinzufügen',
  lead: 'HomeKit-Geräte in deinem Netz erscheinen hier von selbst. Halte den Einrichtungscode bereit: acht Ziffern auf dem Gerät, in seiner Anleitung oder auf seinem Bildschirm.',
  notAllowed: 'Nur wer dieses Zuhause verwaltet, kann Geräte hinzufügen',
  notAllowedText: 'Bitte jemanden, der es verwaltet, es hinzuzufügen oder dir das Verwalten zu erlauben.',
  found: (count) => plural(count, { one: '# neues Gerät gefunden', other: '# neue Geräte gefunden' }),
  searching: 'Geräte werden gesucht …',
  searchAgain: 'Noch einmal suchen',
  none: 'Noch kein neues Gerät',
  noneText:
    'Schließe es an und bring es zuerst mit der App des Herstellers in dein Netz. Geräte aus einem anderen Zuhause, etwa aus Apple Home, müssen dort entfernt werden.',
  add: 'Hinzufügen',
  addName: (name) => `${name} hinzufügen`,
  elsewhere: 'In einem anderen Zuhause',
  elsewhereText:
    'Diese gehören einer anderen App oder Zentrale. Entferne sie dort (in Apple Home: Einstellungen des Geräts → Gerät entfernen) oder setze sie nach Anleitung zurück; dann erscheinen sie oben.',
  here: 'Schon hier',
  blink: 'Blinken lassen',
  blinkName: (name) => `${name} blinken lassen`,
  blinked: (name) => `${name} sollte jetzt blinken oder einen Ton geben.`,
  move: 'Umzug von einem anderen Programm?',
  moveText:
    'Was Home Assistant und andere gekoppelt haben, kommt mit einer Datei von dort herüber. Nichts muss zurückgesetzt werden.',
  moveAct: 'Geräte übernehmen',
  manual: 'Nicht in der Liste?',
  manualText: 'Ist ein Gerät in einem anderen Netz, sieht das Relay es nicht. Gib seine Adresse mit Port an.',
  address: 'Adresse und Port',
  addressHint: 'Zum Beispiel 192.168.1.20:51827',
  addressBad: 'Gib eine Adresse mit Port an, zum Beispiel 192.168.1.20:51827.',
  go: 'Weiter',
  addDevice: (name) => `„${name}“ hinzufügen`,
  code: 'Einrichtungscode',
  codeHint: 'Acht Ziffern, zum Beispiel 031-45-154. Du kannst ihn auch einfügen.',
  codeMissing: 'Es fehlen Ziffern: Ein Einrichtungscode hat acht.',
  codeMatter: 'Das ist ein Matter-Code. Der von HomeKit hat acht Ziffern oder einen QR-Code, der mit X-HM:// beginnt.',
  codeLetters: 'Ein Einrichtungscode hat nur Ziffern. Lies ihn noch einmal vom Gerät oder der Packung ab.',
  codeTrivial: 'Diesen Code darf kein Gerät haben, weil ihn jeder raten würde. Prüfe die Ziffern.',
  scan: 'Mit der Kamera scannen',
  photo: 'Den Code fotografieren',
  photoHint: 'Den QR-Code neben den Ziffern.',
  scanning: 'Halte den QR-Code vor die Kamera.',
  stopScan: 'Kamera ausschalten',
  scanned: 'Der Code wurde gelesen.',
  noCode: 'Auf dem Bild ist kein QR-Code zu erkennen. Geh näher heran, mach mehr Licht oder tippe die Ziffern.',
  foreignCodes: {
    matter: 'Das ist ein Matter-Code. Suche den anderen, neben acht Ziffern und einem kleinen Haus.',
    other: 'Dieser QR-Code gehört nicht zu HomeKit. Suche den neben acht Ziffern und einem kleinen Haus.',
  },
  noCamera: {
    none: 'Hier gibt es keine Kamera. Mach ein Foto vom Code oder tippe die Ziffern.',
    denied:
      'Diese Seite darf die Kamera nicht benutzen. Erlaube es in den Einstellungen des Browsers für diese Seite oder mach stattdessen ein Foto.',
    busy: 'Die Kamera lässt sich gerade nicht benutzen; vielleicht hat sie eine andere App. Schließe diese oder mach stattdessen ein Foto.',
  },
  pairing: (name) => `„${name}“ wird hinzugefügt`,
  pairingText: 'Das dauert bis zu einer halben Minute. Bleib in der Nähe und lass das Gerät eingeschaltet.',
  steps: {
    connecting: 'Das Gerät wird erreicht',
    exchanging: 'Der Einrichtungscode wird geprüft',
    proving: 'Es wird geprüft, ob es das richtige ist',
    saving: 'Seine Schlüssel werden gesichert',
    verifying: 'Die dauerhafte Verbindung entsteht',
    reading: 'Es wird gelesen, was es kann',
    done: 'Fertig',
  },
  failures: {
    wrong_code:
      'Der Einrichtungscode ist falsch. Prüfe die acht Ziffern auf dem Gerät, der Packung oder dem Bildschirm.',
    back_off: 'Das Gerät will vor dem nächsten Versuch eine Pause. Warte eine Minute und versuche es dann noch einmal.',
    max_peers:
      'Das Gerät hat keinen Platz für ein weiteres Zuhause. Entferne es in einer App, der es gehört, oder setze es nach Anleitung zurück.',
    max_tries:
      'Das Gerät hat zu viele falsche Codes gesehen und nimmt bis zu einem Neustart keinen mehr. Nimm es zehn Sekunden vom Strom, prüfe den Code und versuche es noch einmal.',
    paired_elsewhere:
      'Das Gerät gehört zu einem anderen Zuhause. Entferne es in der App oder Zentrale, der es gehört, oder setze es nach Anleitung zurück, und versuche es noch einmal.',
    busy: 'Das Gerät wird gerade von jemand anderem hinzugefügt. Warte das ab oder brich es ab und versuche es in einer Minute noch einmal.',
    unreachable:
      'Das Gerät antwortet nicht. Prüfe, ob es Strom hat, nah genug und in diesem Netz ist, und versuche es noch einmal.',
    half_made:
      'Es ist auf halbem Weg stehen geblieben. Versuche es noch einmal: Reste dieses Versuchs werden vorher beseitigt. Klappt es nicht, setze das Gerät nach Anleitung zurück.',
    wrong_device:
      'Unter dieser Adresse hat ein anderes Gerät geantwortet. Suche noch einmal und wähle es aus der Liste.',
    impostor:
      'Was geantwortet hat, kennt den Einrichtungscode selbst nicht. Vergewissere dich, dass es dein Gerät ist, nimm es zehn Sekunden vom Strom und versuche es noch einmal.',
    refused:
      'Das Gerät hat ohne Angabe von Gründen abgelehnt. Nimm es zehn Sekunden vom Strom und versuche es noch einmal; hilft das nicht, suche in der App des Herstellers nach einem Update.',
    paired_here: 'Dieses Gerät ist schon hier. Du findest es in seinem Raum.',
    malformed_code: 'Das ist kein Einrichtungscode: Er hat acht Ziffern. Lies ihn noch einmal ab.',
    trivial_code: 'Diesen Code darf kein Gerät haben, weil ihn jeder raten würde. Prüfe die Ziffern.',
    matter_code:
      'Das ist ein Matter-Code. Der von HomeKit hat acht Ziffern oder einen QR-Code, der mit X-HM:// beginnt.',
    damaged_payload:
      'Der QR-Code wurde nicht ganz gelesen. Scanne ihn noch einmal oder tippe die acht Ziffern daneben.',
    not_saved:
      'Das Relay kann die Schlüssel des Geräts nicht sichern und hat deshalb aufgehört. Sieh unter „System“ nach seinem Speicher und versuche es noch einmal.',
    not_seen: 'Unter dieser Adresse antwortet nichts. Prüfe sie und ob das Gerät Strom hat.',
    too_many_wrong_codes:
      'Fünf falsche Codes in einer Stunde. Damit sich das Gerät nicht selbst sperrt, warte eine Stunde bis zum nächsten Versuch.',
  },
  added: (name) => `„${name}“ ist da`,
  addedBridge: (count) =>
    plural(count, {
      one: 'Es hat # Gerät mitgebracht. Wo ist es?',
      other: 'Es hat # Geräte mitgebracht. Wo sind sie?',
    }),
  addedOne: 'Wie heißt es, und wo ist es?',
  name: 'Name',
  room: 'Raum',
  newRoom: 'Neuer Raum …',
  newRoomName: 'Name des neuen Raums',
  save: 'Fertig',
  saveAndMore: 'Fertig, noch eins hinzufügen',
  unpair: 'Rückgängig: wieder entfernen',
  unpairTitle: (name) => `„${name}“ entfernen?`,
  unpairText:
    'Es verlässt dieses Zuhause und lässt sich danach überall neu hinzufügen. Was du hier dafür eingestellt hast, geht verloren.',
  unpaired: (name) => `„${name}“ wurde entfernt.`,
};
