import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AdaptiveLightingChanges } from '../../../src/contract/adaptive-lighting.ts';
import { scheduledLamp, whiteLamp } from '../../support/sample-accessories.ts';
import { TestClock } from '../../support/test-clock.ts';
import { createTestHome, systemCaller, type TestHome } from '../../support/test-home.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const [ONE, TWO] = ['20:00:00:00:00:01', '20:00:00:00:00:02'] as const;
const [POWER, BRIGHTNESS, HUE, TEMPERATURE] = ['9', '10', '11', '13'] as const;

let test: TestHome;
let directory: string | undefined;

/** A home in Berlin at noon in June, with two lamps that are off. */
function open(path?: string, clock = new TestClock('2026-06-21T11:00:00Z')): void {
  test = createTestHome({ clock, ...(path !== undefined && { path }) });
  test.lampFollower.start();
  attach(ONE, 'One');
  attach(TWO, 'Two');
}

function attach(deviceId: string, name: string): void {
  test.driver.attach(test.home.id, { deviceId, name, setupCode: '031-45-154', accessories: [whiteLamp(name)] });
}

const update = (changes: AdaptiveLightingChanges) => test.adaptiveLighting.update(systemCaller, test.home.id, changes);
const event = (iid: string, value: boolean | number, device: string = ONE) =>
  test.driver.event(device, '1', iid, value);
const set = (settings: Record<string, unknown>, name = 'One') =>
  test.control.setProperties(systemCaller, [{ accessoryId: test.named(name).id, settings }]);
const temperature = (name = 'One') =>
  test.state.characteristic({ accessoryId: test.named(name).id, iid: TEMPERATURE })?.value;
const statusOf = (name = 'One') => {
  const { lamps } = test.adaptiveLighting.get(systemCaller, test.home.id);
  return lamps.find(({ record }) => record.accessoryId === test.named(name).id)?.status;
};
const follows = (name = 'One') =>
  test
    .named(name)
    .services.flatMap(({ characteristics }) => characteristics)
    .find(({ type }) => type.startsWith('48440107'))?.value;
/** The mireds written since the last call, one list a driver write. */
const written = (): readonly (readonly unknown[])[] =>
  test.driver.writes
    .splice(0)
    .map((writes) => writes.filter(({ iid }) => iid === TEMPERATURE).map(({ value }) => value));

async function followInBerlin(changes: AdaptiveLightingChanges = {}): Promise<void> {
  test.homes.update(systemCaller, test.home.id, {
    timeZone: 'Europe/Berlin',
    location: { latitude: 52.52, longitude: 13.405 },
  });
  update({ enabled: true, coldest: 200, warmest: 400, ...changes });
  await test.clock.advance(0);
}

describe('lamps that follow the day', () => {
  beforeEach(() => open());
  afterEach(() => {
    test.lampFollower.stop();
    test.close();
    if (directory !== undefined) rmSync(directory, { recursive: true });
    directory = undefined;
  });

  it('do so only if someone wants it', async () => {
    event(POWER, true);
    await test.clock.advance(HOUR_MS);
    expect(written()).toEqual([]);
    expect(follows()).toBe(false);
  });

  it('get the colour of the moment when they come on, all in one write', async () => {
    await followInBerlin();
    event(BRIGHTNESS, 100);
    event(BRIGHTNESS, 10, TWO);
    event(POWER, true);
    event(POWER, true, TWO);
    await test.clock.advance(0);
    expect(written()).toEqual([[200, 245]]);
    expect(follows()).toBe(true);
  });

  it('get their colour in the request that turns them on through the relay, for the brightness of that request', async () => {
    await followInBerlin();
    await set({ on: true, brightness: 100 });
    await test.clock.advance(0);
    expect(written()).toEqual([[200]]);
    await set({ on: true }, 'Two');
    expect(written()).toEqual([[225]]);
    await test.clock.advance(10 * MINUTE_MS);
    expect(written()).toEqual([]);
  });

  it('get another colour about once a minute, only when it differs by a step', async () => {
    await followInBerlin();
    event(POWER, true);
    await test.clock.advance(0);
    written();
    await test.clock.advance(2 * HOUR_MS);
    expect(written()).toEqual([]);
    await test.clock.advance(6 * HOUR_MS);
    const values = written().map(([value]) => value as number);
    expect(values.length).toBeGreaterThan(100);
    expect(values.length).toBeLessThan(361);
    expect(values).toEqual([...new Set(values)].sort((a, b) => a - b));
  });

  it('are as warm as their brightness asks for, soon after it changed', async () => {
    await followInBerlin();
    event(POWER, true);
    await test.clock.advance(0);
    for (const brightness of [90, 70, 40, 10]) event(BRIGHTNESS, brightness);
    written();
    await test.clock.advance(1_000);
    expect(written()).toEqual([[245]]);
    expect(statusOf()).toBe('following');
  });

  it('are not written to while they are off, unreachable, or their home is paused', async () => {
    await followInBerlin();
    event(POWER, true);
    await test.clock.advance(0);
    test.driver.setReachable(ONE, false);
    written();
    await test.clock.advance(8 * HOUR_MS);
    expect(written()).toEqual([]);
    test.registry.setConnected(test.home.id, false);
    test.driver.setReachable(ONE, true);
    await test.clock.advance(MINUTE_MS);
    expect(written()).toEqual([]);
    test.registry.setConnected(test.home.id, true);
    await test.clock.advance(0);
    expect(written().length).toBe(1);
    event(POWER, false);
    await test.clock.advance(HOUR_MS);
    expect(written()).toEqual([]);
  });

  describe('that run schedules by themselves', () => {
    const THREE = '20:00:00:00:00:03';
    const statusAfter = async (answer: 'busy' | 'unreachable' | 'invalid_value') => {
      const accessories = [scheduledLamp('Three')];
      test.driver.attach(test.home.id, { deviceId: THREE, name: 'Three', setupCode: '031-45-154', accessories });
      await followInBerlin();
      test.driver.scriptWrites(({ iid }) => (iid === '14' ? answer : { value: true }));
      event(POWER, true, THREE);
      await test.clock.advance(MINUTE_MS);
      test.driver.scriptWrites(undefined);
      await test.clock.advance(6 * MINUTE_MS);
      const { lamps } = test.adaptiveLighting.get(systemCaller, test.home.id);
      const lamp = lamps.find(({ record }) => record.accessoryId === test.named('Three').id);
      return [lamp?.runBy, lamp?.record.scheduleAt !== null];
    };

    it.each(['busy', 'unreachable'] as const)('get it later while they are %s', async (answer) => {
      expect(await statusAfter(answer)).toEqual(['lamp', true]);
    });

    it('are left to the relay once they refused one', async () => {
      expect(await statusAfter('invalid_value')).toEqual(['relay', false]);
    });
  });

  it('wait longer each time after they refused a colour', async () => {
    await followInBerlin();
    test.driver.scriptWrites(({ iid }) => (iid === TEMPERATURE ? 'device_error' : { value: true }));
    event(POWER, true);
    await test.clock.advance(24 * HOUR_MS);
    expect(written().length).toBeLessThan(56);
    test.driver.scriptWrites(undefined);
    await test.clock.advance(30 * MINUTE_MS);
    expect(temperature()).toBeGreaterThan(200);
  });

  describe('pause', () => {
    beforeEach(async () => {
      await followInBerlin();
      event(POWER, true);
      await test.clock.advance(2 * MINUTE_MS);
      written();
    });

    it.each([
      ['color_temp', 300],
      ['hue', 120],
      ['saturation', 80],
    ])('when %s is set through the relay, until they were off', async (property, value) => {
      await set({ [property]: value });
      expect([statusOf(), follows()]).toEqual(['paused', false]);
      written();
      await test.clock.advance(10 * HOUR_MS);
      expect(written()).toEqual([]);
      event(POWER, false);
      expect([statusOf(), follows()]).toEqual(['following', true]);
      event(POWER, true);
      await test.clock.advance(0);
      expect(written().length).toBe(1);
    });

    it('when the device reports a colour that is not ours', () => {
      event(TEMPERATURE, 350);
      expect([statusOf(), follows()]).toEqual(['paused', false]);
    });

    it('when the device reports a hue that is not ours', () => {
      event(HUE, 200);
      expect(statusOf()).toBe('paused');
    });

    it('for the hours of the setting', async () => {
      update({ pauseHours: 2 });
      await set({ color_temp: 300 });
      await test.clock.advance(2 * HOUR_MS - MINUTE_MS);
      expect(statusOf()).toBe('paused');
      written();
      await test.clock.advance(2 * MINUTE_MS);
      expect(statusOf()).toBe('following');
      expect(written().length).toBeGreaterThan(0);
    });

    it('not by brightness, by what our own write led to, or by a colour that the device refused', async () => {
      event(BRIGHTNESS, 30);
      await test.clock.advance(2_000);
      event(TEMPERATURE, (temperature() as number) + 2);
      event(HUE, 8);
      test.driver.scriptWrites(() => 'invalid_value');
      await set({ color_temp: 300 });
      expect(statusOf()).toBe('following');
    });

    it('until someone switches adaptive lighting on again', async () => {
      await set({ color_temp: 300 });
      await set({ adaptive_lighting: true });
      expect([statusOf(), follows()]).toEqual(['following', true]);
      written();
      await test.clock.advance(0);
      expect(written()).toEqual([[225]]);
    });
  });

  describe('by the property adaptive_lighting', () => {
    it('follow, each alone, and keep no setting that is as the level above', async () => {
      const setting = () => test.adaptiveLighting.get(systemCaller, test.home.id).lamps.map((lamp) => lamp.setting);
      const [outcome] = await set({ adaptive_lighting: true });
      expect(outcome?.settings).toEqual([{ property: 'adaptive_lighting', ok: true, value: true }]);
      expect([follows('One'), follows('Two')]).toEqual([true, false]);
      expect(setting()).toEqual(['on', 'inherit']);
      await set({ adaptive_lighting: 'off' });
      expect(setting()).toEqual(['inherit', 'inherit']);
      expect(test.driver.writes).toEqual([]);
    });

    it('are switched even while they are unreachable', async () => {
      test.driver.setReachable(ONE, false);
      await set({ adaptive_lighting: true });
      expect(follows()).toBe(true);
    });
  });

  it('are as their room, and their room as the home', async () => {
    const room = test.rooms.create(systemCaller, { homeId: test.home.id, name: 'Studio' });
    test.accessories.update(systemCaller, test.named('One').id, { roomId: room.id });
    update({ enabled: true });
    test.adaptiveLighting.setRoom(systemCaller, room.id, { setting: 'off' });
    expect([statusOf('One'), statusOf('Two')]).toEqual(['off', 'following']);
    test.adaptiveLighting.setAccessory(systemCaller, test.named('One').id, { setting: 'on' });
    expect([statusOf('One'), follows('One')]).toEqual(['following', true]);
  });

  it('keep settings and pauses over a restart', async () => {
    directory = mkdtempSync(join(tmpdir(), 'hearthd-adaptive-'));
    const path = join(directory, 'relay.db');
    test.lampFollower.stop();
    test.close();
    open(path);
    await followInBerlin();
    event(POWER, true);
    await test.clock.advance(0);
    await set({ color_temp: 300 });
    const { clock } = test;
    test.lampFollower.stop();
    test.close();
    open(path, clock);
    event(POWER, true, TWO);
    await clock.advance(MINUTE_MS);
    expect([statusOf('One'), statusOf('Two')]).toEqual(['paused', 'following']);
    expect([follows('One'), follows('Two')]).toEqual([false, true]);
  });

  it('follow without a place too, and after the clock was set', async () => {
    test.homes.update(systemCaller, test.home.id, { timeZone: 'Europe/Berlin' });
    update({ enabled: true, coldest: 200, warmest: 400 });
    event(POWER, true);
    await test.clock.advance(0);
    expect(written()).toEqual([[225]]);
    test.clock.jumpWallClock(12 * HOUR_MS);
    await test.clock.advance(MINUTE_MS);
    expect(written()).toEqual([[400]]);
  });

  it('keep within what they can show', async () => {
    await followInBerlin({ coldest: 60, warmest: 900 });
    event(POWER, true);
    await test.clock.advance(0);
    expect(written()).toEqual([[153]]);
    await test.clock.advance(12 * HOUR_MS);
    expect(temperature()).toBe(454);
  });
});
