/**
 * Lamps that can follow the day: light services with a colour temperature. Each gets a characteristic of the relay,
 * `adaptive_lighting`, so that every API reads and sets it like any other property. The device does not have it.
 */
import { CHARACTERISTIC } from '../../hap-spec/characteristics.ts';
import { SERVICE } from '../../hap-spec/services.ts';
import type { Accessory, Characteristic, HapId, Service } from '../model.ts';
import { supportsTemperature } from './transitions.ts';

/** Above every instance id that devices use, so that ours never meets one of theirs. */
const FIRST_OWN_IID = 2n ** 63n;

export interface Lamp {
  readonly accessory: Accessory;
  readonly service: Service;
  readonly temperature: Characteristic;
  readonly brightness: Characteristic | undefined;
  /** Absent for a light without a switch. */
  readonly power: Characteristic | undefined;
  /** The relay's own. */
  readonly follows: Characteristic;
  /** `null`: the lamp can't run a schedule by itself. */
  readonly transitions: LampTransitions | null;
}

export interface LampTransitions {
  readonly control: Characteristic;
  /** How many schedules the lamp runs. */
  readonly count: Characteristic;
  readonly brightness: Characteristic;
}

/** Adds the relay's own characteristics to the services that a device describes. */
export function withOwnCharacteristics(services: readonly Service[]): readonly Service[] {
  return services.map((service) =>
    colourTemperatureOf(service)
      ? { ...service, characteristics: [...service.characteristics, followsOf(service.iid)] }
      : service,
  );
}

export function lampsOf(accessory: Accessory): readonly Lamp[] {
  return accessory.services.flatMap((service) => lampOf(accessory, service) ?? []);
}

export function findLamp(accessory: Accessory, serviceIid: HapId): Lamp | undefined {
  const service = accessory.services.find(({ iid }) => iid === serviceIid);
  return service && lampOf(accessory, service);
}

/** The lamp that this service is; `undefined` if it can't follow the day. */
export function lampOf(accessory: Accessory, service: Service): Lamp | undefined {
  const temperature = colourTemperatureOf(service);
  if (!temperature) return undefined;
  const find = (type: string) => service.characteristics.find((one) => one.type === type);
  const follows = find(CHARACTERISTIC.adaptiveLighting);
  if (!follows) return undefined;
  const brightness = find(CHARACTERISTIC.brightness);
  const control = find(CHARACTERISTIC.characteristicValueTransitionControl);
  const count = find(CHARACTERISTIC.characteristicValueActiveTransitionCount);
  const supported = find(CHARACTERISTIC.supportedCharacteristicValueTransitionConfiguration)?.value;
  return {
    accessory,
    service,
    temperature,
    brightness,
    power: find(CHARACTERISTIC.powerState),
    follows,
    transitions:
      control && count && brightness && supportsTemperature(supported, temperature.iid)
        ? { control, count, brightness }
        : null,
  };
}

function colourTemperatureOf({ type, characteristics }: Service): Characteristic | undefined {
  if (type !== SERVICE.lightbulb) return undefined;
  return characteristics.find(
    ({ type, permissions }) => type === CHARACTERISTIC.colorTemperature && permissions.includes('pw'),
  );
}

function followsOf(serviceIid: HapId): Characteristic {
  return {
    iid: String(FIRST_OWN_IID + BigInt(serviceIid)),
    type: CHARACTERISTIC.adaptiveLighting,
    format: 'bool',
    permissions: ['pr', 'pw', 'ev'],
    value: false,
  };
}
