import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Trigger } from '../../../../src/app/automations/triggers/index.ts';
import { summarizeTrigger } from '../../../../src/app/automations/triggers/index.ts';
import { targetsOf } from '../../../../src/app/control/write-plan.ts';
import { characteristic, information, plainSwitch, service } from '../../../support/sample-accessories.ts';
import { callerOf, systemCaller } from '../../../support/test-home.ts';
import {
  BUTTON,
  countListeners,
  createTriggerFixture,
  LAMP,
  MOTION,
  THERMOSTAT,
  type TriggerFixture,
  type Unnamed,
} from './trigger-fixture.ts';

let fixture: TriggerFixture;
beforeEach(() => {
  fixture = createTriggerFixture();
});
afterEach(() => fixture.close());

const summary = (trigger: Unnamed): string =>
  summarizeTrigger({ id: 'trigger', enabled: true, ...trigger } as Trigger, fixture.state);
const idOf = (name: string): string => fixture.named(name).id;
const motion = () => ({ type: 'state', accessoryId: idOf('Motion'), characteristicType: 'motion_detected' }) as const;

describe('a state trigger', () => {
  it('fires in the tick of the device’s event, with both values and the accessory', () => {
    const { fired } = fixture.watch({ ...motion(), to: true });
    fixture.report(MOTION, '9', true);
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
    const { fired } = fixture.watch(motion());
    for (const value of [true, true, false]) fixture.report(MOTION, '9', value);
    expect(fired.map(({ data }) => data.to_value)).toEqual([true, false]);
  });

  it.each([1, '1', 'on', 'true', true])('takes %j for a switch that is on', (to) => {
    const { fired } = fixture.watch({ ...motion(), to });
    fixture.report(MOTION, '9', true);
    fixture.report(MOTION, '9', false);
    expect(fired).toHaveLength(1);
  });

  it('takes 1 and true from a device for the same value', () => {
    const { fired } = fixture.watch(motion());
    fixture.report(MOTION, '9', true);
    fixture.report(MOTION, '9', 1);
    expect(fired).toHaveLength(1);
  });

  it('checks where the value comes from, if configured', () => {
    const { fired } = fixture.watch({
      type: 'state',
      accessoryId: idOf('Thermostat'),
      characteristicType: 'target_heating_cooling_state',
      from: 0,
      to: 2,
    });
    for (const value of [2, 0, 2]) fixture.report(THERMOSTAT, '12', value);
    expect(fired).toHaveLength(1);
    expect(fired[0]?.data).toMatchObject({ from_value: 0, to_value: 2 });
  });

  it('fires on leaving a value where only that is named', () => {
    const { fired } = fixture.watch({ ...motion(), from: true });
    for (const value of [true, false]) fixture.report(MOTION, '9', value);
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
    fixture.attach({ deviceId: '20:00:00:00:00:01', name: 'Strip', setupCode: '031-45-154', accessories: [strip] });
    const target = { type: 'state', accessoryId: idOf('Strip') } as const;
    const first = fixture.watch({ ...target, characteristicType: 'power_state' }, 'first');
    const second = fixture.watch({ ...target, characteristicType: 'power_state_2' }, 'second');
    fixture.report('20:00:00:00:00:01', '21', true);
    expect([first.fired.length, second.fired.length]).toEqual([0, 1]);
  });

  it('counts every press of a button, equal or not, and only those that it names', () => {
    const press = {
      type: 'state',
      accessoryId: idOf('Button'),
      characteristicType: 'programmable_switch_event',
    } as const;
    const any = fixture.watch(press, 'any');
    const double = fixture.watch({ ...press, to: 1 }, 'double');
    for (const value of [0, 0, 1]) fixture.report(BUTTON, '9', value);
    expect(any.fired.map(({ data }) => data.to_value)).toEqual([0, 0, 1]);
    expect(double.fired.map(({ data }) => data)).toEqual([
      { accessory_id: idOf('Button'), characteristic_type: 'programmable_switch_event', to_value: 1 },
    ]);
  });

  it('does not fire because a device is lost, comes back or describes itself again', () => {
    const { fired } = fixture.watch(motion());
    fixture.driver.setReachable(MOTION, false);
    fixture.driver.setReachable(MOTION, true);
    fixture.driver.describe(MOTION, [
      { aid: '1', name: 'Motion', category: 10, services: fixture.named('Motion').services },
    ]);
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
    fixture.attach({
      deviceId: '20:00:00:00:00:02',
      name: 'Leak',
      setupCode: '031-45-154',
      accessories: [sensor(null)],
    });
    const target = { type: 'state', accessoryId: idOf('Leak'), characteristicType: 'leak_detected' } as const;
    const any = fixture.watch(target, 'any');
    const leak = fixture.watch({ ...target, to: 1 }, 'leak');
    fixture.report('20:00:00:00:00:02', '9', 1);
    expect([any.fired.length, leak.fired.length]).toEqual([0, 1]);
  });

  it('hands on what led to the change', async () => {
    const { fired } = fixture.watch({ type: 'state', accessoryId: idOf('Lamp'), characteristicType: 'power_state' });
    const cause = { chain: [{ automationId: 'a', name: 'Evening' }] };
    fixture.triggerDeps.causes.begin('run-1', cause);
    const caller = {
      ...callerOf({ kind: 'automation', automationId: 'a', homeId: fixture.home.id }),
      requestId: 'run-1',
    };
    const settled = fixture.triggerDeps.causes.onWrite(caller, targetsOf(fixture.state.accessory(idOf('Lamp'))));
    fixture.report(LAMP, '9', true);
    settled();
    expect(fired[0]?.cause).toEqual(cause);
  });

  it('is deaf to an accessory of that id in another home', () => {
    const other = fixture.homes.create(systemCaller, { name: 'Other' });
    fixture.driver.attach(other.id, {
      deviceId: '20:00:00:00:00:03',
      name: 'Away',
      setupCode: '031-45-154',
      accessories: [plainSwitch('Away')],
    });
    const { fired } = fixture.watch({ type: 'state', accessoryId: idOf('Away'), characteristicType: 'power_state' });
    fixture.report('20:00:00:00:00:03', '9', true);
    expect(fired).toEqual([]);
  });

  it('receives nothing once it is ended, and leaves nothing behind', () => {
    const listeners = countListeners(fixture);
    const watches = [
      fixture.watch(motion(), 'one'),
      fixture.watch({ ...motion(), to: true, for: { seconds: 5 } }, 'two'),
      fixture.watch({ ...motion(), serviceGroupId: undefined, for: { minutes: 1 } }, 'three'),
    ];
    expect(listeners()).toBeGreaterThan(0);
    fixture.report(MOTION, '9', true);
    for (const { stop } of watches) stop();
    expect(listeners()).toBe(0);
    expect(fixture.clock.pendingTimers).toBe(pendingWithoutTriggers);
    fixture.report(MOTION, '9', false);
    expect(watches[0]?.fired).toHaveLength(1);
  });

  let pendingWithoutTriggers = 0;
  beforeEach(() => {
    pendingWithoutTriggers = fixture.clock.pendingTimers;
  });

  it('is described in one line, regardless of what is gone', () => {
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
