import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTempDirectory, type TempDirectory } from '../../../support/temp-directory.ts';
import { TestClock } from '../../../support/test-clock.ts';
import { SAMPLE_DEVICES } from '../../../support/test-home.ts';
import { countListeners, createTriggerLab, LAMP, type TriggerLab } from './trigger-lab.ts';

const MINUTE = 60_000;

let directory: TempDirectory;
let lab: TriggerLab;
beforeEach(() => {
  directory = createTempDirectory('availability');
  lab = createTriggerLab({ path: directory.file('relay.db') });
});
afterEach(() => {
  lab.close();
  directory.remove();
});

const loss = () => ({ type: 'device_availability', accessoryId: lab.named('Lamp').id, to: 'unavailable' }) as const;
const comeback = () => ({ ...loss(), to: 'available' }) as const;

/** The daemon is killed and started again: nothing can be reached until it has been connected to. */
function restart(downMs: number): void {
  lab.kill();
  lab = createTriggerLab({
    path: directory.file('relay.db'),
    clock: new TestClock(lab.clock.now() + downMs),
    sample: false,
  });
}
function connect(except?: string): void {
  for (const device of SAMPLE_DEVICES) if (device.deviceId !== except) lab.attach(device);
}

describe('a device that can not be reached', () => {
  it('is told of when it has been away for five minutes', async () => {
    const { fired } = lab.watch(loss());
    lab.driver.setReachable(LAMP, false);
    await lab.clock.advance(5 * MINUTE - 1);
    expect(fired).toEqual([]);
    await lab.clock.advance(1);
    expect(fired.map(({ data, durable }) => [data, durable])).toEqual([
      [{ accessory_id: lab.named('Lamp').id, from_value: 'available', to_value: 'unavailable' }, true],
    ]);
    await lab.clock.advance(60 * MINUTE);
    expect(fired).toHaveLength(1);
  });

  it('is not told of when it only restarts', async () => {
    const { fired } = lab.watch(loss());
    for (let count = 0; count < 5; count += 1) {
      lab.driver.setReachable(LAMP, false);
      await lab.clock.advance(4 * MINUTE);
      lab.driver.setReachable(LAMP, true);
      await lab.clock.advance(MINUTE);
    }
    expect(fired).toEqual([]);
  });

  it('is told of sooner where that is wanted, and again each time', async () => {
    const { fired } = lab.watch({ ...loss(), for: { seconds: 10 } });
    await lab.clock.advance(MINUTE);
    for (const reachable of [false, true, false]) {
      lab.driver.setReachable(LAMP, reachable);
      await lab.clock.advance(10_000);
    }
    expect(fired).toHaveLength(2);
  });

  it('is not told of anew after a restart', async () => {
    lab.watch(loss());
    lab.driver.setReachable(LAMP, false);
    await lab.clock.advance(6 * MINUTE);
    restart(MINUTE);
    const { fired } = lab.watch(loss());
    connect(LAMP);
    await lab.clock.advance(60 * MINUTE);
    expect(fired).toEqual([]);
    connect();
    lab.driver.setReachable(LAMP, false);
    await lab.clock.advance(6 * MINUTE);
    expect(fired).toHaveLength(1);
  });

  it('is told of where it does not come back with the daemon', async () => {
    lab.watch(loss());
    restart(MINUTE);
    const { fired } = lab.watch(loss());
    connect(LAMP);
    await lab.clock.advance(6 * MINUTE);
    expect(fired).toHaveLength(1);
  });

  it('is not told of where the daemon has only not connected yet', async () => {
    lab.watch(loss());
    restart(MINUTE);
    const { fired } = lab.watch({ ...loss(), for: { seconds: 1 } });
    await lab.clock.advance(20_000);
    connect();
    await lab.clock.advance(10 * MINUTE);
    expect(fired).toEqual([]);
  });

  it('that came back while the daemon was down is not told of late', async () => {
    lab.watch(loss());
    lab.driver.setReachable(LAMP, false);
    await lab.clock.advance(MINUTE);
    restart(5 * MINUTE);
    const { fired, missed } = lab.watch(loss());
    await lab.clock.advance(5_000);
    connect();
    await lab.clock.advance(10 * MINUTE);
    expect([fired, missed]).toEqual([[], []]);
  });
});

describe('a device that can be reached again', () => {
  it('is told of when it has stayed for five minutes', async () => {
    const { fired } = lab.watch(comeback());
    lab.driver.setReachable(LAMP, false);
    await lab.clock.advance(MINUTE);
    lab.driver.setReachable(LAMP, true);
    await lab.clock.advance(5 * MINUTE);
    expect(fired.map(({ data }) => data.to_value)).toEqual(['available']);
  });

  it('is told of where it was away before the daemon started', async () => {
    lab.watch(comeback());
    lab.driver.setReachable(LAMP, false);
    restart(MINUTE);
    const { fired } = lab.watch(comeback());
    connect();
    await lab.clock.advance(5 * MINUTE);
    expect(fired).toHaveLength(1);
  });

  it('is not told of because the daemon has started', async () => {
    lab.watch(comeback());
    restart(MINUTE);
    const { fired } = lab.watch(comeback());
    connect();
    await lab.clock.advance(60 * MINUTE);
    expect(fired).toEqual([]);
  });
});

it('leaves nothing behind', () => {
  const listeners = countListeners(lab);
  const pending = lab.clock.pendingTimers;
  const watches = [lab.watch(loss(), 'a'), lab.watch(comeback(), 'b')];
  for (const reachable of [false, true]) lab.driver.setReachable(LAMP, reachable);
  for (const { stop } of watches) stop();
  expect(listeners()).toBe(0);
  expect(lab.clock.pendingTimers).toBe(pending);
});
