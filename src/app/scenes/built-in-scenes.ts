/**
 * The scenes that every home has by default (decisions §5). They are computed from the current state: each contains the
 * actions that are not yet done, and is listed only if there are any. They never unlock, open or disarm.
 */
import { CHARACTERISTIC } from '../../hap-spec/characteristics.ts';
import { SERVICE } from '../../hap-spec/services.ts';
import type { Accessory, CharacteristicValue, Home, SceneAction, Service } from '../../home/model.ts';
import { presentValue } from '../../home/vocabulary/values.ts';
import { uuidV5 } from '../../kernel/ids.ts';
import { actionOn, valueToSet } from './scene-actions.ts';

export type BuiltInKind = 'good_night' | 'leave_home';

/** The actions for one accessory. */
type Rule = (accessory: Accessory) => readonly SceneAction[];

export interface BuiltInScene {
  readonly kind: BuiltInKind;
  readonly name: string;
  readonly rules: readonly Rule[];
}

const NAMES: readonly string[] = [CHARACTERISTIC.configuredName, CHARACTERISTIC.name];

const LOCKED = 1;
const CLOSED = 0;

/** HAP category of lamps, regardless of their services. */
const LIGHTBULB_CATEGORY = 5;

/**
 * Names of an outlet with a lamp: a separate word in several languages, or the end of a German one (`Stehlampe`). A
 * word that only begins like that (`Lightning`) does not match: turning a freezer off by mistake is worse than leaving
 * a lamp on.
 */
const LAMP_WORD =
  /(?<!\p{L})(?:\p{L}*(?:lampen?|leuchten?|licht(?:er)?)|lights?|lamps?|lampes?|lumières?|lampad[ae]|luc[ei]|luz|luces|lámparas?)(?!\p{L})/iu;

const lightsOff: Rule = (accessory) =>
  servicesOf(accessory, SERVICE.lightbulb).flatMap((service) =>
    setting(accessory, service, CHARACTERISTIC.powerState, false),
  );

const outletLightsOff: Rule = (accessory) =>
  servicesOf(accessory, SERVICE.outlet)
    .filter((service) => isLampOutlet(accessory, service))
    .flatMap((service) => setting(accessory, service, CHARACTERISTIC.powerState, false));

/** A jammed bolt gets the command once more. */
const locksLocked: Rule = (accessory) =>
  servicesOf(accessory, SERVICE.lock).flatMap((service) => {
    const isSecured = shownValue(service, CHARACTERISTIC.lockCurrentState) === LOCKED;
    return setting(accessory, service, CHARACTERISTIC.lockTargetState, LOCKED, !isSecured);
  });

const blindsClosed: Rule = (accessory) =>
  servicesOf(accessory, SERVICE.windowCovering).flatMap((service) =>
    setting(accessory, service, CHARACTERISTIC.targetPosition, CLOSED),
  );

export const BUILT_IN_SCENES: readonly BuiltInScene[] = [
  { kind: 'good_night', name: 'Good Night', rules: [lightsOff, locksLocked, blindsClosed] },
  { kind: 'leave_home', name: 'Leave Home', rules: [lightsOff, outletLightsOff, locksLocked] },
];

/** Stable: always the same for a home. */
export function builtInId(home: Pick<Home, 'id'>, kind: BuiltInKind): string {
  return uuidV5(home.id, `scene:${kind}`);
}

/** The actions that are not yet done, accessory by accessory. Lazy: a check for any action stops at the first. */
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

/** @param always also if the value is already the target. @returns one action, or none. */
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
