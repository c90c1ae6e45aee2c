import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createSchema } from '../../../src/api/graphql/schema.ts';
import { createToken } from '../../support/rest-client.ts';
import { createTestHome, systemCaller, type TestHome } from '../../support/test-home.ts';
import { createGraphqlFixture, type GraphqlFixture } from './graphql-fixture.ts';

/** One of each kind: its type, what it takes, and the value that it begins with. */
const KINDS = [
  ['input_boolean', { initialValue: true }, true],
  ['input_select', { options: ['Home', 'Away'], initialValue: 'Away' }, 'Away'],
  ['counter', { initial: 3, step: 2, min: 0, max: 9 }, 3],
  ['timer', { durationMs: 90_000 }, 'idle'],
  ['input_number', { min: 0, max: 5, step: 0.5, initialValue: 2.5, unit: '°', control: 'field' }, 2.5],
  ['input_text', { maxLength: 20, initialValue: 'hello' }, 'hello'],
  ['input_datetime', { hasDate: false, hasTime: true, initialValue: '07:30' }, '07:30'],
] as const;

const CREATE = `mutation($h: String!, $name: String!, $type: String!, $data: JSON) {
  createVirtualAccessory(homeId: $h, name: $name, type: $type, data: $data) {
    id name homeId roomId virtualType value controllable icon config timer { status durationMs }
    entityType entityId parentId dataJson layoutJson
    accessory { id isVirtual virtualType category type }
  }
}`;
const OPERATE = `mutation($id: String!, $operation: String!, $value: JSON) {
  operateVirtualAccessory(accessoryId: $id, operation: $operation, value: $value) {
    success error code accessoryId value timer { status remainingMs endsAt }
  }
}`;
const SAVE =
  'mutation($h: String!, $id: String, $data: String!) { saveVirtualAccessory(homeId: $h, accessoryId: $id, data: $data) { id name dataJson value } }';

let home: TestHome;
let fixture: GraphqlFixture;

beforeEach(() => {
  home = createTestHome({ sample: true });
  fixture = createGraphqlFixture(home, createSchema());
});
afterEach(() => home.close());

async function create(type: string, data: object = {}, name = 'Thing') {
  const { body } = await fixture.ask(CREATE, { h: home.home.id, name, type, data });
  expect(body.errors).toBeUndefined();
  return body.data.createVirtualAccessory;
}

describe('virtual accessories in GraphQL', () => {
  it.each(KINDS)('%s is made, with its own settings as an object or a JSON text', async (type, data, value) => {
    const made = await create(type, data);
    expect(made).toMatchObject({
      name: 'Thing',
      homeId: home.home.id,
      virtualType: type,
      value,
      controllable: true,
      entityType: 'virtual_accessory',
      entityId: made.id,
      parentId: home.home.id,
      layoutJson: null,
      accessory: { id: made.id, isVirtual: true, virtualType: type },
    });
    expect(JSON.parse(made.dataJson)).toMatchObject({ id: made.id, name: 'Thing', type, ...data });
    const { body } = await fixture.ask(CREATE, { h: home.home.id, name: 'Other', type, data: JSON.stringify(data) });
    expect(body.data.createVirtualAccessory).toMatchObject({ value, virtualType: type });
  });

  it.each(KINDS)('%s: what `dataJson` gave can be saved again, changed or not', async (type, data) => {
    const { id, dataJson } = await create(type, data);
    const same = await fixture.ask(SAVE, { h: home.home.id, id, data: dataJson });
    expect(same.body.errors).toBeUndefined();
    expect(same.body.data.saveVirtualAccessory).toMatchObject({ id, dataJson });
    const renamed = JSON.stringify({ ...JSON.parse(dataJson), name: 'Renamed' });
    const changed = await fixture.ask(SAVE, { h: home.home.id, id, data: renamed });
    expect(changed.body.data.saveVirtualAccessory).toMatchObject({ id, name: 'Renamed' });
    const copied = await fixture.ask(SAVE, { h: home.home.id, data: dataJson });
    expect(copied.body.errors).toBeUndefined();
    expect(copied.body.data.saveVirtualAccessory.id).not.toBe(id);
  });

  it('keep their kind', async () => {
    const { id } = await create('counter');
    const { body } = await fixture.ask(SAVE, { h: home.home.id, id, data: JSON.stringify({ type: 'timer' }) });
    expect(body.data.saveVirtualAccessory).toBeNull();
    expect(body.errors[0].extensions.code).toMatch(/INVALID_VALUE|BAD_USER_INPUT/);
  });

  it('are listed by home, and one by one', async () => {
    const { id } = await create('counter');
    const { body } = await fixture.ask(
      'query($h: String!, $id: String!) { virtualAccessories(homeId: $h) { id } virtualAccessory(accessoryId: $id) { name virtualType } }',
      { h: home.home.id, id },
    );
    expect(body.data).toEqual({
      virtualAccessories: [{ id }],
      virtualAccessory: { name: 'Thing', virtualType: 'counter' },
    });
    const device = await fixture.ask('query($id: String!) { virtualAccessory(accessoryId: $id) { name } }', {
      id: home.named('Lamp').id,
    });
    expect(device.body.errors[0].extensions.code).toBe('NOT_FOUND');
  });

  it('are changed field by field', async () => {
    const { id } = await create('input_select', { options: ['Home', 'Away'] });
    const living = home.state.rooms(home.home.id).find(({ name }) => name === 'Living Room');
    const { body } = await fixture.ask(
      `mutation($id: String!, $room: String) {
        updateVirtualAccessory(accessoryId: $id, name: "House", roomId: $room, icon: "moon", controllable: false, data: { options: ["Home", "Away", "Night"] }) {
          name roomId icon controllable accessory { virtualOptions isUserEditable services { characteristics { canWrite validValues } } }
        }
      }`,
      { id, room: living?.id },
    );
    expect(body.errors).toBeUndefined();
    expect(body.data.updateVirtualAccessory).toEqual({
      name: 'House',
      roomId: living?.id,
      icon: 'moon',
      controllable: false,
      accessory: {
        virtualOptions: ['Home', 'Away', 'Night'],
        isUserEditable: false,
        services: [{ characteristics: [{ canWrite: false, validValues: ['Home', 'Away', 'Night'] }] }],
      },
    });
  });

  it('are written like any accessory', async () => {
    const { id } = await create('input_text');
    const { body } = await fixture.ask(
      'mutation($id: String!) { setCharacteristic(accessoryId: $id, characteristicType: "virtual_text", value: "007") { success value } }',
      { id },
    );
    expect(body.data.setCharacteristic).toEqual({ success: true, value: '007' });
  });

  it('are operated, and the result has the reason of a failure', async () => {
    const { id } = await create('counter', { step: 2, max: 3 });
    const answers = [];
    for (const [operation, value] of [['increment'], ['increment', '1'], ['set', 2], ['reset'], ['explode']]) {
      answers.push((await fixture.ask(OPERATE, { id, operation, value })).body.data.operateVirtualAccessory);
    }
    expect(answers.map(({ success, value }) => [success, value])).toEqual([
      [true, 2],
      [true, 3],
      [true, 2],
      [true, 0],
      [false, null],
    ]);
    expect(answers[4]).toMatchObject({ code: 'invalid_value', error: expect.any(String), accessoryId: id });
  });

  it('show a running timer', async () => {
    const { id } = await create('timer', { duration: '90s' });
    const { body } = await fixture.ask(OPERATE, { id, operation: 'start' });
    expect(body.data.operateVirtualAccessory).toEqual({
      success: true,
      error: null,
      code: null,
      accessoryId: id,
      value: 'active',
      timer: { status: 'active', remainingMs: 90_000, endsAt: new Date(home.clock.now() + 90_000).toISOString() },
    });
    const shown = await fixture.ask(
      'query($id: String!) { accessory(accessoryId: $id) { virtualTimerState virtualDurationMs virtualRemainingMs virtualFinishedAt } }',
      { id },
    );
    expect(shown.body.data.accessory).toEqual({
      virtualTimerState: 'active',
      virtualDurationMs: 90_000,
      virtualRemainingMs: 90_000,
      virtualFinishedAt: null,
    });
  });

  it('are deleted unless something uses them', async () => {
    const { id } = await create('counter');
    const scene = home.scenes.create(systemCaller, {
      homeId: home.home.id,
      name: 'Zero',
      actions: [{ accessoryId: id, characteristicType: 'virtual_count', targetValue: 0 }],
    });
    const remove = 'mutation($id: String!) { deleteVirtualAccessory(accessoryId: $id) }';
    const refused = await fixture.ask(remove, { id });
    expect(refused.body.data).toEqual({ deleteVirtualAccessory: null });
    expect(refused.body.errors[0].message).toContain('Zero');
    home.scenes.delete(systemCaller, scene.id);
    expect((await fixture.ask(remove, { id })).body.data).toEqual({ deleteVirtualAccessory: true });
    expect(home.state.accessory(id)).toBeUndefined();
  });

  it('take an admin to make and control to operate', async () => {
    const { id } = await create('counter');
    const headers = (role: 'control' | 'view') => ({
      Authorization: `Bearer ${createToken(home, { [home.home.id]: role })}`,
    });
    const made = await fixture.ask(CREATE, { h: home.home.id, name: 'X', type: 'counter' }, headers('control'));
    expect(made.body.errors[0].extensions.code).toBe('FORBIDDEN');
    const operated = await fixture.ask(OPERATE, { id, operation: 'increment' }, headers('control'));
    expect(operated.body.data.operateVirtualAccessory.success).toBe(true);
    const refused = await fixture.ask(OPERATE, { id, operation: 'increment' }, headers('view'));
    expect(refused.body.data).toEqual({ operateVirtualAccessory: null });
    expect(refused.body.errors[0].extensions.code).toBe('FORBIDDEN');
  });
});
