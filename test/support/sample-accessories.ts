/** A few accessories as their devices would describe them, small enough to be read in a test. */
import { encodeTlv } from '../../src/hap-spec/tlv.ts';
import type { DescribedAccessory } from '../../src/home/accessory-driver.ts';
import type {
  Characteristic,
  CharacteristicFormat,
  CharacteristicValue,
  HapId,
  Permission,
  Service,
} from '../../src/home/model.ts';

const READ: readonly Permission[] = ['pr', 'ev'];
const READ_WRITE: readonly Permission[] = ['pr', 'pw', 'ev'];

const EVE_POWER = 'E863F10D-079E-48FF-8F27-9C2605A29F52';
const EVE_TOTAL = 'E863F10C-079E-48FF-8F27-9C2605A29F52';

type Limits = Partial<Pick<Characteristic, 'unit' | 'minValue' | 'maxValue' | 'minStep' | 'validValues'>>;

/** One characteristic: readable and writable by default. */
export function characteristic(
  iid: HapId,
  type: string,
  format: CharacteristicFormat,
  value: CharacteristicValue,
  limits: Limits = {},
  permissions: readonly Permission[] = READ_WRITE,
): Characteristic {
  return { iid, type, format, permissions, ...limits, value };
}

export function service(
  iid: HapId,
  type: string,
  characteristics: readonly Characteristic[],
  options: Partial<Pick<Service, 'primary' | 'hidden' | 'linked'>> = {},
): Service {
  return { iid, type, primary: false, hidden: false, linked: [], characteristics, ...options };
}

/** The accessory information service (3E) that every accessory has. */
export function information(name: string): Service {
  return service('1', '3E', [
    characteristic('2', '14', 'bool', null, {}, ['pw']),
    characteristic('3', '20', 'string', 'Hearth Fixtures', {}, ['pr']),
    characteristic('4', '21', 'string', 'Sample', {}, ['pr']),
    characteristic('5', '23', 'string', name, {}, ['pr']),
    characteristic('6', '30', 'string', 'SN-1', {}, ['pr']),
  ]);
}

const PERCENT: Limits = { unit: 'percentage', minValue: 0, maxValue: 100, minStep: 1 };
const CELSIUS: Limits = { unit: 'celsius', minStep: 0.1 };

/** A dimmable lamp: on (iid 9), brightness (10), hue (11), saturation (12). */
export function lamp(name = 'Lamp', aid: HapId = '1'): DescribedAccessory {
  const services = [
    information(name),
    service(
      '8',
      '43',
      [
        characteristic('9', '25', 'bool', false),
        characteristic('10', '8', 'int', 50, PERCENT),
        characteristic('11', '13', 'float', 0, { unit: 'arcdegrees', minValue: 0, maxValue: 360, minStep: 1 }),
        characteristic('12', '2F', 'float', 0, { ...PERCENT }),
      ],
      { primary: true },
    ),
  ];
  return { aid, name, category: 5, services };
}

/** A lamp with white and colour: on (iid 9), brightness (10), hue (11), saturation (12), colour temperature (13). */
export function whiteLamp(name = 'White Lamp', aid: HapId = '1', value = 250): DescribedAccessory {
  const described = lamp(name, aid);
  const temperature = characteristic('13', 'CE', 'uint32', value, { minValue: 153, maxValue: 454, minStep: 1 });
  const services = described.services.map((one) =>
    one.type === '43' ? { ...one, characteristics: [...one.characteristics, temperature] } : one,
  );
  return { ...described, services };
}

/** A white lamp that runs schedules by itself: control (14), what it supports (15), how many it runs (16). */
export function scheduledLamp(name = 'Scheduled Lamp', aid: HapId = '1'): DescribedAccessory {
  const described = whiteLamp(name, aid);
  const temperature = encodeTlv([
    [1, 13],
    [2, 2],
  ]);
  const supported = encodeTlv([[1, temperature]]).toString('base64');
  const transitions = [
    characteristic('14', '143', 'tlv8', ''),
    characteristic('15', '144', 'tlv8', supported, {}, READ),
    characteristic('16', '24B', 'uint8', 0, {}, READ),
  ];
  const services = described.services.map((one) =>
    one.type === '43' ? { ...one, characteristics: [...one.characteristics, ...transitions] } : one,
  );
  return { ...described, services };
}

/** A switch: on (iid 9). */
export function plainSwitch(name = 'Switch', aid: HapId = '1'): DescribedAccessory {
  return {
    aid,
    name,
    category: 8,
    services: [information(name), service('8', '49', [characteristic('9', '25', 'bool', false)])],
  };
}

/** A thermostat: current (9) and target temperature (10), current (11) and target mode (12), units (13). */
export function thermostat(name = 'Thermostat', aid: HapId = '1'): DescribedAccessory {
  const services = [
    information(name),
    service('8', '4A', [
      characteristic('9', '11', 'float', 20.5, { ...CELSIUS, minValue: 0, maxValue: 100 }, READ),
      characteristic('10', '35', 'float', 21, { ...CELSIUS, minValue: 10, maxValue: 30 }),
      characteristic('11', 'F', 'uint8', 1, { minValue: 0, maxValue: 2 }, READ),
      characteristic('12', '33', 'uint8', 1, { minValue: 0, maxValue: 3 }),
      characteristic('13', '36', 'uint8', 0, { minValue: 0, maxValue: 1 }),
    ]),
  ];
  return { aid, name, category: 9, services };
}

/** A door lock: current (9) and target state (10). */
export function doorLock(name = 'Front Door', aid: HapId = '1'): DescribedAccessory {
  const services = [
    information(name),
    service('8', '45', [
      characteristic('9', '1D', 'uint8', 1, { minValue: 0, maxValue: 3 }, READ),
      characteristic('10', '1E', 'uint8', 1, { minValue: 0, maxValue: 1 }),
    ]),
  ];
  return { aid, name, category: 6, services };
}

/** A motion sensor with a battery: motion (9), battery level (12), low battery (13). */
export function motionSensor(name = 'Motion', aid: HapId = '1'): DescribedAccessory {
  const services = [
    information(name),
    service('8', '85', [characteristic('9', '22', 'bool', false, {}, READ)]),
    service('11', '96', [
      characteristic('12', '68', 'uint8', 80, PERCENT, READ),
      characteristic('13', '79', 'uint8', 0, { minValue: 0, maxValue: 1 }, READ),
    ]),
  ];
  return { aid, name, category: 10, services };
}

/** A button: programmable switch event (iid 9). */
export function button(name = 'Button', aid: HapId = '1'): DescribedAccessory {
  const services = [
    information(name),
    service('8', '89', [characteristic('9', '73', 'uint8', null, { minValue: 0, maxValue: 2 }, READ)]),
  ];
  return { aid, name, category: 15, services };
}

/** The iids of a metered outlet. */
export const METER = { watts: '13', kwh: '14' };

/** An outlet that measures, as Eve's: on (9), in use (10), power (13) and total consumption (14). */
export function meteredOutlet(name: string, { watts = 0, kwh = 12 } = {}, aid: HapId = '1'): DescribedAccessory {
  const services = [
    information(name),
    service('8', '47', [
      characteristic('9', '25', 'bool', true),
      characteristic('10', '26', 'bool', true, {}, READ),
      characteristic(METER.watts, EVE_POWER, 'float', watts, { unit: 'W', minValue: 0, maxValue: 12_000 }, READ),
      characteristic(METER.kwh, EVE_TOTAL, 'float', kwh, { unit: 'kWh', minValue: 0 }, READ),
    ]),
  ];
  return { aid, name, category: 7, services };
}
