import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ActivityBuffer, type WaitingEntry } from '../../../src/app/activity/activity-buffer.ts';
import { ActivityLog } from '../../../src/app/activity/activity-log.ts';
import { ActivityStore } from '../../../src/app/activity/activity-store.ts';
import { HearthError } from '../../../src/kernel/errors.ts';
import { silentLogger } from '../../../src/kernel/logger.ts';
import { openDatabase } from '../../../src/storage/database.ts';
import { DisposableDatabase } from '../../../src/storage/disposable-database.ts';
import { listMigrations } from '../../../src/storage/migrate.ts';
import { parseCsv } from '../../support/csv.ts';
import { createTempDirectory } from '../../support/temp-directory.ts';
import { TestClock } from '../../support/test-clock.ts';
import { callerOf, systemCaller, tokenCaller } from '../../support/test-home.ts';
import { CountingHasher, createUser } from '../../support/test-users.ts';
import { type ActiveHome, BUTTON_DEVICE, LAMP_DEVICE, MOTION_DEVICE, openActiveHome } from './activity-fixture.ts';

const AID = '1';
const DAY_MS = 86_400_000;
const THERMOSTAT_DEVICE = '10:00:00:00:00:02';

let home: ActiveHome;

beforeEach(() => {
  home = openActiveHome({ passwordHasher: new CountingHasher() });
});
afterEach(async () => {
  await home.stop();
  home.close();
});

describe('what is recorded', () => {
  it('is what people care about, and no measurement', async () => {
    home.driver.event(THERMOSTAT_DEVICE, AID, '9', 23.5);
    home.driver.event(LAMP_DEVICE, AID, '10', 80);
    expect(await home.lines()).toEqual([]);
    home.driver.event(THERMOSTAT_DEVICE, AID, '10', 19.5);
    home.driver.event(THERMOSTAT_DEVICE, AID, '12', 0);
    home.driver.event(MOTION_DEVICE, AID, '9', true);
    home.driver.event(MOTION_DEVICE, AID, '9', false);
    home.driver.event(LAMP_DEVICE, AID, '9', true);
    expect(await home.lines()).toEqual([
      'Lamp on: device',
      'Motion detected: device',
      'Thermostat off: device',
      'Thermostat 19.5: device',
    ]);
  });

  it('is each press of a button', async () => {
    const press = home
      .named('Button')
      .services.flatMap(({ characteristics }) => characteristics)
      .find(({ type }) => type === '73');
    home.driver.event(BUTTON_DEVICE, AID, press?.iid ?? '', 0);
    home.driver.event(BUTTON_DEVICE, AID, press?.iid ?? '', 2);
    expect(await home.lines()).toEqual(['Button long: device', 'Button single: device']);
  });

  it('is that an accessory went offline and is online again', async () => {
    home.driver.setReachable(LAMP_DEVICE, false);
    home.driver.setReachable(LAMP_DEVICE, true);
    expect(await home.lines()).toEqual(['Lamp online: device', 'Lamp offline: device']);
  });

  it('is that people come home and leave, under their accounts', async () => {
    const { user } = await createUser(home, { role: 'view' });
    const bob = home.people.create(systemCaller, { homeId: home.homeId, name: 'Bob' });
    const { id: annId } = home.people.create(systemCaller, { homeId: home.homeId, name: 'Ann' });
    const ann = home.people.link(systemCaller, annId, user.id);
    for (const { id } of [bob, ann]) home.people.setPresence(systemCaller, id, { atHome: true });
    home.people.setPresence(systemCaller, bob.id, { atHome: false });
    expect(await home.lines()).toEqual(['Bob away: person Bob', 'Ann home: user Ann', 'Bob home: person Bob']);
    expect(await home.lines({ actorId: user.id })).toEqual(['Ann home: user Ann']);
  });

  it('has the room and the names of the moment', async () => {
    await home.switchLamp();
    home.accessories.update(systemCaller, home.named('Lamp').id, { name: 'Reading Lamp' });
    expect((await home.list())[0]).toMatchObject({
      kind: 'power',
      subject: { type: 'accessory', name: 'Lamp' },
      roomName: 'Living Room',
      characteristic: 'power_state',
      value: 'on',
    });
  });

  it('is one entry where a dial is turned, and two later', async () => {
    for (const value of [19, 20, 21]) home.driver.event(THERMOSTAT_DEVICE, AID, '10', value - 0.5);
    expect(await home.lines()).toEqual(['Thermostat 20.5: device']);
    await home.clock.advance(6_000);
    home.driver.event(THERMOSTAT_DEVICE, AID, '10', 18);
    expect(await home.lines()).toEqual(['Thermostat 18: device', 'Thermostat 20.5: device']);
  });

  it('is nothing in a home without history, where the latest change is known nonetheless', async () => {
    home.history.setEnabled(systemCaller, home.homeId, false);
    await home.switchLamp();
    const accessoryId = home.named('Lamp').id;
    expect(await home.lines()).toEqual([]);
    expect(await home.list({ accessoryId, limit: 1 })).toMatchObject([
      { id: '0', value: 'on', actor: { kind: 'relay' } },
    ]);
    home.history.setEnabled(systemCaller, home.homeId, true);
    await home.clock.advance(10_000);
    home.driver.event(LAMP_DEVICE, AID, '9', false);
    expect(await home.lines({ accessoryId, limit: 1 })).toEqual(['Lamp off: device']);
  });
});

describe('the latest run of a scene', () => {
  it('is when it ended, whether it succeeded, and who ran it', async () => {
    const { latestRun, run } = withScene(home);
    expect(latestRun()).toBeNull();
    const { caller, user } = await createUser(home, { role: 'control' });
    await run();
    await home.clock.advance(5_000);
    await run(caller);
    expect(latestRun()).toEqual({
      ...{ at: home.clock.now(), success: true },
      actor: { kind: 'user', id: user.id, name: user.name },
    });
    home.driver.setReachable(LAMP_DEVICE, false);
    await run();
    expect(latestRun()).toMatchObject({ success: false, actor: { kind: 'relay' } });
  });

  it('comes from the log after a restart, and is forgotten where no history is recorded', async () => {
    using directory = createTempDirectory('latest-run');
    const path = directory.file('relay.db');
    const reopened = async (before: ActiveHome) => {
      await before.stop();
      before.close();
      return openActiveHome({ path, records: false });
    };
    let other = openActiveHome({ path, records: false });
    await withScene(other).run();
    expect(withScene(other).latestRun()).toMatchObject({ success: true });
    other = await reopened(other);
    expect(withScene(other).latestRun()).toBeNull();
    other.history.setEnabled(systemCaller, other.homeId, true);
    await withScene(other).run();
    other = await reopened(other);
    expect(withScene(other).latestRun()).toMatchObject({ success: true, actor: { kind: 'relay' } });
    await other.stop();
    other.close();
  });

  it('goes with the history of its home', async () => {
    const { latestRun, run } = withScene(home);
    await run();
    await home.activityLog.erase(home.homeId, undefined, home.clock.now() + 1);
    expect(latestRun()).toBeNull();
  });

  it('is unknown while the log cannot be read', () => {
    const source = {
      get current(): never {
        throw new HearthError('storage_unavailable', 'The history cannot be read');
      },
    };
    const log = new ActivityLog({
      ...{ state: home.state, bus: home.bus, clock: home.clock, logger: silentLogger },
      ...{ store: new ActivityStore(source), settings: { isEnabled: () => true } },
    });
    expect(log.latestRunOf('a-scene')).toBeUndefined();
  });
});

/** A scene that switches the lamp on; made if the home has it not yet. */
function withScene({ scenes, homeId, named }: ActiveHome) {
  const name = 'Evening';
  if (scenes.list(systemCaller, homeId).every((one) => one.name !== name)) {
    const actions = [{ accessoryId: named('Lamp').id, characteristicType: 'on', targetValue: true }];
    scenes.create(systemCaller, { homeId, name, actions });
  }
  const scene = scenes.findByName(systemCaller, homeId, name);
  return {
    latestRun: () => scenes.latestRunOf(scene),
    run: (caller = systemCaller) => scenes.execute(caller, scene.id),
  };
}

describe('what is recorded is bounded', () => {
  it('where something flaps, and what else happens stays', async () => {
    await home.clock.advance(60_000);
    home.driver.event(MOTION_DEVICE, AID, '9', true);
    for (let turn = 0; turn < 500; turn += 1) home.driver.event(LAMP_DEVICE, AID, '9', turn % 2 === 0);
    const lines = await home.lines({ limit: 500 });
    expect(lines.filter((line) => line.startsWith('Lamp'))).toHaveLength(60);
    expect(lines.at(-1)).toBe('Motion detected: device');
  });

  it('to 90 days', async () => {
    await home.switchLamp();
    home.activityLog.flush();
    const start = home.clock.now();
    await home.activityLog.prune(start + 90 * DAY_MS);
    expect(await home.lines()).toHaveLength(1);
    await home.activityLog.prune(start + 90 * DAY_MS + 1);
    expect(await home.lines()).toEqual([]);
  });

  it('by the hourly maintenance of the history, under a clock that can be trusted', async () => {
    await home.switchLamp();
    home.activityLog.flush();
    home.keeper.start();
    await home.clock.advance(91 * DAY_MS);
    await home.keeper.run();
    expect(await home.lines()).toEqual([]);
    await home.keeper.stop();
  });

  it('to the newest rows', async () => {
    const clock = new TestClock();
    const database = new DisposableDatabase({ path: ':memory:', clock, logger: silentLogger });
    database.start();
    const store = new ActivityStore(database);
    const buffer = new ActivityBuffer({ store, clock, logger: silentLogger, maxRows: 3 });
    for (const value of ['1', '2', '3', '4', '5']) {
      buffer.add(entryOf(value));
      buffer.flush();
    }
    expect(store.list({ homeIds: ['home'], from: 0, before: 100, limit: 10 }).map(({ value }) => value)).toEqual([
      '5',
      '4',
      '3',
    ]);
    buffer.stop();
    database.stop();
  });

  it('in memory, while nothing can be written, and is written later', async () => {
    const clock = new TestClock();
    const written: string[] = [];
    let isFull = true;
    const insert = (entries: readonly { readonly value: string | null }[]) => {
      if (isFull) throw new Error('disk full');
      written.push(...entries.map(({ value }) => value ?? ''));
    };
    const buffer = new ActivityBuffer({ store: { insert }, clock, logger: silentLogger });
    for (let count = 0; count < 2_500; count += 1) buffer.add(entryOf(String(count)));
    buffer.flush();
    expect(written).toEqual([]);
    isFull = false;
    await clock.advance(10_000);
    expect([written.length, written[0], written.at(-1)]).toEqual([2_000, '500', '2499']);
  });
});

function entryOf(value: string): WaitingEntry {
  return {
    ...{
      at: 1,
      homeId: 'home',
      kind: 'power',
      value,
      roomId: null,
      roomName: null,
      characteristic: null,
      runId: null,
      foldKey: null,
    },
    subject: { type: 'accessory', id: 'lamp', name: 'Lamp' },
    actor: () => ({ kind: 'device', id: null, name: null }),
  };
}

it('Writes and events do not wait for the log: it is written ten seconds later', async () => {
  const store = home.activity;
  await home.switchLamp();
  const rows = () => home.historyRows<{ value: string }>('SELECT value FROM activity').map(({ value }) => value);
  expect(rows()).toEqual([]);
  await home.clock.advance(10_000);
  expect(rows()).toEqual(['on']);
  expect(await store.list(systemCaller)).toHaveLength(1);
});

it('A restart keeps the log, and what was not written yet', async () => {
  using directory = createTempDirectory('activity');
  const path = directory.file('relay.db');
  let other = openActiveHome({ path });
  await other.switchLamp();
  await other.stop();
  other.close();
  other = openActiveHome({ path });
  expect(await other.lines()).toEqual(['Lamp on: relay']);
  await other.clock.advance(10_000);
  other.driver.event(LAMP_DEVICE, AID, '9', false);
  const [newer, older] = await other.list();
  expect(Number(newer?.id)).toBeGreaterThan(Number(older?.id));
  await other.stop();
  other.close();
});

it('An event announces new entries, once a second at most', async () => {
  const seen: string[] = [];
  home.bus.on('activity.added', ({ homeId }) => seen.push(homeId));
  for (const value of [true, false, true]) home.driver.event(LAMP_DEVICE, AID, '9', value);
  expect(seen).toEqual([]);
  await home.clock.advance(1_000);
  expect(seen).toEqual([home.homeId]);
});

describe('a query', () => {
  it('takes filters and pages', async () => {
    await home.switchLamp();
    home.driver.event(MOTION_DEVICE, AID, '9', true);
    home.driver.event(THERMOSTAT_DEVICE, AID, '12', 0);
    home.driver.setReachable('10:00:00:00:00:03', false);
    const { roomId } = home.named('Lamp');
    expect(await home.lines({ roomId, kind: 'motion' })).toEqual(['Motion detected: device']);
    expect(await home.lines({ actorKind: 'relay' })).toEqual(['Lamp on: relay']);
    expect(await home.lines({ accessoryId: home.named('Front Door').id })).toEqual(['Front Door offline: device']);
    const [first, second] = await home.list({ limit: 2 });
    expect(await home.lines({ before: second?.id, limit: 2 })).toEqual(['Motion detected: device', 'Lamp on: relay']);
    expect(await home.lines({ before: first?.id, homeId: home.homeId })).toHaveLength(3);
  });

  it.each([
    [{ limit: 501 }, 'limit'],
    [{ limit: 0 }, 'limit'],
    [{ before: 'x' }, 'before'],
    [{ kind: 'weather' }, 'kind'],
    [{ actorKind: 'ghost' }, 'actorKind'],
  ])('is refused with %j', async (query, field) => {
    await expect(home.list(query)).rejects.toThrow(
      expect.objectContaining({ code: 'invalid_value', details: { field } }),
    );
  });

  it('finds what is rare among many, in slices that let other work run', async () => {
    home.driver.event(MOTION_DEVICE, AID, '9', true);
    home.activityLog.flush();
    home.historyRows(
      `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 12000)
       INSERT INTO activity (at, home_id, kind, subject_type, subject_id, subject_name, value, actor_kind, actor_id)
       SELECT n, '${home.homeId}', 'power', 'accessory', 'lamp', 'Lamp', 'on', 'device', '' FROM numbers RETURNING id`,
    );
    let turns = 0;
    let isDone = false;
    const count = (): void => {
      turns += 1;
      if (!isDone) setImmediate(count);
    };
    setImmediate(count);
    expect(await home.lines({ kind: 'motion' })).toEqual(['Motion detected: device']);
    isDone = true;
    expect(turns).toBeGreaterThanOrEqual(3);
    expect(await home.list({ limit: 500 })).toHaveLength(500);
    let rows = 0;
    for await (const chunk of home.activity.export(systemCaller)) rows += chunk.split('\r\n').length - 1;
    expect(rows).toBe(12_002);
  });

  it('knows who appears in the log', async () => {
    const { caller, user } = await createUser(home, { role: 'control' });
    await home.switchLamp(caller);
    home.driver.event(MOTION_DEVICE, AID, '9', true);
    expect(home.activity.actors(systemCaller, home.homeId)).toEqual([
      { kind: 'device', id: null, name: null },
      { kind: 'user', id: user.id, name: 'Ann' },
    ]);
  });

  it('exports as CSV that no spreadsheet executes', async () => {
    home.accessories.update(systemCaller, home.named('Motion').id, { name: 'Hall, left' });
    home.driver.event(MOTION_DEVICE, AID, '9', true);
    await home.switchLamp();
    let csv = '';
    for await (const chunk of home.activity.export(systemCaller, { homeId: home.homeId })) csv += chunk;
    const [header, ...rows] = parseCsv(csv);
    expect(header?.slice(-2)).toEqual(['actor_name', 'run_id']);
    expect(rows.map((row) => row[header?.indexOf('subject_name') ?? -1])).toEqual(['Lamp', 'Hall, left']);
  });
});

describe('the log is read by', () => {
  it('members, each of their homes only', async () => {
    const cottage = home.homes.create(systemCaller, { name: 'Cottage' });
    const { caller: guest } = await createUser(home, { name: 'Kim', role: 'view', homeId: cottage.id });
    const { caller: viewer } = await createUser(home, { role: 'view' });
    await home.switchLamp();
    expect(await home.activity.list(viewer)).toHaveLength(1);
    expect(await home.activity.list(guest)).toEqual([]);
    expect(home.activity.actors(guest)).toEqual([]);
    await expect(home.activity.list(guest, { homeId: home.homeId })).rejects.toThrow('Home not found');
    await expect(home.activity.list(guest, { accessoryId: home.named('Lamp').id })).rejects.toThrow(
      'Accessory not found',
    );
    await expect(home.activity.list(guest, { roomId: home.named('Lamp').roomId })).rejects.toThrow('Room not found');
    expect(() => home.activity.export(guest, { homeId: home.homeId })).toThrow('Home not found');
  });

  it('tokens within their homes, and by no share link: it names people', async () => {
    await home.switchLamp();
    const accessoryId = home.named('Lamp').id;
    expect(await home.activity.list(tokenCaller({ [home.homeId]: 'view' }))).toHaveLength(1);
    expect(await home.activity.list(tokenCaller({}))).toEqual([]);
    const link = callerOf({
      kind: 'share_link',
      shareHash: 'x',
      role: 'control',
      homeIds: new Set([home.homeId]),
      accessoryIds: new Set([accessoryId]),
    });
    expect(await home.activity.list(link)).toEqual([]);
    await expect(home.activity.list(link, { accessoryId, limit: 1 })).rejects.toThrow('Accessory not found');
  });
});

it('Entries of an earlier version stay, and have no run', () => {
  using directory = createTempDirectory('activity-runs');
  const path = directory.file('history.db');
  const earlier = openDatabase(
    path,
    listMigrations('history').filter(({ version }) => version < 8),
  );
  earlier.exec(
    `INSERT INTO activity (at, home_id, kind, subject_type, subject_id, subject_name, value, actor_kind, actor_id)
     VALUES (1, 'home', 'automation', 'automation', 'flow', 'Hall light', 'ran', 'automation', 'flow')`,
  );
  earlier.close();
  const database = new DisposableDatabase({ path, clock: new TestClock(), logger: silentLogger });
  database.start();
  const store = new ActivityStore(database);
  const { foldKey: _, actor, ...entry } = entryOf('on');
  store.insert([{ ...entry, actor: actor(), runId: 'run' }], 10);
  const entries = store.list({ homeIds: ['home'], from: 0, before: 100, limit: 10 });
  expect(entries.map(({ subject, runId }) => [subject.name, runId])).toEqual([
    ['Lamp', 'run'],
    ['Hall light', null],
  ]);
  database.stop();
});

it('A purge of one accessory reads its own entries, and not the log of the home in each slice', () => {
  const database = new DisposableDatabase({ path: ':memory:', clock: new TestClock(), logger: silentLogger });
  database.start();
  const statements: string[] = [];
  const current = Object.create(database.current, {
    prepare: {
      value: (sql: string) => {
        statements.push(sql);
        return database.current.prepare(sql);
      },
    },
  });
  const store = new ActivityStore({ current });
  store.erase('home', 'lamp', 100, 10);
  store.erase('home', undefined, 100, 10);
  const indexes = statements.map((sql) => {
    const given = sql.includes('@accessoryId') ? { accessoryId: 'lamp' } : {};
    const steps = database.current
      .prepare<[object], { detail: string }>(`EXPLAIN QUERY PLAN ${sql}`)
      .all({ homeId: 'home', before: 100, atMost: 10, ...given });
    return steps.map(({ detail }) => /USING.* INDEX (activity_\w+)/.exec(detail)?.[1]).filter(Boolean);
  });
  expect(indexes).toEqual([['activity_by_subject'], ['activity_by_actor']]);
  database.stop();
});

it('A purge of the history deletes the activity too', async () => {
  await home.switchLamp();
  home.driver.event(MOTION_DEVICE, AID, '9', true);
  await home.history.purge(systemCaller, { homeId: home.homeId, accessoryId: home.named('Lamp').id });
  expect(await home.lines()).toEqual(['Motion detected: device']);
  await home.history.purge(systemCaller, { homeId: home.homeId });
  expect(await home.lines()).toEqual([]);
});
