/** A home with one accessory of each kind that scenes care about, and short ways to write actions. */
import type { DescribedAccessory } from '../../../src/home/accessory-driver.ts';
import type { CharacteristicValue, HapId, Service } from '../../../src/home/model.ts';
import { characteristic, information, lamp, service } from '../../support/sample-accessories.ts';
import type { TestHome } from '../../support/test-home.ts';

const POWER = '25';
const READ = ['pr', 'ev'] as const;

let next = 0;

/** Puts an accessory into the home. @returns its id. */
export function attach(test: TestHome, accessory: DescribedAccessory, homeId = test.home.id): string {
  next += 1;
  const deviceId = `5C:E0:00:00:00:${next.toString(16).padStart(2, '0').toUpperCase()}`;
  test.driver.attach(homeId, { deviceId, name: accessory.name, setupCode: '031-45-154', accessories: [accessory] });
  const found = test.state.accessoriesOf(deviceId)[0];
  if (!found) throw new Error('The fake driver shows what it is given');
  return found.id;
}

/** The device reports a value by itself. */
export function report(test: TestHome, accessoryId: string, iid: HapId, value: CharacteristicValue): void {
  const { address } = test.state.accessory(accessoryId) ?? {};
  if (!address) throw new Error(`There is no accessory ${accessoryId}`);
  test.driver.event(address.source, address.aid, iid, value);
}

export function accessoryOf(name: string, services: readonly Service[], category = 1): DescribedAccessory {
  return { aid: '1', name, category, services: [information(name), ...services] };
}

/** `on` is iid 9. */
export function outlet(name: string, on: boolean, category = 7): DescribedAccessory {
  return accessoryOf(name, [service('8', '47', [characteristic('9', POWER, 'bool', on)])], category);
}

/** Two outlets, with names of their own: `on` is iid 9 and 19. */
export function strip(name: string, first: string, second: string): DescribedAccessory {
  const one = (iid: number, title: string, primary: boolean): Service =>
    service(
      String(iid),
      '47',
      [
        characteristic(String(iid + 1), POWER, 'bool', true),
        characteristic(String(iid + 2), '23', 'string', title, {}, ['pr']),
      ],
      { primary },
    );
  return accessoryOf(name, [one(8, first, true), one(18, second, false)], 7);
}

/** Current position 9, target position 10. */
export function blind(name: string, position: number, type = '8C'): DescribedAccessory {
  const range = { minValue: 0, maxValue: 100, minStep: 1 };
  return accessoryOf(name, [
    service('8', type, [
      characteristic('9', '6D', 'uint8', position, range, READ),
      characteristic('10', '7C', 'uint8', position, range),
    ]),
  ]);
}

/** Current state 9, target state 10; 1 is locked. */
export function lock(name: string, current: number, target: number): DescribedAccessory {
  return accessoryOf(name, [
    service('8', '45', [
      characteristic('9', '1D', 'uint8', current, { minValue: 0, maxValue: 3 }, READ),
      characteristic('10', '1E', 'uint8', target, { minValue: 0, maxValue: 1 }),
    ]),
  ]);
}

/** Current state 9, target state 10; 1 is closed. */
export function garageDoor(name: string, current: number, target: number): DescribedAccessory {
  return accessoryOf(name, [
    service('8', '41', [
      characteristic('9', 'E', 'uint8', current, { minValue: 0, maxValue: 4 }, READ),
      characteristic('10', '32', 'uint8', target, { minValue: 0, maxValue: 1 }),
    ]),
  ]);
}

/** Current state 9, target state 10; 3 is disarmed. */
export function alarm(name: string, target: number): DescribedAccessory {
  return accessoryOf(name, [
    service('8', '7E', [
      characteristic('9', '66', 'uint8', target, { minValue: 0, maxValue: 4 }, READ),
      characteristic('10', '67', 'uint8', target, { minValue: 0, maxValue: 3 }),
    ]),
  ]);
}

/** A lamp of which these values are known, by type. */
export function lampShowing(
  name: string,
  values: Readonly<Record<string, CharacteristicValue>>,
  withWhite = false,
): DescribedAccessory {
  const base = lamp(name);
  const white = characteristic('13', 'CE', 'uint32', 250, { minValue: 140, maxValue: 500, minStep: 1 });
  const services = base.services.map((one) => {
    if (one.type !== '43') return one;
    const characteristics = withWhite ? [...one.characteristics, white] : one.characteristics;
    return {
      ...one,
      characteristics: characteristics.map((item) => ({ ...item, value: values[item.type] ?? item.value })),
    };
  });
  return { ...base, services };
}
