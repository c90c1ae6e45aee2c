/**
 * What a person may do to an accessory on the page: for each property that can be set, one control of a kind. Words and numbers only;
 * how a control looks is `controls-view.tsx`, and what a value may be is asked of the vocabulary, which knows the device's own range.
 *
 * To offer another property, add a row.
 */
import type { Accessory, Characteristic } from '../../home/model.ts';
import { type Binding, bindingsOf } from '../../home/vocabulary/bindings.ts';
import { rangeOf } from '../../home/vocabulary/ranges.ts';
import { formatOf } from '../../home/vocabulary/values.ts';
import { ownName } from '../rest/present-accessory.ts';

export interface Choice {
  /** As it is sent. */
  readonly value: string;
  readonly label: string;
  /** What a person is asked before it is done, where doing it by mistake would open the house. */
  readonly confirm?: string;
}

interface Common {
  /** As it is sent: `brightness`, `on_2`. */
  readonly property: string;
  readonly label: string;
}

interface NumberControl<Kind> extends Common {
  readonly kind: Kind;
  readonly value: number | null;
  readonly min: number;
  readonly max: number;
  readonly step: number;
  /** With what stands before it: ` %`, ` °C`. */
  readonly unit: string;
}

export type Control =
  | (Common & { readonly kind: 'switch'; readonly value: boolean })
  | (NumberControl<'range'> & {
      /** What the slider's track shows. */
      readonly track: 'plain' | 'hue' | 'warmth';
    })
  | NumberControl<'step'>
  | (Common & { readonly kind: 'choice'; readonly value: string | null; readonly choices: readonly Choice[] })
  | (Common & {
      readonly kind: 'text';
      readonly value: string;
      readonly input: 'text' | 'date' | 'time' | 'datetime-local';
    });

/** A control but for its property and label. */
type Made = MadeOf<Control>;
type MadeOf<C> = C extends Control ? Omit<C, keyof Common> : never;

interface ControlRow {
  readonly property: string;
  readonly label: string;
  /** @returns `undefined` where it is of no use here. */
  make(binding: Binding, accessory: Accessory): Made | undefined;
}

const ROWS: readonly ControlRow[] = [
  { property: 'lock_target', label: 'Lock', make: makeLock },
  { property: 'on', label: 'Power', make: makeSwitch },
  { property: 'active', label: 'Power', make: makeSwitch },
  { property: 'target', label: 'Position', make: makePosition },
  { property: 'brightness', label: 'Brightness', make: (binding) => makeRange(binding, ' %') },
  {
    property: 'color_temp',
    label: 'Warmth',
    make: (binding) => makeRange(binding, ' K', 'warmth'),
  },
  { property: 'hue', label: 'Colour', make: (binding) => makeRange(binding, '°', 'hue') },
  { property: 'saturation', label: 'Saturation', make: (binding) => makeRange(binding, ' %') },
  { property: 'hvac_mode', label: 'Mode', make: (binding) => makeChoice(binding, HVAC_MODES) },
  { property: 'target_temp', label: 'Temperature', make: (binding) => makeStep(binding, ' °C', HALF_DEGREE) },
  { property: 'heat_target', label: 'Heat up to', make: (binding) => makeStep(binding, ' °C', HALF_DEGREE) },
  {
    property: 'cool_target',
    label: 'Cool down to',
    make: (binding) => makeStep(binding, ' °C', HALF_DEGREE),
  },
  { property: 'alarm_target', label: 'Alarm', make: makeAlarm },
  { property: 'speed', label: 'Speed', make: (binding) => makeRange(binding, ' %') },
  { property: 'target_relative_humidity', label: 'Humidity', make: (binding) => makeRange(binding, ' %') },
  { property: 'volume', label: 'Volume', make: (binding) => makeRange(binding, ' %') },
  { property: 'mute', label: 'Mute', make: makeSwitch },
  { property: 'virtual_mode', label: 'Mode', make: makeOptions },
  {
    property: 'virtual_count',
    label: 'Count',
    make: (binding, { virtual }) => makeStep(binding, '', virtual?.virtualType === 'counter' ? virtual.step : 1),
  },
  { property: 'virtual_number', label: 'Value', make: makeVirtualNumber },
  {
    property: 'virtual_text',
    label: 'Text',
    make: (binding) => ({ kind: 'text', value: textOf(binding), input: 'text' }),
  },
  { property: 'virtual_datetime', label: 'Time', make: makeMoment },
  { property: 'virtual_timer', label: 'Timer', make: (binding) => makeChoice(binding, TIMER_CHOICES) },
];

/** A step that people set a room's temperature by, whatever finer one a device takes. */
const HALF_DEGREE = 0.5;

const HVAC_MODES: readonly Choice[] = [
  { value: 'off', label: 'Off' },
  { value: 'heat', label: 'Heat' },
  { value: 'cool', label: 'Cool' },
  { value: 'auto', label: 'Auto' },
];

const TIMER_CHOICES: readonly Choice[] = [
  { value: 'active', label: 'Start' },
  { value: 'idle', label: 'Stop' },
];

/** A number without an end in HAP is shown between these. */
const WIDEST = { min: -1_000_000, max: 1_000_000 };

/** HAP's Target Door State: of doors that take nothing between open and closed. */
const TARGET_DOOR_STATE = '32';

/** Those of the accessory's primary things first, each property at most once a service. */
export function controlsOf(accessory: Accessory): readonly Control[] {
  const bindings = bindingsOf(accessory.services).list.filter(({ writable, service }) => writable && !service.hidden);
  const made = ROWS.flatMap((row) =>
    bindings.filter((binding) => baseOf(binding) === row.property).map((binding) => ({ row, binding })),
  );
  const taken = new Set<Characteristic>();
  return made.flatMap(({ row, binding }) => {
    if (taken.has(binding.characteristic) || isSaidByMode(binding, bindings)) return [];
    const control = row.make(binding, accessory);
    if (!control) return [];
    taken.add(binding.characteristic);
    return [{ property: binding.property, label: labelOf(row, binding, made), ...control } as Control];
  });
}

/** A property without its number: `on` of `on_2`. */
function baseOf({ property }: Binding): string {
  return property.replace(/_\d+$/, '');
}

/** A thermostat's power and mode are one thing: the mode has an "off" of its own. */
function isSaidByMode(binding: Binding, all: readonly Binding[]): boolean {
  return (
    baseOf(binding) === 'active' &&
    all.some((other) => baseOf(other) === 'hvac_mode' && other.characteristic === binding.characteristic)
  );
}

/** Of several alike, each by what its service is called. */
function labelOf(row: ControlRow, binding: Binding, all: readonly { row: ControlRow; binding: Binding }[]): string {
  const alike = all.filter((other) => other.row.property === row.property);
  if (alike.length < 2) return row.label;
  const number = alike.findIndex((other) => other.binding === binding) + 1;
  return ownName(binding.service) ?? `${row.label} ${number}`;
}

function readOf({ conversion, characteristic, service }: Binding): boolean | number | string | null {
  return characteristic.value === null ? null : conversion.read(characteristic, service);
}

function textOf(binding: Binding): string {
  return String(readOf(binding) ?? '');
}

/** Whether the device takes this word or number. */
function takes({ conversion, characteristic, property }: Binding, value: string): boolean {
  try {
    conversion.write(characteristic, value, property);
    return true;
  } catch {
    return false;
  }
}

function makeSwitch(binding: Binding): Made {
  return { kind: 'switch', value: readOf(binding) === true };
}

function makeLock(binding: Binding, { name }: Accessory): Made {
  const choices = [
    { value: 'true', label: 'Lock' },
    { value: 'false', label: 'Unlock', confirm: `Unlock ${name}?` },
  ];
  return makeChoice(binding, choices);
}

function makePosition(binding: Binding, { name }: Accessory): Made | undefined {
  if (binding.characteristic.type !== TARGET_DOOR_STATE) return makeRange(binding, ' % open');
  return makeChoice(binding, [
    { value: '0', label: 'Close' },
    { value: '100', label: 'Open', confirm: `Open ${name}?` },
  ]);
}

function makeAlarm(binding: Binding, { name }: Accessory): Made | undefined {
  return makeChoice(binding, [
    { value: 'off', label: 'Off', confirm: `Switch ${name} off?` },
    { value: 'home', label: 'Home' },
    { value: 'away', label: 'Away' },
    { value: 'night', label: 'Night' },
  ]);
}

function makeChoice(binding: Binding, candidates: readonly Choice[]): Made {
  const value = readOf(binding);
  const choices = candidates.filter((choice) => takes(binding, choice.value));
  return { kind: 'choice', value: value === null ? null : String(value), choices };
}

function makeOptions(binding: Binding): Made | undefined {
  const { textRule } = binding.characteristic;
  if (textRule?.kind !== 'options') return undefined;
  return makeChoice(
    binding,
    textRule.options.map((option) => ({ value: option, label: option })),
  );
}

function makeVirtualNumber(binding: Binding, { virtual }: Accessory): Made | undefined {
  const unit = virtual?.virtualType === 'input_number' && virtual.unit !== null ? ` ${virtual.unit}` : '';
  return makeStep(binding, unit);
}

function makeMoment(binding: Binding): Made | undefined {
  const { textRule } = binding.characteristic;
  if (textRule?.kind !== 'moment') return undefined;
  const input = textRule.hasDate ? (textRule.hasTime ? 'datetime-local' : 'date') : 'time';
  return { kind: 'text', value: textOf(binding), input };
}

function makeRange(binding: Binding, unit: string, track: 'plain' | 'hue' | 'warmth' = 'plain'): Made | undefined {
  const numbers = numbersOf(binding);
  return numbers && { kind: 'range', ...numbers, unit, track };
}

/** @param wishedStep as far as people go at a time, where the device takes finer steps. */
function makeStep(binding: Binding, unit: string, wishedStep = 0): Made | undefined {
  const numbers = numbersOf(binding);
  return numbers && { kind: 'step', ...numbers, step: Math.max(numbers.step, wishedStep), unit };
}

function numbersOf(binding: Binding) {
  const { characteristic } = binding;
  const { min = WIDEST.min, max = WIDEST.max, step = 1 } = rangeOf(characteristic, formatOf(characteristic));
  const value = readOf(binding);
  return min < max ? { value: typeof value === 'number' ? value : null, min, max, step } : undefined;
}
