import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ServiceGroupStore } from '../../../src/app/groups/service-group-store.ts';
import { LayoutStore } from '../../../src/app/layout/layout-store.ts';
import type { ServiceGroup } from '../../../src/home/model.ts';
import { characteristic, doorLock, information, lamp, plainSwitch, service } from '../../support/sample-accessories.ts';
import { createTempDirectory } from '../../support/temp-directory.ts';
import { createTestHome, systemCaller, type TestHome, tokenCaller } from '../../support/test-home.ts';

const FIRST = '20:00:00:00:00:01';
const SECOND = '20:00:00:00:00:02';
const STRIP = '20:00:00:00:00:03';

/** A power strip: two sockets, on (iid 9) and on (iid 21). */
const strip = {
  ...plainSwitch('Strip'),
  services: [
    information('Strip'),
    service('8', '47', [characteristic('9', '25', 'bool', false)]),
    service('20', '47', [characteristic('21', '25', 'bool', false)]),
  ],
};
/** Without brightness. */
const plainLamp = {
  ...plainSwitch('Bulb'),
  services: [information('Bulb'), service('8', '43', [characteristic('9', '25', 'bool', false)])],
};

let home: TestHome;

function attach(test: TestHome): void {
  const device = (deviceId: string, accessory: ReturnType<typeof lamp>) =>
    test.driver.attach(test.home.id, {
      deviceId,
      name: accessory.name,
      setupCode: '031-45-154',
      accessories: [accessory],
    });
  device(FIRST, lamp('Left'));
  device(SECOND, plainLamp);
  device(STRIP, strip);
}

beforeEach(() => {
  home = createTestHome({ sample: true });
  attach(home);
});
afterEach(() => home.close());

function ids(...names: string[]): string[] {
  return names.map((name) => home.named(name).id);
}

function create(name: string, ...accessories: string[]): ServiceGroup {
  return home.serviceGroups.create(systemCaller, { homeId: home.home.id, name, accessoryIds: ids(...accessories) });
}

/** What went to the driver, by accessory. */
function written(): unknown[] {
  return (home.driver.writes.at(-1) ?? []).map(({ address, iid, value }) => [address.source, iid, value]);
}

describe('creating a group', () => {
  it('takes accessories by their main service, services by their ids, and keeps the order', () => {
    const lamps = create('Ceiling', 'Left', 'Bulb', 'Lamp');
    expect(lamps).toMatchObject({ name: 'Ceiling', kind: 'light', homeId: home.home.id });
    expect(lamps.members.map(({ accessoryId }) => accessoryId)).toEqual(ids('Left', 'Bulb', 'Lamp'));
    const [id = ''] = ids('Strip');
    const sockets = home.serviceGroups.create(systemCaller, {
      homeId: home.home.id,
      name: 'Sockets',
      serviceIds: [`${id.toUpperCase()}.20`, `${id}.8`],
    });
    expect(sockets).toMatchObject({ kind: 'outlet' });
    expect(sockets.members).toEqual([
      { accessoryId: id, serviceIid: '20' },
      { accessoryId: id, serviceIid: '8' },
    ]);
  });

  it.each([
    ['no member', {}, 'at least one member'],
    ['an empty list', { accessoryIds: [] }, 'at least one member'],
    ['several kinds', () => ({ accessoryIds: ids('Lamp', 'Heater') }), '"Heater" is no light'],
    [
      'several kinds of services',
      () => ({ serviceIds: [`${ids('Lamp')}.8`, `${ids('Strip')}.8`] }),
      '"Strip" is no light',
    ],
    ['what can’t be grouped', () => ({ accessoryIds: ids('Front Door') }), '"Front Door" can\'t be in a service group'],
    ['an accessory twice', () => ({ accessoryIds: ids('Lamp', 'Lamp') }), 'is listed twice'],
    [
      'a service twice',
      () => ({ accessoryIds: ids('Lamp'), serviceIds: [`${ids('Lamp')}.8`] }),
      '"Lamp" is named twice',
    ],
    ['a service that is not there', () => ({ serviceIds: [`${ids('Lamp')}.99`] }), '"Lamp" has no service'],
    ['a service of no kind', () => ({ serviceIds: [`${ids('Lamp')}.1`] }), '"Lamp" can\'t be in a service group'],
    ['no list', { accessoryIds: 'Lamp' }, 'give a list of ids'],
    ['more than it takes', { accessoryIds: Array.from({ length: 201 }, (_, n) => `${n}`) }, 'at most 200'],
  ])('refuses %s', (_, members, sentence) => {
    const given = typeof members === 'function' ? members() : members;
    const input = { homeId: home.home.id, name: 'Group', ...given };
    expect(() => home.serviceGroups.create(systemCaller, input)).toThrow(
      expect.objectContaining({ code: 'invalid_value', message: expect.stringContaining(sentence) }),
    );
    expect(home.state.serviceGroups.list(home.home.id)).toEqual([]);
  });

  it('refuses accessories of another home, as if they did not exist', () => {
    const other = home.homes.create(systemCaller, { name: 'Cottage' });
    for (const accessoryId of [...ids('Lamp').slice(0, 1), '00000000-0000-4000-8000-000000000000']) {
      expect(() =>
        home.serviceGroups.create(systemCaller, { homeId: other.id, name: 'Group', accessoryIds: [accessoryId] }),
      ).toThrow(expect.objectContaining({ code: 'accessory_not_found' }));
    }
  });

  it('refuses a name that is taken in this home, ignoring case; another home may use it', () => {
    const group = create('Ceiling', 'Lamp');
    expect(() => create('CEILING ', 'Left')).toThrow(expect.objectContaining({ code: 'conflict' }));
    expect(home.serviceGroups.update(systemCaller, group.id, { name: 'ceiling' }).name).toBe('ceiling');
    const other = home.homes.create(systemCaller, { name: 'Cottage' });
    home.driver.attach(other.id, {
      deviceId: '30:00:00:00:00:01',
      name: 'X',
      setupCode: '',
      accessories: [lamp('Far')],
    });
    const far = { homeId: other.id, name: 'Ceiling', accessoryIds: ids('Far') };
    expect(home.serviceGroups.create(systemCaller, far).homeId).toBe(other.id);
  });

  it('keeps members that are away when it is changed, but takes no new ones', async () => {
    const group = create('Ceiling', 'Left', 'Bulb', 'Lamp');
    const [left = '', bulb = '', own = ''] = group.members.map(({ accessoryId }) => accessoryId);
    await home.driver.unpair(FIRST, true);
    const update = (changes: object) => home.serviceGroups.update(systemCaller, group.id, changes).members;
    expect(update({ accessoryIds: [own, left] })).toEqual([group.members[2], group.members[0]]);
    expect(update({ serviceIds: [`${left}.8`, `${bulb}.8`] })).toEqual([group.members[0], group.members[1]]);
    expect(() => update({ serviceIds: [`${left}.9`] })).toThrow('Accessory not found');
    expect(update({ serviceIds: [`${bulb}.8`] })).toEqual([group.members[1]]);
    expect(() => update({ accessoryIds: [bulb, left] })).toThrow('Accessory not found');
    expect(() => home.serviceGroups.update(systemCaller, group.id, { accessoryIds: ids('Heater') })).not.toThrow();
    expect(home.serviceGroups.get(systemCaller, group.id).kind).toBe('switch');
  });

  it('takes no more than 200 in a home', () => {
    for (let n = 0; n < 200; n += 1) create(`Group ${n}`, 'Lamp');
    expect(() => create('One more', 'Lamp')).toThrow(expect.objectContaining({ code: 'conflict' }));
  });
});

describe('ids', () => {
  it('never end like one of an accessory or another group, nor accessories like groups', () => {
    const endings = new Set(home.state.accessories().map(({ id }) => id.slice(-4)));
    for (let n = 0; n < 150; n += 1) endings.add(create(`Group ${n}`, 'Lamp').id.slice(-4));
    expect(endings.size).toBe(home.state.accessories().length + 150);
    expect(new LayoutStore(home.database).idEndings(home.home.id)).toEqual(endings);
  });

  it('of accessories that come later give way to groups', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.integer({ min: 1, max: 0xffff }), { minLength: 1, maxLength: 40 }), (numbers) => {
        using directory = createTempDirectory('groups');
        const later = createTestHome({ path: directory.file('relay.db') });
        const accessories = numbers.map((n) => plainSwitch(`Switch ${n}`, String(n)));
        const device = { deviceId: '40:00:00:00:00:01', name: 'Bridge', setupCode: '', accessories };
        // As the accessories would be called if there were no group.
        later.driver.attach(later.home.id, device);
        const wanted = later.state.accessories().map(({ id }) => id.slice(-4));
        later.registry.forget(device.deviceId);
        later.database.prepare('DELETE FROM accessories').run();
        const insert = later.database.prepare(
          `INSERT INTO service_groups (id, home_id, name, name_key, kind, members, created_at) VALUES (?, ?, ?, ?, 'switch', '[]', 1)`,
        );
        for (const ending of wanted)
          insert.run(`00000000-0000-4000-8000-00000000${ending}`, later.home.id, ending, ending);
        later.registry.describe(later.home.id, device.deviceId, accessories);
        const given = later.state.accessories().map(({ id }) => id.slice(-4));
        later.close();
        expect(new Set([...given, ...wanted]).size).toBe(given.length + wanted.length);
      }),
      { numRuns: 5 },
    );
  });
});

describe('setting a group', () => {
  it('writes every member in one go and reports how many took it', async () => {
    const group = create('Ceiling', 'Lamp', 'Left', 'Bulb');
    const result = await home.serviceGroups.set(systemCaller, group.id, {
      characteristicType: 'power_state',
      value: 'true',
    });
    expect(result).toMatchObject({ success: true, groupId: group.id, affectedCount: 3, failed: 0, errors: [] });
    expect(result.outcomes).toHaveLength(3);
    expect(home.driver.writes).toHaveLength(1);
    expect(written()).toEqual([
      ['10:00:00:00:00:01', '9', true],
      [FIRST, '9', true],
      [SECOND, '9', true],
    ]);
  });

  it('takes every spelling, and leaves alone members that have no such characteristic', async () => {
    const group = create('Ceiling', 'Bulb', 'Lamp', 'Left');
    for (const characteristicType of ['brightness', 'public.hap.characteristic.brightness', '8', 'Brightness']) {
      const result = await home.serviceGroups.set(systemCaller, group.id, { characteristicType, value: 40 });
      expect(result).toMatchObject({ success: true, affectedCount: 2, failed: 0 });
    }
    expect(written()).toEqual([
      ['10:00:00:00:00:01', '10', 40],
      [FIRST, '10', 40],
    ]);
  });

  it('reaches the very services that are members', async () => {
    const group = home.serviceGroups.create(systemCaller, {
      homeId: home.home.id,
      name: 'Second socket',
      serviceIds: [`${ids('Strip')}.20`],
    });
    await home.serviceGroups.set(systemCaller, group.id, { characteristicType: 'on', value: true });
    expect(written()).toEqual([[STRIP, '21', true]]);
    await home.serviceGroups.setProperties(systemCaller, [{ accessoryId: group.id, settings: { on: false } }]);
    expect(written()).toEqual([[STRIP, '21', false]]);
  });

  it('reaches virtual switches like real ones', async () => {
    home.virtuals.create(systemCaller, { homeId: home.home.id, name: 'Holiday', type: 'input_boolean' });
    const group = create('Switches', 'Heater', 'Holiday');
    const result = await home.serviceGroups.set(systemCaller, group.id, { characteristicType: 'on', value: true });
    expect(result).toMatchObject({ success: true, affectedCount: 2 });
    const values = group.members.map(({ accessoryId }) =>
      home.control.getCharacteristic(systemCaller, { accessoryId, characteristicType: 'on' }),
    );
    expect(values.map(({ value }) => value)).toEqual([true, true]);
    const [outcome] = await home.serviceGroups.setProperties(systemCaller, [
      { accessoryId: group.id, settings: { on: false } },
    ]);
    expect(outcome?.settings).toEqual([{ property: 'on', ok: true, value: false }]);
  });

  it('goes on past members that refuse or are gone, and names them', async () => {
    const group = create('Ceiling', 'Lamp', 'Left', 'Bulb');
    home.driver.setReachable(FIRST, false);
    await home.driver.unpair(SECOND, true);
    const result = await home.serviceGroups.set(systemCaller, group.id, { characteristicType: 'on', value: true });
    expect(result).toMatchObject({
      success: false,
      affectedCount: 1,
      failed: 2,
      errors: ['Left: Accessory unreachable', 'Bulb: Accessory not found'],
    });
    expect(result.outcomes.map((outcome) => (outcome.ok ? 'ok' : outcome.code))).toEqual([
      'ok',
      'accessory_unreachable',
      'accessory_not_found',
    ]);
    // It may come back, within 30 days with the same id.
    expect(home.serviceGroups.get(systemCaller, group.id).members).toHaveLength(3);
    home.driver.attach(home.home.id, { deviceId: SECOND, name: 'Bulb', setupCode: '', accessories: [plainLamp] });
    home.driver.setReachable(FIRST, true);
    const again = await home.serviceGroups.set(systemCaller, group.id, { characteristicType: 'on', value: true });
    expect(again).toMatchObject({ success: true, affectedCount: 3 });
  });

  it('does not succeed if no member is left', async () => {
    const group = create('Pair', 'Left', 'Bulb');
    await home.driver.unpair(FIRST, true);
    await home.driver.unpair(SECOND, true);
    const result = await home.serviceGroups.set(systemCaller, group.id, { characteristicType: 'on', value: true });
    expect(result).toMatchObject({ success: false, affectedCount: 0, failed: 2 });
    expect(home.driver.writes).toHaveLength(0);
  });

  it('refuses, before anything is sent, what no member takes', async () => {
    const group = create('Ceiling', 'Lamp', 'Bulb');
    const set = (characteristicType: string, value: unknown) =>
      home.serviceGroups.set(systemCaller, group.id, { characteristicType, value });
    await expect(set('brightness', 101)).rejects.toMatchObject({ code: 'invalid_value' });
    await expect(set('lock_target_state', 1)).rejects.toMatchObject({ code: 'characteristic_not_found' });
    home.homes.update(systemCaller, home.home.id, { paused: true });
    await expect(set('on', true)).rejects.toMatchObject({ code: 'relay_not_connected' });
    expect(home.driver.writes).toEqual([]);
  });

  it('of groups and accessories together is one write, the last word on a characteristic being the one that counts', async () => {
    const group = create('Ceiling', 'Lamp', 'Left');
    const [left = ''] = ids('Left');
    const outcomes = await home.serviceGroups.setProperties(systemCaller, [
      { accessoryId: group.id, settings: { brightness: 40, on: true } },
      { accessoryId: left, settings: { brightness: 70 } },
      { accessoryId: ids('Heater')[0] ?? '', settings: { on: true } },
    ]);
    expect(outcomes.map(({ settings }) => settings.every(({ ok }) => ok))).toEqual([true, true, true]);
    expect(home.driver.writes).toHaveLength(1);
    expect(home.state.characteristic({ accessoryId: left, iid: '10' })?.value).toBe(70);
    expect(home.state.characteristic({ accessoryId: ids('Lamp')[0] ?? '', iid: '10' })?.value).toBe(40);
  });
});

describe('one request', () => {
  it('reports the result of a member that describes itself again meanwhile', async () => {
    const group = create('Ceiling', 'Left');
    home.driver.scriptWrites(({ value }) => {
      home.driver.describe(FIRST, [{ ...strip, name: 'Left' }]);
      return { value };
    });
    const [outcome] = await home.serviceGroups.setProperties(systemCaller, [
      { accessoryId: group.id, settings: { on: true } },
    ]);
    expect(outcome?.settings).toEqual([{ property: 'on', ok: true, value: true }]);
  });

  it('is refused whole where it names large groups too often', async () => {
    const group = create('Ceiling', 'Lamp', 'Left', 'Bulb');
    const items = Array.from({ length: 3_334 }, () => ({ accessoryId: group.id, settings: { on: true } }));
    await expect(home.serviceGroups.setProperties(systemCaller, items)).rejects.toMatchObject({
      code: 'invalid_request',
    });
    expect(home.driver.writes).toEqual([]);
    const [first] = await home.serviceGroups.setProperties(systemCaller, items.slice(1));
    expect(first?.settings).toEqual([{ property: 'on', ok: true, value: true }]);
  });
});

describe('who may', () => {
  it('list, set and manage groups', async () => {
    const group = create('Ceiling', 'Lamp');
    const viewer = tokenCaller({ [home.home.id]: 'view' });
    const controller = tokenCaller({ [home.home.id]: 'control' });
    const stranger = tokenCaller({});
    expect(home.serviceGroups.list(viewer)).toEqual([group]);
    expect(home.serviceGroups.list(stranger)).toEqual([]);
    expect(() => home.serviceGroups.get(stranger, group.id)).toThrow('Service group not found');
    expect(() => home.serviceGroups.list(stranger, home.home.id)).toThrow('Home not found');
    const write = { characteristicType: 'on', value: true };
    await expect(home.serviceGroups.set(viewer, group.id, write)).rejects.toMatchObject({
      code: 'insufficient_permissions',
    });
    expect(await home.serviceGroups.set(controller, group.id, write)).toMatchObject({ success: true });
    expect(() => home.serviceGroups.update(controller, group.id, { name: 'X' })).toThrow('Insufficient permissions');
    expect(() => home.serviceGroups.delete(controller, group.id)).toThrow('Insufficient permissions');
    const refusal = async (caller: typeof viewer) => {
      const item = { accessoryId: group.id, settings: { on: true } };
      const [outcome] = await home.serviceGroups.setProperties(caller, [item]);
      return outcome?.settings.map((setting) => (setting.ok ? 'ok' : setting.code));
    };
    expect(await refusal(viewer)).toEqual(['insufficient_permissions']);
    expect(await refusal(stranger)).toEqual(['accessory_not_found']);
  });
});

describe('groups on disk', () => {
  it('are there again after a restart', () => {
    using directory = createTempDirectory('groups');
    const path = directory.file('relay.db');
    const before = createTestHome({ path, sample: true });
    const group = before.serviceGroups.create(systemCaller, {
      homeId: before.home.id,
      name: 'Ceiling',
      accessoryIds: [before.named('Lamp').id],
    });
    before.database.close();
    const after = createTestHome({ path });
    expect(after.serviceGroups.list(systemCaller)).toEqual([group]);
    after.serviceGroups.delete(systemCaller, group.id);
    expect(after.serviceGroups.list(systemCaller)).toEqual([]);
    expect(new ServiceGroupStore(after.database).load()).toEqual([]);
    after.close();
  });

  it('keep their name where their members can’t be read any more', () => {
    const group = create('Ceiling', 'Lamp');
    const store = new ServiceGroupStore(home.database);
    for (const rotten of ['', '{}', '[1,null,{"accessoryId":1}]', '[{"accessoryId":"a"']) {
      home.database.prepare('UPDATE service_groups SET members = ?').run(rotten);
      expect(store.load()).toEqual([{ ...group, members: [] }]);
    }
  });

  it('go with their home', async () => {
    const other = home.homes.create(systemCaller, { name: 'Cottage' });
    home.driver.attach(other.id, {
      deviceId: '30:00:00:00:00:01',
      name: 'X',
      setupCode: '',
      accessories: [doorLock('Far'), lamp('Out', '2')],
    });
    home.serviceGroups.create(systemCaller, { homeId: other.id, name: 'Out', accessoryIds: ids('Out') });
    await home.driver.unpair('30:00:00:00:00:01', true);
    home.homes.delete(systemCaller, other.id);
    expect(new ServiceGroupStore(home.database).load()).toEqual([]);
    expect([...home.state.serviceGroups.all()]).toEqual([]);
  });
});
