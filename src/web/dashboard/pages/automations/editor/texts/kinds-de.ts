import type { TextsLike } from '../../../../texts/texts.ts';
import type {
  ACTION_KINDS as enActions,
  CONDITION_KINDS as enConditions,
  TRIGGER_KINDS as enTriggers,
} from './kinds-en.ts';

export const TRIGGER_KINDS: TextsLike<typeof enTriggers> = {
  state: { name: 'Etwas ändert sich', purpose: 'Eine Lampe geht an, Bewegung wird erkannt, eine Tür geht auf' },
  numeric_state: {
    name: 'Ein Wert wird über- oder unterschritten',
    purpose: 'Es wird wärmer, dunkler oder feuchter, als du sagst',
  },
  button: { name: 'Eine Taste wird gedrückt', purpose: 'Einmal, zweimal oder lang' },
  time: { name: 'Uhrzeit', purpose: 'Zu einer Zeit, an den Tagen, die du wählst' },
  sun: { name: 'Sonnenauf- oder -untergang', purpose: 'Wenn es hell oder dunkel wird, oder etwas davor oder danach' },
  time_pattern: { name: 'Immer wieder', purpose: 'Alle paar Minuten oder Stunden' },
  presence: {
    name: 'Jemand kommt oder geht',
    purpose: 'Die erste kommt heim, der letzte geht, oder bestimmte Personen',
  },
  location: { name: 'Ein Ort', purpose: 'Jemand nähert sich einem Ort oder verlässt ihn' },
  device_availability: { name: 'Ein Gerät ist verschwunden', purpose: 'Es ist nicht mehr erreichbar, oder wieder' },
  webhook: { name: 'Webadresse', purpose: 'Ein anderes Programm ruft eine eigene Adresse auf' },
  automation_failed: { name: 'Eine Automation schlägt fehl', purpose: 'Damit jemand davon erfährt' },
  event: { name: 'Ereignis', purpose: 'Eine andere Automation meldet etwas' },
  template: { name: 'Ausdruck', purpose: 'Was immer du ausrechnen kannst, wird wahr' },
  system: { name: 'Das Relay selbst', purpose: 'Das Zuhause wird verbunden oder getrennt' },
  calendar: { name: 'Datum', purpose: 'An einem Tag des Monats oder des Jahres' },
  timer: { name: 'Einmal', purpose: 'Zu einem bestimmten Zeitpunkt' },
  duration: { name: 'Zeit vergeht', purpose: 'So lange nach Beginn des Wartens' },
};

export const CONDITION_KINDS: TextsLike<typeof enConditions> = {
  state: { name: 'Etwas ist so', purpose: 'Eine Lampe ist an, eine Tür ist zu' },
  numeric_state: {
    name: 'Ein Wert liegt in einem Bereich',
    purpose: 'Es ist wärmer, dunkler oder feuchter, als du sagst',
  },
  time: { name: 'Uhrzeit', purpose: 'Zwischen zwei Zeiten, oder an bestimmten Tagen' },
  sun: { name: 'Tag oder Nacht', purpose: 'Nach Sonnenuntergang, vor Sonnenaufgang' },
  presence: { name: 'Wer zu Hause ist', purpose: 'Jemand, alle, niemand oder bestimmte Personen' },
  trigger: { name: 'Womit es begann', purpose: 'Nur wenn genau dieser Auslöser es war' },
  template: { name: 'Ausdruck', purpose: 'Was immer du ausrechnen kannst, ist wahr' },
};

export const ACTION_KINDS: TextsLike<typeof enActions> = {
  set_characteristic: {
    name: 'Gerät einstellen',
    purpose: 'Schalten, dimmen, öffnen, verriegeln: ein Gerät oder eine Gruppe',
  },
  set_service_group: { name: 'Gruppe einstellen', purpose: 'Alle Geräte einer Gruppe' },
  execute_scene: { name: 'Szene aufrufen', purpose: 'Alles, was die Szene sagt' },
  delay: { name: 'Eine Weile warten', purpose: 'Danach geht es weiter' },
  notify: { name: 'Jemanden benachrichtigen', purpose: 'Auf dieser Seite, als Push-Nachricht oder per E-Mail' },
  if_then_else: { name: 'Falls … dann … sonst', purpose: 'Das eine tun oder das andere' },
  choose: { name: 'Fälle unterscheiden', purpose: 'Der erste Fall, der passt, wird getan' },
  repeat: { name: 'Wiederholen', purpose: 'So oft du sagst, solange oder bis etwas so ist' },
  parallel: { name: 'Gleichzeitig', purpose: 'Mehreres, das nicht aufeinander wartet' },
  wait_for_trigger: { name: 'Auf etwas warten', purpose: 'Bis ein Gerät, die Uhr oder eine Person etwas tut' },
  wait_for_template: { name: 'Auf einen Ausdruck warten', purpose: 'Bis wahr ist, was du ausrechnest' },
  restore_state: { name: 'Wiederherstellen', purpose: 'So, wie es vor einer Szene dieser Automation war' },
  virtual: { name: 'Virtuelles Gerät', purpose: 'Einen Timer starten, zählen, einen Modus ändern' },
  toggle_automation: { name: 'Andere Automation', purpose: 'Sie ein- oder ausschalten oder auslösen' },
  call_script: { name: 'Ausführen und warten', purpose: 'Eine andere Automation als Teil von dieser' },
  fire_webhook: { name: 'Webanfrage', purpose: 'Die Adresse eines anderen Programms oder Dienstes aufrufen' },
  fire_event: { name: 'Automationen Bescheid sagen', purpose: 'Andere können damit beginnen' },
  variables: { name: 'Merken', purpose: 'Werte, die spätere Schritte verwenden' },
  merge: { name: 'Ergebnisse zusammenführen', purpose: 'Von mehreren Schritten in eines' },
  stop: { name: 'Aufhören', purpose: 'Nichts danach wird mehr getan' },
};
