/** Any characteristic as text, for services without a panel and for the list of all services. */
import type { HomeCharacteristic } from '../../home/home-document.ts';
import { capital, type PickerTexts, type Words, wordOf } from '../../pickers/property-words.ts';
import { UUID } from '../reading.ts';
import { quantityText, suffixOf, unitOf } from '../units.ts';

export function characteristicLabel(type: string, texts: PickerTexts): string {
  if (UUID.test(type)) return texts.makersOwn({ id: type.slice(0, 8).toUpperCase() });
  // `target_fan_direction` → "Target fan direction".
  return (texts.properties as Readonly<Record<string, string>>)[type] ?? capital(type.replaceAll('_', ' '));
}

/** The suffix of a number input; empty without a unit. */
export function unitSuffix({ type, unit }: Pick<HomeCharacteristic, 'type' | 'unit'>): string {
  return suffixOf(unitOf(type, unit));
}

/** Longer texts are binary data. */
const MAX_CHARACTERS = 80;

/** `undefined` until the device reports a value. */
export function characteristicText(
  { type, value, format: kind, unit, minStep }: HomeCharacteristic,
  { texts, format }: Words,
): string | undefined {
  if (value === null || value === undefined || value === '') return undefined;
  const word = wordOf(type, value, texts);
  if (word !== undefined) return capital(word);
  if (typeof value === 'boolean') return value ? texts.yes : texts.no;
  if (typeof value === 'number')
    return quantityText(value, unitOf(type, unit), format, kind === 'float' ? decimalsOf(minStep) : 0);
  if (typeof value !== 'string') return undefined;
  return value.length > MAX_CHARACTERS ? `${value.slice(0, MAX_CHARACTERS)} …` : value;
}

function decimalsOf(step: number | null): number {
  return step === null ? 2 : (String(step).split('.')[1]?.length ?? 0);
}
