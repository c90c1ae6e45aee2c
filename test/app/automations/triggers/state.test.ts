import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Trigger } from '../../../../src/app/automations/flow.ts';
import { summarizeTrigger } from '../../../../src/app/automations/triggers/index.ts';
import { targetsOf } from '../../../../src/app/control/write-plan.ts';
import { characteristic, information, plainSwitch, service } from '../../../support/sample-accessories.ts';
import { callerOf, systemCaller } from '../../../support/test-home.ts';
import {
  BUTTON,
  countListeners,
  createTriggerLab,
  LAMP,
  MOTION,
  THERMOSTAT,
  type TriggerLab,
  type Unnamed,
} from './trigger-lab.ts';

let lab: TriggerLab;
beforeEach(() => {
  lab = createTriggerLab();
});
afterEach(() => lab.close());

const summary = (trigger: Unnamed): string =>
  summarizeTrigger({ id: 'trigger', enabled: true, ...trigger } as Trigger, lab.state);
const idOf = (name: string): string => lab.named(name).id;
const motion = () => ({ type: 'state', accessoryId: idOf('Motion'), characteristicType: 'motion_detected' }) as const;

describe('a state trigger', () => {
  it('fires in the tick in which the device says so, with both values and the accessory', () => {
    const { fired } = lab.watch({ ...motion(), to: true });
    lab.report(MOTION, '9', true);
    expect(fired).toHaveLength(1);
    expect(fired[0]?.data).toEqual({
      accessory_id: idOf('Motion'),
      characteristic_type: 'motion_detected',
      from_value: false,
      to_value: true,
    });
    expect(fired[0]?.durable).toBe(false);
  });

  it('fires on any change where it names no value', () => {
    const { fired } = lab.watch(motion());
    for (const value of [true, true, false]) lab.report(MOTION, '9', value);
    expect(fired.map(({ data }) => data.to_value)).toEqual([true, false]);
  });

  it.each([1, '1', 'on', 'true', true])('takes %j for a switch that is on', (to) => {
    const { fired } = lab.watch({ ...motion(), to });
    lab.report(MOTION, '9', true);
    lab.report(MOTION, '9', false);
    expect(fired).toHaveLength(1);
  });

  it('takes 1 and true from a device for the same value', () => {
    const { fired } = lab.watch(motion());
    lab.report(MOTION, '9', true);
    lab.report(MOTION, '9', 1);
    expect(fired).toHaveLength(1);
  });

  it('asks where the value comes from, if it is told to', () => {
    const { fired } = lab.watch({
      type: 'state',
      accessoryId: idOf('Thermostat'),
      characteristicType: 'target_heating_cooling_state',
      from: 0,
      to: 2,
    });
    for (const value of [2, 0, 2]) lab.report(THERMOSTAT, '12', value);
    expect(fired).toHaveLength(1);
    expect(fired[0]?.data).toMatchObject({ from_value: 0, to_value: 2 });
  });

  it('fires on leaving a value where only that is named', () => {
    const { fired } = lab.watch({ ...motion(), from: true });
    for (const value of [true, false]) lab.report(MOTION, '9', value);
    expect(fired.map(({ data }) => data.to_value)).toEqual([false]);
  });

  it('takes the second service of a kind for another thing, named with its number', () => {
    const strip = {
      ...plainSwitch('Strip'),
      services: [
        information('Strip'),
        service('8', '47', [characteristic('9', '25', 'bool', false)]),
        service('20', '47', [characteristic('21', '25', 'bool', false)]),
      ],
    };
    lab.attach({ deviceId: '20:00:00:00:00:01', name: 'Strip', setupCode: '031-45-154', accessories: [strip] });
    const target = { type: 'state', accessoryId: idOf('Strip') } as const;
    const first = lab.watch({ ...target, characteristicType: 'power_state' }, 'first');
    const second = lab.watch({ ...target, characteristicType: 'power_state_2' }, 'second');
    lab.report('20:00:00:00:00:01', '21', true);
    expect([first.fired.length, second.fired.length]).toEqual([0, 1]);
  });

  it('counts every press of a button, equal or not, and only those that it names', () => {
    const press = {
      type: 'state',
      accessoryId: idOf('Button'),
      characteristicType: 'programmable_switch_event',
    } as const;
    const any = lab.watch(press, 'any');
    const double = lab.watch({ ...press, to: 1 }, 'double');
    for (const value of [0, 0, 1]) lab.report(BUTTON, '9', value);
    expect(any.fired.map(({ data }) => data.to_value)).toEqual([0, 0, 1]);
    expect(double.fired.map(({ data }) => data)).toEqual([
      { accessory_id: idOf('Button'), characteristic_type: 'programmable_switch_event', to_value: 1 },
    ]);
  });

  it('does not fire because a device is lost, comes back or describes itself anew', () => {
    const { fired } = lab.watch(motion());
    lab.driver.setReachable(MOTION, false);
    lab.driver.setReachable(MOTION, true);
    lab.driver.describe(MOTION, [{ aid: '1', name: 'Motion', category: 10, services: lab.named('Motion').services }]);
    expect(fired).toEqual([]);
  });

  it('takes a first value for a change only where it names that value', () => {
    const sensor = (value: null) => ({
      ...plainSwitch('Leak'),
      services: [
        information('Leak'),
        service('8', '83', [characteristic('9', '70', 'uint8', value, {}, ['pr', 'ev'])]),
      ],
    });
    lab.attach({ deviceId: '20:00:00:00:00:02', name: 'Leak', setupCode: '031-45-154', accessories: [sensor(null)] });
    const target = { type: 'state', accessoryId: idOf('Leak'), characteristicType: 'leak_detected' } as const;
    const any = lab.watch(target, 'any');
    const leak = lab.watch({ ...target, to: 1 }, 'leak');
    lab.report('20:00:00:00:00:02', '9', 1);
    expect([any.fired.length, leak.fired.length]).toEqual([0, 1]);
  });

  it('hands on what led to the change', async () => {
    const { fired } = lab.watch({ type: 'state', accessoryId: idOf('Lamp'), characteristicType: 'power_state' });
    const cause = { chain: [{ automationId: 'a', name: 'Evening' }] };
    lab.ground.causes.begin('run-1', cause);
    const caller = { ...callerOf({ kind: 'automation', automationId: 'a', homeId: lab.home.id }), requestId: 'run-1' };
    const settled = lab.ground.causes.onWrite(caller, targetsOf(lab.state.accessory(idOf('Lamp'))));
    lab.report(LAMP, '9', true);
    settled();
    expect(fired[0]?.cause).toEqual(cause);
  });

  it('is deaf to an accessory of that id in another home', () => {
    const other = lab.homes.create(systemCaller, { name: 'Other' });
    lab.driver.attach(other.id, {
      deviceId: '20:00:00:00:00:03',
      name: 'Away',
      setupCode: '031-45-154',
      accessories: [plainSwitch('Away')],
    });
    const { fired } = lab.watch({ type: 'state', accessoryId: idOf('Away'), characteristicType: 'power_state' });
    lab.report('20:00:00:00:00:03', '9', true);
    expect(fired).toEqual([]);
  });

  it('hears nothing any more once it is ended, and leaves nothing behind', () => {
    const listeners = countListeners(lab);
    const watches = [
      lab.watch(motion(), 'one'),
      lab.watch({ ...motion(), to: true, for: { seconds: 5 } }, 'two'),
      lab.watch({ ...motion(), serviceGroupId: undefined, for: { minutes: 1 } }, 'three'),
    ];
    expect(listeners()).toBeGreaterThan(0);
    lab.report(MOTION, '9', true);
    for (const { stop } of watches) stop();
    expect(listeners()).toBe(0);
    expect(lab.clock.pendingTimers).toBe(pendingWithoutTriggers);
    lab.report(MOTION, '9', false);
    expect(watches[0]?.fired).toHaveLength(1);
  });

  let pendingWithoutTriggers = 0;
  beforeEach(() => {
    pendingWithoutTriggers = lab.clock.pendingTimers;
  });

  it('is told about in one line, whatever is gone', () => {
    const lines = [
      summary({ ...motion(), to: true, for: { minutes: 5 } }),
      summary(motion()),
      summary({ ...motion(), from: true }),
      summary({ ...motion(), accessoryId: 'gone', to: false, from: true }),
      summary({ type: 'state', serviceGroupId: 'gone', characteristicType: 'power_state_2', to: true }),
      summary({
        type: 'state',
        accessoryId: idOf('Thermostat'),
        characteristicType: 'target_heating_cooling_state',
        to: 1,
      }),
    ];
    expect(lines).toEqual([
      'Motion detected of Motion becomes on for 5 minutes',
      'Motion detected of Motion changes',
      'Motion detected of Motion is no longer on',
      'Motion detected of an accessory that is gone becomes off after on',
      'Power state 2 of a service group that is gone becomes on',
      'Heating cooling target of Thermostat becomes heat',
    ]);
  });
});
