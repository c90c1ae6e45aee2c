/** Properties and their values as text, and the sentences about automations: "When Hall Sensor detects motion". */

import pickerTexts from 'texts:pickers';
import type { Catalogues } from 'texts:types';
import { useMemo } from 'react';
import { quantityText, unitOf } from '../devices/units.ts';
import type { HomeInventory } from '../home/home-document.ts';
import { type Format, useFormat } from '../texts/format.ts';
import { useTexts } from '../texts/texts.ts';
import { findProperty, findTarget, type PropertyRef, splitNumber } from './property.ts';

export type PickerTexts = Catalogues['pickers'];

/** The language and the number formats of the page. */
export interface Words {
  readonly texts: PickerTexts;
  readonly format: Format;
}

interface StateWords {
  readonly value: string;
  readonly when: Phrase;
  readonly is: Phrase;
  readonly set: Phrase;
  /** Of a scene: "Locks Front Door". Where `set` has words, so has this. */
  readonly does?: Phrase;
}
/** Of an accessory. Empty for an impossible action. */
type Phrase = '' | ((values: { readonly name: string }) => string);
type Table<T> = Readonly<Record<string, Readonly<Record<string, T>>>>;

export type Comparison = keyof PickerTexts['compared'];

/** HomeKit's unit of colour temperature: a million divided by it gives kelvins. */
const MIRED = 1_000_000;
const KELVIN_STEP = 50;

export function useWords(): Words {
  const texts = useTexts(pickerTexts);
  const format = useFormat();
  return useMemo(() => ({ texts, format }), [texts, format]);
}

/** `power_state_2` → "Power 2"; a vendor's own name stays as it is. */
export function propertyName(characteristicType: string, texts: PickerTexts): string {
  const names = texts.properties as Readonly<Record<string, string>>;
  const own = names[characteristicType];
  if (own !== undefined) return own;
  const { type, number } = splitNumber(characteristicType);
  const name = names[type];
  if (name === undefined || number === undefined) return characteristicType.replaceAll('_', ' ');
  return texts.numbered({ name, number });
}

/** A formatted value: "40 %", "21 °C", "locked". */
export function valueText(
  characteristicType: string,
  value: unknown,
  { texts, format }: Words,
  unit?: string | null,
): string {
  if (value === null || value === undefined) return texts.nothing;
  const type = baseType(characteristicType, texts);
  const word = wordOf(type, value, texts);
  if (word !== undefined) return word;
  if (typeof value === 'boolean') return value ? texts.on : texts.off;
  if (typeof value === 'string') return value;
  if (typeof value !== 'number') return JSON.stringify(value);
  if (type === 'color_temperature' && value > 0) return `${format.number(kelvinOf(value))} K`;
  return quantityText(value, unitOf(type, unit), format);
}

/** The word of a value, as inside a sentence: "locked". */
export function wordOf(type: string, value: unknown, texts: PickerTexts): string | undefined {
  return stateOf(texts, type, value)?.value ?? lookUp(texts.values, type, value);
}

export function kelvinOf(mireds: number): number {
  return Math.round(MIRED / mireds / KELVIN_STEP) * KELVIN_STEP;
}

/** The subject of the sentence: the accessory's name, or that of one of its several services. */
export function subjectOf(
  inventory: HomeInventory,
  ref: PropertyRef,
  { texts }: Words,
  knownName?: string | null,
): string {
  const property = findProperty(inventory, ref);
  const own = findTarget(inventory, ref.accessoryId)?.name ?? knownName ?? texts.goneAccessory;
  const service = property?.isNumbered ? property.service.name : undefined;
  return service && service !== own ? `${own} (${service})` : own;
}

/** A change that can trigger an automation; bounds are inclusive. */
export interface Change {
  readonly to?: unknown;
  readonly min?: number | undefined;
  readonly max?: number | undefined;
}

/** "When Desk Lamp is turned on". @param knownName the name of an accessory that may no longer exist */
export function whenText(
  inventory: HomeInventory,
  ref: PropertyRef,
  change: Change,
  words: Words,
  knownName?: string | null,
): string {
  const { texts } = words;
  const name = subjectOf(inventory, ref, words, knownName);
  const property = nameInSentence(inventory, ref, words);
  const write = (value: unknown) => valueText(ref.characteristicType, value, words);
  const { to, min, max } = change;
  if (min !== undefined && max !== undefined)
    return texts.whenBetween({ property, name, low: write(min), high: write(max) });
  if (min !== undefined) return texts.whenAbove({ property, name, value: write(min) });
  if (max !== undefined) return texts.whenBelow({ property, name, value: write(max) });
  if (to === undefined || to === null) return texts.whenAny({ property, name });
  const phrase = stateOf(texts, baseType(ref.characteristicType, texts), to)?.when;
  return phrase ? phrase({ name }) : texts.whenValue({ property, name, value: write(to) });
}

/** "Front Door is locked". */
export function isText(
  inventory: HomeInventory,
  ref: PropertyRef,
  comparison: Comparison,
  value: unknown,
  words: Words,
  knownName?: string | null,
): string {
  const { texts } = words;
  const name = subjectOf(inventory, ref, words, knownName);
  const phrase = comparison === 'eq' ? stateOf(texts, baseType(ref.characteristicType, texts), value)?.is : undefined;
  if (phrase) return phrase({ name });
  const property = nameInSentence(inventory, ref, words);
  return capital(
    texts.compared[comparison]({ property, name, value: valueText(ref.characteristicType, value, words) }),
  );
}

/** "Turn on Desk Lamp", "Set brightness of Desk Lamp to 40 %". */
export function setText(
  inventory: HomeInventory,
  ref: PropertyRef,
  value: unknown,
  words: Words,
  knownName?: string | null,
): string {
  const { texts } = words;
  const name = subjectOf(inventory, ref, words, knownName);
  const phrase = stateOf(texts, baseType(ref.characteristicType, texts), value)?.set;
  if (phrase) return phrase({ name });
  const property = nameInSentence(inventory, ref, words);
  return texts.setTo({ property, name, value: valueText(ref.characteristicType, value, words) });
}

/** "Locks Front Door", by the name; `undefined` if the value has no such words. */
export function doesPhrase(characteristicType: string, value: unknown, texts: PickerTexts): Phrase | undefined {
  return stateOf(texts, baseType(characteristicType, texts), value)?.does || undefined;
}

const PLAIN = /^(?:brightness|rotation_speed|volume|target_temperature|color_temperature|virtual_\w+)$/;

/** Whether its values are understood without its name. */
export function isPlain(characteristicType: string): boolean {
  return PLAIN.test(characteristicType);
}

/** Beside the accessory's name: "on", "40 %", with the name of the property where it needs one: "swinging on". */
export function settingText(inventory: HomeInventory, ref: PropertyRef, value: unknown, words: Words): string {
  const { texts } = words;
  const property = findProperty(inventory, ref);
  const service = property?.isNumbered ? property.service.name : undefined;
  const own = service && service !== property?.accessory.name ? service : undefined;
  const type = baseType(ref.characteristicType, texts);
  const isUnderstood = isPlain(type) || Boolean(stateOf(texts, type, value)?.set);
  const isNamed = !isUnderstood || (property?.isNumbered && own === undefined);
  const name = propertyName(own && property ? property.characteristic.type : ref.characteristicType, texts);
  const text = valueText(ref.characteristicType, value, words, property?.characteristic.unit);
  return [own, isNamed && inSentence(name, texts), text].filter(Boolean).join(' ');
}

/** Without its number if the service's name is already unique. */
function nameInSentence(inventory: HomeInventory, ref: PropertyRef, { texts }: Words): string {
  const property = findProperty(inventory, ref);
  const type = property?.service.name ? property.characteristic.type : ref.characteristicType;
  return inSentence(propertyName(type, texts), texts);
}

/** In languages that capitalise no nouns, a property's name begins with a small letter inside a sentence. */
export function inSentence(property: string, { caseInSentence }: PickerTexts): string {
  if (caseInSentence !== 'lower' || !/^[A-Z][a-z]/.test(property)) return property;
  return property.charAt(0).toLowerCase() + property.slice(1);
}

function baseType(characteristicType: string, texts: PickerTexts): string {
  if (characteristicType in texts.properties) return characteristicType;
  const { type } = splitNumber(characteristicType);
  return type === 'on' ? 'power_state' : type;
}

function stateOf(texts: PickerTexts, type: string, value: unknown): StateWords | undefined {
  return lookUp(texts.states as Table<StateWords>, type, value);
}

/** Devices and clients use 1 for true. */
function lookUp<T>(table: Table<T>, type: string, value: unknown): T | undefined {
  const row = table[type];
  if (!row || (typeof value === 'object' && value !== null)) return undefined;
  const key = String(value);
  const other = { true: '1', false: '0', '1': 'true', '0': 'false' }[key];
  return row[key] ?? (other === undefined ? undefined : row[other]);
}

export function capital(sentence: string): string {
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}
