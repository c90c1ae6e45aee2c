/** API §2: resources and their fields, as far as REST shows them. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createRestClient, createTestApi, createToken, type RestClient } from '../support/rest-client.ts';
import { button, characteristic, information, service } from '../support/sample-accessories.ts';
import { createTestHome, systemCaller, type TestHome } from '../support/test-home.ts';

let home: TestHome;
let rest: RestClient;

beforeEach(() => {
  home = createTestHome({ sample: true });
  rest = createRestClient(createTestApi(home), createToken(home));
});

afterEach(() => home.close());

/** The key of a home, room or accessory, by its rule. */
function keyOf({ name, id }: { name: string; id: string }): string {
  return `${name.toLowerCase().replaceAll(' ', '_')}_${id.slice(-4)}`;
}

function roomNamed(name: string) {
  const room = home.state.rooms().find((candidate) => candidate.name === name);
  if (!room) throw new Error(`There is no room ${name}`);
  return room;
}

describe('API §2.1', () => {
  it('REST state uses slug keys: <name_slug>_<last4>, for homes, rooms and accessories', async () => {
    const tree = (await rest.get('/rest/state')).body;
    const entry = tree[keyOf(home.home)][keyOf(roomNamed('Living Room'))][keyOf(home.named('Lamp'))];
    expect(entry).toBeDefined();
  });

  it('a key keeps every character but blanks, in any script', async () => {
    home.accessories.update(systemCaller, home.named('Lamp').id, { name: "Rob's  Lämpchen 💡!" });
    const tree = (await rest.get('/rest/state')).body;
    const { id } = home.state.accessories().find(({ name }) => name.startsWith('Rob')) ?? { id: '' };
    expect(tree[keyOf(home.home)][keyOf(roomNamed('Living Room'))]).toHaveProperty([
      `rob's_lämpchen_💡!_${id.slice(-4)}`,
    ]);
  });
});

describe('API §2.2', () => {
  it('a nested object: <home_key> > <room_key> > <accessory_key> > properties, with every reserved key', async () => {
    const { body, headers } = await rest.get('/rest/state');
    const [homeKey, roomKey, lampKey] = [home.home, roomNamed('Living Room'), home.named('Lamp')].map(keyOf);
    expect(headers.get('content-type')).toBe('application/json');
    expect(Object.keys(body)).toEqual([homeKey, '_homes', '_meta']);
    expect(body._homes).toEqual({ [String(homeKey)]: home.home.id });
    expect(body[String(homeKey)]._scenes).toEqual([]);
    expect(body[String(homeKey)][String(roomKey)][String(lampKey)]).toEqual({
      type: 'light',
      on: false,
      brightness: 50,
      hue: 0,
      saturation: 0,
      _settable: ['on', 'brightness', 'hue', 'saturation'],
      name: `${homeKey}.${roomKey}.${lampKey}`,
    });
  });

  it('_meta.fetched_at is an ISO 8601 timestamp and _meta.message counts accessories and homes', async () => {
    const { _meta } = (await rest.get('/rest/state')).body;
    expect(_meta).toEqual({
      fetched_at: '2026-01-15T12:00:00+00:00',
      message: 'Found 7 accessories across 1 home',
    });
    await home.clock.advance(61_400);
    expect((await rest.get('/rest/state')).body._meta.fetched_at).toBe('2026-01-15T12:01:01+00:00');
  });

  it('_meta.message reports that the token may see no home', async () => {
    const cottage = home.homes.create(systemCaller, { name: 'Cottage' });
    const guest = createRestClient(createTestApi(home), createToken(home, { [cottage.id]: 'view' }));
    home.homes.delete(systemCaller, cottage.id);
    const { _homes, _meta } = (await guest.get('/rest/state')).body;
    expect([_homes, _meta.message]).toEqual([{}, 'No homes available. Connect a device to get started.']);
  });

  it('_scenes holds the names of the scenes of that home', async () => {
    const app = createTestApi(home, { sceneNames: (id) => (id === home.home.id ? ['Good Night'] : []) });
    const tree = (await createRestClient(app, createToken(home)).get('/rest/state')).body;
    expect(tree[keyOf(home.home)]._scenes).toEqual(['Good Night']);
  });

  it('_settable is absent where nothing is writable', async () => {
    const tree = (await rest.get('/rest/state?name=motion')).body;
    const entry = tree[keyOf(home.home)][keyOf(roomNamed('Living Room'))][keyOf(home.named('Motion'))];
    expect(entry).toMatchObject({ type: 'motion', motion: false, battery: 80, low_battery: false });
    expect(entry).not.toHaveProperty('_settable');
  });

  const press = async () => {
    const tree = (await rest.get('/rest/state?type=button')).body;
    return tree[keyOf(home.home)][keyOf(roomNamed('Default Room'))][keyOf(home.named('Button'))]
      .programmable_switch_event;
  };

  it('a press is shown for ten seconds, to clients that poll all the while', async () => {
    expect(await press()).toBeUndefined();
    home.driver.event('10:00:00:00:00:05', '1', '9', 0);
    expect(await press()).toBe(0);
    await home.clock.advance(9_900);
    expect(await press()).toBe(0);
    await home.clock.advance(200);
    expect(await press()).toBeUndefined();
  });

  it.each([3_600_000, -3_600_000])(
    'nor does a press show shorter or longer when the clock is set by %i ms',
    async (jump) => {
      home.driver.event('10:00:00:00:00:05', '1', '9', 2);
      home.clock.jumpWallClock(jump);
      expect(await press()).toBe(2);
      await home.clock.advance(10_000);
      expect(await press()).toBeUndefined();
    },
  );
});

describe('API §2.3', () => {
  it.each([
    ['light', ['Lamp']],
    ['climate', ['Thermostat']],
    ['lock', ['Front Door']],
    ['motion', ['Motion']],
    ['button', ['Button']],
    ['switch', ['Heater', 'Kettle']],
    ['LIGHT', ['Lamp']],
    ['lightbulb', ['Lamp']],
    ['camera', []],
    ['no_such_type', []],
  ])('type=%s on GET /rest/state finds %j', async (type, names) => {
    const { status, body } = await rest.get(`/rest/state?type=${type}`);
    expect(status).toBe(200);
    const { _scenes, ...rooms } = body[keyOf(home.home)];
    const found = Object.values(rooms).flatMap((room) => Object.keys(room as object));
    expect(found.sort()).toEqual(names.map((name) => keyOf(home.named(name))).sort());
    const message = names.length === 0 ? 'No accessories match filters' : expect.stringMatching(/^Found \d/);
    expect(body._meta.message).toEqual(message);
  });

  it.each([
    ['light', '43', '25'],
    ['switch', '49', '25'],
    ['climate', '4A', '33'],
    ['climate', 'BC', 'B0'],
    ['lock', '45', '1D'],
    ['alarm', '7E', '66'],
    ['fan', '40', '25'],
    ['fan', 'B7', 'B0'],
    ['blind', '8C', '7C'],
    ['valve', 'D0', 'B0'],
    ['speaker', '113', '11A'],
    ['motion', '85', '22'],
    ['contact', '80', '6A'],
    ['temperature', '8A', '11'],
    ['outlet', '47', '25'],
    ['light_sensor', '84', '6B'],
    ['camera', '110', '120'],
    ['doorbell', '121', '73'],
    ['button', '89', '73'],
  ])('each filter value finds its devices, in both forms: %s by service %s', async (type, serviceType, first) => {
    const services = [information('Thing'), service('8', serviceType, [characteristic('9', first, 'uint8', 1)])];
    const accessories = [{ aid: '1', name: 'Thing', category: 1, services }];
    home.driver.attach(home.home.id, { deviceId: '10:00:00:00:00:88', name: 'Thing', setupCode: '1', accessories });
    const tree = (await rest.get(`/rest/state?type=${type}&name=thing`)).body[keyOf(home.home)];
    expect(tree[keyOf(roomNamed('Default Room'))]?.[keyOf(home.named('Thing'))]?.type).toBe(type);
    const { homes } = (await rest.get(`/rest/state?form=names&type=${type}&name=thing`)).body;
    expect(homes[0].rooms[0].accessories[0]).toMatchObject({ name: 'Thing', type });
  });
});

describe('API §2.4, and the names of existing clients beside it', () => {
  it('accessories carry id, name, homeId, roomId, category, reachable and services with their characteristics', async () => {
    const lamp = home.named('Lamp');
    const { body } = await rest.get(`/rest/accessories/${lamp.id}`);
    expect(body).toMatchObject({
      id: lamp.id,
      name: 'Lamp',
      homeId: home.home.id,
      roomId: roomNamed('Living Room').id,
      roomName: 'Living Room',
      category: 'Lightbulb',
      type: 'light',
      reachable: true,
      isReachable: true,
    });
    const bulb = body.services.find(({ serviceType }: { serviceType: string }) => serviceType === 'lightbulb');
    expect(bulb).toMatchObject({ id: `${lamp.id}.8`, type: 'lightbulb', isPrimary: true });
    expect(bulb.characteristics[1]).toEqual({
      id: `${lamp.id}.10`,
      type: 'brightness',
      characteristicType: 'brightness',
      value: 50,
      format: 'int',
      unit: 'percentage',
      minValue: 0,
      maxValue: 100,
      minStep: 1,
      stepValue: 1,
      canRead: true,
      canWrite: true,
      isReadable: true,
      isWritable: true,
    });
  });

  it('unknown types pass through by UUID, 64-bit ids exactly', async () => {
    const vendor = 'F0000001-0218-2017-81BF-AF2B7C833922';
    home.driver.attach(home.home.id, {
      deviceId: '10:00:00:00:00:99',
      name: 'Odd',
      setupCode: '031-45-199',
      accessories: [
        {
          aid: '18446744073709551615',
          name: 'Odd',
          category: 1,
          services: [
            information('Odd'),
            service('9007199254740993', vendor, [characteristic('18446744073709551614', vendor, 'string', 'x')]),
          ],
        },
      ],
    });
    const { body } = await rest.get(`/rest/accessories/${home.named('Odd').id}`);
    expect(body).toMatchObject({ aid: '18446744073709551615', category: 'Other' });
    expect(body.services[1]).toMatchObject({
      id: `${body.id}.9007199254740993`,
      type: vendor,
      characteristics: [{ id: `${body.id}.18446744073709551614`, type: vendor, value: 'x' }],
    });
  });

  it('a device out of reach is reachable: false and keeps its last values', async () => {
    home.driver.setReachable('10:00:00:00:00:01', false);
    const { body } = await rest.get(`/rest/accessories/${home.named('Lamp').id}`);
    expect(body).toMatchObject({ reachable: false, isReachable: false });
    expect((await rest.get('/rest/state?name=lamp')).text).toContain('"brightness":50');
  });

  it('homes carry role, as far as the caller has one', async () => {
    const view = createRestClient(createTestApi(home), createToken(home, { [home.home.id]: 'view' }));
    expect((await view.get('/rest/homes')).body[0].role).toBe('view');
    expect((await rest.get('/rest/homes')).body[0].role).toBe('owner');
  });
});

describe('API §2.6', () => {
  it('an object that maps a home UUID to control or view; homes that are not listed are out of reach', async () => {
    const cottage = home.homes.create(systemCaller, { name: 'Cottage' });
    home.driver.attach(cottage.id, {
      deviceId: '10:00:00:00:00:77',
      name: 'B',
      setupCode: '1',
      accessories: [button('Bell')],
    });
    const only = createRestClient(createTestApi(home), createToken(home, { [cottage.id]: 'view' }));
    expect((await only.get('/rest/homes')).body.map(({ name }: { name: string }) => name)).toEqual(['Cottage']);
    const tree = (await only.get('/rest/state')).body;
    expect(Object.keys(tree)).toEqual([keyOf(cottage), '_homes', '_meta']);
    expect(tree._homes).toEqual({ [keyOf(cottage)]: cottage.id });
    expect(tree._meta.message).toBe('Found 1 accessory across 1 home');
    const accessories = (await only.get('/rest/accessories')).body;
    expect(accessories.map(({ name }: { name: string }) => name)).toEqual(['Bell']);
  });

  it('null or omitted: full access to all homes', async () => {
    home.homes.create(systemCaller, { name: 'Cottage' });
    expect((await rest.get('/rest/homes')).body).toHaveLength(2);
    expect((await rest.get('/rest/state')).body._meta.message).toBe('Found 7 accessories across 1 home');
  });
});
