/**
 * The verbs of a share link (API §4.4): their path, and the properties that they set. A verb acts on every accessory of
 * the share that has the property. Values are checked here against the verb's own range, and by the operation against
 * each device's.
 */
import { PageError } from '../html/sentences.ts';
import { texts } from './texts.ts';

/** The settings of a verb, in the format of API §4.1.1. */
export type ShareSettings = Readonly<Record<string, boolean | number>>;

export interface Verb {
  /** Below `/s/{hash}`. */
  readonly path: string;
  /** @param values those of the path's parameters. @throws `invalid_value` naming the range */
  settings(values: Readonly<Record<string, string>>): ShareSettings | 'toggle';
}

interface Range {
  readonly min: number;
  readonly max: number;
}

const PERCENT: Range = { min: 0, max: 100 };
const DEGREES: Range = { min: 0, max: 360 };
/** API §4.1.1. */
const MIREDS: Range = { min: 140, max: 500 };

/**
 * Digits with or without a fraction, as a person or a template would write them; no other number syntax of JavaScript.
 */
const NUMBER = /^\d{1,6}(?:\.\d{1,6})?$/;

export const VERBS: readonly Verb[] = [
  fixed('on', { on: true }),
  fixed('off', { on: false }),
  { path: 'toggle', settings: () => 'toggle' },
  fixed('lock', { lock_target: true }),
  fixed('unlock', { lock_target: false }),
  numeric('brightness', 'brightness', PERCENT),
  numeric('hue', 'hue', DEGREES),
  numeric('saturation', 'saturation', PERCENT),
  numeric('temp', 'color_temp', MIREDS),
  numeric('position', 'target', PERCENT),
  {
    path: 'color/:hue/:saturation',
    settings: ({ hue, saturation }) => ({
      hue: parseIn('hue', hue, DEGREES),
      saturation: parseIn('saturation', saturation, PERCENT),
    }),
  },
];

function fixed(path: string, settings: ShareSettings): Verb {
  return { path, settings: () => settings };
}

function numeric(verb: string, property: string, range: Range): Verb {
  return { path: `${verb}/:value`, settings: ({ value }) => ({ [property]: parseIn(verb, value, range) }) };
}

function parseIn(name: string, text: string | undefined, { min, max }: Range): number {
  const value = text !== undefined && NUMBER.test(text) ? Number(text) : Number.NaN;
  if (value >= min && value <= max) return value;
  throw new PageError(
    'invalid_value',
    (language) => texts[language].refused.range({ name, min: `${min}`, max: `${max}` }),
    {
      field: name,
    },
  );
}
