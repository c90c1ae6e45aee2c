/** Any characteristic in words, for what has no panel of its own and for the list of everything. */
import type { HouseCharacteristic } from '../../house/house-document.ts';
import type { Format } from '../../texts/format.ts';
import type { TextsLike } from '../../texts/texts.ts';
import type { en } from './texts/en.ts';

export type PanelTexts = TextsLike<typeof en>;

export function characteristicLabel(type: string, t: PanelTexts): string {
  return (t.characteristics as Readonly<Record<string, string>>)[type] ?? readable(type);
}

/** `target_fan_state` → "Target fan state"; a maker's own is a UUID and stays one. */
export function readable(type: string): string {
  if (/^[0-9a-f]{8}-/i.test(type)) return type;
  const words = type.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Longer texts are binary data that nobody reads. */
const MOST_CHARACTERS = 80;

/** `undefined` where it has told nothing. */
export function characteristicText(
  { type, value, format: kind, unit, minStep }: HouseCharacteristic,
  t: PanelTexts,
  format: Format,
): string | undefined {
  if (value === null || value === undefined || value === '') return undefined;
  if (typeof value === 'boolean') return value ? t.yes : t.no;
  if (typeof value === 'number') {
    const words = (t.values as Readonly<Record<string, readonly string[]>>)[type];
    if (words?.[value]) return words[value];
    if (unit === 'celsius') return format.temperature(value);
    if (unit === 'percentage') return format.percent(value);
    if (unit === 'seconds') return format.duration(value * 1000);
    const number = format.number(value, kind === 'float' ? decimalsOf(minStep) : 0);
    if (unit === 'lux') return `${number} lx`;
    return unit === 'arcdegrees' ? t.degrees(number) : unit ? `${number} ${unit}` : number;
  }
  if (typeof value !== 'string') return undefined;
  return value.length > MOST_CHARACTERS ? `${value.slice(0, MOST_CHARACTERS)} …` : value;
}

function decimalsOf(step: number | null): number {
  return step === null ? 2 : (String(step).split('.')[1]?.length ?? 0);
}
