/**
 * What an accessory does now as actions of a scene, so that executing it brings that back. Only what somebody would have set: of
 * what is off, that it is off and not how bright it would be. Nothing that unlocks, opens a door or disarms is ever taken in.
 */
import type { Accessory, CharacteristicValue, SceneAction, Service } from '../../home/model.ts';
import { bindingsOf, type Place } from '../../home/vocabulary/bindings.ts';
import { presentValue } from '../../home/vocabulary/values.ts';
import { showsWhite } from './colour-mode.ts';
import { actionOn, valueToSet } from './scene-actions.ts';

/** The value of a characteristic of one service; `null` where it has none. */
type Read = (type: string) => CharacteristicValue;

/** The types of characteristics to take in, in the order in which they are to be set again. */
type Choice = (read: Read) => readonly string[];

const POWER_STATE = '25';
const ACTIVE = 'B0';
const HUE = '13';
const SATURATION = '2F';
const COLOUR_TEMPERATURE = 'CE';
const BRIGHTNESS = '8';
const SPEED = '29';
const DIRECTION = '28';
const SWING = 'B6';
const THERMOSTAT_MODE = '33';
const TARGET_TEMPERATURE = '35';
const HEAT_TARGET = '12';
const COOL_TARGET = 'D';
const HEATER_COOLER_MODE = 'B2';
const TARGET_POSITION = '7C';
const LOCK_TARGET = '1E';
const DOOR_TARGET = '32';
const ALARM_TARGET = '67';
const ALARM_DISARMED = 3;

/** By canonical service type. */
const CHOICES: ReadonlyMap<string, Choice> = new Map<string, Choice>([
  ['43', whileOn(POWER_STATE, (read) => [BRIGHTNESS, ...colourTypes(read)])], // lightbulb
  ['47', () => [POWER_STATE]], // outlet
  ['49', () => [POWER_STATE]], // switch
  ['40', whileOn(POWER_STATE, () => [SPEED, DIRECTION])], // fan
  ['B7', whileOn(ACTIVE, () => ['BF', SPEED, DIRECTION, SWING])], // fan of the second generation
  ['4A', whileOn(THERMOSTAT_MODE, thermostatTargets)], // thermostat
  ['BC', whileOn(ACTIVE, (read) => [HEATER_COOLER_MODE, ...heaterCoolerTargets(read), SPEED, SWING])], // heater cooler
  ['BB', whileOn(ACTIVE, () => ['A8', SPEED])], // air purifier
  ['BD', whileOn(ACTIVE, () => ['B4', 'CA', 'C9'])], // humidifier
  ['8C', () => [TARGET_POSITION, '7B', '7D']], // window covering, with its tilts
  ['45', (read) => (read(LOCK_TARGET) === 1 && read('1D') === 1 ? [LOCK_TARGET] : [])], // lock, if locked
  ['41', (read) => (read(DOOR_TARGET) === 1 && read('E') === 1 ? [DOOR_TARGET] : [])], // garage door, if closed
  ['81', whileClosed], // door
  ['8B', whileClosed], // window
  ['7E', (read) => (read(ALARM_TARGET) === ALARM_DISARMED ? [] : [ALARM_TARGET])], // alarm, if armed
]);

/** What the accessory does now; empty for one that nothing can be set on. An unreachable one's last known values count. */
export function captureAccessory(accessory: Accessory): readonly SceneAction[] {
  const places = accessory.virtual ? virtualPlaces(accessory) : accessory.services.flatMap(servicePlaces);
  return places.flatMap((place) => {
    const value = valueToSet(place.characteristic, presentValue(place.characteristic));
    return value === null ? [] : [actionOn(accessory, place, value)];
  });
}

function servicePlaces(service: Service): readonly Place[] {
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

/** A timer is left alone: that it runs is no setting, and bringing it back would start it anew. */
function virtualPlaces({ virtual, services }: Accessory): readonly Place[] {
  if (virtual?.virtualType === 'timer') return [];
  const places = bindingsOf(services).list.map(({ service, characteristic }) => ({ service, characteristic }));
  return [...new Map(places.map((place) => [place.characteristic.iid, place])).values()];
}

/** Of what is off only that; setting its brightness would switch many a lamp on. */
function whileOn(power: string, rest: Choice): Choice {
  return (read) => (isOff(read(power)) ? [power] : [power, ...rest(read)]);
}

function isOff(value: CharacteristicValue): boolean {
  return value === false || value === 0;
}

function whileClosed(read: Read): readonly string[] {
  return read(TARGET_POSITION) === 0 ? [TARGET_POSITION] : [];
}

/** Colour or white, whichever the lamp shows: setting the one ends the other. */
function colourTypes(read: Read): readonly string[] {
  const [hue, saturation, colourTemperature] = [HUE, SATURATION, COLOUR_TEMPERATURE].map((type) =>
    numberOf(read(type)),
  );
  const isWhite = showsWhite({
    hue: hue ?? null,
    saturation: saturation ?? null,
    colourTemperature: colourTemperature ?? null,
  });
  return isWhite ? [COLOUR_TEMPERATURE] : [HUE, SATURATION];
}

function numberOf(value: CharacteristicValue): number | null {
  return typeof value === 'number' ? value : null;
}

/** 3 is auto, which keeps between two thresholds where the device has them. */
function thermostatTargets(read: Read): readonly string[] {
  const hasThresholds = read(HEAT_TARGET) !== null && read(COOL_TARGET) !== null;
  return read(THERMOSTAT_MODE) === 3 && hasThresholds ? [HEAT_TARGET, COOL_TARGET] : [TARGET_TEMPERATURE];
}

/** 1 heats, 2 cools, 0 is auto. */
function heaterCoolerTargets(read: Read): readonly string[] {
  const mode = read(HEATER_COOLER_MODE);
  if (mode === 1) return [HEAT_TARGET];
  return mode === 2 ? [COOL_TARGET] : [HEAT_TARGET, COOL_TARGET];
}
