/**
 * A service group as ONE accessory: one service of the group's kind, whose values say what its members do together (decisions
 * §5). Whatever shows, simplifies or records accessories can so take a group for one. Nothing here writes: what is set on a group
 * is set on each of its members by `app/groups`.
 *
 * The group has every characteristic that any member has. It is on if any member is; a number is the mean over the members that
 * are on (over all where none is, or where the kind has no power); of several modes it shows the first one's.
 */
import { characteristicByType } from '../hap-spec/characteristics.ts';
import type { HomeState } from './home-state.ts';
import type {
  Accessory,
  Characteristic,
  CharacteristicFormat,
  CharacteristicValue,
  Permission,
  Service,
  ServiceGroup,
  ServiceGroupKind,
} from './model.ts';
import { SKIPPED_CHARACTERISTICS } from './vocabulary/properties.ts';
import { isInRange, type NumberRange, rangeOf, snap } from './vocabulary/ranges.ts';
import { formatOf, presentValue } from './vocabulary/values.ts';

interface KindRow {
  /** Canonical service types. Garage doors are not among the blinds: nobody opens several by a name. */
  readonly services: readonly string[];
  /** HAP category number that the group is shown under. */
  readonly category: number;
}

const KINDS: Readonly<Record<ServiceGroupKind, KindRow>> = {
  light: { services: ['43'], category: 5 },
  switch: { services: ['49'], category: 8 },
  outlet: { services: ['47'], category: 7 },
  fan: { services: ['40', 'B7'], category: 3 },
  blind: { services: ['8C', '8B', '81'], category: 14 }, // window covering, window, door
};

const KIND_BY_SERVICE: ReadonlyMap<string, ServiceGroupKind> = new Map(
  (Object.keys(KINDS) as ServiceGroupKind[]).flatMap((kind) =>
    KINDS[kind].services.map((type) => [type, kind] as const),
  ),
);

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

export interface GroupMember {
  readonly accessory: Accessory;
  readonly service: Service;
}

/** The kind of group that a service can be in; `undefined` for services that are not grouped. */
export function groupKindOf({ type }: Service): ServiceGroupKind | undefined {
  return KIND_BY_SERVICE.get(type);
}

/** The members that are there now, in the group's order: ones that vanished or were unpaired may come back. */
export function membersOf(group: ServiceGroup, state: HomeState): readonly GroupMember[] {
  return group.members.flatMap(({ accessoryId, serviceIid }) => {
    const accessory = state.accessory(accessoryId);
    if (!accessory || accessory.homeId !== group.homeId || accessory.vanishedAt !== null) return [];
    const service = accessory.services.find(({ iid, type }) => iid === serviceIid && KIND_BY_SERVICE.has(type));
    return service ? [{ accessory, service }] : [];
  });
}

/** The characteristic of a member that a characteristic of its group stands for: `active` may stand for `power_state`. */
export function memberCharacteristic(service: Service, type: string): Characteristic | undefined {
  const find = (wanted: string): Characteristic | undefined =>
    service.characteristics.find((characteristic) => characteristic.type === wanted);
  return find(type) ?? (type === POWER_STATE ? find(ACTIVE) : undefined);
}

interface Made {
  readonly state: HomeState;
  readonly version: number;
  readonly accessory: Accessory | undefined;
}

/** Groups are replaced when they change and values move the state's version, so that nobody sees an old one. */
const made = new WeakMap<ServiceGroup, Made>();

/**
 * @returns a snapshot, the same one until the state's version changes; its id and name are the group's, its room is that of the
 *          first member. `undefined` while no member is there.
 */
export function asAccessory(group: ServiceGroup, state: HomeState): Accessory | undefined {
  const { version } = state;
  const known = made.get(group);
  if (known?.state === state && known.version === version) return known.accessory;
  const accessory = makeAccessory(group, membersOf(group, state));
  made.set(group, { state, version, accessory });
  return accessory;
}

function makeAccessory(
  { id, homeId, name, kind }: ServiceGroup,
  members: readonly GroupMember[],
): Accessory | undefined {
  const [first] = members;
  if (!first) return undefined;
  const service: Service = {
    iid: '1',
    type: first.service.type,
    primary: true,
    hidden: false,
    linked: [],
    characteristics: combine(members.map((member) => member.service)),
  };
  const seen = members.flatMap(({ accessory }) => accessory.lastSeenAt ?? []);
  return {
    id,
    homeId,
    roomId: first.accessory.roomId,
    name,
    address: { source: `group:${id}`, aid: '1' },
    category: KINDS[kind].category,
    reachable: members.some(({ accessory }) => accessory.reachable),
    lastSeenAt: seen.length > 0 ? Math.max(...seen) : null,
    vanishedAt: null,
    virtual: null,
    services: [service],
  };
}

/** Every type of characteristic that any of the services has, once. */
function combine(services: readonly Service[]): readonly Characteristic[] {
  const all = services.flatMap(({ characteristics }) => characteristics).filter(isCombined);
  const types = new Set(all.map(({ type }) => type));
  const power = [POWER_STATE, ACTIVE].find((type) => types.has(type));
  // Fans of both generations together have one switch, not two.
  if (power === POWER_STATE) types.delete(ACTIVE);
  const running = services.filter(isRunning);
  return [...types].map((type, index) => {
    const of = (some: readonly Service[]): Characteristic[] =>
      some.flatMap((service) => memberCharacteristic(service, type) ?? []);
    return combineOne(String(index + 2), type, of(services), of(running), type === power);
  });
}

function isCombined(characteristic: Characteristic): boolean {
  return !SKIPPED_CHARACTERISTICS.has(characteristic.type) && COMBINED_FORMATS.has(formatOf(characteristic));
}

/** What has no switch always runs. */
function isRunning(service: Service): boolean {
  const power = memberCharacteristic(service, POWER_STATE);
  return power === undefined || Boolean(presentValue(power));
}

/** @param running those of members that are on. */
function combineOne(
  iid: string,
  type: string,
  all: readonly Characteristic[],
  running: readonly Characteristic[],
  isPower: boolean,
): Characteristic {
  const model = all.find((characteristic) => characteristic.type === type) as Characteristic;
  const format = all.some((one) => formatOf(one) === 'float') ? 'float' : formatOf(model);
  const ranges = all.map((one) => rangeOf(one, formatOf(one)));
  const range = format === 'bool' ? { integer: false } : widest(ranges, format);
  return {
    iid,
    type,
    format,
    permissions: SHOWN_PERMISSIONS.filter((permission) => all.some((one) => one.permissions.includes(permission))),
    ...(model.unit !== undefined && { unit: model.unit }),
    ...(range.min !== undefined && { minValue: range.min }),
    ...(range.max !== undefined && { maxValue: range.max }),
    ...(range.step !== undefined && { minStep: range.step }),
    ...(range.only && { validValues: range.only }),
    value:
      isPower || format === 'bool' ? anyOf(all, format) : combineValues(type, [...running, ...all], running, range),
  };
}

/** What any member takes. Each refuses by itself what it does not, and the mean is always within. */
function widest(ranges: readonly NumberRange[], format: CharacteristicFormat): NumberRange {
  const bound = (pick: (range: NumberRange) => number | undefined, of: (...values: number[]) => number) => {
    const values = ranges.map(pick);
    return values.some((value) => value === undefined) ? undefined : of(...(values as number[]));
  };
  const min = bound((range) => range.min, Math.min);
  const max = bound((range) => range.max, Math.max);
  const step = bound((range) => range.step, Math.min);
  const only = ranges.every((range) => range.only)
    ? [...new Set(ranges.flatMap((range) => range.only ?? []))]
    : undefined;
  return {
    ...(min !== undefined && { min }),
    ...(max !== undefined && { max }),
    ...(step !== undefined && { step }),
    ...(only && { only: only.sort((a, b) => a - b) }),
    integer: format !== 'float',
  };
}

function anyOf(characteristics: readonly Characteristic[], format: CharacteristicFormat): CharacteristicValue {
  const values = valuesOf(characteristics);
  if (values.length === 0) return null;
  const any = values.some(Boolean);
  return format === 'bool' ? any : Number(any);
}

/** @param preferred those that are on, then all: the first mode that is known stands for the group. */
function combineValues(
  type: string,
  preferred: readonly Characteristic[],
  running: readonly Characteristic[],
  range: NumberRange,
): CharacteristicValue {
  const [first = null] = valuesOf(preferred);
  if (characteristicByType(type)?.values) return first;
  const own = valuesOf(running).filter(isNumber);
  const numbers = own.length > 0 ? own : valuesOf(preferred).filter(isNumber);
  if (numbers.length === 0) return null;
  const mean = (type === HUE ? meanAngle(numbers) : undefined) ?? sum(numbers) / numbers.length;
  const { only: _, ...bounds } = range;
  if (isInRange(mean, bounds)) return snap(mean, range);
  return range.integer ? Math.round(mean) : mean;
}

function valuesOf(characteristics: readonly Characteristic[]): readonly Exclude<CharacteristicValue, null>[] {
  return characteristics.map(presentValue).filter((value) => value !== null);
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number';
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

const DEGREES_PER_RADIAN = 180 / Math.PI;
/** Of a degree: below it are only the errors of sine and cosine. */
const ANGLE_DECIMALS = 9;

/** Hues go round: between 350° and 10° lies red, not the turquoise of 180°. Opposite ones have no mean of this kind. */
function meanAngle(degrees: readonly number[]): number | undefined {
  const x = sum(degrees.map((angle) => Math.cos(angle / DEGREES_PER_RADIAN)));
  const y = sum(degrees.map((angle) => Math.sin(angle / DEGREES_PER_RADIAN)));
  if (Math.hypot(x, y).toFixed(ANGLE_DECIMALS) === (0).toFixed(ANGLE_DECIMALS)) return undefined;
  const angle = Number((Math.atan2(y, x) * DEGREES_PER_RADIAN).toFixed(ANGLE_DECIMALS));
  return angle < 0 ? angle + 360 : angle;
}
