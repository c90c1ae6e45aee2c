/** API §2.2, the row `group`, with decisions §2 and §5: service groups in the state tree, read and written. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ServiceGroup } from '../../src/home/model.ts';
import { createRestClient, createTestApi, createToken, type RestClient } from '../support/rest-client.ts';
import { lamp, plainSwitch } from '../support/sample-accessories.ts';
import { createTestHome, systemCaller, type TestHome } from '../support/test-home.ts';

const LAMP = '10:00:00:00:00:01';
const SECOND = '20:00:00:00:00:01';
const HEATER = { source: '10:00:00:00:00:06', aid: '2' };

let home: TestHome;
let rest: RestClient;
/** Two lamps: the sample home's, in the living room, and one in the default room. */
let group: ServiceGroup;

beforeEach(() => {
  home = createTestHome({ sample: true });
  home.driver.attach(home.home.id, { deviceId: SECOND, name: 'X', setupCode: '', accessories: [lamp('Bedside')] });
  group = create('Ceiling Lights', 'Lamp', 'Bedside');
  rest = createRestClient(createTestApi(home), createToken(home));
});
afterEach(() => home.close());

function create(name: string, ...members: string[]): ServiceGroup {
  const accessoryIds = members.map((member) => home.named(member).id);
  return home.serviceGroups.create(systemCaller, { homeId: home.home.id, name, accessoryIds });
}

function keyOf({ name, id }: { name: string; id: string }): string {
  return `${name.toLowerCase().replaceAll(' ', '_')}_${id.slice(-4)}`;
}

function roomKey(name: string): string {
  const room = home.state.rooms().find((candidate) => candidate.name === name);
  return room ? keyOf(room) : '';
}

async function tree(query = '') {
  return (await rest.get(`/rest/state${query}`)).body;
}

/** A group or an accessory in the tree. */
async function entryOf(room: string, { name, id }: { name: string; id: string }) {
  return (await tree())[keyOf(home.home)][roomKey(room)]?.[keyOf({ name, id })];
}

describe('API §2.2: group', () => {
  it('`group` is boolean true for service groups; such an entry also has `accessories`, an object holding member states', async () => {
    const [own, bedside] = [home.named('Lamp'), home.named('Bedside')];
    const entry = await entryOf('Living Room', group);
    const name = `${keyOf(home.home)}.${roomKey('Living Room')}.${keyOf(group)}`;
    expect(entry).toMatchObject({ type: 'light', group: true, on: false, brightness: 50, name });
    expect(entry._settable).toEqual(['on', 'brightness', 'hue', 'saturation']);
    const member = { type: 'light', on: false, brightness: 50, hue: 0, saturation: 0, _settable: entry._settable };
    expect(entry.accessories).toEqual({
      [keyOf(own)]: { ...member, name: `${name}.${keyOf(own)}` },
      [keyOf(bedside)]: { ...member, name: `${name}.${keyOf(bedside)}` },
    });
    expect(Object.keys(entry)[0]).toBe('type');
    expect(Object.keys(entry).slice(-2)).toEqual(['_settable', 'name']);
  });

  it('an accessory that is no group has neither', async () => {
    expect(Object.keys(await entryOf('Living Room', home.named('Lamp')))).not.toContain('group');
    expect(Object.keys(await entryOf('Living Room', home.named('Lamp')))).not.toContain('accessories');
  });

  it('the group is in the room of its first member; members also appear on their own in their own rooms', async () => {
    const { [keyOf(home.home)]: rooms } = await tree();
    expect(Object.keys(rooms[roomKey('Living Room')])).toEqual(
      [group, home.named('Lamp'), home.named('Motion'), home.named('Thermostat')].map(keyOf),
    );
    expect(Object.keys(rooms[roomKey('Default Room')])).toContain(keyOf(home.named('Bedside')));
    expect(Object.keys(rooms[roomKey('Default Room')])).not.toContain(keyOf(group));
  });

  it('is `on` if any member is on, and for numbers the mean of the members that are on', async () => {
    home.driver.event(LAMP, '1', '10', 20);
    home.driver.event(SECOND, '1', '10', 80);
    expect(await entryOf('Living Room', group)).toMatchObject({ on: false, brightness: 50 });
    home.driver.event(SECOND, '1', '9', true);
    expect(await entryOf('Living Room', group)).toMatchObject({ on: true, brightness: 80 });
    home.driver.event(LAMP, '1', '9', true);
    expect(await entryOf('Living Room', group)).toMatchObject({ on: true, brightness: 50 });
    home.driver.event(LAMP, '1', '10', 25);
    expect(await entryOf('Living Room', group)).toMatchObject({ brightness: 53 });
  });

  it('groups without members that are there are left out, and come back with them', async () => {
    await home.driver.unpair(LAMP, true);
    const alone = await entryOf('Default Room', group);
    expect(Object.keys(alone.accessories)).toEqual([keyOf(home.named('Bedside'))]);
    await home.driver.unpair(SECOND, true);
    expect(JSON.stringify(await tree())).not.toContain(keyOf(group));
    home.driver.attach(home.home.id, { deviceId: SECOND, name: 'X', setupCode: '', accessories: [lamp('Bedside')] });
    expect(await entryOf('Default Room', group)).toMatchObject({ group: true });
  });

  it('counts as an accessory, and passes the same filters', async () => {
    const count = home.state.accessories().length + 1;
    expect((await tree())._meta.message).toBe(`Found ${count} accessories across 1 home`);
    const keys = async (query: string): Promise<string[]> => {
      const rooms = (await tree(query))[keyOf(home.home)] as Record<string, object>;
      return Object.entries(rooms).flatMap(([key, inside]) => (key === '_scenes' ? [] : Object.keys(inside)));
    };
    expect(await keys('?name=ceiling')).toEqual([keyOf(group)]);
    expect(await keys('?type=light')).toEqual([home.named('Bedside'), group, home.named('Lamp')].map(keyOf));
    expect(await keys('?type=lightbulb&room=living')).toEqual([group, home.named('Lamp')].map(keyOf));
    expect(await keys('?type=switch')).not.toContain(keyOf(group));
  });

  it('no two of accessories and service groups of a home share their last four characters', () => {
    for (let n = 0; n < 50; n += 1) create(`Group ${n}`, 'Lamp');
    const ids = [...home.state.accessories(), ...home.state.serviceGroups.list(home.home.id)].map(({ id }) =>
      id.slice(-4),
    );
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('in the name-based form a group is an accessory with `type`, one service, and `group`', async () => {
    const { homes } = await tree('?form=names&name=ceiling');
    const [shown] = homes[0].rooms[0].accessories;
    expect(homes[0].rooms[0].name).toBe('Living Room');
    expect(shown).toMatchObject({ id: group.id, name: 'Ceiling Lights', type: 'light', reachable: true, group: true });
    expect(shown.services).toEqual([
      {
        type: 'lightbulb',
        characteristics: expect.arrayContaining([
          { type: 'power_state', value: false },
          { type: 'brightness', value: 50 },
        ]),
      },
    ]);
  });
});

describe('POST /rest/state to a group', () => {
  const nested = (settings: object) => ({
    [keyOf(home.home)]: { [roomKey('Living Room')]: { [keyOf(group)]: settings } },
  });
  const path = () => `${keyOf(home.home)}/${roomKey('Living Room')}/${keyOf(group)}`;
  const brightness = (name: string) =>
    home.state.characteristic({ accessoryId: home.named(name).id, iid: '10' })?.value;

  it('by its key writes every member in one go and counts as one', async () => {
    const { status, body } = await rest.post('/rest/state', nested({ on: true, brightness: 30 }));
    expect([status, body]).toEqual([
      200,
      {
        updated: 1,
        failed: 0,
        changes: [`${path()}: on=true, brightness=30`],
        errors: [],
        message: 'Updated 1 accessory',
      },
    ]);
    expect(home.driver.writes).toHaveLength(1);
    expect([brightness('Lamp'), brightness('Bedside')]).toEqual([30, 30]);
  });

  it('by its name does the same', async () => {
    const flat = { home: 'My Home', room: 'living room', accessory: 'ceiling lights', brightness: 12 };
    const { body } = await rest.post('/rest/state', flat);
    expect(body).toMatchObject({
      updated: 1,
      failed: 0,
      changes: ['My Home/Living Room/Ceiling Lights: brightness=12'],
    });
    expect([brightness('Lamp'), brightness('Bedside')]).toEqual([12, 12]);
    const list = await rest.post('/rest/state', [{ ...flat, brightness: 13 }]);
    expect(list.body).toMatchObject({ updated: 1, failed: 0 });
    expect([brightness('Lamp'), brightness('Bedside')]).toEqual([13, 13]);
  });

  it('takes what GET has shown, sent back as it is', async () => {
    const { _settable, ...entry } = await entryOf('Living Room', group);
    const { body } = await rest.post('/rest/state', nested({ _settable, ...entry, on: true }));
    expect(body).toMatchObject({ updated: 1, failed: 0, errors: [] });
    expect(home.driver.writes.at(-1)).toHaveLength(8);
  });

  it('names each member that failed, and why', async () => {
    home.driver.setReachable(SECOND, false);
    const { body } = await rest.post('/rest/state', nested({ on: true }));
    expect(body).toEqual({
      updated: 1,
      failed: 1,
      changes: [`${path()}: on=true`],
      errors: [`${path()}.on: Bedside: Accessory unreachable`],
      message: 'Updated 1 accessory',
    });
  });

  it('names a member that is gone', async () => {
    await home.driver.unpair(SECOND, true);
    const { body } = await rest.post('/rest/state', nested({ on: true }));
    expect(body).toMatchObject({ updated: 1, failed: 1, errors: [`${path()}.on: Bedside: Accessory not found`] });
  });

  it('refuses what the group has not or takes not, without asking its members', async () => {
    const { body } = await rest.post('/rest/state', nested({ lock_target: true, brightness: 400 }));
    expect(body).toMatchObject({ updated: 0, failed: 1, message: 'No updates' });
    expect(body.errors).toEqual([
      expect.stringContaining(`${path()}.lock_target: Unknown property`),
      expect.stringContaining(`${path()}.brightness: Invalid value`),
    ]);
    expect(home.driver.writes).toEqual([]);
  });

  it('goes out together with accessories of the same request', async () => {
    const heater = home.state.findByAddress(HEATER);
    const body = nested({ on: true });
    Object.assign(body[keyOf(home.home)] ?? {}, {
      [roomKey('Default Room')]: { [keyOf(heater ?? group)]: { on: true } },
    });
    expect((await rest.post('/rest/state', body)).body).toMatchObject({ updated: 2, failed: 0 });
    expect(home.driver.writes.map((writes) => writes.length)).toEqual([3]);
  });

  it('is refused to who may only view the home, and answers 503 while it is paused', async () => {
    const viewer = createRestClient(createTestApi(home), createToken(home, { [home.home.id]: 'view' }));
    expect((await viewer.post('/rest/state', nested({ on: true }))).body.error).toBe('insufficient_permissions');
    home.homes.update(systemCaller, home.home.id, { paused: true });
    const paused = await rest.post('/rest/state', nested({ on: true }));
    expect([paused.status, paused.body.error]).toEqual([503, 'Relay not connected']);
    expect(home.driver.writes).toEqual([]);
  });

  it('names which is meant where an accessory has the same name', async () => {
    create('Heater', 'Heater', 'Kettle');
    const room = home.state.rooms().find(({ isDefault }) => isDefault)?.name;
    const { body } = await rest.post('/rest/state', { home: 'My Home', room, accessory: 'Heater', on: true });
    expect(body).toMatchObject({ updated: 0, failed: 1, errors: [expect.stringContaining('several accessories')] });
  });

  it('switches the very services that are its members', async () => {
    home.driver.attach(home.home.id, {
      deviceId: '20:00:00:00:00:09',
      name: 'B',
      setupCode: '',
      accessories: [plainSwitch('One', '2'), plainSwitch('Two', '3')],
    });
    const switches = create('Switches', 'One', 'Two', 'Heater');
    const room = roomKey('Default Room');
    await rest.post('/rest/state', { [keyOf(home.home)]: { [room]: { [keyOf(switches)]: { on: 'on' } } } });
    expect(await entryOf('Default Room', switches)).toMatchObject({ type: 'switch', on: true });
  });
});
