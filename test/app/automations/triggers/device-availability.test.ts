import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTempDirectory, type TempDirectory } from '../../../support/temp-directory.ts';
import { TestClock } from '../../../support/test-clock.ts';
import { SAMPLE_DEVICES } from '../../../support/test-home.ts';
import { countListeners, createTriggerFixture, LAMP, type TriggerFixture } from './trigger-fixture.ts';

const MINUTE = 60_000;

let directory: TempDirectory;
let fixture: TriggerFixture;
beforeEach(() => {
  directory = createTempDirectory('availability');
  fixture = createTriggerFixture({ path: directory.file('relay.db') });
});
afterEach(() => {
  fixture.close();
  directory.remove();
});

const loss = () => ({ type: 'device_availability', accessoryId: fixture.named('Lamp').id, to: 'unavailable' }) as const;
const comeback = () => ({ ...loss(), to: 'available' }) as const;

/** The daemon is killed and started again: nothing can be reached until it has been connected to. */
function restart(downMs: number): void {
  fixture.kill();
  fixture = createTriggerFixture({
    path: directory.file('relay.db'),
    clock: new TestClock(fixture.clock.now() + downMs),
    sample: false,
  });
}
function connect(except?: string): void {
  for (const device of SAMPLE_DEVICES) if (device.deviceId !== except) fixture.attach(device);
}

describe('a device that can not be reached', () => {
  it('is reported when it has been away for five minutes', async () => {
    const { fired } = fixture.watch(loss());
    fixture.driver.setReachable(LAMP, false);
    await fixture.clock.advance(5 * MINUTE - 1);
    expect(fired).toEqual([]);
    await fixture.clock.advance(1);
    expect(fired.map(({ data, durable }) => [data, durable])).toEqual([
      [{ accessory_id: fixture.named('Lamp').id, from_value: 'available', to_value: 'unavailable' }, true],
    ]);
    await fixture.clock.advance(60 * MINUTE);
    expect(fired).toHaveLength(1);
  });

  it('is not reported when it only restarts', async () => {
    const { fired } = fixture.watch(loss());
    for (let count = 0; count < 5; count += 1) {
      fixture.driver.setReachable(LAMP, false);
      await fixture.clock.advance(4 * MINUTE);
      fixture.driver.setReachable(LAMP, true);
      await fixture.clock.advance(MINUTE);
    }
    expect(fired).toEqual([]);
  });

  it('is reported sooner where that is wanted, and again each time', async () => {
    const { fired } = fixture.watch({ ...loss(), for: { seconds: 10 } });
    await fixture.clock.advance(MINUTE);
    for (const reachable of [false, true, false]) {
      fixture.driver.setReachable(LAMP, reachable);
      await fixture.clock.advance(10_000);
    }
    expect(fired).toHaveLength(2);
  });

  it('is not reported again after a restart', async () => {
    fixture.watch(loss());
    fixture.driver.setReachable(LAMP, false);
    await fixture.clock.advance(6 * MINUTE);
    restart(MINUTE);
    const { fired } = fixture.watch(loss());
    connect(LAMP);
    await fixture.clock.advance(60 * MINUTE);
    expect(fired).toEqual([]);
    connect();
    fixture.driver.setReachable(LAMP, false);
    await fixture.clock.advance(6 * MINUTE);
    expect(fired).toHaveLength(1);
  });

  it('is reported if it does not come back with the daemon', async () => {
    fixture.watch(loss());
    restart(MINUTE);
    const { fired } = fixture.watch(loss());
    connect(LAMP);
    await fixture.clock.advance(6 * MINUTE);
    expect(fired).toHaveLength(1);
  });

  it('is not reported while the daemon has only not connected yet', async () => {
    fixture.watch(loss());
    restart(MINUTE);
    const { fired } = fixture.watch({ ...loss(), for: { seconds: 1 } });
    await fixture.clock.advance(20_000);
    connect();
    await fixture.clock.advance(10 * MINUTE);
    expect(fired).toEqual([]);
  });

  it('that came back while the daemon was down is not reported late', async () => {
    fixture.watch(loss());
    fixture.driver.setReachable(LAMP, false);
    await fixture.clock.advance(MINUTE);
    restart(5 * MINUTE);
    const { fired, missed } = fixture.watch(loss());
    await fixture.clock.advance(5_000);
    connect();
    await fixture.clock.advance(10 * MINUTE);
    expect([fired, missed]).toEqual([[], []]);
  });
});

describe('a device that can be reached again', () => {
  it('is reported when it has stayed for five minutes', async () => {
    const { fired } = fixture.watch(comeback());
    fixture.driver.setReachable(LAMP, false);
    await fixture.clock.advance(MINUTE);
    fixture.driver.setReachable(LAMP, true);
    await fixture.clock.advance(5 * MINUTE);
    expect(fired.map(({ data }) => data.to_value)).toEqual(['available']);
  });

  it('is reported if it was away before the daemon started', async () => {
    fixture.watch(comeback());
    fixture.driver.setReachable(LAMP, false);
    restart(MINUTE);
    const { fired } = fixture.watch(comeback());
    connect();
    await fixture.clock.advance(5 * MINUTE);
    expect(fired).toHaveLength(1);
  });

  it('is not reported because the daemon has started', async () => {
    fixture.watch(comeback());
    restart(MINUTE);
    const { fired } = fixture.watch(comeback());
    connect();
    await fixture.clock.advance(60 * MINUTE);
    expect(fired).toEqual([]);
  });
});

it('leaves nothing behind', async () => {
  const listeners = countListeners(fixture);
  const pending = fixture.clock.pendingTimers;
  const watches = [fixture.watch(loss(), 'a'), fixture.watch(comeback(), 'b')];
  for (const reachable of [false, true]) fixture.driver.setReachable(LAMP, reachable);
  for (const { stop } of watches) stop();
  expect(listeners()).toBe(0);
  // Until what was last known of the lamp is stored.
  await fixture.clock.advance(1_000);
  expect(fixture.clock.pendingTimers).toBe(pending);
});
