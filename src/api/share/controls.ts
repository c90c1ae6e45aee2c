/**
 * The controls of an accessory on the page: one control of a kind for each settable property. They are text and numbers
 * only; `controls-view.tsx` renders them, and the vocabulary, which knows the device's own range, defines their values.
 *
 * To offer another property, add a row.
 */

import type { Accessory, Characteristic } from '../../home/model.ts';
import { ownNameOf } from '../../home/own-name.ts';
import { type Binding, bindingsOf } from '../../home/vocabulary/bindings.ts';
import { TARGET_DOOR_STATE } from '../../home/vocabulary/properties.ts';
import { rangeOf } from '../../home/vocabulary/ranges.ts';
import { formatOf } from '../../home/vocabulary/values.ts';
import { unitAfter } from '../../texts/intl.ts';
import type { ShareTexts } from './texts.ts';

export interface Choice {
  /** The submitted value. */
  readonly value: string;
  readonly label: string;
  /** The confirmation question, if a mistaken action would open the home. */
  readonly confirm?: string;
}

interface Common {
  /** The submitted name: `brightness`, `on_2`. */
  readonly property: string;
  readonly label: string;
}

interface NumberControl<Kind> extends Common {
  readonly kind: Kind;
  readonly value: number | null;
  readonly min: number;
  readonly max: number;
  readonly step: number;
  /** With the space before it, if the language has one: `%`, ` K`. */
  readonly unit: string;
}

export type CardControl =
  | (Common & { readonly kind: 'switch'; readonly value: boolean })
  | (NumberControl<'range'> & {
      /** The rendering of the slider's track. */
      readonly track: 'plain' | 'hue' | 'warmth';
    })
  | NumberControl<'step'>
  | (Common & { readonly kind: 'choice'; readonly value: string | null; readonly choices: readonly Choice[] })
  | (Common & {
      readonly kind: 'text';
      readonly value: string;
      readonly input: 'text' | 'date' | 'time' | 'datetime-local';
    });

/** A control without its property and label. */
type Made = MadeOf<CardControl>;
type MadeOf<C> = C extends CardControl ? Omit<C, keyof Common> : never;

type ControlTexts = ShareTexts['controls'] & Pick<ShareTexts, 'language'>;

interface ControlRow {
  readonly property: string;
  readonly label: keyof ControlTexts['labels'];
  /** @returns `undefined` if the control is of no use here. */
  make(binding: Binding, accessory: Accessory, texts: ControlTexts): Made | undefined;
}

const ROWS: readonly ControlRow[] = [
  { property: 'lock_target', label: 'lock', make: makeLock },
  { property: 'on', label: 'power', make: makeSwitch },
  { property: 'active', label: 'power', make: makeSwitch },
  { property: 'target', label: 'position', make: makePosition },
  { property: 'brightness', label: 'brightness', make: (binding, _, texts) => makePercent(binding, texts) },
  {
    property: 'color_temp',
    label: 'warmth',
    make: (binding) => makeRange(binding, ' K', 'warmth'),
  },
  { property: 'hue', label: 'colour', make: (binding) => makeRange(binding, '°', 'hue') },
  { property: 'saturation', label: 'saturation', make: (binding, _, texts) => makePercent(binding, texts) },
  { property: 'hvac_mode', label: 'mode', make: makeClimate },
  { property: 'target_temp', label: 'temperature', make: (binding, _, texts) => makeTemperature(binding, texts) },
  { property: 'heat_target', label: 'heatTo', make: (binding, _, texts) => makeTemperature(binding, texts) },
  {
    property: 'cool_target',
    label: 'coolTo',
    make: (binding, _, texts) => makeTemperature(binding, texts),
  },
  { property: 'alarm_target', label: 'alarm', make: makeAlarm },
  { property: 'speed', label: 'speed', make: (binding, _, texts) => makePercent(binding, texts) },
  { property: 'target_relative_humidity', label: 'humidity', make: (binding, _, texts) => makePercent(binding, texts) },
  { property: 'volume', label: 'volume', make: (binding, _, texts) => makePercent(binding, texts) },
  { property: 'mute', label: 'mute', make: makeSwitch },
  { property: 'virtual_mode', label: 'mode', make: makeOptions },
  {
    property: 'virtual_count',
    label: 'count',
    make: (binding, { virtual }) => makeStep(binding, '', virtual?.virtualType === 'counter' ? virtual.step : 1),
  },
  { property: 'virtual_number', label: 'value', make: makeVirtualNumber },
  {
    property: 'virtual_text',
    label: 'text',
    make: (binding) => ({ kind: 'text', value: textOf(binding), input: 'text' }),
  },
  { property: 'virtual_datetime', label: 'time', make: makeMoment },
  { property: 'virtual_timer', label: 'timer', make: makeTimer },
];

/** The usual step for a room's temperature, even if a device accepts a finer one. */
const HALF_DEGREE = 0.5;

/** The limits of a number that has none in HAP. */
const WIDEST = { min: -1_000_000, max: 1_000_000 };

/** Controls of the accessory's primary services first, each property at most once a service. */
export function controlsOf(
  accessory: Accessory,
  { controls, language }: Pick<ShareTexts, 'controls' | 'language'>,
): readonly CardControl[] {
  const texts = { ...controls, language };
  const bindings = bindingsOf(accessory.services).list.filter(({ writable, service }) => writable && !service.hidden);
  const made = ROWS.flatMap((row) =>
    bindings.filter((binding) => baseOf(binding) === row.property).map((binding) => ({ row, binding })),
  );
  const taken = new Set<Characteristic>();
  return made.flatMap(({ row, binding }) => {
    if (taken.has(binding.characteristic) || isShownByMode(binding, bindings)) return [];
    const control = row.make(binding, accessory, texts);
    if (!control) return [];
    taken.add(binding.characteristic);
    return [{ property: binding.property, label: labelOf(row, binding, made, texts), ...control } as CardControl];
  });
}

/** A property without its number: `on` of `on_2`. */
function baseOf({ property }: Binding): string {
  return property.replace(/_\d+$/, '');
}

/** A thermostat's power and mode are one control: the mode has an "off" of its own. */
function isShownByMode(binding: Binding, all: readonly Binding[]): boolean {
  return (
    baseOf(binding) === 'active' &&
    all.some((other) => baseOf(other) === 'hvac_mode' && other.characteristic === binding.characteristic)
  );
}

/** If several have the same label, each gets its service's name. */
function labelOf(
  row: ControlRow,
  binding: Binding,
  all: readonly { row: ControlRow; binding: Binding }[],
  { labels }: ControlTexts,
): string {
  const label = labels[row.label];
  const alike = all.filter((other) => other.row.property === row.property);
  if (alike.length < 2) return label;
  const number = alike.findIndex((other) => other.binding === binding) + 1;
  return ownNameOf(binding.service) ?? `${label} ${number}`;
}

function readOf({ conversion, characteristic, service }: Binding): boolean | number | string | null {
  return characteristic.value === null ? null : conversion.read(characteristic, service);
}

function textOf(binding: Binding): string {
  return String(readOf(binding) ?? '');
}

/** Whether the device accepts this word or number. */
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

function makeLock(binding: Binding, { name }: Accessory, { lock }: ControlTexts): Made {
  const choices = [
    { value: 'true', label: lock.lock },
    { value: 'false', label: lock.unlock, confirm: lock.confirm({ name }) },
  ];
  return makeChoice(binding, choices);
}

function makePosition(binding: Binding, { name }: Accessory, texts: ControlTexts): Made | undefined {
  const { door, percentOpen, language } = texts;
  if (binding.characteristic.type !== TARGET_DOOR_STATE) {
    return makeRange(binding, percentOpen({ percent: unitAfter('percent', language) }));
  }
  return makeChoice(binding, [
    { value: '0', label: door.close },
    { value: '100', label: door.open, confirm: door.confirm({ name }) },
  ]);
}

function makeAlarm(binding: Binding, { name }: Accessory, { alarm }: ControlTexts): Made {
  return makeChoice(binding, [
    { value: 'off', label: alarm.off, confirm: alarm.confirm({ name }) },
    { value: 'home', label: alarm.home },
    { value: 'away', label: alarm.away },
    { value: 'night', label: alarm.night },
  ]);
}

function makeClimate(binding: Binding, _: Accessory, { climate }: ControlTexts): Made {
  return makeChoice(binding, [
    { value: 'off', label: climate.off },
    { value: 'heat', label: climate.heat },
    { value: 'cool', label: climate.cool },
    { value: 'auto', label: climate.auto },
  ]);
}

function makeTimer(binding: Binding, _: Accessory, { timer }: ControlTexts): Made {
  return makeChoice(binding, [
    { value: 'active', label: timer.start },
    { value: 'idle', label: timer.stop },
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

function makePercent(binding: Binding, { language }: ControlTexts): Made | undefined {
  return makeRange(binding, unitAfter('percent', language));
}

function makeTemperature(binding: Binding, { language }: ControlTexts): Made | undefined {
  return makeStep(binding, unitAfter('celsius', language), HALF_DEGREE);
}

/** @param givenStep the usual step for people, if the device accepts finer ones. */
function makeStep(binding: Binding, unit: string, givenStep = 0): Made | undefined {
  const numbers = numbersOf(binding);
  return numbers && { kind: 'step', ...numbers, step: Math.max(numbers.step, givenStep), unit };
}

function numbersOf(binding: Binding) {
  const { characteristic } = binding;
  const { min = WIDEST.min, max = WIDEST.max, step = 1 } = rangeOf(characteristic, formatOf(characteristic));
  const value = readOf(binding);
  return min < max ? { value: typeof value === 'number' ? value : null, min, max, step } : undefined;
}
