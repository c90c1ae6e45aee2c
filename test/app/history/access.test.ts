import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Caller } from '../../../src/app/access/caller.ts';
import type { Accessory, Home } from '../../../src/home/model.ts';
import { lamp } from '../../support/sample-accessories.ts';
import {
  callerOf,
  createTestHome,
  systemCaller,
  type TestHome,
  tokenCaller,
  userCaller,
} from '../../support/test-home.ts';

let test: TestHome;
let own: { home: Home; lamp: Accessory; other: Accessory };
let foreign: { home: Home; lamp: Accessory };

beforeEach(async () => {
  test = createTestHome({
    roles: {
      roleOf: (user, homeId) =>
        user === 'viewer' && homeId === own.home.id
          ? 'view'
          : user === 'admin' && homeId === own.home.id
            ? 'admin'
            : undefined,
      homesOf: () => [own.home.id],
    },
  });
  const furnish = (name: string, devices: readonly string[]) => {
    const home = test.homes.create(systemCaller, { name });
    devices.forEach((device, index) => {
      const deviceId = `${name === 'Ownhouse' ? 'AA' : 'BB'}:00:00:00:00:0${index}`;
      test.driver.attach(home.id, { deviceId, name: device, setupCode: '031-45-154', accessories: [lamp(device)] });
    });
    return home;
  };
  const ownHome = furnish('Ownhouse', ['Ownlamp', 'Otherlamp']);
  own = { home: ownHome, lamp: test.named('Ownlamp'), other: test.named('Otherlamp') };
  foreign = { home: furnish('Farhouse', ['Farlamp']), lamp: test.named('Farlamp') };
  for (const { id } of [own.home, foreign.home]) test.history.setEnabled(systemCaller, id, true);
  await test.clock.advance(1000);
});
afterEach(() => test.close());

function shareOf(...accessories: readonly Accessory[]): Caller {
  const accessoryIds = new Set(accessories.map(({ id }) => id));
  return callerOf({
    kind: 'share_link',
    shareHash: 'hash',
    homeIds: new Set([own.home.id]),
    role: 'control',
    accessoryIds,
  });
}

function query(caller: Caller, homeId: string, accessoryId: string) {
  const series = [{ accessoryId, characteristicType: 'brightness' }];
  return test.history.query(caller, { homeId, series, fromTs: 0, toTs: test.clock.now() + 1 });
}

async function exportedFor(caller: Caller): Promise<string> {
  let text = '';
  for await (const chunk of (await test.history.export(caller, { homeId: own.home.id })).chunks) text += chunk;
  return text;
}

const code = (expected: string) => expect.objectContaining({ code: expected });

describe('who may view a home', () => {
  it('reads its history in every way', async () => {
    for (const caller of [userCaller('viewer'), tokenCaller({ [own.home.id]: 'view' })]) {
      const [series] = await query(caller, own.home.id, own.lamp.id);
      expect(series?.points.map(({ last }) => last)).toEqual([50]);
      const report = await test.history.report(caller, { accessory: 'ownlamp' });
      expect(report.accessory.id).toBe(own.lamp.id);
      expect((await test.history.series(caller, own.home.id)).length).toBeGreaterThan(2);
      expect(test.history.stats(caller, own.home.id).seriesCount).toBeGreaterThan(2);
      expect(await exportedFor(caller)).toContain(own.lamp.id);
    }
  });

  it('changes nothing about it and deletes nothing of it', async () => {
    const caller = userCaller('viewer');
    const name = { homeId: own.home.id, accessoryId: own.lamp.id, characteristicType: 'brightness' };
    const refused = code('insufficient_permissions');
    expect(() => test.history.setEnabled(caller, own.home.id, false)).toThrow(refused);
    expect(() => test.history.setShared(caller, own.home.id, true)).toThrow(refused);
    expect(() => test.history.setSeries(caller, { ...name, enabled: false })).toThrow(refused);
    await expect(test.history.purge(caller, name)).rejects.toEqual(refused);
    expect((await query(caller, own.home.id, own.lamp.id))[0]?.points).toHaveLength(1);
  });

  it('does not know of another home, nor of what is in it', async () => {
    const caller = userCaller('viewer');
    const missing = code('home_not_found');
    await expect(query(caller, foreign.home.id, foreign.lamp.id)).rejects.toEqual(missing);
    await expect(query(caller, own.home.id, foreign.lamp.id)).rejects.toEqual(code('accessory_not_found'));
    await expect(test.history.series(caller, foreign.home.id)).rejects.toEqual(missing);
    await expect(test.history.export(caller, { homeId: foreign.home.id })).rejects.toEqual(missing);
    await expect(test.history.purge(caller, { homeId: foreign.home.id })).rejects.toEqual(missing);
    expect(() => test.history.stats(caller, foreign.home.id)).toThrow(missing);
    for (const accessory of ['farlamp', foreign.lamp.id]) {
      await expect(test.history.report(caller, { accessory })).rejects.toThrow(
        `No accessory matches "${accessory}" in home "Ownhouse"`,
      );
    }
    await expect(test.history.report(caller, { accessory: 'lamp', home: 'farhouse' })).rejects.toThrow(
      'No home matches "farhouse"',
    );
  });
});

describe('an admin', () => {
  it('sets what is recorded and deletes what was', async () => {
    const caller = userCaller('admin');
    const name = { homeId: own.home.id, accessoryId: own.lamp.id, characteristicType: 'brightness' };
    expect(test.history.setSeries(caller, { ...name, deadband: 5 }).deadband).toBe(5);
    expect(await test.history.purge(caller, name)).toEqual({ deleted: 1 });
    expect(test.history.setEnabled(caller, own.home.id, false).enabled).toBe(false);
  });

  it('does not reach an accessory of another home by naming the own one', () => {
    const name = { homeId: own.home.id, accessoryId: foreign.lamp.id, characteristicType: 'brightness' };
    expect(() => test.history.setSeries(userCaller('admin'), { ...name, enabled: false })).toThrow(
      code('accessory_not_found'),
    );
  });
});

describe('a share link', () => {
  it('sees no history while its home does not share it', async () => {
    const caller = shareOf(own.lamp);
    const refused = code('insufficient_permissions');
    await expect(query(caller, own.home.id, own.lamp.id)).rejects.toEqual(refused);
    await expect(test.history.report(caller, { accessory: 'ownlamp' })).rejects.toEqual(refused);
    await expect(test.history.series(caller, own.home.id)).rejects.toEqual(refused);
    await expect(test.history.export(caller, { homeId: own.home.id })).rejects.toEqual(refused);
    expect(() => test.history.stats(caller, own.home.id)).toThrow(code('home_not_found'));
    expect(() => test.history.home(caller, own.home.id)).toThrow(code('home_not_found'));
  });

  it('sees its own accessories and nothing else once it does', async () => {
    test.history.setShared(systemCaller, own.home.id, true);
    const caller = shareOf(own.lamp);
    expect((await query(caller, own.home.id, own.lamp.id))[0]?.points).toHaveLength(1);
    expect((await test.history.report(caller, { accessory: 'lamp' })).accessory.id).toBe(own.lamp.id);
    await expect(query(caller, own.home.id, own.other.id)).rejects.toEqual(code('accessory_not_found'));
    await expect(test.history.report(caller, { accessory: 'otherlamp' })).rejects.toEqual(code('accessory_not_found'));
    await expect(query(caller, foreign.home.id, foreign.lamp.id)).rejects.toEqual(code('home_not_found'));
    const names = new Set((await test.history.series(caller, own.home.id)).map(({ accessoryName }) => accessoryName));
    expect(names).toEqual(new Set(['Ownlamp']));
    const text = await exportedFor(caller);
    expect(text).toContain(own.lamp.id);
    expect(text).not.toContain(own.other.id);
  });

  it('sees a group only if all of it is shared', async () => {
    test.history.setShared(systemCaller, own.home.id, true);
    const accessoryIds = [own.lamp.id, own.other.id];
    const group = test.serviceGroups.create(systemCaller, { homeId: own.home.id, name: 'Ceiling', accessoryIds });
    await test.clock.advance(1000);
    await expect(query(shareOf(own.lamp), own.home.id, group.id)).rejects.toEqual(code('accessory_not_found'));
    expect((await query(shareOf(own.lamp, own.other), own.home.id, group.id))[0]?.points).toHaveLength(1);
  });

  it('changes and deletes nothing, with every role', async () => {
    test.history.setShared(systemCaller, own.home.id, true);
    const caller = shareOf(own.lamp);
    expect(() => test.history.setEnabled(caller, own.home.id, false)).toThrow(code('home_not_found'));
    await expect(test.history.purge(caller, { homeId: own.home.id })).rejects.toEqual(code('home_not_found'));
  });
});

describe('while a home’s history is off', () => {
  it('its queries are empty, and what was recorded before can still be exported', async () => {
    await query(systemCaller, own.home.id, own.lamp.id);
    test.history.setEnabled(systemCaller, own.home.id, false);
    const [series] = await query(systemCaller, own.home.id, own.lamp.id);
    expect(series).toMatchObject({ kind: 'numeric', points: [], prevValue: null, summary: null });
    expect(await exportedFor(systemCaller)).toContain(own.lamp.id);
  });
});

describe('a query', () => {
  const ask = (changes: object) =>
    test.history.query(systemCaller, {
      homeId: own.home.id,
      series: [{ accessoryId: own.lamp.id, characteristicType: 'brightness' }],
      fromTs: 0,
      toTs: test.clock.now(),
      ...changes,
    });

  it.each([
    ['no series', { series: [] }],
    ['seven series', { series: Array.from({ length: 7 }, () => ({ accessoryId: 'x', characteristicType: 'on' })) }],
    ['an end before its beginning', { fromTs: 10, toTs: 10 }],
    ['a time that is none', { fromTs: Number.NaN }],
    ['a time before all times', { fromTs: -1 }],
    ['an unknown resolution', { resolution: 'yearly' }],
    ['points that are no number', { maxPoints: 'many' }],
  ])('with %s is refused', async (_, changes) => {
    await expect(ask(changes)).rejects.toEqual(code('invalid_value'));
  });

  it('for what is never recorded is refused by name', async () => {
    const series = [{ accessoryId: own.lamp.id, characteristicType: 'identify' }];
    await expect(ask({ series })).rejects.toThrow('Characteristic "identify" is not recordable on Ownlamp');
  });

  it('takes every spelling, and a simplified property', async () => {
    const spellings = ['power_state', 'on', 'PowerState', '25', 'public.hap.characteristic.on', 'ON'];
    for (const characteristicType of spellings) {
      const [series] = await ask({ series: [{ accessoryId: own.lamp.id.toUpperCase(), characteristicType }] });
      expect(series).toMatchObject({ accessoryId: own.lamp.id, characteristicType: 'power_state', kind: 'bool' });
    }
  });
});
