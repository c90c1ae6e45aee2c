import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createSchema } from '../../../src/api/graphql/schema.ts';
import { presentAccessory } from '../../../src/api/present/accessory.ts';
import { createToken } from '../../support/rest-client.ts';
import { createTestHome, systemCaller, type TestHome } from '../../support/test-home.ts';
import { createGraphqlFixture, type GraphqlFixture } from './graphql-fixture.ts';

/**
 * Every field that REST's accessories have. `validValues` are texts here, as the API document has them, and compared
 * so.
 */
const WHOLE = `
  id name homeId roomId roomName type category reachable isReachable lastSeenAt vanishedAt deviceId aid
  isVirtual virtualType isUserEditable virtualIcon virtualOperations virtualConfig virtualOptions virtualHasDate virtualHasTime virtualControl
  virtualTimerState virtualDurationMs virtualStartedAt virtualEndsAt virtualRemainingMs virtualFinishedAt
  services {
    id name type serviceType isPrimary isHidden linkedServices
    characteristics {
      id type characteristicType value description format unit minValue maxValue minStep stepValue validValues
      canRead canWrite isReadable isWritable
    }
  }`;

let home: TestHome;
let fixture: GraphqlFixture;

beforeEach(() => {
  home = createTestHome({ sample: true });
  fixture = createGraphqlFixture(home, createSchema());
});
afterEach(() => home.close());

function addVirtuals(): void {
  const homeId = home.home.id;
  for (const input of [
    { type: 'input_boolean', name: 'Lever' },
    { type: 'input_select', name: 'Mode', options: ['Home', 'Away'] },
    { type: 'counter', name: 'Counter' },
    { type: 'timer', name: 'Timer', duration: 60 },
    { type: 'input_number', name: 'Level', min: 0, max: 10 },
    { type: 'input_text', name: 'Note' },
    { type: 'input_datetime', name: 'Alarm' },
  ]) {
    home.virtuals.create(systemCaller, { homeId, ...input });
  }
}

/** Without what is null, and with all enumerated numbers as texts: the form that both APIs share. */
function plain(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (key, entry) => {
      if (key === 'validValues') return undefined;
      return entry === null ? undefined : entry;
    }),
  );
}

describe('accessories in GraphQL', () => {
  it('are what REST gives, field by field, devices and virtual ones', async () => {
    addVirtuals();
    const { body } = await fixture.ask(`{ accessories { ${WHOLE} } }`);
    expect(body.errors).toBeUndefined();
    const accessories = home.control.listAccessories(systemCaller);
    expect(accessories).toHaveLength(14);
    const rest = accessories.map((accessory) => ({ isVirtual: false, ...presentAccessory(accessory, home) }));
    expect(plain(body.data.accessories)).toEqual(plain(rest));
  });

  it('give valid values as texts, a mode’s options among them', async () => {
    addVirtuals();
    const { body } = await fixture.ask('{ accessories { name services { characteristics { type validValues } } } }');
    const valuesOf = (name: string, type: string): unknown =>
      body.data.accessories
        .find((accessory: { name: string }) => accessory.name === name)
        .services.flatMap((service: { characteristics: object[] }) => service.characteristics)
        .find((characteristic: { type: string }) => characteristic.type === type).validValues;
    expect(valuesOf('Mode', 'virtual_mode')).toEqual(['Home', 'Away']);
    expect(valuesOf('Lamp', 'brightness')).toBeNull();
  });

  it('show the next value, name and room when they are asked again', async () => {
    const { id } = home.named('Lamp');
    const ask = () =>
      fixture.ask(
        'query($id: String!) { accessory(accessoryId: $id) { name roomName reachable services { characteristics { value } } } }',
        { id },
      );
    const before = await ask();
    await home.control.setCharacteristic(systemCaller, { accessoryId: id, characteristicType: 'on', value: true });
    home.accessories.update(systemCaller, id, { name: 'Reading Lamp', roomId: defaultRoom().id });
    home.driver.setReachable('10:00:00:00:00:01', false);
    const after = await ask();
    expect(before.body.data.accessory).toMatchObject({ name: 'Lamp', roomName: 'Living Room', reachable: true });
    expect(after.body.data.accessory).toMatchObject({
      name: 'Reading Lamp',
      roomName: 'Default Room',
      reachable: false,
    });
    expect(after.body.data.accessory.services[1].characteristics[0].value).toBe(true);
  });

  it('are filtered by type and name', async () => {
    const { body } = await fixture.ask(
      '{ byType: accessories(type: "switch") { name } byName: accessories(name: "LAM") { name } }',
    );
    expect(body.data.byType.map(({ name }: { name: string }) => name)).toEqual(['Heater', 'Kettle']);
    expect(body.data.byName).toEqual([{ name: 'Lamp' }]);
  });

  it('are NOT_FOUND for an unknown home or room, and the rest of the answer stands', async () => {
    const { body } = await fixture.ask('query($id: String!) { accessories(homeId: $id) { id } homes { name } }', {
      id: crypto.randomUUID(),
    });
    expect(body.data).toEqual({ accessories: null, homes: [{ name: home.home.name }] });
    expect(body.errors[0]).toMatchObject({
      path: ['accessories'],
      extensions: { code: 'NOT_FOUND', reason: 'home_not_found' },
    });
  });

  function defaultRoom() {
    const room = home.state.rooms(home.home.id).find(({ isDefault }) => isDefault);
    if (!room) throw new Error('There is no default room');
    return room;
  }
});

describe('naming, placing and identifying accessories', () => {
  it('renames, restores the device’s own name, and moves', async () => {
    const { id, homeId } = home.named('Button');
    const room = home.state.rooms(homeId).find(({ name }) => name === 'Living Room');
    const { body } = await fixture.ask(
      `mutation($id: String!, $roomId: String!) {
        named: renameAccessory(accessoryId: $id, name: "Bell") { name }
        moved: moveAccessory(accessoryId: $id, roomId: $roomId) { roomName }
        restored: renameAccessory(accessoryId: $id) { name }
      }`,
      { id: id.toUpperCase(), roomId: room?.id },
    );
    expect(body.errors).toBeUndefined();
    expect(body.data).toEqual({
      named: { name: 'Bell' },
      moved: { roomName: 'Living Room' },
      restored: { name: 'Button' },
    });
  });

  it('sets the icon of an accessory and of a group, and restores that of their kinds', async () => {
    const { id, homeId } = home.named('Lamp');
    const group = home.serviceGroups.create(systemCaller, { homeId, name: 'Ceiling', accessoryIds: [id] });
    const { body } = await fixture.ask(
      `mutation($id: String!, $group: String!) {
        chosen: setAccessoryIcon(accessoryId: $id, icon: "sofa") { icon }
        unknown: setAccessoryIcon(accessoryId: $id, icon: "sofaa") { icon }
        restored: setAccessoryIcon(accessoryId: $id) { icon }
        ofGroup: updateServiceGroup(groupId: $group, icon: "lamp-ceiling") { icon accessory { icon } }
        renamed: updateServiceGroup(groupId: $group, name: "All") { icon }
        plain: updateServiceGroup(groupId: $group, icon: null) { icon accessory { icon } }
      }`,
      { id, group: group.id },
    );
    expect(body.errors).toEqual([
      expect.objectContaining({
        message: expect.stringContaining('Did you mean "sofa"?'),
        path: ['unknown'],
        extensions: expect.objectContaining({ code: 'INVALID_VALUE', field: 'icon' }),
      }),
    ]);
    expect(body.data).toEqual({
      chosen: { icon: 'sofa' },
      unknown: null,
      restored: { icon: null },
      ofGroup: { icon: 'lamp-ceiling', accessory: { icon: 'lamp-ceiling' } },
      renamed: { icon: 'lamp-ceiling' },
      plain: { icon: null, accessory: { icon: null } },
    });
  });

  it('fails in errors where a thing would be returned', async () => {
    const { id } = home.named('Button');
    const { body } = await fixture.ask(
      'mutation($id: String!) { renameAccessory(accessoryId: $id, name: " ") { name } }',
      {
        id,
      },
    );
    expect(body.data).toEqual({ renameAccessory: null });
    expect(body.errors[0].extensions).toMatchObject({ code: 'INVALID_VALUE', reason: 'invalid_value' });
  });

  it('identifies, and reports in the result why it could not', async () => {
    const { id } = home.named('Lamp');
    const identify = 'mutation($id: String!) { identifyAccessory(accessoryId: $id) { success error code } }';
    expect((await fixture.ask(identify, { id })).body.data.identifyAccessory).toEqual({
      success: true,
      error: null,
      code: null,
    });
    home.homes.update(systemCaller, home.home.id, { paused: true });
    expect((await fixture.ask(identify, { id })).body.data.identifyAccessory).toEqual({
      success: false,
      error: 'Relay not connected',
      code: 'relay_not_connected',
    });
  });

  it('takes control to identify and admin to rename', async () => {
    const headers = { Authorization: `Bearer ${createToken(home, { [home.home.id]: 'control' })}` };
    const { id } = home.named('Lamp');
    const { body } = await fixture.ask(
      'mutation($id: String!) { identifyAccessory(accessoryId: $id) { success } renameAccessory(accessoryId: $id, name: "X") { id } }',
      { id },
      headers,
    );
    expect(body.data).toEqual({ identifyAccessory: { success: true }, renameAccessory: null });
    expect(body.errors).toHaveLength(1);
    expect(body.errors[0].extensions.code).toBe('FORBIDDEN');
  });
});

describe('writing one of several services', () => {
  it('writes the service that is named, and refuses one of another accessory', async () => {
    const { id } = home.named('Lamp');
    const set = `mutation($id: String!, $service: String!) {
      setCharacteristic(accessoryId: $id, characteristicType: "brightness", value: 5, serviceId: $service) { success value code }
    }`;
    expect((await fixture.ask(set, { id, service: `${id}.8` })).body.data.setCharacteristic).toEqual({
      success: true,
      value: 5,
      code: null,
    });
    const foreign = await fixture.ask(set, { id, service: `${home.named('Button').id}.8` });
    expect(foreign.body.data.setCharacteristic).toMatchObject({ success: false, code: 'invalid_value' });
  });
});

describe('writing to an accessory that is gone right after', () => {
  it('still reports what its device confirmed', async () => {
    const { id, address } = home.named('Lamp');
    home.driver.scriptWrites(({ value }) => {
      home.registry.forget(address.source);
      return { value };
    });
    const { body } = await fixture.ask(
      'mutation($id: String!) { setCharacteristic(accessoryId: $id, characteristicType: "on", value: true) { success characteristicType value error } }',
      { id },
    );
    expect(body.data.setCharacteristic).toEqual({
      success: true,
      characteristicType: 'power_state',
      value: true,
      error: null,
    });
  });
});

describe('writing several characteristics at once', () => {
  const SET = `mutation($writes: [CharacteristicWrite!]!) {
    setCharacteristics(writes: $writes) { success affectedCount failed error code outcomes { accessoryId characteristicType success value code } }
  }`;

  it('reports each, in order, and fails if one does', async () => {
    const [lamp, heater] = [home.named('Lamp').id, home.named('Heater').id];
    const writes = [
      { accessoryId: lamp, characteristicType: 'on', value: 'true' },
      { accessoryId: heater, characteristicType: 'power_state', value: true },
      { accessoryId: lamp, characteristicType: 'brightness', value: 101 },
    ];
    const { body } = await fixture.ask(SET, { writes });
    expect(body.errors).toBeUndefined();
    expect(body.data.setCharacteristics).toMatchObject({
      success: false,
      affectedCount: 2,
      failed: 1,
      code: 'invalid_value',
    });
    expect(body.data.setCharacteristics.outcomes).toMatchObject([
      { accessoryId: lamp, success: true, value: true },
      { accessoryId: heater, success: true, value: true },
      { accessoryId: lamp, success: false, value: null, code: 'invalid_value' },
    ]);
    const all = await fixture.ask(SET, { writes: writes.slice(0, 2) });
    expect(all.body.data.setCharacteristics).toMatchObject({
      success: true,
      affectedCount: 2,
      failed: 0,
      error: null,
      code: null,
    });
  });

  it('is FORBIDDEN only where the caller may control none of them', async () => {
    const cabin = home.homes.create(systemCaller, { name: 'Cabin' });
    const lever = home.virtuals.create(systemCaller, { homeId: cabin.id, name: 'Lever', type: 'input_boolean' });
    const token = createToken(home, { [home.home.id]: 'view', [cabin.id]: 'control' });
    const headers = { Authorization: `Bearer ${token}` };
    const writes = [home.named('Lamp').id, lever.id].map((accessoryId) => ({
      accessoryId,
      characteristicType: 'on',
      value: true,
    }));
    const both = await fixture.ask(SET, { writes }, headers);
    expect(both.body.data.setCharacteristics.outcomes).toMatchObject([
      { success: false, code: 'insufficient_permissions' },
      { success: true, value: true },
    ]);
    const none = await fixture.ask(SET, { writes: writes.slice(0, 1) }, headers);
    expect(none.body.data).toEqual({ setCharacteristics: null });
    expect(none.body.errors[0].extensions.code).toBe('FORBIDDEN');
  });
});
