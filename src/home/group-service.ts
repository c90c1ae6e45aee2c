/**
 * The one service that a group is seen as: every characteristic that any member has, each once, with the value that the members
 * have together. It is on if any member is; a number is the mean over the members that are on (over all where none is, or where
 * the kind has no power); of modes, such as a fan's direction, it shows that of the first member that is on.
 *
 * What it is made of is worked out once for its members; after that a refresh only reads their values. So it is live like
 * everything in `HomeState`: the same object shows the next value.
 */
import { characteristicByType } from '../hap-spec/characteristics.ts';
import type { Characteristic, CharacteristicFormat, CharacteristicValue, Permission, Service } from './model.ts';
import { SKIPPED_CHARACTERISTICS } from './vocabulary/properties.ts';
import { isInRange, type NumberRange, rangeOf, snap } from './vocabulary/ranges.ts';
import { formatOf, presentValue } from './vocabulary/values.ts';

const POWER_STATE = '25';
const ACTIVE = 'B0';
const HUE = '13';

/** Values of these formats can be put together; text and blobs can't. */
const COMBINED_FORMATS: ReadonlySet<CharacteristicFormat> = new Set([
  'bool',
  'uint8',
  'uint16',
  'uint32',
  'int',
  'float',
]);

/** Those that mean something without a device behind them. */
const SHOWN_PERMISSIONS: readonly Permission[] = ['pr', 'pw', 'ev'];

/** The characteristic of a member that a characteristic of its group stands for: `active` may stand for `power_state`. */
export function memberCharacteristic(service: Service, type: string): Characteristic | undefined {
  const find = (wanted: string): Characteristic | undefined =>
    service.characteristics.find((characteristic) => characteristic.type === wanted);
  return find(type) ?? (type === POWER_STATE ? find(ACTIVE) : undefined);
}

/** The values of those members that have one, and of those of them that are on. */
interface MemberValues {
  readonly all: readonly Exclude<CharacteristicValue, null>[];
  readonly running: readonly Exclude<CharacteristicValue, null>[];
}

type Combination = (values: MemberValues) => CharacteristicValue;

/** One characteristic of the group. */
interface Slot {
  readonly shown: Omit<Characteristic, 'value'> & { value: CharacteristicValue };
  /** By member; not every one need have it. */
  readonly own: readonly (Characteristic | undefined)[];
  readonly combine: Combination;
}

export class GroupService {
  readonly #members: readonly Service[];
  readonly #power: readonly (Characteristic | undefined)[];
  readonly #slots: readonly Slot[];
  /** A list with the service alone, always the same one. */
  readonly services: readonly [Service];

  /** @param members at least one. */
  constructor(members: readonly [Service, ...Service[]]) {
    this.#members = members;
    this.#power = members.map((member) => memberCharacteristic(member, POWER_STATE));
    this.#slots = makeSlots(members);
    const characteristics = this.#slots.map(({ shown }) => shown);
    const { type } = members[0];
    this.services = [{ iid: '1', type, primary: true, hidden: false, linked: [], characteristics }];
  }

  /** Whether it is made of these very services. */
  isOf(members: readonly Service[]): boolean {
    return members.length === this.#members.length && members.every((member, index) => member === this.#members[index]);
  }

  /** Reads what the members do now. */
  refresh(): void {
    // What has no switch always runs.
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
  const power = [POWER_STATE, ACTIVE].find((type) => types.has(type));
  // Fans of both generations together have one switch, not two.
  if (power === POWER_STATE) types.delete(ACTIVE);
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

/** What any member takes. Each refuses by itself what it does not, and the mean is always within. */
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
  return {
    ...(min !== undefined && { min }),
    ...(max !== undefined && { max }),
    ...(step !== undefined && { step }),
    ...(only && { only }),
    integer: format !== 'float',
  };
}

function combinationOf(type: string, format: CharacteristicFormat, isPower: boolean, range: NumberRange): Combination {
  if (format === 'bool') return ({ all }) => (all.length === 0 ? null : all.some(Boolean));
  if (isPower) return ({ all }) => (all.length === 0 ? null : Number(all.some(Boolean)));
  if (characteristicByType(type)?.values) return ({ all, running }) => running[0] ?? all[0] ?? null;
  const mean = type === HUE ? meanHue : meanOf;
  return ({ all, running }) => {
    const preferred = running.filter(isNumber);
    const numbers = preferred.length > 0 ? preferred : all.filter(isNumber);
    return numbers.length === 0 ? null : toStep(mean(numbers), range);
  };
}

function toStep(mean: number, { only: _, ...range }: NumberRange): number {
  // Devices report what is out of their own range now and then; that is shown as it is.
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
/** Below it are only the errors of sine and cosine. */
const ANGLE_DECIMALS = 9;

/** Hues go round: between 350° and 10° lies red, not the turquoise of 180°. Opposite ones have no mean but the plain one. */
function meanHue(degrees: readonly number[]): number {
  const x = sum(degrees.map((angle) => Math.cos(angle / DEGREES_PER_RADIAN)));
  const y = sum(degrees.map((angle) => Math.sin(angle / DEGREES_PER_RADIAN)));
  if (Number(Math.hypot(x, y).toFixed(ANGLE_DECIMALS)) === 0) return meanOf(degrees);
  const angle = Number((Math.atan2(y, x) * DEGREES_PER_RADIAN).toFixed(ANGLE_DECIMALS));
  return angle < 0 ? angle + 360 : angle;
}
