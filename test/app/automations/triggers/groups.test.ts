import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { lamp } from '../../../support/sample-accessories.ts';
import { systemCaller } from '../../../support/test-home.ts';
import { countListeners, createTriggerFixture, type TriggerFixture } from './trigger-fixture.ts';

const LAMPS = ['20:00:00:00:00:01', '20:00:00:00:00:02', '20:00:00:00:00:03'] as const;
const [LEFT, MIDDLE, RIGHT] = LAMPS;

let fixture: TriggerFixture;
let groupId: string;
beforeEach(() => {
  fixture = createTriggerFixture();
  for (const [index, deviceId] of LAMPS.entries()) {
    const name = `Lamp ${index + 1}`;
    fixture.attach({ deviceId, name, setupCode: '031-45-154', accessories: [lamp(name)] });
  }
  groupId = fixture.serviceGroups.create(systemCaller, {
    homeId: fixture.home.id,
    name: 'Ceiling',
    accessoryIds: ['Lamp 1', 'Lamp 2'].map((name) => fixture.named(name).id),
  }).id;
});
afterEach(() => fixture.close());

const power = () => ({ type: 'state', serviceGroupId: groupId, characteristicType: 'power_state' }) as const;

describe('a trigger on a service group', () => {
  it('fires when the first member goes on and when the last goes off, once each', async () => {
    const { fired } = fixture.watch(power());
    for (const deviceId of [LEFT, MIDDLE]) fixture.report(deviceId, '9', true);
    await fixture.clock.advance(60_000);
    for (const deviceId of [LEFT, MIDDLE]) fixture.report(deviceId, '9', false);
    expect(fired.map(({ data }) => data)).toEqual([
      { service_group_id: groupId, characteristic_type: 'power_state', from_value: false, to_value: true },
      { service_group_id: groupId, characteristic_type: 'power_state', from_value: true, to_value: false },
    ]);
  });

  it('takes the same value within twelve seconds for one', async () => {
    const { fired } = fixture.watch({ ...power(), to: true });
    for (const value of [true, false, true]) fixture.report(LEFT, '9', value);
    await fixture.clock.advance(11_000);
    for (const value of [false, true]) fixture.report(LEFT, '9', value);
    expect(fired).toHaveLength(1);
    await fixture.clock.advance(1_001);
    for (const value of [false, true]) fixture.report(LEFT, '9', value);
    expect(fired).toHaveLength(2);
  });

  it('reports the final value to a watcher of every change', () => {
    const { fired } = fixture.watch(power());
    for (const value of [true, false, true]) fixture.report(LEFT, '9', value);
    expect(fired.map(({ data }) => data.to_value)).toEqual([true, false, true]);
  });

  it('does not hold a single accessory to that', () => {
    const accessoryId = fixture.named('Lamp 1').id;
    const { fired } = fixture.watch({ type: 'state', accessoryId, characteristicType: 'power_state', to: true });
    for (const value of [true, false, true]) fixture.report(LEFT, '9', value);
    expect(fired).toHaveLength(2);
  });

  it('counts one crossing of the mean, however its members follow', () => {
    const { fired } = fixture.watch({
      type: 'numeric_state',
      serviceGroupId: groupId,
      characteristicType: 'brightness',
      above: 60,
    });
    fixture.report(LEFT, '10', 100);
    fixture.report(MIDDLE, '10', 100);
    expect(fired.map(({ data }) => data.to_value)).toEqual([75]);
    fixture.report(LEFT, '10', 0);
    fixture.report(LEFT, '10', 100);
    expect(fired).toHaveLength(1);
  });

  it('holds while any member does', async () => {
    const { fired } = fixture.watch({ ...power(), to: true, for: { minutes: 1 } });
    fixture.report(LEFT, '9', true);
    fixture.report(MIDDLE, '9', true);
    fixture.report(LEFT, '9', false);
    await fixture.clock.advance(60_000);
    expect(fired).toHaveLength(1);
  });

  it('restarts a hold within the twelve seconds', async () => {
    const { fired } = fixture.watch({ ...power(), to: true, for: { seconds: 5 } });
    for (const value of [true, false, true]) fixture.report(LEFT, '9', value);
    await fixture.clock.advance(5_000);
    expect(fired).toHaveLength(1);
  });

  it('follows a change of its members, which is no change of its value', () => {
    const { fired } = fixture.watch(power());
    fixture.report(RIGHT, '9', true);
    fixture.serviceGroups.update(systemCaller, groupId, { accessoryIds: [fixture.named('Lamp 3').id] });
    expect(fired).toEqual([]);
    fixture.report(LEFT, '9', true);
    expect(fired).toEqual([]);
    fixture.report(RIGHT, '9', false);
    expect(fired).toHaveLength(1);
  });

  it('falls silent with its group, and leaves nothing behind', () => {
    const listeners = countListeners(fixture);
    const { fired, stop } = fixture.watch(power());
    fixture.serviceGroups.delete(systemCaller, groupId);
    fixture.report(LEFT, '9', true);
    expect(fired).toEqual([]);
    stop();
    expect(listeners()).toBe(0);
  });
});
