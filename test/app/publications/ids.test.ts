/** Ids, bridges and configuration numbers: equal over restarts, kills, renames and absences. */
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Database } from '../../../src/storage/database.ts';
import { plainSwitch } from '../../support/sample-accessories.ts';
import { createTempDirectory, type TempDirectory } from '../../support/temp-directory.ts';
import { TestClock } from '../../support/test-clock.ts';
import { systemCaller } from '../../support/test-home.ts';
import { killAt } from '../automations/engine/kill-at.ts';
import { GATHERED_MS, idsOf, openPublishedHome, type PublishedHome, publishedNamed } from './publication-fixture.ts';

const BRIDGE = 'AA:BB:CC:DD:EE:01';

let home: PublishedHome;
let directory: TempDirectory;

beforeEach(() => {
  directory = createTempDirectory();
});

afterEach(async () => {
  await home?.publications.servers.stop();
  if (home?.database.open) home.close();
  directory.remove();
});

async function open(sample = true): Promise<void> {
  home = await openPublishedHome({ path: directory.file('relay.db'), sample });
}

async function restart(): Promise<void> {
  await home.publications.servers.stop();
  home.close();
  // The devices are known again before the bridges open.
  await open();
}

function attachSwitches(count: number): void {
  const accessories = Array.from({ length: count }, (_, index) =>
    plainSwitch(`Switch ${index + 1}`, String(index + 2)),
  );
  home.driver.attach(home.home.id, { deviceId: BRIDGE, name: 'Many', setupCode: '031-45-160', accessories });
}

const configNumber = (bridge = 'Hearth'): number => home.bridges.named(bridge).deps.content.configNumber();

describe('ids', () => {
  it('are the same after a restart, with the same identity, port and configuration number', async () => {
    await open();
    const { id } = await home.publish();
    const before = { ids: idsOf(home), bridges: home.publications.get(systemCaller, id).bridges };
    await restart();
    expect({ ids: idsOf(home), bridges: home.publications.get(systemCaller, id).bridges }).toEqual(before);
  });

  it('stay when an accessory is renamed, excepted and back, or away for a while, and no other gets them', async () => {
    await open();
    const { id } = await home.publish();
    const lamp = publishedNamed(home, 'Lamp');
    home.accessories.update(systemCaller, home.named('Lamp').id, { name: 'Ceiling' });
    await home.settle();
    expect(publishedNamed(home, 'Ceiling').aid).toBe(lamp.aid);
    const exceptIds = [home.named('Ceiling').id];
    await home.publications.update(systemCaller, id, { selection: { scope: 'home', exceptIds } });
    expect(() => publishedNamed(home, 'Ceiling')).toThrow();
    attachSwitches(1);
    await home.settle();
    expect(publishedNamed(home, 'Switch 1').aid).not.toBe(lamp.aid);
    await home.publications.update(systemCaller, id, { selection: { scope: 'home' } });
    const back = publishedNamed(home, 'Ceiling');
    expect([back.aid, back.services]).toEqual([lamp.aid, lamp.services]);
  });

  it('keep an accessory that its bridge lost for less than an hour, and let go of it after that', async () => {
    await open();
    await home.publish();
    attachSwitches(2);
    await home.settle();
    const { aid } = publishedNamed(home, 'Switch 2');
    home.driver.describe(BRIDGE, [plainSwitch('Switch 1', '2')]);
    await home.settle();
    expect(publishedNamed(home, 'Switch 2').read('25')).toEqual({ ok: false, status: -70402 });
    await home.clock.advance(60 * 60_000);
    expect(() => publishedNamed(home, 'Switch 2')).toThrow();
    home.driver.describe(BRIDGE, [plainSwitch('Switch 1', '2'), plainSwitch('Switch 2', '3')]);
    await home.settle();
    expect(publishedNamed(home, 'Switch 2').aid).toBe(aid);
  });

  it('wait at a start for accessories that are not described yet, but not for ever', async () => {
    await open();
    const { id } = await home.publish();
    attachSwitches(1);
    await home.settle();
    const { aid } = publishedNamed(home, 'Switch 1');
    const first = configNumber();
    await restart();
    expect(home.publications.get(systemCaller, id).status).toBe('starting');
    attachSwitches(1);
    await home.settle();
    expect([publishedNamed(home, 'Switch 1').aid, configNumber()]).toEqual([aid, first]);
    await restart();
    await home.clock.advance(31_000);
    expect(home.publications.get(systemCaller, id).status).toBe('open');
    expect(() => publishedNamed(home, 'Switch 1')).toThrow();
  });

  it('keep an accessory for its hour, however the wall clock jumps meanwhile', async () => {
    await open();
    const { id } = await home.publish();
    attachSwitches(2);
    await home.settle();
    for (const jump of [7 * 24 * 60 * 60_000, -30 * 24 * 60 * 60_000]) {
      home.driver.describe(BRIDGE, [plainSwitch('Switch 1', '2')]);
      await home.settle();
      home.clock.jumpWallClock(jump);
      await home.publications.update(systemCaller, id, { name: `Hearth ${jump}` });
      expect(publishedNamed(home, 'Switch 2', `Hearth ${jump}`).read('25').ok).toBe(false);
      await home.clock.advance(60 * 60_000);
      expect(() => publishedNamed(home, 'Switch 2', `Hearth ${jump}`)).toThrow();
      home.driver.describe(BRIDGE, [plainSwitch('Switch 1', '2'), plainSwitch('Switch 2', '3')]);
      await home.settle();
    }
  });

  it('go with an accessory that is unpaired, and come back with it', async () => {
    await open();
    await home.publish();
    attachSwitches(1);
    await home.settle();
    const { aid } = publishedNamed(home, 'Switch 1');
    await home.driver.unpair(BRIDGE, true);
    await home.settle();
    expect(() => publishedNamed(home, 'Switch 1')).toThrow();
    attachSwitches(1);
    await home.settle();
    expect(publishedNamed(home, 'Switch 1').aid).toBe(aid);
  });

  it('that can’t be read at a start are read later, and the start goes on', async () => {
    await open();
    const { id } = await home.publish();
    attachSwitches(1);
    await home.settle();
    const before = idsOf(home);
    home.database.exec('ALTER TABLE homekit_things RENAME TO away');
    await restart();
    home.database.exec('ALTER TABLE away RENAME TO homekit_things');
    expect(home.publications.get(systemCaller, id).status).toBe('error');
    attachSwitches(1);
    await home.clock.advance(31_000);
    expect(home.publications.get(systemCaller, id).status).toBe('open');
    expect(idsOf(home)).toEqual(before);
  });

  it('of before a reset are served by no bridge, though more is asked meanwhile', async () => {
    await open();
    const { id } = await home.publish();
    const { publications } = home;
    await Promise.all([
      publications.update(systemCaller, id, { name: 'One' }),
      publications.reset(systemCaller, id),
      publications.update(systemCaller, id, { name: 'Two' }),
      publications.pause(systemCaller, id),
      publications.resume(systemCaller, id),
    ]);
    await home.settle();
    const { name, status, bridges } = publications.get(systemCaller, id);
    expect([name, status]).toEqual(['Two', 'open']);
    expect(home.bridges.running.map(({ deps }) => deps.identity.deviceId)).toEqual([bridges[0]?.deviceId]);
  });

  it('are others after a reset, with other codes and without controllers, on the same port', async () => {
    await open();
    const created = await home.publish();
    const controller = { identifier: 'phone', publicKey: Buffer.alloc(32), isAdmin: true };
    home.bridges.named('Hearth').deps.controllers.put(controller);
    expect(home.publications.controllers(systemCaller, created.id)).toHaveLength(1);
    const reset = await home.publications.reset(systemCaller, created.id);
    const [before, after] = [created.bridges[0], reset.bridges[0]];
    expect(after?.deviceId).not.toBe(before?.deviceId);
    expect(after?.setupCode).not.toBe(before?.setupCode);
    expect(after?.port).toBe(before?.port);
    expect(home.publications.controllers(systemCaller, created.id)).toEqual([]);
    expect(home.bridges.running).toHaveLength(1);
  });
});

describe('the configuration number', () => {
  it('rises once for changes that come together, and not for a start or a change that shows nothing', async () => {
    await open();
    await home.publish();
    const first = configNumber();
    attachSwitches(3);
    home.accessories.update(systemCaller, home.named('Lamp').id, { name: 'Ceiling' });
    await home.settle();
    expect(configNumber()).toBe(first + 1);
    home.rooms.create(systemCaller, { homeId: home.home.id, name: 'Attic' });
    home.driver.event('10:00:00:00:00:01', '1', '10', 70);
    await home.settle();
    expect(configNumber()).toBe(first + 1);
    expect(home.bridges.named('Hearth').configNumbers).toEqual([first, first + 1]);
    await restart();
    attachSwitches(3);
    await home.settle();
  });
});

describe('bridges', () => {
  it('have 149 accessories at most: the next one opens by itself, and nothing moves', async () => {
    await open(false);
    attachSwitches(150);
    const { id, bridges } = await home.publish();
    expect(bridges.map(({ name, accessories }) => [name, accessories])).toEqual([
      ['Hearth', 149],
      ['Hearth 2', 1],
    ]);
    const second = idsOf(home, 'Hearth 2');
    const accessories = Array.from({ length: 149 }, (_, index) =>
      plainSwitch(`Switch ${index + 2}`, String(index + 3)),
    );
    home.driver.describe(BRIDGE, accessories);
    await home.clock.advance(61 * 60_000);
    const left = home.publications.get(systemCaller, id).bridges.map((bridge) => bridge.accessories);
    expect(left).toEqual([148, 1]);
    expect(idsOf(home, 'Hearth 2')).toEqual(second);
  });
});

describe('a full disk', () => {
  it('leaves controllers what they have, and publishes what is new when there is room again', async () => {
    await open();
    const { id } = await home.publish();
    const before = idsOf(home);
    const { transaction } = home.database;
    home.database.transaction = (() => {
      throw Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' });
    }) as unknown as Database['transaction'];
    home.driver.setReachable('10:00:00:00:00:01', true);
    attachSwitches(1);
    await home.settle();
    expect(idsOf(home)).toEqual(before);
    expect(home.publications.get(systemCaller, id)).toMatchObject({ status: 'error' });
    home.database.transaction = transaction;
    await home.clock.advance(30_000);
    expect(home.publications.get(systemCaller, id)).toMatchObject({ status: 'open', error: null });
    expect(publishedNamed(home, 'Switch 1').aid).not.toBe('');
  });

  it('opens the other bridges if one can’t open, and tries it again', async () => {
    await open(false);
    attachSwitches(150);
    home.bridges.beforeStart = ({ deps }) => {
      if (deps.identity.name === 'Hearth 2') throw new Error('no port is free');
    };
    const { id, status, error } = await home.publish();
    expect([status, error]).toEqual(['error', 'It could not be opened: no port is free']);
    expect(home.bridges.running).toHaveLength(1);
    home.bridges.beforeStart = () => {};
    await home.clock.advance(30_000);
    expect(home.bridges.running).toHaveLength(2);
    expect(home.publications.get(systemCaller, id).status).toBe('open');
  });
});

/** One thing that a person or a device does while the home is published. */
type Act = 'add' | 'rename' | 'lose' | 'group' | 'select' | 'publish';

describe('kills', () => {
  it('at any commit leave all ids as they were, none twice and none lost', { timeout: 120_000 }, async () => {
    const act = fc.constantFrom<Act>('add', 'rename', 'lose', 'group', 'select', 'publish');
    const kills = fc.array(fc.record({ act, commit: fc.integer({ min: 1, max: 4 }), before: fc.boolean() }), {
      minLength: 1,
      maxLength: 6,
    });
    await fc.assert(
      fc.asyncProperty(kills, async (steps) => {
        const place = createTempDirectory();
        const clock = new TestClock();
        const seen = new Map<string, string>();
        let switches = 1;
        const start = async (): Promise<void> => {
          home = await openPublishedHome({ path: place.file('relay.db'), clock });
          attachSwitches(switches);
          await clock.advance(GATHERED_MS);
          for (const [id, what] of shown()) {
            expect(seen.get(id) ?? what).toBe(what);
            seen.set(id, what);
          }
        };
        await start();
        await home.publish();
        for (const [id, what] of shown()) seen.set(id, what);
        for (const { act, commit, before } of steps) {
          const isDead = killAt(home.database, commit, before);
          try {
            if (act === 'add') {
              switches += 1;
              attachSwitches(switches);
            }
            await perform(act);
            await clock.advance(GATHERED_MS);
          } catch (error) {
            if (!isDead()) throw error;
          }
          // What controllers could read before the kill holds after it.
          for (const [id, what] of shown()) seen.set(id, seen.get(id) ?? what);
          if (home.database.open) home.database.close();
          await start();
        }
        await home.publications.servers.stop();
        home.close();
        place.remove();
      }),
      { numRuns: Number(process.env.HEARTHD_SOAK ?? 0) > 0 ? 300 : 25 },
    );
  });
});

/** What controllers see under each id, by the name and the type. */
function shown(): ReadonlyMap<string, string> {
  const all = new Map<string, string>();
  for (const { deps } of home.bridges.running) {
    const { content, identity } = deps;
    for (const { aid, services } of content.accessories()) {
      const name = services[0]?.characteristics.find(({ type }) => type === '23');
      const named = name && content.read(aid, name.iid);
      const id = `${identity.deviceId} ${aid}`;
      expect(all.has(id)).toBe(false);
      all.set(id, named?.ok ? String(named.value) : '');
      for (const { iid, type, characteristics } of services) {
        for (const [one, what] of [[iid, type], ...characteristics.map((c) => [c.iid, `${type} ${c.type}`] as const)]) {
          expect(all.has(`${id}.${one}`)).toBe(false);
          all.set(`${id}.${one}`, String(what));
        }
      }
    }
  }
  return all;
}

async function perform(act: Act): Promise<void> {
  const { homes, publications, accessories, serviceGroups } = home;
  const homeId = homes.list(systemCaller)[0]?.id ?? '';
  const [publication] = publications.list(systemCaller);
  switch (act) {
    case 'rename':
      accessories.update(systemCaller, home.named('Heater').id, { name: 'Heater' });
      return;
    case 'lose':
      home.driver.describe(BRIDGE, []);
      return;
    case 'group': {
      const accessoryIds = [home.named('Heater').id];
      serviceGroups.create(systemCaller, {
        homeId,
        name: `Group ${serviceGroups.list(systemCaller).length}`,
        accessoryIds,
      });
      return;
    }
    case 'select':
      if (publication) {
        const serviceGroupIds = serviceGroups.list(systemCaller).map(({ id }) => id);
        await publications.update(systemCaller, publication.id, { selection: { scope: 'home', serviceGroupIds } });
      }
      return;
    case 'publish':
      await home.publish({ name: `Hearth ${publications.list(systemCaller).length}` });
      return;
    case 'add':
  }
}
