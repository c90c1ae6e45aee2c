/** What is in a share, for every type of entity; that nothing else is; and acting through it. */
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { OpenShare } from '../../../src/app/sharing/shares.ts';
import type { NewShare } from '../../../src/contract/shares.ts';
import { characteristic, information, lamp, service } from '../../support/sample-accessories.ts';
import { createTestHome, systemCaller, type TestHome } from '../../support/test-home.ts';
import { anonymousCaller, createUser } from '../../support/test-users.ts';

const STRIP = '20:00:00:00:00:01';
const CABIN_LAMP = '20:00:00:00:00:02';

let home: TestHome;
let cabinId: string;
beforeEach(() => {
  home = createTestHome({ sample: true });
  const homeId = home.home.id;
  const outlet = (iid: string, power: string) => service(iid, '47', [characteristic(power, '25', 'bool', false)]);
  const strip = {
    aid: '1',
    name: 'Strip',
    category: 7,
    services: [information('Strip'), outlet('8', '9'), outlet('12', '13')],
  };
  home.driver.attach(homeId, { deviceId: STRIP, name: 'Strip', setupCode: '', accessories: [strip] });
  cabinId = home.homes.create(systemCaller, { name: 'Cabin' }).id;
  home.driver.attach(cabinId, { deviceId: CABIN_LAMP, name: 'X', setupCode: '', accessories: [lamp('Far Lamp')] });
  home.registry.setConnected(cabinId, true);
});
afterEach(() => home.close());

const idOf = (name: string): string => home.named(name).id;

async function openNew(input: Partial<NewShare>, caller = systemCaller): Promise<OpenShare> {
  const created = await home.shares.create(caller, {
    entityType: 'home',
    entityId: home.home.id,
    accessType: 'public',
    role: 'control',
    ...input,
  });
  return home.shares.open(anonymousCaller(), { hash: created.shareHash });
}

const namesIn = (share: OpenShare): string[] => share.accessories().map(({ name }) => name);
const strip = () =>
  home.serviceGroups.create(systemCaller, { homeId: home.home.id, name: 'Left', serviceIds: [`${idOf('Strip')}.12`] });
const writes = () =>
  home.driver.writes.map((batch) => batch.map(({ address, iid, value }) => [address.source, iid, value]));

describe('what is in a share', () => {
  it('is one accessory, without what identifies its device', async () => {
    const share = await openNew({ entityType: 'accessory', entityId: idOf('Lamp') });
    expect(share).toMatchObject({ entityName: 'Lamp', homeName: 'My Home', homeIds: new Set([home.home.id]) });
    const [accessory] = share.accessories();
    expect(accessory).toMatchObject({ name: 'Lamp', address: { source: '', aid: '' } });
    expect(accessory?.services.map(({ type }) => type)).toEqual(['43']);
    expect(JSON.stringify(accessory)).not.toMatch(/SN-1|10:00:00/);
  });

  it('is what is in a room now, not when it was shared', async () => {
    const share = await openNew({ entityType: 'room', entityId: home.named('Lamp').roomId });
    expect(namesIn(share)).toEqual(['Lamp', 'Motion', 'Thermostat']);
    home.accessories.update(systemCaller, idOf('Kettle'), { roomId: home.named('Lamp').roomId });
    home.accessories.update(systemCaller, idOf('Motion'), { roomId: home.named('Heater').roomId });
    expect(namesIn(share)).toEqual(['Kettle', 'Lamp', 'Thermostat']);
    // A visitor who is in may act as soon as the share is evaluated again.
    expect(await home.shareControl.control(home.shares.reopen(share) as OpenShare, 'toggle')).toMatchObject({
      updated: 2,
    });
  });

  it('is what is in the rooms of a room group, or everything in a home, and never what vanished', async () => {
    const roomIds = [home.named('Lamp').roomId];
    const group = home.roomGroups.create(systemCaller, { homeId: home.home.id, name: 'Down', roomIds });
    expect(namesIn(await openNew({ entityType: 'room_group', entityId: group.id }))).toEqual([
      'Lamp',
      'Motion',
      'Thermostat',
    ]);
    const whole = await openNew({});
    expect(namesIn(whole)).toHaveLength(8);
    expect(namesIn(whole)).not.toContain('Far Lamp');
  });

  it('is, of a service group, the services in it only: the other outlet of a strip is not shared', async () => {
    const share = await openNew({ entityType: 'accessory_group', entityId: strip().id });
    expect(share.accessories().map(({ services }) => services.map(({ iid }) => iid))).toEqual([['12']]);
    expect(await home.shareControl.control(share, { settings: { on: true } })).toMatchObject({
      success: true,
      changes: ['Strip: on=true'],
    });
    expect(writes()).toEqual([[[STRIP, '13', true]]]);
    const other = { accessoryId: idOf('Strip'), characteristicType: 'power_state', serviceIid: '8', value: true };
    await expect(home.shareControl.setCharacteristic(share, other)).rejects.toMatchObject({
      code: 'characteristic_not_found',
    });
    expect(share.serviceGroups().map(({ name }) => name)).toEqual(['Left']);
    expect(writes()).toHaveLength(1);
  });

  it('is, of a collection, its items of all homes, and of a group inside it those of the group', async () => {
    const groups = [{ id: 'far', name: 'Far away' }];
    const items = [
      { home_id: home.home.id, accessory_id: idOf('Lamp') },
      { home_id: home.home.id, service_group_id: strip().id },
      { home_id: cabinId, accessory_id: idOf('Far Lamp'), group_id: 'far' },
    ];
    const collection = home.collections.create(systemCaller, { name: 'Favourites', payload: { groups, items } });
    const share = await openNew({ entityType: 'collection', entityId: collection.id });
    expect(share).toMatchObject({
      entityName: 'Favourites',
      homeName: null,
      homeIds: new Set([home.home.id, cabinId]),
    });
    expect(namesIn(share)).toEqual(['Lamp', 'Strip', 'Far Lamp']);
    expect(share.serviceGroups().map(({ name }) => name)).toEqual(['Left']);
    // By its own id, too, where one collection has it.
    const far = await openNew({ entityType: 'collection_group', entityId: 'far' });
    expect(far).toMatchObject({ entityId: `${collection.id}:far`, entityName: 'Far away', homeName: 'Cabin' });
    expect(namesIn(far)).toEqual(['Far Lamp']);
    home.collections.update(systemCaller, collection.id, { payload: { groups: [], items: [] } });
    expect(home.shares.reopen(far)).toBeUndefined();
    expect(namesIn(home.shares.reopen(share) as OpenShare)).toEqual([]);
    await expect(openNew({ entityType: 'collection_group', entityId: 'nowhere' })).rejects.toMatchObject({
      code: 'not_found',
    });
  });

  it('is, of a collection, only of homes that its owner may share', async () => {
    const { user, caller } = await createUser(home, { name: 'Ann', role: 'admin' });
    home.members.invite(systemCaller, { homeId: cabinId, email: user.email, role: 'view' });
    home.members.accept(caller, cabinId);
    const items = [
      { home_id: home.home.id, accessory_id: idOf('Lamp') },
      { home_id: cabinId, accessory_id: idOf('Far Lamp') },
    ];
    const collection = home.collections.create(caller, { name: 'Mine', payload: { items } });
    const entity = { entityType: 'collection', entityId: collection.id };
    await expect(openNew(entity, caller)).rejects.toMatchObject({ code: 'insufficient_permissions' });
    await expect(openNew(entity)).rejects.toMatchObject({ code: 'not_found' });
    home.members.setRole(systemCaller, { homeId: cabinId, memberId: user.id, role: 'admin' });
    const share = await openNew(entity, caller);
    expect(namesIn(share)).toEqual(['Lamp', 'Far Lamp']);
    home.members.setRole(systemCaller, { homeId: cabinId, memberId: user.id, role: 'control' });
    expect(namesIn(home.shares.reopen(share) as OpenShare)).toEqual(['Lamp']);
    home.members.setRole(systemCaller, { homeId: home.home.id, memberId: user.id, role: 'control' });
    expect(home.shares.reopen(share)).toBeUndefined();
  });

  it('shows its history where the home shares it, and never that of a part of an accessory', async () => {
    const lampShare = { entityType: 'accessory', entityId: idOf('Lamp') };
    const whole = await openNew(lampShare);
    expect(whole.showsHistory).toBe(false);
    home.history.updateHome(systemCaller, home.home.id, { enabled: true, shared: true });
    expect(home.shares.reopen(whole)).toMatchObject({ showsHistory: true });
    expect(await openNew({ entityType: 'accessory_group', entityId: strip().id })).toMatchObject({
      showsHistory: false,
    });
  });
});

describe('a visitor of a share', () => {
  it('reaches nothing else, for every id', async () => {
    const share = await openNew({ entityType: 'accessory', entityId: idOf('Lamp') });
    const others = home.state.accessories().filter(({ name }) => name !== 'Lamp');
    const ids = [...others.map(({ id }) => id), home.home.id, cabinId, home.named('Lamp').roomId];
    const id = fc.oneof(fc.constantFrom(...ids, ...ids.map((text) => text.toUpperCase())), fc.uuid(), fc.string());
    await fc.assert(
      fc.asyncProperty(id, async (accessoryId) => {
        const refused = { code: 'accessory_not_found' };
        const write = { accessoryId, characteristicType: 'on', value: true };
        await expect(home.shareControl.setCharacteristic(share, write)).rejects.toMatchObject(refused);
        await expect(home.control.setCharacteristic(share.caller, write)).rejects.toMatchObject(refused);
        const command = { settings: { on: true }, accessoryIds: new Set([accessoryId]) };
        await expect(home.shareControl.control(share, command)).rejects.toMatchObject(refused);
        expect(() => home.control.getAccessory(share.caller, accessoryId)).toThrow(expect.objectContaining(refused));
      }),
      { numRuns: 100 },
    );
    expect(home.driver.writes).toEqual([]);
    expect(home.control.listAccessories(share.caller).map(({ name }) => name)).toEqual(['Lamp']);
    expect(home.homes.list(share.caller)).toEqual([]);
    expect(() => home.rooms.list(share.caller, home.home.id)).toThrow();
    expect(home.scenes.list(share.caller)).toEqual([]);
  });
});

describe('acting through a share', () => {
  it('sets a property of every accessory that has it, in one write', async () => {
    const share = await openNew({});
    expect(await home.shareControl.control(share, { settings: { brightness: 40 } })).toEqual({
      success: true,
      updated: 1,
      failed: 0,
      changes: ['Lamp: brightness=40'],
      errors: [],
    });
    const { updated, changes } = await home.shareControl.control(share, { settings: { on: true } });
    // A thermostat has no "on": it is left alone.
    expect([updated, changes.join()]).toEqual([4, 'Heater: on=true,Kettle: on=true,Lamp: on=true,Strip: on=true']);
    expect(home.driver.writes).toHaveLength(2);
  });

  it('toggles all of them together: off if any is on, else on', async () => {
    const share = await openNew({});
    const isOn = () =>
      home.state
        .accessories(home.home.id)
        .filter(({ services }) =>
          services.some((one) => one.characteristics.some(({ type, value }) => type === '25' && value === true)),
        ).length;
    await home.shareControl.control(share, { settings: { on: true }, accessoryIds: new Set([idOf('Lamp')]) });
    expect(isOn()).toBe(1);
    await home.shareControl.control(share, 'toggle');
    expect(isOn()).toBe(0);
    await home.shareControl.control(share, 'toggle');
    expect(isOn()).toBe(4);
  });

  it('reports for each failure the reason, and that others were set', async () => {
    const share = await openNew({});
    home.driver.setReachable(STRIP, false);
    expect(await home.shareControl.control(share, { settings: { on: true } })).toMatchObject({
      success: false,
      updated: 3,
      failed: 1,
      errors: ['Strip.on: Accessory unreachable'],
    });
  });

  it('refuses what nothing in it has, and a value that nothing takes, before anything is sent', async () => {
    const share = await openNew({ entityType: 'accessory', entityId: idOf('Lamp') });
    await expect(home.shareControl.control(share, { settings: { lock_target: true } })).rejects.toMatchObject({
      code: 'characteristic_not_found',
    });
    await expect(home.shareControl.control(share, { settings: { brightness: 400 } })).rejects.toMatchObject({
      code: 'invalid_value',
      message: expect.stringContaining('0 to 100'),
    });
    expect(home.driver.writes).toEqual([]);
  });

  it('is not for who may only view', async () => {
    const share = await openNew({ entityType: 'accessory', entityId: idOf('Lamp'), role: 'view' });
    const refused = { code: 'insufficient_permissions' };
    await expect(home.shareControl.control(share, 'toggle')).rejects.toMatchObject(refused);
    const write = { accessoryId: idOf('Lamp'), characteristicType: 'on', value: true };
    await expect(home.shareControl.setCharacteristic(share, write)).rejects.toMatchObject(refused);
    await expect(home.control.setCharacteristic(share.caller, write)).rejects.toMatchObject(refused);
    expect(home.driver.writes).toEqual([]);
  });

  it('sets every member of a group that is in it, and of no other', async () => {
    const lamps = home.serviceGroups.create(systemCaller, {
      homeId: home.home.id,
      name: 'Lamps',
      accessoryIds: [idOf('Lamp')],
    });
    const share = await openNew({});
    const write = { groupId: lamps.id, characteristicType: 'brightness', value: '30' };
    expect(await home.shareControl.setServiceGroup(share, write)).toEqual({
      groupId: lamps.id,
      affectedCount: 1,
      errors: [],
    });
    const room = await openNew({ entityType: 'room', entityId: home.named('Heater').roomId });
    await expect(home.shareControl.setServiceGroup(room, write)).rejects.toMatchObject({
      code: 'service_group_not_found',
    });
  });
});
