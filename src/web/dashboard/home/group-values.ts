/**
 * Computes the values of a service group from its members, as the relay does (API reference, service groups). The group
 * is on if any member is on; a number is the mean of the members that are on; a mode is that of the first one that is
 * on. The relay sends no events for groups, so the values are computed again whenever a member changes. A group stores
 * no values of its own.
 */
import type { HomeAccessory, HomeCharacteristic, HomeService, Running, Value, WantedValues } from './home-document.ts';
import { asWanted, withMarks } from './wanted.ts';

/** One service of a group, with the accessory that has it. */
export interface GroupMember {
  readonly accessory: HomeAccessory;
  readonly service: HomeService;
}

const HUE = 'hue';
const POWER = 'power_state';
const ACTIVE = 'active';

/**
 * The characteristic of a member that corresponds to one of its group: second-generation fans have `active` instead of
 * `power_state`.
 */
export function memberCharacteristic({ characteristics }: HomeService, type: string): HomeCharacteristic | undefined {
  const find = (wanted: string) => characteristics.find((characteristic) => characteristic.type === wanted);
  return find(type) ?? (type === POWER ? find(ACTIVE) : undefined);
}

/** The group with the values of its members; the same object if nothing changed. */
export function combineGroup(group: HomeAccessory, members: readonly GroupMember[]): HomeAccessory {
  const present = members.filter(({ accessory }) => accessory.vanishedAt === null);
  const [service] = group.services;
  if (!service || present.length === 0) return group;
  const characteristics = combineAll(service, present);
  const running = countRunning(present);
  const combined: HomeAccessory = {
    ...group,
    isReachable: present.some(({ accessory }) => accessory.isReachable),
    lastSeenAt: lastOf(present.map(({ accessory }) => accessory.lastSeenAt)) ?? group.lastSeenAt,
    services: [{ ...service, characteristics }],
  };
  const isSame =
    running?.on === group.running?.on &&
    running?.all === group.running?.all &&
    characteristics.every((characteristic, index) => characteristic === service.characteristics[index]) &&
    combined.isReachable === group.isReachable;
  const { running: _, ...rest } = combined;
  return withMarks(isSame ? group : { ...rest, ...(running && { running }) }, {
    isPending: present.some(({ accessory }) => accessory.isPending),
    isWaiting: present.some(({ accessory }) => accessory.isWaiting),
    wanted: wantedOf({ ...service, characteristics }, present),
  });
}

function combineAll(service: HomeService, members: readonly GroupMember[]): HomeCharacteristic[] {
  const runs = members.map(isRunning);
  return service.characteristics.map((characteristic) => {
    const value = combine(characteristic, members, runs);
    return Object.is(value, characteristic.value) ? characteristic : { ...characteristic, value };
  });
}

/** What the group is once its members are as they were asked to be. */
function wantedOf(service: HomeService, members: readonly GroupMember[]): WantedValues {
  if (!members.some(({ accessory }) => accessory.wanted)) return {};
  const wanted = combineAll(service, members.map(wantedMember));
  const changed = wanted.filter((characteristic, index) => characteristic !== service.characteristics[index]);
  return Object.fromEntries(changed.map(({ id, value }) => [id, value]));
}

function wantedMember({ accessory, service }: GroupMember): GroupMember {
  const made = asWanted(accessory);
  return { accessory: made, service: made.services.find(({ id }) => id === service.id) ?? service };
}

/** A service without a switch counts as always running. */
function isRunning({ service }: GroupMember): boolean {
  const power = memberCharacteristic(service, POWER);
  return power === undefined || Boolean(power.value);
}

function countRunning(members: readonly GroupMember[]): Running | undefined {
  const switches = members
    .filter(({ accessory }) => accessory.isReachable)
    .flatMap(({ service }) => memberCharacteristic(service, POWER) ?? []);
  if (switches.length === 0) return undefined;
  return { on: switches.filter(({ value }) => Boolean(value)).length, all: switches.length };
}

function combine(characteristic: HomeCharacteristic, members: readonly GroupMember[], runs: readonly boolean[]): Value {
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

/** Steps count from the minimum (HAP §6.3.3); a value outside the range only loses its fraction. */
function toStep(value: number, { minValue, maxValue, minStep, format }: HomeCharacteristic): number {
  const isInRange = value >= (minValue ?? -Infinity) && value <= (maxValue ?? Infinity);
  const step = minStep ?? (format === 'float' ? 0 : 1);
  if (!isInRange || step <= 0) return format === 'float' ? value : Math.round(value);
  const from = minValue ?? 0;
  return Number((from + Math.round((value - from) / step) * step).toFixed(STEP_DECIMALS));
}

/** Steps are decimal fractions; further digits are binary rounding errors. */
const STEP_DECIMALS = 6;
const DEGREES_PER_RADIAN = 180 / Math.PI;
/** Smaller results are rounding errors of sine and cosine. */
const ANGLE_DECIMALS = 9;

function meanOf(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0) / numbers.length;
}

/**
 * Hues are circular: the mean of 350° and 10° is red, not the turquoise of 180°. Opposite hues use the arithmetic mean.
 */
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
