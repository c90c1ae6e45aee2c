/**
 * The forms of virtual accessories: the initial values, the conversion from the relay's configuration, and the values
 * to send. One row for each kind.
 */
import {
  CalendarClock,
  Hash,
  ListChecks,
  type LucideIcon,
  SlidersHorizontal,
  TextCursorInput,
  Timer,
  ToggleLeft,
} from 'lucide-react';

export const VIRTUAL_KINDS = [
  'input_boolean',
  'input_select',
  'input_number',
  'counter',
  'timer',
  'input_text',
  'input_datetime',
] as const;
export type VirtualKind = (typeof VIRTUAL_KINDS)[number];

export function isVirtualKind(type: unknown): type is VirtualKind {
  return VIRTUAL_KINDS.some((kind) => kind === type);
}

export const VIRTUAL_ICONS: Readonly<Record<VirtualKind, LucideIcon>> = {
  input_boolean: ToggleLeft,
  input_select: ListChecks,
  input_number: SlidersHorizontal,
  counter: Hash,
  timer: Timer,
  input_text: TextCursorInput,
  input_datetime: CalendarClock,
};

/** The fields of the form; a kind uses some of them. `undefined`: an empty field. */
export interface VirtualFields {
  readonly isOn: boolean;
  /** The options as entered. */
  readonly options: readonly string[];
  readonly min: number | undefined;
  readonly max: number | undefined;
  readonly step: number | undefined;
  readonly start: number | undefined;
  readonly unit: string;
  readonly isSlider: boolean;
  readonly durationMs: number;
  readonly minLength: number | undefined;
  readonly maxLength: number | undefined;
  readonly pattern: string;
  readonly text: string;
  readonly hasDate: boolean;
  readonly hasTime: boolean;
}

const MINUTE_MS = 60_000;

const BLANK: VirtualFields = {
  isOn: false,
  options: [],
  min: undefined,
  max: undefined,
  step: 1,
  start: 0,
  unit: '',
  isSlider: true,
  durationMs: 5 * MINUTE_MS,
  minLength: 0,
  maxLength: 255,
  pattern: '',
  text: '',
  hasDate: true,
  hasTime: true,
};

/** The initial values of the form. @param modes the names of the first modes, in the page's language */
export function newFields(kind: VirtualKind, modes: readonly string[]): VirtualFields {
  if (kind === 'input_select') return { ...BLANK, options: modes };
  if (kind === 'input_number') return { ...BLANK, min: 0, max: 100 };
  return BLANK;
}

/** Parses the relay's `config`, which is JSON; an invalid value becomes the initial one. */
export function fieldsOf(config: unknown): VirtualFields {
  const given = (typeof config === 'object' && config !== null ? config : {}) as Readonly<Record<string, unknown>>;
  const number = (key: string) => (typeof given[key] === 'number' ? given[key] : undefined);
  const text = (key: string) => (typeof given[key] === 'string' ? given[key] : '');
  const options = Array.isArray(given.options) ? given.options.filter((each) => typeof each === 'string') : [];
  return {
    isOn: given.initialValue === true,
    options,
    min: number('min'),
    max: number('max'),
    step: number('step') ?? BLANK.step,
    start: number('initialValue') ?? number('initial') ?? BLANK.start,
    unit: text('unit'),
    isSlider: given.control !== 'field',
    durationMs: number('durationMs') ?? BLANK.durationMs,
    minLength: number('minLength') ?? BLANK.minLength,
    maxLength: number('maxLength') ?? BLANK.maxLength,
    pattern: text('pattern'),
    text: text('initialValue'),
    hasDate: given.hasDate !== false,
    hasTime: given.hasTime !== false,
  };
}

/** In the API's format, for `data`. */
export function presentFields(kind: VirtualKind, fields: VirtualFields): Readonly<Record<string, unknown>> {
  const { min, max, step, start, unit } = fields;
  switch (kind) {
    case 'input_boolean':
      return { initialValue: fields.isOn };
    case 'input_select':
      return { options: cleanOptions(fields.options) };
    case 'input_number':
      return { min, max, step, initialValue: start, unit: unit.trim(), control: fields.isSlider ? 'stepper' : 'field' };
    case 'counter':
      return { min: min ?? null, max: max ?? null, step, initialValue: start };
    case 'timer':
      return { durationMs: fields.durationMs };
    case 'input_text':
      return {
        minLength: fields.minLength,
        maxLength: fields.maxLength,
        pattern: fields.pattern.trim(),
        initialValue: fields.text,
      };
    case 'input_datetime':
      return { hasDate: fields.hasDate, hasTime: fields.hasTime };
  }
}

/** Without empty and duplicate entries. */
export function cleanOptions(options: readonly string[]): readonly string[] {
  return [...new Set(options.map((option) => option.trim()).filter(Boolean))];
}

/** Certain errors; the relay checks everything else. */
export type VirtualFault = 'twoModes' | 'order' | 'outside' | 'noStep' | 'noDuration' | 'dateOrTime' | 'bounds';

export function faultIn(kind: VirtualKind, fields: VirtualFields): VirtualFault | undefined {
  const { min, max, step, start } = fields;
  switch (kind) {
    case 'input_select':
      return cleanOptions(fields.options).length < 2 ? 'twoModes' : undefined;
    case 'input_number':
      if (min === undefined || max === undefined) return 'bounds';
      return faultInRange(min, max, step, start);
    case 'counter':
      return faultInRange(min, max, step, start);
    case 'timer':
      return fields.durationMs > 0 ? undefined : 'noDuration';
    case 'input_datetime':
      return fields.hasDate || fields.hasTime ? undefined : 'dateOrTime';
    case 'input_text':
      return (fields.minLength ?? 0) > (fields.maxLength ?? 0) ? 'order' : undefined;
    case 'input_boolean':
      return undefined;
  }
}

function faultInRange(
  min: number | undefined,
  max: number | undefined,
  step: number | undefined,
  start: number | undefined,
): VirtualFault | undefined {
  const [least, most] = [min ?? Number.NEGATIVE_INFINITY, max ?? Number.POSITIVE_INFINITY];
  if (least >= most) return 'order';
  if (step === undefined || step <= 0) return 'noStep';
  return start === undefined || start < least || start > most ? 'outside' : undefined;
}
