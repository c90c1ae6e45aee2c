/**
 * What a service group shows: the values of its members, put together as the relay does it (API reference, service groups): on if any
 * is, a number is the mean of those that are on, a mode is that of the first that is on. The relay sends no events for groups, so this
 * is done again whenever a member changed. Nothing of it is kept: a group has no values of its own.
 */
import type { HouseAccessory, HouseCharacteristic, HouseService, Value } from './house-document.ts';

/** One service of a group, with the accessory that has it. */
export interface GroupMember {
  readonly accessory: HouseAccessory;
  readonly service: HouseService;
}

const HUE = 'hue';
const POWER = 'power_state';
const ACTIVE = 'active';

/** The characteristic of a member that one of its group stands for: fans of the second generation have `active` for `power_state`. */
export function memberCharacteristic({ characteristics }: HouseService, type: string): HouseCharacteristic | undefined {
  const find = (wanted: string) => characteristics.find((characteristic) => characteristic.type === wanted);
  return find(type) ?? (type === POWER ? find(ACTIVE) : undefined);
}

/** The group with the values of its members; the same object where nothing is different. */
export function combineGroup(group: HouseAccessory, members: readonly GroupMember[]): HouseAccessory {
  const present = members.filter(({ accessory }) => accessory.vanishedAt === null);
  const [service] = group.services;
  if (!service || present.length === 0) return group;
  const runs = present.map(isRunning);
  const characteristics = service.characteristics.map((characteristic) => {
    const value = combine(characteristic, present, runs);
    return Object.is(value, characteristic.value) ? characteristic : { ...characteristic, value };
  });
  const isReachable = present.some(({ accessory }) => accessory.isReachable);
  const isPending = present.some(({ accessory }) => accessory.isPending);
  const isSame =
    characteristics.every((characteristic, index) => characteristic === service.characteristics[index]) &&
    isReachable === group.isReachable &&
    isPending === (group.isPending ?? false);
  if (isSame) return group;
  const { isPending: _, ...rest } = group;
  return {
    ...rest,
    isReachable,
    lastSeenAt: lastOf(present.map(({ accessory }) => accessory.lastSeenAt)) ?? group.lastSeenAt,
    services: [{ ...service, characteristics }],
    ...(isPending && { isPending }),
  };
}

/** What has no switch always runs. */
function isRunning({ service }: GroupMember): boolean {
  const power = memberCharacteristic(service, POWER);
  return power === undefined || Boolean(power.value);
}

function combine(
  characteristic: HouseCharacteristic,
  members: readonly GroupMember[],
  runs: readonly boolean[],
): Value {
  const { type, format } = characteristic;
  const all: NonNullable<Value>[] = [];
  const running: NonNullable<Value>[] = [];
  for (const [index, { service }] of members.entries()) {
    const value = memberCharacteristic(service, type)?.value;
    if (value === undefined || value === null) continue;
    all.push(value);
    if (runs[index]) running.push(value);
  }
  if (all.length === 0) return null;
  if (format === 'bool') return all.some(Boolean);
  if (type === ACTIVE) return Number(all.some(Boolean));
  if (characteristic.validValues) return running[0] ?? all[0] ?? null;
  const preferred = running.filter(isNumber);
  const numbers = preferred.length > 0 ? preferred : all.filter(isNumber);
  if (numbers.length === 0) return null;
  return toStep(type === HUE ? meanHue(numbers) : meanOf(numbers), characteristic);
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number';
}

/** The step is counted from the least value (HAP §6.3.3); of what is outside the range, nothing but the fraction is dropped. */
function toStep(value: number, { minValue, maxValue, minStep, format }: HouseCharacteristic): number {
  const isInRange = value >= (minValue ?? -Infinity) && value <= (maxValue ?? Infinity);
  const step = minStep ?? (format === 'float' ? 0 : 1);
  if (!isInRange || step <= 0) return format === 'float' ? value : Math.round(value);
  const from = minValue ?? 0;
  return Number((from + Math.round((value - from) / step) * step).toFixed(STEP_DECIMALS));
}

/** Steps are decimal fractions; what is beyond is an error of binary ones. */
const STEP_DECIMALS = 6;
const DEGREES_PER_RADIAN = 180 / Math.PI;
/** Below it are only the errors of sine and cosine. */
const ANGLE_DECIMALS = 9;

function meanOf(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0) / numbers.length;
}

/** Hues go round: between 350° and 10° lies red, not the turquoise of 180°. Opposite ones have no mean but the plain one. */
function meanHue(degrees: readonly number[]): number {
  const x = degrees.reduce((sum, angle) => sum + Math.cos(angle / DEGREES_PER_RADIAN), 0);
  const y = degrees.reduce((sum, angle) => sum + Math.sin(angle / DEGREES_PER_RADIAN), 0);
  if (Number(Math.hypot(x, y).toFixed(ANGLE_DECIMALS)) === 0) return meanOf(degrees);
  const angle = Number((Math.atan2(y, x) * DEGREES_PER_RADIAN).toFixed(ANGLE_DECIMALS));
  return angle < 0 ? angle + 360 : angle;
}

function lastOf(times: readonly (string | null)[]): string | undefined {
  return times
    .flatMap((time) => time ?? [])
    .sort()
    .at(-1);
}
