/** A home with a device of each kind that the blueprints need, whose automations run on the test's clock. */
import { setImmediate } from 'node:timers/promises';
import type { Flow } from '../../../../src/app/automations/flow.ts';
import type { DescribedAccessory } from '../../../../src/home/accessory-driver.ts';
import type { CharacteristicValue } from '../../../../src/home/model.ts';
import { type AutomationHomeOptions, createAutomationHome } from '../../../support/automation-home.ts';
import {
  characteristic,
  information,
  lamp,
  METER,
  meteredOutlet,
  motionSensor,
  plainSwitch,
  service,
  thermostat,
} from '../../../support/sample-accessories.ts';
import { TestClock } from '../../../support/test-clock.ts';
import { systemCaller } from '../../../support/test-home.ts';

export const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** A run may yield before each of its steps; none here has as many between two waits. */
const TURNS = 50;

const READ = ['pr', 'ev'] as const;

function sensor(name: string, serviceType: string, type: string): DescribedAccessory {
  const value = characteristic('9', type, 'uint8', 0, { minValue: 0, maxValue: 1 }, READ);
  return { aid: '1', name, category: 10, services: [information(name), service('8', serviceType, [value])] };
}

function valve(name: string): DescribedAccessory {
  const services = [
    information(name),
    service('8', 'D0', [
      characteristic('9', 'B0', 'uint8', 1, { minValue: 0, maxValue: 1 }),
      characteristic('10', 'D2', 'uint8', 1, { minValue: 0, maxValue: 1 }, READ),
      characteristic('11', 'D5', 'uint8', 0, { minValue: 0, maxValue: 3 }, READ),
    ]),
  ];
  return { aid: '1', name, category: 29, services };
}

function lightSensor(name: string): DescribedAccessory {
  const lux = characteristic('9', '6B', 'float', 10, { minValue: 0, maxValue: 100_000 }, READ);
  return { aid: '1', name, category: 10, services: [information(name), service('8', '84', [lux])] };
}

const DEVICES: readonly DescribedAccessory[] = [
  lamp('Lamp'),
  lamp('Stair Lamp'),
  plainSwitch('Fairy Lights'),
  motionSensor('Motion'),
  sensor('Presence', '86', '71'),
  sensor('Window', '80', '6A'),
  sensor('Roof Window', '80', '6A'),
  sensor('Sink Sensor', '83', '70'),
  thermostat('Heating'),
  thermostat('Bath Heating'),
  valve('Water'),
  meteredOutlet('Washer'),
  lightSensor('Lux'),
];

export type BlueprintHome = ReturnType<typeof createBlueprintHome>;

/** In Berlin, on the evening of a Thursday in winter: the sun sets at 15:20 UTC and rises at 07:08. */
export function createBlueprintHome({
  at = '2026-01-15T20:00:00Z',
  ...options
}: { at?: string } & AutomationHomeOptions = {}) {
  const home = createAutomationHome({
    clock: new TestClock(at),
    runsPerMinute: 1_000,
    ...options,
    prepare(base) {
      for (const [index, accessory] of DEVICES.entries()) {
        base.driver.attach(base.home.id, {
          deviceId: deviceId(index),
          name: accessory.name,
          setupCode: '031-45-154',
          accessories: [accessory],
        });
      }
    },
  });
  home.homes.update(systemCaller, home.home.id, {
    timeZone: 'Europe/Berlin',
    location: { latitude: 52.52, longitude: 13.4 },
  });
  const sent: { title: string | null; message: string }[] = [];
  home.bus.on('notification.sent', ({ title, message }) => sent.push({ title, message }));
  const settle = async (): Promise<void> => {
    for (let turn = 0; turn < TURNS; turn += 1) await setImmediate();
  };
  const idOf = (name: string): string => home.named(name).id;

  return {
    ...home,
    sent,
    settle,
    idOf,

    /** Moves the clock; runs set their next timer at the moment of the last one, also if they yield meanwhile. */
    async advance(ms: number): Promise<void> {
      const step = ms > 2 * HOUR ? HOUR : MINUTE / 2;
      for (let left = ms; left > 0; left -= step) {
        await home.clock.advance(Math.min(step, left));
        await settle();
      }
    },

    ids: (...names: string[]) => names.map(idOf),

    /** Makes an automation of a blueprint of the relay. */
    apply(blueprintId: string, inputs: Record<string, unknown>): Promise<Flow> {
      return home.blueprints.apply(systemCaller, { homeId: home.home.id, blueprintId, inputs });
    },

    person(name: string): string {
      return home.people.create(systemCaller, { homeId: home.home.id, name }).id;
    },

    async move(personId: string, atHome: boolean): Promise<void> {
      home.people.setPresence(systemCaller, personId, { atHome });
      await settle();
    },

    /** A device reports a value. */
    async report(name: string, value: CharacteristicValue, iid = '9'): Promise<void> {
      home.driver.event(deviceId(DEVICES.findIndex((one) => one.name === name)), '1', iid, value);
      await settle();
    },

    setReachable(name: string, isReachable: boolean): void {
      home.driver.setReachable(deviceId(DEVICES.findIndex((one) => one.name === name)), isReachable);
    },

    valueOf(name: string, iid = '9'): CharacteristicValue | undefined {
      return home.state.characteristic({ accessoryId: idOf(name), iid })?.value;
    },

    watts: (value: number) => [value, METER.watts] as const,
  };
}

function deviceId(index: number): string {
  return `20:00:00:00:00:${String(index).padStart(2, '0')}`;
}
