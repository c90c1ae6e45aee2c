/**
 * What a home is told of at a glance, from each accessory's services: what needs attention, in the order of how much it does, and
 * what is on. One row of the table is one kind of thing to know.
 */
import type { HouseAccessory, HouseService } from '../../house/house-document.ts';
import type { Write } from '../../house/write.ts';

/** From the most urgent on; the order is the rule. */
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

/** Danger to people or the house: shown in red. */
export const URGENT: ReadonlySet<FactKind> = new Set(['alarm', 'smoke', 'gas', 'leak', 'jammed']);

interface FactRow {
  readonly kind: FactKind;
  /** In snake_case, as the API names them. */
  readonly characteristic: string;
  /** Only in services of this type, where others mean something else by it. */
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
  // Open, opening, and stopped on the way.
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

/** What one accessory contributes. */
export interface AccessoryFacts {
  readonly kinds: readonly FactKind[];
  /** Lamps of it that are on. */
  readonly litServices: readonly HouseService[];
  /** °C. */
  readonly temperature: number | undefined;
  /** 0–100 %. */
  readonly humidity: number | undefined;
}

/** Accessories are replaced when they change, so that each is looked at once. */
const known = new WeakMap<HouseAccessory, AccessoryFacts>();

export function factsOf(accessory: HouseAccessory): AccessoryFacts {
  let facts = known.get(accessory);
  if (!facts) {
    facts = findFacts(accessory);
    known.set(accessory, facts);
  }
  return facts;
}

function findFacts(accessory: HouseAccessory): AccessoryFacts {
  const { services, isReachable } = accessory;
  // What an accessory said before it fell silent is no news, and its lamp can't be turned off.
  if (!isReachable) return { kinds: ['unreachable'], litServices: [], temperature: undefined, humidity: undefined };
  const kinds = FACTS.filter((row) => services.some((service) => holdsIn(row, service))).map(({ kind }) => kind);
  return {
    kinds: [...new Set(kinds)],
    litServices: services.filter((service) => service.type === 'lightbulb' && isLit(service)),
    temperature: numberIn(services, 'current_temperature'),
    humidity: numberIn(services, 'relative_humidity'),
  };
}

function holdsIn({ characteristic, services, holds }: FactRow, service: HouseService): boolean {
  if (services && !services.includes(service.type)) return false;
  return service.characteristics.some(({ type, value }) => type === characteristic && holds(value));
}

function isLit({ characteristics }: HouseService): boolean {
  return characteristics.some(({ type, value }) => type === 'power_state' && isOne(value));
}

function numberIn(services: readonly HouseService[], wanted: string): number | undefined {
  for (const { characteristics } of services) {
    const value = characteristics.find(({ type }) => type === wanted)?.value;
    if (typeof value === 'number') return value;
  }
  return undefined;
}

/** What a whole home, or a room, comes to. */
export interface Summary {
  /** Accessories by what is to be said of them, most urgent first; kinds with none are left out. */
  readonly attention: readonly { readonly kind: FactKind; readonly accessories: readonly HouseAccessory[] }[];
  readonly litIds: readonly string[];
  /** The mean of what is measured, °C. */
  readonly temperature: number | undefined;
  readonly humidity: number | undefined;
}

export function summarize(accessories: readonly HouseAccessory[]): Summary {
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

/** Whether two summaries say the same, in the same words. */
export function saysTheSame(a: Summary, b: Summary): boolean {
  return fingerprint(a) === fingerprint(b);
}

function fingerprint({ attention, litIds, temperature, humidity }: Summary): string {
  const people = attention.map(({ kind, accessories }) => [kind, ...accessories.map(({ id, name }) => [id, name])]);
  const rounded = [temperature?.toFixed(1), humidity?.toFixed(0)];
  return JSON.stringify([people, litIds, rounded]);
}

/** What turns lamps on or off. Only what can be written, and is not so already. */
export function lampWrites(accessories: readonly HouseAccessory[], shall: boolean): readonly Write[] {
  return accessories
    .filter(({ isReachable }) => isReachable)
    .flatMap(({ id: accessoryId, services }) =>
      services
        .filter(({ type }) => type === 'lightbulb')
        .flatMap((service) => {
          const power = service.characteristics.find(({ type, canWrite }) => type === 'power_state' && canWrite);
          if (!power || isOne(power.value) === shall) return [];
          return [
            {
              accessoryId,
              serviceId: service.id,
              characteristicId: power.id,
              characteristicType: power.type,
              value: shall,
            },
          ];
        }),
    );
}
