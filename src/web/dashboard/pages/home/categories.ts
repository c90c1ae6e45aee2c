/**
 * The categories of a home: which accessories belong to each, and what is to know of it. An accessory with several
 * services can be in several categories, such as a motion sensor with a thermometer.
 */
import { readClimate } from '../../devices/kinds/climate.ts';
import { flagOf, numberOf, serviceOf, servicesOf } from '../../devices/reading.ts';
import type { HomeAccessory } from '../../home/home-document.ts';
import { type FactKind, factsOf } from './facts.ts';

/** In the order of the home page. */
export const CATEGORIES = ['climate', 'lights', 'security', 'media', 'water'] as const;
export type Category = (typeof CATEGORIES)[number];

const OPENINGS = ['contact_sensor', 'garage_door', 'door', 'window'] as const;
const VALVES = ['valve', 'faucet', 'irrigation_system'] as const;

// biome-ignore format: one category, its services
const SERVICES: Readonly<Record<Category, readonly string[]>> = {
  climate: [
    'thermostat', 'heater_cooler', 'humidifier_dehumidifier', 'air_purifier', 'fan', 'window_covering',
    'temperature_sensor', 'humidity_sensor', 'air_quality_sensor', 'carbon_dioxide_sensor',
  ],
  lights: ['lightbulb'],
  security: [
    ...OPENINGS, 'lock', 'security_system', 'doorbell', 'camera_rtp_stream_management', 'motion_sensor',
    'occupancy_sensor', 'smoke_sensor', 'carbon_monoxide_sensor',
  ],
  // Doorbells and cameras have a speaker too: of it alone the type decides.
  media: ['television', 'smart_speaker'],
  water: [...VALVES, 'leak_sensor'],
};

export function isCategory(word: string): word is Category {
  return (CATEGORIES as readonly string[]).includes(word);
}

export function isInCategory(category: Category, { type, services }: HomeAccessory): boolean {
  if (category === 'media' && type === 'speaker') return true;
  return services.some((service) => SERVICES[category].includes(service.type));
}

type CountKind =
  | Exclude<FactKind, 'unreachable' | 'battery'>
  | 'on'
  | 'off'
  | 'heating'
  | 'cooling'
  | 'locked'
  | 'closed'
  | 'running'
  | 'dry';

/** Temperatures are in °C, humidities in percent. */
export type CategoryFact =
  | { readonly kind: 'temperature' | 'humidity'; readonly low: number; readonly high: number }
  | { readonly kind: CountKind; readonly count: number };

/** What is to know of a category, the most important first. Nothing is known of accessories that do not answer. */
const FACTS: Readonly<Record<Category, (reachable: readonly HomeAccessory[]) => readonly CategoryFact[]>> = {
  climate: (all) => [
    ...rangeOf('temperature', all, 10),
    ...rangeOf('humidity', all, 1),
    ...counted('heating', all, (accessory) => isDoing(accessory, 'heating')),
    ...counted('cooling', all, (accessory) => isDoing(accessory, 'cooling')),
  ],
  lights: (all) =>
    firstOf(
      counted('on', all, (accessory) => factsOf(accessory).litServices.length > 0),
      counted('off', all, () => true),
    ),
  security: (all) => {
    const attention = (['alarm', 'smoke', 'gas', 'jammed', 'unlocked', 'open'] as const).flatMap((kind) =>
      counted(kind, all, (accessory) => factsOf(accessory).kinds.includes(kind)),
    );
    const locks = all.filter((accessory) => serviceOf(accessory, 'lock'));
    const openings = all.filter((accessory) => serviceOf(accessory, ...OPENINGS));
    return [...attention, ...allOf('locked', locks, isLocked), ...allOf('closed', openings, isClosed)];
  },
  media: (all) => {
    const powers = all.map((accessory) => flagOf(serviceOf(accessory, 'television', 'speaker'), 'active'));
    const on = powers.filter((isOn) => isOn === true).length;
    if (on > 0) return [{ kind: 'on', count: on }];
    return powers.includes(false) ? [{ kind: 'off', count: powers.length }] : [];
  },
  water: (all) => {
    const sensors = all.filter((accessory) => serviceOf(accessory, 'leak_sensor'));
    return [
      ...counted('leak', all, (accessory) => factsOf(accessory).kinds.includes('leak')),
      ...counted('running', all, isRunning),
      ...allOf('dry', sensors, (sensor) => flagOf(serviceOf(sensor, 'leak_sensor'), 'leak_detected') === false),
    ];
  },
};

export function categoryFacts(category: Category, accessories: readonly HomeAccessory[]): readonly CategoryFact[] {
  const members = accessories.filter((accessory) => accessory.isReachable && isInCategory(category, accessory));
  return FACTS[category](members);
}

/** For subscriptions, which need the same function each time. */
export const DERIVE_FACTS = Object.fromEntries(
  CATEGORIES.map((category) => [
    category,
    (accessories: readonly HomeAccessory[]) => categoryFacts(category, accessories),
  ]),
) as Readonly<Record<Category, (accessories: readonly HomeAccessory[]) => readonly CategoryFact[]>>;

export function isSameFacts(a: readonly CategoryFact[], b: readonly CategoryFact[]): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

function firstOf(...lists: readonly (readonly CategoryFact[])[]): readonly CategoryFact[] {
  return lists.find((list) => list.length > 0) ?? [];
}

type Test = (accessory: HomeAccessory) => boolean;

function counted(kind: CountKind, all: readonly HomeAccessory[], test: Test): readonly CategoryFact[] {
  const count = all.filter(test).length;
  return count > 0 ? [{ kind, count }] : [];
}

/** Only if it is true of each, and there are some. */
function allOf(kind: CountKind, all: readonly HomeAccessory[], test: Test): readonly CategoryFact[] {
  return all.length > 0 && all.every(test) ? [{ kind, count: all.length }] : [];
}

/** @param steps how finely it is rounded, so that not every small change is shown */
function rangeOf(
  kind: 'temperature' | 'humidity',
  all: readonly HomeAccessory[],
  steps: number,
): readonly CategoryFact[] {
  const values = all.flatMap((accessory) => factsOf(accessory)[kind] ?? []);
  if (values.length === 0) return [];
  const rounded = (value: number) => Math.round(value * steps) / steps;
  return [{ kind, low: rounded(Math.min(...values)), high: rounded(Math.max(...values)) }];
}

function isDoing(accessory: HomeAccessory, what: 'heating' | 'cooling'): boolean {
  return servicesOf(accessory, 'thermostat', 'heater_cooler').some((service) => readClimate(service).doing === what);
}

function isLocked(accessory: HomeAccessory): boolean {
  return servicesOf(accessory, 'lock').every((lock) => numberOf(lock, 'lock_current_state') === 1);
}

function isClosed(accessory: HomeAccessory): boolean {
  if (factsOf(accessory).kinds.includes('open')) return false;
  return servicesOf(accessory, ...OPENINGS).every((opening) =>
    opening.characteristics.some(
      ({ type, value }) => ['contact_state', 'current_door_state', 'current_position'].includes(type) && value !== null,
    ),
  );
}

function isRunning(accessory: HomeAccessory): boolean {
  return servicesOf(accessory, ...VALVES).some(
    (service) => flagOf(service, 'active') === true && flagOf(service, 'in_use') !== false,
  );
}
