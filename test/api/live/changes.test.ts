/** What pages query again: a change is reported to the clients that may know, at a limited rate. */
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isWanted } from '../../../src/api/live/live-event.ts';
import { LiveRing } from '../../../src/api/live/live-ring.ts';
import { silentLogger } from '../../../src/kernel/logger.ts';
import { createTestHome, SAMPLE_DEVICES, systemCaller, type TestHome } from '../../support/test-home.ts';
import { createUser } from '../../support/test-users.ts';

let home: TestHome;
let ring: LiveRing;

beforeEach(() => {
  home = createTestHome({ sample: true });
  ring = new LiveRing({ ...home, logger: silentLogger });
  home.announcements.start();
});
afterEach(() => {
  home.announcements.stop();
  home.close();
});

const listen = (caller = systemCaller) => ring.open({ caller });
const typesOf = (reader: ReturnType<typeof listen>) =>
  reader
    .next(1_000)
    .events.map(({ type }) => type)
    .filter((type) => type !== 'layout.changed' && !type.startsWith('accessory.'));

describe('that something has to be read again', () => {
  it('sends changes of automations, members, webhooks and brokers', async () => {
    const reader = listen();
    const homeId = home.home.id;
    const data = { name: 'Night', mode: 'single', triggers: [], actions: [] };
    const flow = await home.flows.save(systemCaller, { homeId, data });
    home.flows.setEnabled(systemCaller, flow.id, false);
    home.flows.delete(systemCaller, flow.id);
    const broker = home.brokers.add(systemCaller, homeId, { name: 'B', host: 'broker.local' });
    home.brokers.remove(systemCaller, broker.id);
    const changes = ['automations', 'automations', 'automations', 'brokers', 'brokers'];
    expect(typesOf(reader)).toEqual(changes.map((what) => `${what}.changed`));
    await createUser(home, { name: 'Bob', role: 'control' });
    expect(typesOf(reader)).toContain('members.changed');
  });

  it('sends webhooks to their owner only', async () => {
    const { caller } = await createUser(home, { founder: true });
    const other = await createUser(home, { name: 'Bob', role: 'owner' });
    home.userSettings.update(caller, { developerMode: true });
    const [own, others] = [listen(caller), listen(other.caller)];
    await home.webhooks.create(caller, { name: 'W', url: 'http://receiver.local/', eventTypes: ['state.changed'] });
    expect(typesOf(own)).toEqual(['webhooks.changed']);
    expect(typesOf(others)).toEqual([]);
  });

  it('sends connections and sightings once a second, however often they change', async () => {
    const reader = listen();
    for (let count = 0; count < 20; count += 1) {
      const [device] = SAMPLE_DEVICES;
      if (device)
        home.driver.attach(home.home.id, { ...device, deviceId: `10:00:00:00:01:${String(count).padStart(2, '0')}` });
    }
    expect(typesOf(reader)).toEqual(['discovery.changed', 'pairings.changed']);
    await home.clock.advance(1_000);
    expect(typesOf(reader).sort()).toEqual(['discovery.changed', 'pairings.changed']);
    await home.clock.advance(10_000);
    expect(typesOf(reader)).toEqual([]);
  });

  it('sends the log only where it is asked for by type, and never its lines', async () => {
    const { caller } = await createUser(home, { name: 'Eve', role: 'control' });
    const all = ring.open({ caller: systemCaller, filter: ({ type }) => isWanted(type, undefined) });
    const [asked, weak] = [listen(), listen(caller)];
    for (let count = 0; count < 50; count += 1) home.logs.write(JSON.stringify({ level: 30, time: 1, msg: 'secret' }));
    await home.clock.advance(2_000);
    await setImmediate();
    const events = asked.next(100).events.filter(({ type }) => type === 'relay.logged');
    expect(events.map(({ data }) => data)).toEqual([{ lastSeq: 1 }, { lastSeq: 50 }]);
    expect([typesOf(all), typesOf(weak)]).toEqual([[], []]);
  });
});
