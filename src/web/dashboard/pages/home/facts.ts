/**
 * The summary of a home, from each accessory's services: what needs attention, most urgent first, and what is on. Each
 * row of the table is one kind of fact.
 */
import type { HomeAccessory, HomeService } from '../../home/home-document.ts';
import type { Write } from '../../home/write.ts';

/** Most urgent first; the order decides. */
export const FACT_KINDS = [
  'alarm',
  'smoke',
  'gas',
  'leak',
  'jammed',
  'unreachable',
  'unlocked',
  'open',
  'battery',
] as const;
export type FactKind = (typeof FACT_KINDS)[number];

/** Danger to people or the home: shown in red. */
export const URGENT: ReadonlySet<FactKind> = new Set(['alarm', 'smoke', 'gas', 'leak', 'jammed']);

interface FactRow {
  readonly kind: FactKind;
  /** In snake_case, as in the API. */
  readonly characteristic: string;
  /** Limits the row to services of this type, if others use the characteristic differently. */
  readonly services?: readonly string[];
  holds(value: unknown): boolean;
}

const isOne = (value: unknown) => value === 1 || value === true;

const FACTS: readonly FactRow[] = [
  { kind: 'alarm', characteristic: 'security_system_current_state', holds: (value) => value === 4 },
  { kind: 'smoke', characteristic: 'smoke_detected', holds: isOne },
  { kind: 'gas', characteristic: 'carbon_monoxide_detected', holds: isOne },
  { kind: 'gas', characteristic: 'carbon_dioxide_detected', holds: isOne },
  { kind: 'leak', characteristic: 'leak_detected', holds: isOne },
  { kind: 'jammed', characteristic: 'lock_current_state', holds: (value) => value === 2 },
  { kind: 'unlocked', characteristic: 'lock_current_state', holds: (value) => value === 0 },
  { kind: 'open', characteristic: 'contact_state', holds: isOne },
  // Open, opening, and stopped.
  {
    kind: 'open',
    characteristic: 'current_door_state',
    holds: (value) => value === 0 || value === 2 || value === 4,
  },
  {
    kind: 'open',
    characteristic: 'current_position',
    services: ['door', 'window'],
    holds: (value) => typeof value === 'number' && value > 0,
  },
  { kind: 'battery', characteristic: 'status_low_battery', holds: isOne },
];

/** The facts of one accessory. */
export interface AccessoryFacts {
  readonly kinds: readonly FactKind[];
  /** Its lamps that are on. */
  readonly litServices: readonly HomeService[];
  /** °C. */
  readonly temperature: number | undefined;
  /** 0–100 %. */
  readonly humidity: number | undefined;
}

/** Changed accessories are new objects, so each one is evaluated once. */
const known = new WeakMap<HomeAccessory, AccessoryFacts>();

export function factsOf(accessory: HomeAccessory): AccessoryFacts {
  let facts = known.get(accessory);
  if (!facts) {
    facts = findFacts(accessory);
    known.set(accessory, facts);
  }
  return facts;
}

function findFacts(accessory: HomeAccessory): AccessoryFacts {
  const { services, isReachable } = accessory;
  // The last values of an unreachable accessory are out of date, and its lamp can't be turned off.
  if (!isReachable) return { kinds: ['unreachable'], litServices: [], temperature: undefined, humidity: undefined };
  const kinds = FACTS.filter((row) => services.some((service) => holdsIn(row, service))).map(({ kind }) => kind);
  return {
    kinds: [...new Set(kinds)],
    litServices: services.filter((service) => service.type === 'lightbulb' && isLit(service)),
    temperature: numberIn(services, 'current_temperature'),
    humidity: numberIn(services, 'relative_humidity'),
  };
}

/** 0–100 %, if it has one. */
export function batteryOf({ services }: HomeAccessory): number | undefined {
  return numberIn(services, 'battery_level');
}

function holdsIn({ characteristic, services, holds }: FactRow, service: HomeService): boolean {
  if (services && !services.includes(service.type)) return false;
  return service.characteristics.some(({ type, value }) => type === characteristic && holds(value));
}

function isLit({ characteristics }: HomeService): boolean {
  return characteristics.some(({ type, value }) => type === 'power_state' && isOne(value));
}

function numberIn(services: readonly HomeService[], wanted: string): number | undefined {
  for (const { characteristics } of services) {
    const value = characteristics.find(({ type }) => type === wanted)?.value;
    if (typeof value === 'number') return value;
  }
  return undefined;
}

/** The summary of a home or a room. */
export interface HomeSummary {
  /** Accessories by kind of fact, most urgent first; kinds without accessories are left out. */
  readonly attention: readonly { readonly kind: FactKind; readonly accessories: readonly HomeAccessory[] }[];
  readonly litIds: readonly string[];
  /** The mean of the measured values, °C. */
  readonly temperature: number | undefined;
  readonly humidity: number | undefined;
}

export function summarize(accessories: readonly HomeAccessory[]): HomeSummary {
  const facts = accessories.map((accessory) => ({ accessory, ...factsOf(accessory) }));
  const attention = FACT_KINDS.map((kind) => ({
    kind,
    accessories: facts.filter(({ kinds }) => kinds.includes(kind)).map(({ accessory }) => accessory),
  }));
  return {
    attention: attention.filter(({ accessories: found }) => found.length > 0),
    litIds: facts.filter(({ litServices }) => litServices.length > 0).map(({ accessory }) => accessory.id),
    temperature: mean(facts.map(({ temperature }) => temperature)),
    humidity: mean(facts.map(({ humidity }) => humidity)),
  };
}

function mean(values: readonly (number | undefined)[]): number | undefined {
  const there = values.filter((value) => value !== undefined);
  return there.length === 0 ? undefined : there.reduce((sum, value) => sum + value, 0) / there.length;
}

/** Whether two summaries show the same text. */
export function isSameSummary(a: HomeSummary, b: HomeSummary): boolean {
  return fingerprint(a) === fingerprint(b);
}

function fingerprint({ attention, litIds, temperature, humidity }: HomeSummary): string {
  const people = attention.map(({ kind, accessories }) => [
    kind,
    ...accessories.map((accessory) => [
      accessory.id,
      accessory.name,
      ...(kind === 'battery' ? [batteryOf(accessory)] : []),
    ]),
  ]);
  const rounded = [temperature?.toFixed(1), humidity?.toFixed(0)];
  return JSON.stringify([people, litIds, rounded]);
}

/** Writes that turn lamps on or off, only for writable lamps in the other state. */
export function lampWrites(accessories: readonly HomeAccessory[], isOn: boolean): readonly Write[] {
  return accessories
    .filter(({ isReachable }) => isReachable)
    .flatMap(({ id: accessoryId, services }) =>
      services
        .filter(({ type }) => type === 'lightbulb')
        .flatMap((service) => {
          const power = service.characteristics.find(({ type, canWrite }) => type === 'power_state' && canWrite);
          if (!power || isOne(power.value) === isOn) return [];
          return [
            {
              accessoryId,
              serviceId: service.id,
              characteristicId: power.id,
              characteristicType: power.type,
              value: isOn,
            },
          ];
        }),
    );
}
