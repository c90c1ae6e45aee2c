/** What is known of an accessory's reachability over a restart, and when its change is an event. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { EventReports } from '../../../src/home/event-reports.ts';
import { createTempDirectory, type TempDirectory } from '../../support/temp-directory.ts';
import { createTestHome, SAMPLE_DEVICES, type TestHome } from '../../support/test-home.ts';

const LAMP = '10:00:00:00:00:01';
const CONTACT = '10:00:00:00:00:03';

let directory: TempDirectory;
let home: TestHome;
/** What webhooks, live streams and subscriptions receive. */
let reported: string[];

beforeEach(async () => {
  directory = createTempDirectory('reachability');
  open();
  for (const device of SAMPLE_DEVICES) home.driver.attach(home.home.id, device);
  await home.clock.advance(1_000);
  reported = [];
});
afterEach(() => {
  home.close();
  directory.remove();
});

function open(): void {
  reported = [];
  home = createTestHome({ path: directory.file('relay.db') });
  new EventReports(home).on(({ type, data }) => {
    if (type === 'accessory.reachability_changed') reported.push(`${data.accessoryName} ${data.isReachable}`);
  });
}

async function restart(how: 'stop' | 'kill', meanwhile: () => void = () => {}): Promise<void> {
  if (how === 'kill') home.database.close();
  else home.close();
  meanwhile();
  open();
}

function attachAll(but: readonly string[] = []): void {
  for (const device of SAMPLE_DEVICES) {
    home.driver.attach(home.home.id, device);
    if (but.includes(device.deviceId)) home.driver.setReachable(device.deviceId, false);
  }
}

const reachable = (name: string): boolean => home.named(name).reachable;

describe.each(['stop', 'kill'] as const)('after a %s, a start', (how) => {
  it('announces no reachability that is as it was last known', async () => {
    home.driver.setReachable(CONTACT, false);
    await home.clock.advance(1_000);
    await restart(how);
    expect([reachable('Lamp'), reachable('Front Door')]).toEqual([true, false]);
    for (const { id, address } of home.state.accessories()) {
      home.registry.setReachable(address.source, address.source !== CONTACT);
      expect(home.state.isAnswering(id)).toBe(address.source !== CONTACT);
    }
    await home.clock.advance(120_000);
    expect(reported).toEqual([]);
  });

  it('announces once what went away or came back while the relay was down', async () => {
    home.driver.setReachable(CONTACT, false);
    await home.clock.advance(1_000);
    await restart(how);
    for (const { address } of home.state.accessories())
      home.registry.setReachable(address.source, address.source !== LAMP);
    await home.clock.advance(120_000);
    expect(reported.sort()).toEqual(['Front Door true', 'Lamp false']);
    await restart(how);
    for (const { address } of home.state.accessories())
      home.registry.setReachable(address.source, address.source !== LAMP);
    await home.clock.advance(120_000);
    expect(reported).toEqual([]);
  });
});

it('an accessory of which no driver reports after a start is announced as unreachable, once', async () => {
  await restart('stop');
  for (const { address } of home.state.accessories()) {
    if (address.source !== LAMP) home.registry.setReachable(address.source, true);
  }
  await home.clock.advance(50_000);
  expect(reported).toEqual([]);
  await home.clock.advance(50_000);
  expect(reported).toEqual(['Lamp false']);
});

it('an accessory does not count as answering before its driver has reported', async () => {
  await restart('stop');
  const { id } = home.named('Lamp');
  expect([reachable('Lamp'), home.state.isAnswering(id)]).toEqual([true, false]);
  attachAll();
  expect(home.state.isAnswering(id)).toBe(true);
});
