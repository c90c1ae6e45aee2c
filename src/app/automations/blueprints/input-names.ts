/** Names for the inputs of a blueprint that is made of an automation: none of them is a name of the home. */
import type { BlueprintLanguage } from '../../../contract/blueprints.ts';

type Words = Readonly<Record<BlueprintLanguage, string>>;

/** By the type of an accessory, or the kind of an input. */
const WORDS: Readonly<Record<string, Words>> = {
  light: { en: 'Light', de: 'Licht' },
  switch: { en: 'Switch', de: 'Schalter' },
  outlet: { en: 'Outlet', de: 'Steckdose' },
  lock: { en: 'Lock', de: 'Schloss' },
  climate: { en: 'Heating', de: 'Heizung' },
  motion: { en: 'Motion sensor', de: 'Bewegungsmelder' },
  contact: { en: 'Door or window', de: 'Tür oder Fenster' },
  temperature: { en: 'Temperature sensor', de: 'Temperatursensor' },
  sensor: { en: 'Sensor', de: 'Sensor' },
  light_sensor: { en: 'Light sensor', de: 'Lichtsensor' },
  blind: { en: 'Blind', de: 'Rollladen' },
  fan: { en: 'Fan', de: 'Ventilator' },
  valve: { en: 'Valve', de: 'Ventil' },
  button: { en: 'Button', de: 'Taster' },
  speaker: { en: 'Speaker', de: 'Lautsprecher' },
  service_group: { en: 'Group', de: 'Gruppe' },
  scene: { en: 'Scene', de: 'Szene' },
  person: { en: 'Person', de: 'Person' },
  automation: { en: 'Automation', de: 'Automation' },
  message: { en: 'Message', de: 'Nachricht' },
  title: { en: 'Title', de: 'Titel' },
  text: { en: 'Text', de: 'Text' },
  address: { en: 'Address of the request', de: 'Adresse der Anfrage' },
  header: { en: 'Header of the request', de: 'Kopfzeile der Anfrage' },
  latitude: { en: 'Latitude', de: 'Breitengrad' },
  longitude: { en: 'Longitude', de: 'Längengrad' },
};
const OTHER: Words = { en: 'Accessory', de: 'Gerät' };

export class InputNames {
  readonly #language: BlueprintLanguage;
  readonly #counts = new Map<string, number>();

  constructor(language: BlueprintLanguage) {
    this.#language = language;
  }

  /** `light` and `Light`, then `light_2` and `Light 2`. */
  next(word: string): { readonly id: string; readonly name: string } {
    const words = Object.hasOwn(WORDS, word) ? WORDS[word] : undefined;
    const id = words ? word : 'accessory';
    const name = (words ?? OTHER)[this.#language];
    const count = (this.#counts.get(id) ?? 0) + 1;
    this.#counts.set(id, count);
    return count === 1 ? { id, name } : { id: `${id}_${count}`, name: `${name} ${count}` };
  }
}
