import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { lamp } from '../../../support/sample-accessories.ts';
import { systemCaller } from '../../../support/test-home.ts';
import { countListeners, createTriggerLab, type TriggerLab } from './trigger-lab.ts';

const LAMPS = ['20:00:00:00:00:01', '20:00:00:00:00:02', '20:00:00:00:00:03'] as const;
const [LEFT, MIDDLE, RIGHT] = LAMPS;

let lab: TriggerLab;
let groupId: string;
beforeEach(() => {
  lab = createTriggerLab();
  for (const [index, deviceId] of LAMPS.entries()) {
    const name = `Lamp ${index + 1}`;
    lab.attach({ deviceId, name, setupCode: '031-45-154', accessories: [lamp(name)] });
  }
  groupId = lab.serviceGroups.create(systemCaller, {
    homeId: lab.home.id,
    name: 'Ceiling',
    accessoryIds: ['Lamp 1', 'Lamp 2'].map((name) => lab.named(name).id),
  }).id;
});
afterEach(() => lab.close());

const power = () => ({ type: 'state', serviceGroupId: groupId, characteristicType: 'power_state' }) as const;

describe('a trigger on a service group', () => {
  it('fires when the first member goes on and when the last goes off, once each', async () => {
    const { fired } = lab.watch(power());
    for (const deviceId of [LEFT, MIDDLE]) lab.report(deviceId, '9', true);
    await lab.clock.advance(60_000);
    for (const deviceId of [LEFT, MIDDLE]) lab.report(deviceId, '9', false);
    expect(fired.map(({ data }) => data)).toEqual([
      { service_group_id: groupId, characteristic_type: 'power_state', from_value: false, to_value: true },
      { service_group_id: groupId, characteristic_type: 'power_state', from_value: true, to_value: false },
    ]);
  });

  it('takes the same value within twelve seconds for one', async () => {
    const { fired } = lab.watch({ ...power(), to: true });
    for (const value of [true, false, true]) lab.report(LEFT, '9', value);
    await lab.clock.advance(11_000);
    for (const value of [false, true]) lab.report(LEFT, '9', value);
    expect(fired).toHaveLength(1);
    await lab.clock.advance(1_001);
    for (const value of [false, true]) lab.report(LEFT, '9', value);
    expect(fired).toHaveLength(2);
  });

  it('tells whoever wants every change what is so in the end', () => {
    const { fired } = lab.watch(power());
    for (const value of [true, false, true]) lab.report(LEFT, '9', value);
    expect(fired.map(({ data }) => data.to_value)).toEqual([true, false, true]);
  });

  it('does not hold a single accessory to that', () => {
    const accessoryId = lab.named('Lamp 1').id;
    const { fired } = lab.watch({ type: 'state', accessoryId, characteristicType: 'power_state', to: true });
    for (const value of [true, false, true]) lab.report(LEFT, '9', value);
    expect(fired).toHaveLength(2);
  });

  it('counts one crossing of the mean, however its members follow', () => {
    const { fired } = lab.watch({
      type: 'numeric_state',
      serviceGroupId: groupId,
      characteristicType: 'brightness',
      above: 60,
    });
    lab.report(LEFT, '10', 100);
    lab.report(MIDDLE, '10', 100);
    expect(fired.map(({ data }) => data.to_value)).toEqual([75]);
    lab.report(LEFT, '10', 0);
    lab.report(LEFT, '10', 100);
    expect(fired).toHaveLength(1);
  });

  it('holds while any member does', async () => {
    const { fired } = lab.watch({ ...power(), to: true, for: { minutes: 1 } });
    lab.report(LEFT, '9', true);
    lab.report(MIDDLE, '9', true);
    lab.report(LEFT, '9', false);
    await lab.clock.advance(60_000);
    expect(fired).toHaveLength(1);
  });

  it('begins a hold anew within the twelve seconds', async () => {
    const { fired } = lab.watch({ ...power(), to: true, for: { seconds: 5 } });
    for (const value of [true, false, true]) lab.report(LEFT, '9', value);
    await lab.clock.advance(5_000);
    expect(fired).toHaveLength(1);
  });

  it('follows a change of its members, which is no change of its value', () => {
    const { fired } = lab.watch(power());
    lab.report(RIGHT, '9', true);
    lab.serviceGroups.update(systemCaller, groupId, { accessoryIds: [lab.named('Lamp 3').id] });
    expect(fired).toEqual([]);
    lab.report(LEFT, '9', true);
    expect(fired).toEqual([]);
    lab.report(RIGHT, '9', false);
    expect(fired).toHaveLength(1);
  });

  it('falls silent with its group, and leaves nothing behind', () => {
    const listeners = countListeners(lab);
    const { fired, stop } = lab.watch(power());
    lab.serviceGroups.delete(systemCaller, groupId);
    lab.report(LEFT, '9', true);
    expect(fired).toEqual([]);
    stop();
    expect(listeners()).toBe(0);
  });
});
