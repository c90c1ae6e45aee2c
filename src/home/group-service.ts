/**
 * The one service that represents a group. It has each characteristic of any member once, with a value combined from
 * the members. The group is on if any member is on. A number is the mean over the members that are on, or over all
 * members if none is on or the kind has no power. A mode, such as a fan's direction, is that of the first member that
 * is on.
 *
 * The structure is computed once for the members; a refresh only reads their values. The service is live like
 * everything in `HomeState`: the same object shows the next value.
 */
import { CHARACTERISTIC, characteristicByType } from '../hap-spec/characteristics.ts';
import type { Characteristic, CharacteristicFormat, CharacteristicValue, Permission, Service } from './model.ts';
import { SKIPPED_CHARACTERISTICS } from './vocabulary/properties.ts';
import { isInRange, type NumberRange, rangeOf, snap } from './vocabulary/ranges.ts';
import { formatOf, presentValue } from './vocabulary/values.ts';

/** Formats whose values can be combined; text and binary data cannot. */
const COMBINED_FORMATS: ReadonlySet<CharacteristicFormat> = new Set([
  'bool',
  'uint8',
  'uint16',
  'uint32',
  'int',
  'float',
]);

/** Permissions that make sense without a device. */
const SHOWN_PERMISSIONS: readonly Permission[] = ['pr', 'pw', 'ev'];

/** The member's characteristic for a characteristic of its group: `active` may stand for `power_state`. */
export function memberCharacteristic(service: Service, type: string): Characteristic | undefined {
  const find = (wanted: string): Characteristic | undefined =>
    service.characteristics.find((characteristic) => characteristic.type === wanted);
  return find(type) ?? (type === CHARACTERISTIC.powerState ? find(CHARACTERISTIC.active) : undefined);
}

/** The values of the members that have one, and the values of those that are on. */
interface MemberValues {
  readonly all: readonly Exclude<CharacteristicValue, null>[];
  readonly running: readonly Exclude<CharacteristicValue, null>[];
}

type Combination = (values: MemberValues) => CharacteristicValue;

/** One characteristic of the group. */
interface Slot {
  readonly shown: Omit<Characteristic, 'value'> & { value: CharacteristicValue };
  /** By member; `undefined` for a member without this characteristic. */
  readonly own: readonly (Characteristic | undefined)[];
  readonly combine: Combination;
}

export class GroupService {
  readonly #members: readonly Service[];
  readonly #power: readonly (Characteristic | undefined)[];
  readonly #slots: readonly Slot[];
  /** A list that contains only the service, always the same object. */
  readonly services: readonly [Service];

  /** @param members at least one. */
  constructor(members: readonly [Service, ...Service[]]) {
    this.#members = members;
    this.#power = members.map((member) => memberCharacteristic(member, CHARACTERISTIC.powerState));
    this.#slots = makeSlots(members);
    const characteristics = this.#slots.map(({ shown }) => shown);
    const { type } = members[0];
    this.services = [{ iid: '1', type, primary: true, hidden: false, linked: [], characteristics }];
  }

  /** Whether the group consists of exactly these services. */
  isOf(members: readonly Service[]): boolean {
    return members.length === this.#members.length && members.every((member, index) => member === this.#members[index]);
  }

  /** Reads the current values of the members. */
  refresh(): void {
    // A member without a switch counts as on.
    const runs = this.#power.map((power) => power === undefined || Boolean(presentValue(power)));
    for (const { shown, own, combine } of this.#slots) shown.value = combine(valuesOf(own, runs));
  }
}

function valuesOf(own: Slot['own'], runs: readonly boolean[]): MemberValues {
  const all: Exclude<CharacteristicValue, null>[] = [];
  const running: Exclude<CharacteristicValue, null>[] = [];
  for (const [index, characteristic] of own.entries()) {
    const value = characteristic && presentValue(characteristic);
    if (value === undefined || value === null) continue;
    all.push(value);
    if (runs[index]) running.push(value);
  }
  return { all, running };
}

function makeSlots(members: readonly Service[]): readonly Slot[] {
  const types = new Set(
    members
      .flatMap(({ characteristics }) => characteristics)
      .filter(isCombined)
      .map(({ type }) => type),
  );
  const power = [CHARACTERISTIC.powerState, CHARACTERISTIC.active].find((type) => types.has(type));
  // A group of both fan generations has one switch, not two.
  if (power === CHARACTERISTIC.powerState) types.delete(CHARACTERISTIC.active);
  return [...types].map((type, index) => {
    const own = members.map((member) => memberCharacteristic(member, type));
    return makeSlot(String(index + 2), type, own, type === power);
  });
}

function isCombined(characteristic: Characteristic): boolean {
  return !SKIPPED_CHARACTERISTICS.has(characteristic.type) && COMBINED_FORMATS.has(formatOf(characteristic));
}

function makeSlot(iid: string, type: string, own: Slot['own'], isPower: boolean): Slot {
  const all = own.filter((one) => one !== undefined);
  const model = all.find((one) => one.type === type) as Characteristic;
  const format = all.some((one) => formatOf(one) === 'float') ? 'float' : formatOf(model);
  const range = format === 'bool' ? { integer: false } : widest(all, format);
  const { min, max, step, only } = range;
  const shown = {
    iid,
    type,
    format,
    permissions: SHOWN_PERMISSIONS.filter((permission) => all.some((one) => one.permissions.includes(permission))),
    ...(model.unit !== undefined && { unit: model.unit }),
    ...(min !== undefined && { minValue: min }),
    ...(max !== undefined && { maxValue: max }),
    ...(step !== undefined && { minStep: step }),
    ...(only && { validValues: only }),
    value: null,
  };
  return { shown, own, combine: combinationOf(type, format, isPower, range) };
}

/**
 * The union of the members' ranges. Each member rejects values outside its own range, and the mean is always inside the
 * union.
 */
function widest(characteristics: readonly Characteristic[], format: CharacteristicFormat): NumberRange {
  const ranges = characteristics.map((one) => rangeOf(one, formatOf(one)));
  const bound = (pick: (range: NumberRange) => number | undefined, of: (...values: number[]) => number) => {
    const values = ranges.map(pick).filter((value) => value !== undefined);
    return values.length === ranges.length ? of(...values) : undefined;
  };
  const min = bound((range) => range.min, Math.min);
  const max = bound((range) => range.max, Math.max);
  const step = bound((range) => range.step, Math.min);
  const lists = ranges.flatMap((range) => (range.only ? [range.only] : []));
  const only = lists.length === ranges.length ? [...new Set(lists.flat())].sort((a, b) => a - b) : undefined;
  return { min, max, step, only, integer: format !== 'float' };
}

function combinationOf(type: string, format: CharacteristicFormat, isPower: boolean, range: NumberRange): Combination {
  if (format === 'bool') return ({ all }) => (all.length === 0 ? null : all.some(Boolean));
  if (isPower) return ({ all }) => (all.length === 0 ? null : Number(all.some(Boolean)));
  if (characteristicByType(type)?.values) return ({ all, running }) => running[0] ?? all[0] ?? null;
  const mean = type === CHARACTERISTIC.hue ? meanHue : meanOf;
  return ({ all, running }) => {
    const preferred = running.filter(isNumber);
    const numbers = preferred.length > 0 ? preferred : all.filter(isNumber);
    return numbers.length === 0 ? null : toStep(mean(numbers), range);
  };
}

function toStep(mean: number, { only: _, ...range }: NumberRange): number {
  // Devices sometimes report values outside their own range; the group shows them unchanged.
  if (isInRange(mean, range)) return snap(mean, range);
  return range.integer ? Math.round(mean) : mean;
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number';
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

function meanOf(numbers: readonly number[]): number {
  return sum(numbers) / numbers.length;
}

const DEGREES_PER_RADIAN = 180 / Math.PI;
/** Finer differences are only rounding errors of sine and cosine. */
const ANGLE_DECIMALS = 9;

/**
 * Hues are circular: the mean of 350° and 10° is red (0°), not turquoise (180°). Opposite hues use the arithmetic mean.
 */
function meanHue(degrees: readonly number[]): number {
  const x = sum(degrees.map((angle) => Math.cos(angle / DEGREES_PER_RADIAN)));
  const y = sum(degrees.map((angle) => Math.sin(angle / DEGREES_PER_RADIAN)));
  if (Number(Math.hypot(x, y).toFixed(ANGLE_DECIMALS)) === 0) return meanOf(degrees);
  const angle = Number((Math.atan2(y, x) * DEGREES_PER_RADIAN).toFixed(ANGLE_DECIMALS));
  return angle < 0 ? angle + 360 : angle;
}
