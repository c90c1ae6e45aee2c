/**
 * Captures the current state of an accessory as actions of a scene, so that executing it restores that state. Only
 * settings a user would make are captured: for a lamp that is off, only that it is off and not its brightness. Actions
 * that unlock, open a door or disarm are never captured.
 */
import { CHARACTERISTIC, characteristicTypesNamed } from '../../hap-spec/characteristics.ts';
import { SERVICE, serviceTypesNamed } from '../../hap-spec/services.ts';
import type { Accessory, CharacteristicValue, SceneAction, Service } from '../../home/model.ts';
import { bindingsOf, type ServiceCharacteristic } from '../../home/vocabulary/bindings.ts';
import { DEVICE_SERVICES } from '../../home/vocabulary/device-kinds.ts';
import { presentValue } from '../../home/vocabulary/values.ts';
import { showsWhite } from './colour-mode.ts';
import { actionOn, valueToSet } from './scene-actions.ts';

/** Reads a characteristic of one service; `null` without a value. */
type Read = (type: string) => CharacteristicValue;

/** The characteristic types to capture, in the order in which they are set. */
type PropertyChoice = (read: Read) => readonly string[];
const ALARM_DISARMED = 3;
const POWERS = [CHARACTERISTIC.powerState, CHARACTERISTIC.active];

/** Services that need a rule of their own, by canonical type. */
const RULES: readonly (readonly [service: string, choice: PropertyChoice])[] = [
  [SERVICE.lightbulb, whileOn(CHARACTERISTIC.powerState, (read) => [CHARACTERISTIC.brightness, ...colourTypes(read)])],
  [SERVICE.thermostat, whileOn(CHARACTERISTIC.heatingCoolingTarget, thermostatTargets)],
  [
    SERVICE.heaterCooler,
    whileOn(CHARACTERISTIC.active, (read) => [
      CHARACTERISTIC.targetHeaterCoolerState,
      ...heaterCoolerTargets(read),
      CHARACTERISTIC.rotationSpeed,
      CHARACTERISTIC.swingMode,
    ]),
  ],
  [
    SERVICE.lock,
    (read) =>
      read(CHARACTERISTIC.lockTargetState) === 1 && read(CHARACTERISTIC.lockCurrentState) === 1
        ? [CHARACTERISTIC.lockTargetState]
        : [],
  ],
  [
    SERVICE.garageDoor,
    (read) =>
      read(CHARACTERISTIC.targetDoorState) === 1 && read(CHARACTERISTIC.currentDoorState) === 1
        ? [CHARACTERISTIC.targetDoorState]
        : [],
  ],
  [SERVICE.door, whileClosed],
  [SERVICE.window, whileClosed],
  [
    SERVICE.securitySystem,
    (read) =>
      read(CHARACTERISTIC.securitySystemTargetState) === ALARM_DISARMED
        ? []
        : [CHARACTERISTIC.securitySystemTargetState],
  ],
];

/** All others capture what their row in `device-kinds.ts` lists. */
const LISTED = DEVICE_SERVICES.flatMap(({ name, captures }) =>
  captures === undefined
    ? []
    : serviceTypesNamed(name).map((type) => [type, whileItIsOn(characteristicTypesNamed(...captures))] as const),
);

const CHOICES: ReadonlyMap<string, PropertyChoice> = new Map([...LISTED, ...RULES]);

/** The actions of an accessory; empty if nothing can be set. For an unreachable one, the last known values count. */
export function captureAccessory(accessory: Accessory): readonly SceneAction[] {
  const places = accessory.virtual ? virtualPlaces(accessory) : accessory.services.flatMap(servicePlaces);
  return places.flatMap((place) => {
    const value = valueToSet(place.characteristic, presentValue(place.characteristic));
    return value === null ? [] : [actionOn(accessory, place, value)];
  });
}

function servicePlaces(service: Service): readonly ServiceCharacteristic[] {
  const find = (type: string) => service.characteristics.find((characteristic) => characteristic.type === type);
  const read: Read = (type) => {
    const characteristic = find(type);
    return characteristic ? presentValue(characteristic) : null;
  };
  const types = CHOICES.get(service.type)?.(read) ?? [];
  return types.flatMap((type) => {
    const characteristic = find(type);
    return characteristic ? [{ service, characteristic }] : [];
  });
}

/** Timers are excluded: running is not a setting, and restoring it would restart the timer. */
function virtualPlaces({ virtual, services }: Accessory): readonly ServiceCharacteristic[] {
  if (virtual?.virtualType === 'timer') return [];
  const places = bindingsOf(services).list.map(({ service, characteristic }) => ({ service, characteristic }));
  return [...new Map(places.map((place) => [place.characteristic.iid, place])).values()];
}

/** For a service that is off only the power: setting the brightness would turn many lamps on. */
function whileOn(power: string, rest: PropertyChoice): PropertyChoice {
  return (read) => (isOff(read(power)) ? [power] : [power, ...rest(read)]);
}

/** A service has one power characteristic; one with none is always on. */
function whileItIsOn(types: readonly string[]): PropertyChoice {
  return (read) => {
    const power = POWERS.find((type) => read(type) !== null);
    return power === undefined ? types : whileOn(power, () => types)(read);
  };
}

function isOff(value: CharacteristicValue): boolean {
  return value === false || value === 0;
}

function whileClosed(read: Read): readonly string[] {
  return read(CHARACTERISTIC.targetPosition) === 0 ? [CHARACTERISTIC.targetPosition] : [];
}

/** Colour or white, as the lamp shows: setting one ends the other. */
function colourTypes(read: Read): readonly string[] {
  const [hue, saturation, colourTemperature] = [
    CHARACTERISTIC.hue,
    CHARACTERISTIC.saturation,
    CHARACTERISTIC.colorTemperature,
  ].map((type) => numberOf(read(type)));
  const isWhite = showsWhite({
    hue: hue ?? null,
    saturation: saturation ?? null,
    colourTemperature: colourTemperature ?? null,
  });
  return isWhite ? [CHARACTERISTIC.colorTemperature] : [CHARACTERISTIC.hue, CHARACTERISTIC.saturation];
}

function numberOf(value: CharacteristicValue): number | null {
  return typeof value === 'number' ? value : null;
}

/** 3 is auto, which uses two thresholds if the device has them. */
function thermostatTargets(read: Read): readonly string[] {
  const hasThresholds =
    read(CHARACTERISTIC.heatingThreshold) !== null && read(CHARACTERISTIC.coolingThreshold) !== null;
  return read(CHARACTERISTIC.heatingCoolingTarget) === 3 && hasThresholds
    ? [CHARACTERISTIC.heatingThreshold, CHARACTERISTIC.coolingThreshold]
    : [CHARACTERISTIC.targetTemperature];
}

/** 1 heats, 2 cools, 0 is auto. */
function heaterCoolerTargets(read: Read): readonly string[] {
  const mode = read(CHARACTERISTIC.targetHeaterCoolerState);
  if (mode === 1) return [CHARACTERISTIC.heatingThreshold];
  return mode === 2
    ? [CHARACTERISTIC.coolingThreshold]
    : [CHARACTERISTIC.heatingThreshold, CHARACTERISTIC.coolingThreshold];
}
