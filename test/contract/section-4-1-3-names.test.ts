/** API §4.1.3: the name-based form of state. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createRestClient, createTestApi, createToken, type RestClient } from '../support/rest-client.ts';
import { lamp } from '../support/sample-accessories.ts';
import { createTestHome, type TestHome } from '../support/test-home.ts';

let home: TestHome;
let rest: RestClient;

beforeEach(() => {
  home = createTestHome({ sample: true });
  rest = createRestClient(createTestApi(home), createToken(home));
});

afterEach(() => home.close());

describe('GET /rest/state by names', () => {
  it('returns homes > rooms > accessories > services > characteristics; its type filter takes lightbulb', async () => {
    const room = home.state.rooms().find(({ name }) => name === 'Living Room');
    const { body } = await rest.get('/rest/state?form=names&type=lightbulb');
    expect(body).toEqual({
      homes: [
        {
          id: home.home.id,
          name: 'My Home',
          rooms: [
            {
              id: room?.id,
              name: 'Living Room',
              accessories: [
                {
                  id: home.named('Lamp').id,
                  name: 'Lamp',
                  type: 'light',
                  reachable: true,
                  services: [
                    expect.objectContaining({ type: 'accessory_information' }),
                    {
                      type: 'lightbulb',
                      characteristics: [
                        { type: 'power_state', value: false },
                        { type: 'brightness', value: 50 },
                        { type: 'hue', value: 0 },
                        { type: 'saturation', value: 0 },
                      ],
                    },
                  ],
                },
              ],
            },
          ],
        },
      ],
    });
  });

  it.each([
    'filter_by_type=lightbulb',
    'filter_by_name=lamp',
    'filter_by_home=my%20home&filter_by_type=light',
    'filter_by_room=Living%20Room&filter_by_name=LAMP',
    'form=names&home=my_home&room=living&name=lamp&type=light',
  ])('a filter of this form asks for it: ?%s', async (query) => {
    const { homes } = (await rest.get(`/rest/state?${query}`)).body;
    expect(homes).toHaveLength(1);
    expect(homes[0].rooms).toHaveLength(1);
    expect(homes[0].rooms[0].accessories.map(({ name }: { name: string }) => name)).toEqual(['Lamp']);
  });

  it('form=keys is the tree of slug keys', async () => {
    expect((await rest.get('/rest/state?form=keys')).text).toBe((await rest.get('/rest/state')).text);
  });
});

describe('POST /rest/state by names', () => {
  const flat = { home: 'My Home', room: 'Living Room', accessory: 'Lamp' };
  const post = async (body: unknown) => rest.post('/rest/state', body);

  it('takes one flat object; the changes entries name accessories by plain name', async () => {
    expect((await post({ ...flat, on: true, brightness: 80 })).body).toEqual({
      updated: 1,
      failed: 0,
      changes: ['My Home/Living Room/Lamp: on=true, brightness=80'],
      errors: [],
      message: 'Updated 1 accessory',
    });
  });

  it('names match ignoring case and blanks, and slug keys are taken too', async () => {
    const key = `lamp_${home.named('Lamp').id.slice(-4)}`;
    for (const names of [{ home: 'my HOME ' }, { room: ' living  room' }, { accessory: 'LAMP' }, { accessory: key }]) {
      expect((await post({ ...flat, ...names, on: true })).body).toMatchObject({ updated: 1, failed: 0 });
    }
  });

  it('takes an array of flat objects, and loses none of the good ones to a bad one', async () => {
    const { status, body } = await post([
      { ...flat, on: true },
      { ...flat, accessory: 'Ghost', on: true },
      { ...flat, room: 'Attic', on: true },
      { ...flat, home: 'Castle', on: true },
      { home: 'My Home', accessory: 'Lamp', on: true },
      { ...flat, accessory: 7 },
      'on',
      { home: 'My Home', room: 'Default Room', accessory: 'Front Door', lock_target: false },
    ]);
    expect(status).toBe(200);
    expect(body).toEqual({
      updated: 2,
      failed: 6,
      changes: ['My Home/Living Room/Lamp: on=true', 'My Home/Default Room/Front Door: lock_target=false'],
      errors: [
        'My Home/Living Room/Ghost: not found',
        'My Home/Attic: room not found',
        'Castle: home not found',
        '[4]: "room" is missing: give its name.',
        '[5]: "accessory" must be a name.',
        '[6]: must be an object with home, room and accessory',
      ],
      message: 'Updated 2 accessories',
    });
    expect(home.driver.writes).toHaveLength(1);
  });

  it('home, room, accessory: all three required', async () => {
    for (const missing of ['home', 'room', 'accessory']) {
      const { status, body } = await post({ ...flat, on: true, [missing]: undefined });
      expect([status, body.error]).toEqual([400, `"${missing}" is missing: give its name.`]);
    }
    expect((await post({ ...flat, room: 7, on: true })).status).toBe(422);
  });

  it('refuses a name that several accessories have, and explains how to distinguish them', async () => {
    const twin = { deviceId: '10:00:00:00:00:AA', name: 'Lamp', setupCode: '1', accessories: [lamp('Twin')] };
    home.driver.attach(home.home.id, twin);
    const room = home.state.rooms().find(({ name }) => name === 'Living Room');
    await rest.patch(`/rest/accessories/${home.named('Twin').id}`, { name: 'Lamp', roomId: room?.id });
    expect((await post({ ...flat, on: true })).body.errors).toEqual([
      'My Home/Living Room/Lamp: several accessories have this name; use a key of GET /rest/state',
    ]);
  });

  it('finds the accessory that took the place and name of one that has vanished', async () => {
    const successor = { deviceId: '10:00:00:00:00:AA', name: 'Lamp', setupCode: '1', accessories: [lamp('Successor')] };
    home.driver.describe('10:00:00:00:00:01', []);
    expect((await post({ ...flat, on: true })).body.errors).toEqual([
      'My Home/Living Room/Lamp.on: Accessory unreachable',
    ]);
    home.driver.attach(home.home.id, successor);
    const room = home.state.rooms().find(({ name }) => name === 'Living Room');
    await rest.patch(`/rest/accessories/${home.named('Successor').id}`, { name: 'Lamp', roomId: room?.id });
    expect((await post({ ...flat, on: true })).body).toMatchObject({ updated: 1, failed: 0 });
  });

  it('hvac_mode also takes off, lock_target an integer, alarm_target as the table has it', async () => {
    const thermostat = { ...flat, accessory: 'Thermostat', hvac_mode: 'off' };
    expect((await post(thermostat)).body).toMatchObject({ updated: 1, failed: 0 });
    expect((await rest.get('/rest/state?name=thermostat')).text).toContain('"active":false');
  });
});
