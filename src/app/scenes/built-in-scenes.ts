/**
 * The scenes that every home has without anybody making them (decisions §5). They are worked out from what the home does now:
 * each holds what is left to do, and is listed only while that is something. They never unlock, open or disarm.
 */
import type { Accessory, CharacteristicValue, Home, SceneAction, Service } from '../../home/model.ts';
import { presentValue } from '../../home/vocabulary/values.ts';
import { uuidV5 } from '../../kernel/ids.ts';
import { actionOn, valueToSet } from './scene-actions.ts';

export type BuiltInKind = 'good_night' | 'leave_home';

/** What one accessory contributes. */
type Rule = (accessory: Accessory) => readonly SceneAction[];

export interface BuiltInScene {
  readonly kind: BuiltInKind;
  readonly name: string;
  readonly rules: readonly Rule[];
}

const LIGHTBULB = '43';
const OUTLET = '47';
const LOCK = '45';
const WINDOW_COVERING = '8C';

const POWER_STATE = '25';
const LOCK_CURRENT = '1D';
const LOCK_TARGET = '1E';
const TARGET_POSITION = '7C';
const NAMES: readonly string[] = ['E3', '23'];

const LOCKED = 1;
const CLOSED = 0;

/** HAP category of accessories that are lamps, whatever their services are. */
const LIGHTBULB_CATEGORY = 5;

/**
 * How people call an outlet with a lamp in it: a word of its own in several languages, or the end of a German one (`Stehlampe`).
 * What merely begins like that (`Lightning`) is no lamp: switching a freezer off by mistake is worse than leaving a lamp on.
 */
const LAMP_WORD =
  /(?<!\p{L})(?:\p{L}*(?:lampen?|leuchten?|licht(?:er)?)|lights?|lamps?|lampes?|lumières?|lampad[ae]|luc[ei]|luz|luces|lámparas?)(?!\p{L})/iu;

const lightsOff: Rule = (accessory) =>
  servicesOf(accessory, LIGHTBULB).flatMap((service) => setting(accessory, service, POWER_STATE, false));

const outletLightsOff: Rule = (accessory) =>
  servicesOf(accessory, OUTLET)
    .filter((service) => isLampOutlet(accessory, service))
    .flatMap((service) => setting(accessory, service, POWER_STATE, false));

/** A bolt that did not reach its end is told once more. */
const locksLocked: Rule = (accessory) =>
  servicesOf(accessory, LOCK).flatMap((service) => {
    const isSecured = shownValue(service, LOCK_CURRENT) === LOCKED;
    return setting(accessory, service, LOCK_TARGET, LOCKED, !isSecured);
  });

const blindsClosed: Rule = (accessory) =>
  servicesOf(accessory, WINDOW_COVERING).flatMap((service) => setting(accessory, service, TARGET_POSITION, CLOSED));

export const BUILT_IN_SCENES: readonly BuiltInScene[] = [
  { kind: 'good_night', name: 'Good Night', rules: [lightsOff, locksLocked, blindsClosed] },
  { kind: 'leave_home', name: 'Leave Home', rules: [lightsOff, outletLightsOff, locksLocked] },
];

/** The same for a home whenever it is asked. */
export function builtInId(home: Pick<Home, 'id'>, kind: BuiltInKind): string {
  return uuidV5(home.id, `scene:${kind}`);
}

/** What there is left to do, accessory by accessory. Lazy: who only wants to know whether there is anything stops at the first. */
export function* builtInActions({ rules }: BuiltInScene, accessories: readonly Accessory[]): Iterable<SceneAction> {
  for (const accessory of accessories) {
    if (accessory.vanishedAt !== null) continue;
    for (const rule of rules) yield* rule(accessory);
  }
}

function servicesOf({ services }: Accessory, type: string): readonly Service[] {
  return services.filter((service) => service.type === type);
}

function isLampOutlet({ category, name }: Accessory, { characteristics }: Service): boolean {
  if (category === LIGHTBULB_CATEGORY || LAMP_WORD.test(name)) return true;
  return characteristics.some(({ type, value }) => NAMES.includes(type) && LAMP_WORD.test(String(value ?? '')));
}

/** @param always also where the value is the wanted one already. @returns one action, or none. */
function setting(
  accessory: Accessory,
  service: Service,
  type: string,
  wanted: CharacteristicValue,
  always = false,
): readonly SceneAction[] {
  const characteristic = service.characteristics.find((one) => one.type === type);
  if (!characteristic) return [];
  const value = valueToSet(characteristic, wanted);
  if (value === null || (!always && presentValue(characteristic) === value)) return [];
  return [actionOn(accessory, { service, characteristic }, value)];
}

function shownValue({ characteristics }: Service, type: string): CharacteristicValue {
  const characteristic = characteristics.find((one) => one.type === type);
  return characteristic ? presentValue(characteristic) : null;
}
