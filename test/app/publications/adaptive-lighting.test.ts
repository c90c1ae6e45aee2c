/** Adaptive lighting as Apple Home runs it: lamps on our bridge offer it, and follow the day that a home hub writes. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CHARACTERISTIC } from '../../../src/hap-spec/characteristics.ts';
import {
  encodeRemoval,
  encodeSchedule,
  SCHEDULE_LENGTH_MS,
  supportsTemperature,
} from '../../../src/home/adaptive-lighting/transitions.ts';
import { whiteLamp } from '../../support/sample-accessories.ts';
import { systemCaller } from '../../support/test-home.ts';
import { openPublishedHome, type PublishedHome, publishedNamed } from './publication-fixture.ts';

const DEVICE = '20:00:00:00:00:01';
const MINUTE_MS = 60_000;
const [POWER, BRIGHTNESS, TEMPERATURE] = ['9', '10', '13'] as const;
const [SUPPORTED, CONTROL, COUNT] = ['144', '143', '24B'] as const;
const NAME = 'Desk';

let home: PublishedHome;
let publicationId: string;

beforeEach(async () => {
  home = await openPublishedHome();
  home.lampFollower.start();
  home.driver.attach(home.home.id, {
    ...{ deviceId: DEVICE, name: NAME, setupCode: '031-45-154' },
    accessories: [whiteLamp(NAME)],
  });
  publicationId = (await home.publish()).id;
  home.driver.event(DEVICE, '1', POWER, true);
  home.driver.event(DEVICE, '1', BRIGHTNESS, 100);
});
afterEach(() => home.close());

const lamp = () => publishedNamed(home, NAME);
const bridge = () => home.bridges.named('Hearth');
const iids = () => ({
  temperatureIid: lamp().characteristic('CE').iid,
  brightnessIid: lamp().characteristic('8').iid,
});
/** From 200 mireds, one more every 36 minutes. */
const day = (start = 200) => {
  const startAt = home.clock.now();
  return encodeSchedule({
    ...{ id: '00112233-4455-6677-8899-aabbccddeeff', startAt, ...iids() },
    colourAt: (at) => ({ mireds: start + (at - startAt) / (36 * MINUTE_MS), perPercent: 0.5 }),
  });
};
const write = (value: unknown) => lamp().write(CONTROL, value);
const count = () => {
  const read = lamp().read(COUNT);
  return read.ok && read.value;
};
/** The mireds written to the lamp since the last call. */
const written = () =>
  home.driver.writes
    .splice(0)
    .flat()
    .flatMap(({ iid, value }) => (iid === TEMPERATURE ? [value] : []));
const follows = () => {
  const { lamps } = home.adaptiveLighting.get(systemCaller, home.home.id);
  return lamps.find(({ record }) => record.accessoryId === home.named(NAME).id)?.status;
};
const begin = async () => {
  expect(await write(day())).toHaveProperty('value');
  await home.clock.advance(0);
};
/** A controller pairs, as a HAP server stores it. */
const pair = () => bridge().deps.controllers.put({ identifier: 'phone', publicKey: Buffer.alloc(32), isAdmin: true });

describe('a lamp with a colour temperature on a bridge', () => {
  it('offers adaptive lighting for its published ids, reachable or not; others do not', async () => {
    const { temperatureIid } = iids();
    const supported = () => {
      const read = lamp().read(SUPPORTED);
      return read.ok && supportsTemperature(read.value, temperatureIid);
    };
    expect(supported()).toBe(true);
    expect(lamp().characteristic(CONTROL).permissions).toEqual(['pr', 'pw', 'wr']);
    expect([lamp().read(CONTROL), count()]).toEqual([{ ok: true, value: '' }, 0]);
    home.driver.setReachable(DEVICE, false);
    expect(supported()).toBe(true);
    expect(() => publishedNamed(home, 'Lamp').characteristic(SUPPORTED)).toThrow('no characteristic');
  });

  it('follows a day from the moment it is written, by its brightness', async () => {
    written();
    const { sent } = bridge();
    sent.length = 0;
    await begin();
    expect(written()).toEqual([200]);
    expect([count(), follows()]).toEqual([1, 'following']);
    expect(sent).toContainEqual({ aid: lamp().aid, iid: lamp().characteristic(COUNT).iid, value: 1 });
    expect(lamp().read(CONTROL)).not.toEqual({ ok: true, value: '' });
    await home.clock.advance(72 * MINUTE_MS);
    expect(written()).toEqual([201, 202]);
    home.driver.event(DEVICE, '1', BRIGHTNESS, 50);
    await home.clock.advance(2_000);
    expect(written()).toEqual([227]);
  });

  it('reports its colour to controllers no more often than the day asks for', async () => {
    const colours = () => bridge().sent.filter(({ iid }) => iid === iids().temperatureIid).length;
    await begin();
    home.driver.event(DEVICE, '1', TEMPERATURE, 200);
    expect(colours()).toBe(1);
    home.driver.event(DEVICE, '1', TEMPERATURE, 201);
    await home.clock.advance(9 * MINUTE_MS);
    home.driver.event(DEVICE, '1', TEMPERATURE, 200);
    expect(colours()).toBe(1);
    await home.clock.advance(MINUTE_MS);
    home.driver.event(DEVICE, '1', TEMPERATURE, 201);
    expect(colours()).toBe(2);
  });

  it.each<[string, () => unknown]>([
    ['a controller sets a colour', () => lamp().write('CE', 400)],
    ['someone sets a colour on the device', () => home.driver.event(DEVICE, '1', TEMPERATURE, 400)],
    [
      'someone switches it off in the relay',
      () =>
        home.control.setProperties(systemCaller, [
          { accessoryId: home.named(NAME).id, settings: { adaptive_lighting: false } },
        ]),
    ],
    ['the controller ends it', () => write(encodeRemoval(iids().temperatureIid))],
    ['its time is over', () => home.clock.advance(SCHEDULE_LENGTH_MS + 2 * MINUTE_MS)],
    ['the last controller is removed', () => bridge().deps.controllers.remove('phone')],
  ])('stops when %s, also for the next start', async (_what, end) => {
    pair();
    await begin();
    await home.clock.advance(MINUTE_MS);
    written();
    const { sent } = bridge();
    sent.length = 0;
    await end();
    await home.clock.advance(0);
    expect([count(), follows()]).toEqual([0, 'off']);
    expect(sent).toContainEqual({ aid: lamp().aid, iid: lamp().characteristic(COUNT).iid, value: 0 });
    await home.publications.pause(systemCaller, publicationId);
    await home.publications.resume(systemCaller, publicationId);
    expect(count()).toBe(0);
  });

  it('goes on after the bridge was closed, and not meanwhile', async () => {
    await begin();
    await home.publications.pause(systemCaller, publicationId);
    expect(follows()).toBe('off');
    await home.clock.advance(36 * MINUTE_MS);
    written();
    await home.publications.resume(systemCaller, publicationId);
    await home.clock.advance(0);
    expect([count(), follows(), written()]).toEqual([1, 'following', [201]]);
    await home.publications.reset(systemCaller, publicationId);
    expect([count(), follows()]).toEqual([0, 'off']);
  });

  it('is back on the home’s own day when a controller ends its own', async () => {
    home.adaptiveLighting.update(systemCaller, home.home.id, { enabled: true });
    await begin();
    await write(encodeRemoval(iids().temperatureIid));
    await home.clock.advance(0);
    expect([count(), follows()]).toEqual([0, 'following']);
  });

  it('gives way to another day, of this bridge or of another one', async () => {
    await begin();
    const changes: unknown[] = [];
    home.bus.on('state.changed', ({ type, value }) => {
      if (type === CHARACTERISTIC.adaptiveLighting) changes.push(value);
    });
    bridge().sent.length = 0;
    await write(day(300));
    await home.clock.advance(0);
    expect([count(), written().at(-1), changes]).toEqual([1, 300, []]);
    const countIid = lamp().characteristic(COUNT).iid;
    expect(bridge().sent.flatMap(({ iid, value }) => (iid === countIid ? [value] : []))).toEqual([1]);
    await home.publish({ name: 'Other' });
    const other = publishedNamed(home, NAME, 'Other');
    expect(await other.write(CONTROL, day(250))).toHaveProperty('value');
    await home.clock.advance(0);
    expect([count(), other.read(COUNT), written().at(-1)]).toEqual([0, { ok: true, value: 1 }, 250]);
  });

  it('ends when the lamp is removed, and nothing of it stays stored', async () => {
    const stored = () => home.database.prepare('SELECT count(*) AS count FROM homekit_days').get();
    await begin();
    expect(stored()).toEqual({ count: 1 });
    await home.pairings.unpair(systemCaller, DEVICE);
    expect(stored()).toEqual({ count: 0 });
  });

  it('ends for controllers when it can’t be stored', async () => {
    home.database.exec("CREATE TRIGGER full BEFORE INSERT ON homekit_days BEGIN SELECT RAISE(FAIL, 'full'); END");
    expect(await write(day())).toBe(-70407);
    await home.clock.advance(0);
    expect([count(), follows()]).toEqual([0, 'off']);
  });

  it('refuses what is no day, and what can’t be written', async () => {
    await begin();
    for (const value of ['', 'AQ==', 'AgA=', 1, encodeRemoval('999')]) expect(await write(value)).toBe(-70410);
    expect([count(), await lamp().write(COUNT, 1), await lamp().write(SUPPORTED, '')]).toEqual([1, -70404, -70404]);
  });
});
