import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { slugKey } from '../../../src/home/slug.ts';
import { createMcpClient, type McpClient } from '../../support/mcp-client.ts';
import { createRestClient, createTestApi, createToken, type RestClient } from '../../support/rest-client.ts';
import { createTestHome, systemCaller, type TestHome } from '../../support/test-home.ts';

let home: TestHome;
let mcp: McpClient;
let rest: RestClient;
/** The home's key. */
let key: string;

beforeEach(() => {
  home = createTestHome({ sample: true });
  const app = createTestApi(home);
  const token = createToken(home);
  mcp = createMcpClient(app, token);
  rest = createRestClient(app, token);
  key = slugKey(home.home.name, home.home.id);
});
afterEach(() => home.close());

function keyOf(name: string): string {
  return slugKey(name, home.named(name).id);
}

describe('tools/list', () => {
  it('describes each tool, its arguments, its results, and its effect on the home', async () => {
    for (const tool of await mcp.tools()) {
      expect(tool.title).not.toBe('');
      expect(tool.description.length).toBeGreaterThan(20);
      expect(tool.inputSchema).toMatchObject({ type: 'object', additionalProperties: false });
      expect(tool.outputSchema.type).toBe('object');
      const isRead = /^(get|query)_/.test(tool.name);
      expect([tool.name, tool.annotations.readOnlyHint]).toEqual([tool.name, isRead]);
      expect([tool.name, tool.annotations.destructiveHint]).toEqual([
        tool.name,
        /^(set|update|delete|run)_/.test(tool.name),
      ]);
      expect(tool.annotations).toHaveProperty('idempotentHint');
      expect(tool.annotations).toHaveProperty('openWorldHint');
    }
  });

  it('names no dialect of JSON Schema that older clients would refuse', async () => {
    expect(JSON.stringify(await mcp.tools())).not.toContain('$schema');
  });

  it('is short enough to be read before every conversation', async () => {
    const text = JSON.stringify(await mcp.tools());
    expect(text.length).toBeLessThan(48_000);
    for (const word of ['propertyNames', String(Number.MAX_SAFE_INTEGER)]) expect(text).not.toContain(word);
  });

  it('lists the caller’s homes and rooms where they are needed', async () => {
    const tools = await mcp.tools();
    const { description } = tools.find(({ name }) => name === 'set_state');
    const room = home.state.rooms(home.home.id).find(({ name }) => name === 'Living Room');
    expect(description).toContain(`My Home (${key})`);
    expect(description).toContain(`Living Room (${slugKey('Living Room', room?.id ?? '')})`);
  });
});

describe('get_state', () => {
  it('is the tree of GET /rest/state', async () => {
    const { data } = await mcp.call('get_state');
    expect(data).toEqual((await rest.get('/rest/state')).body);
  });

  it.each([
    ['filter_by_home', 'home', 'MY HOME'],
    ['filter_by_room', 'room', 'living'],
    ['filter_by_type', 'type', 'light'],
    ['filter_by_name', 'name', 'Kettle'],
  ])('takes %s as REST takes %s', async (name, restName, text) => {
    const { data } = await mcp.call('get_state', { [name]: text });
    const query = new URLSearchParams({ [restName]: text });
    expect(data).toEqual((await rest.get(`/rest/state?${query}`)).body);
  });

  it('reports it if the filters leave nothing', async () => {
    const { data } = await mcp.call('get_state', { filter_by_name: 'zeppelin' });
    expect(data._meta.message).toBe('No accessories match filters');
  });
});

describe('set_state', () => {
  const livingRoom = () => {
    const room = home.state.rooms(home.home.id).find(({ name }) => name === 'Living Room');
    return slugKey('Living Room', room?.id ?? '');
  };

  it('sets values by the keys of get_state', async () => {
    const updates = [{ home: key, room: livingRoom(), accessory: keyOf('Lamp'), on: true, brightness: 40 }];
    const { data, isError } = await mcp.call('set_state', { updates });
    expect(isError).toBe(false);
    expect(data).toEqual({
      updated: 1,
      failed: 0,
      changes: [`${key}/${livingRoom()}/${keyOf('Lamp')}: on=true, brightness=40`],
      errors: [],
      message: 'Updated 1 accessory',
    });
    const { data: state } = await mcp.call('get_state', { filter_by_name: 'lamp' });
    expect(state[key][livingRoom()][keyOf('Lamp')]).toMatchObject({ on: true, brightness: 40 });
  });

  it('takes names as well, ignoring case', async () => {
    const updates = [{ home: 'my home', room: 'LIVING ROOM', accessory: 'lamp', on: true }];
    expect((await mcp.call('set_state', { updates })).data.updated).toBe(1);
  });

  it('sets virtual accessories by their virtual_ properties', async () => {
    home.virtuals.create(systemCaller, { homeId: home.home.id, name: 'Mood', type: 'mode', options: ['Calm', 'Loud'] });
    home.virtuals.create(systemCaller, { homeId: home.home.id, name: 'Egg', type: 'timer', duration: 60 });
    const place = { home: key, room: 'Default Room' };
    const updates = [
      { ...place, accessory: 'Mood', virtual_mode: 'Loud' },
      { ...place, accessory: 'Egg', virtual_timer: 'start' },
    ];
    expect((await mcp.call('set_state', { updates })).data).toMatchObject({ updated: 2, failed: 0 });
    const { data } = await mcp.call('get_state', { filter_by_room: 'default' });
    const room = Object.values(data[key])[0] as Record<string, Record<string, unknown>>;
    expect(room[keyOf('Mood')]?.virtual_mode).toBe('Loud');
    expect(room[keyOf('Egg')]?.virtual_timer).toBe('active');
  });

  it('sets a service group as one', async () => {
    const accessoryIds = [home.named('Kettle').id, home.named('Heater').id];
    home.serviceGroups.create(systemCaller, { homeId: home.home.id, name: 'Plugs', accessoryIds });
    const updates = [{ home: key, room: 'Default Room', accessory: 'Plugs', on: true }];
    expect((await mcp.call('set_state', { updates })).data).toMatchObject({ updated: 1, failed: 0 });
    const { data } = await mcp.call('get_state', { filter_by_name: 'kettle' });
    expect(JSON.stringify(data)).toContain('"on":true');
  });

  it('does the good ones and reports what is wrong with the others, and what there is instead', async () => {
    const updates = [
      { home: key, room: 'Living Room', accessory: 'Lamp', on: true },
      { home: key, room: 'Living Room', accessory: 'Lmap', on: true },
      { home: key, room: 'Cellar', accessory: 'Lamp', on: true },
      { home: 'Nowhere', room: 'Cellar', accessory: 'Lamp', on: true },
      { home: key, room: 'Living Room', accessory: 'Lamp' },
      { home: key, room: 'Living Room', accessory: 'Lamp', heat_target: 20 },
    ];
    const { data, isError } = await mcp.call('set_state', { updates });
    expect(isError).toBe(false);
    expect(data).toMatchObject({ updated: 1, failed: 5, message: 'Updated 1 accessory, 5 failed' });
    const [accessory, room, inventory, nothing, property] = data.errors;
    expect(accessory).toContain('Did you mean "Lamp"?');
    expect(accessory).toContain(keyOf('Thermostat'));
    expect(room).toContain(livingRoom());
    expect(inventory).toContain(`There are: ${key}.`);
    expect(nothing).toContain('add what to set');
    expect(property).toContain('heat_target');
  });

  it('explains the first errors, and names the others', async () => {
    const update = { home: key, room: 'Living Room', accessory: 'Lmap', on: true };
    const { data } = await mcp.call('set_state', { updates: Array(30).fill(update) });
    expect(data.failed).toBe(30);
    expect(data.errors.filter((line: string) => line.includes('Did you mean'))).toHaveLength(20);
    expect(data.errors[29]).toBe(`${key}/Living Room/Lmap: not found`);
  });

  it('is an error as a whole where nothing came of it', async () => {
    const updates = [{ home: key, room: 'Living Room', accessory: 'Lmap', on: true }];
    const { data, isError } = await mcp.call('set_state', { updates });
    expect([isError, data.message]).toEqual([true, 'All 1 updates failed']);
    expect((await mcp.call('set_state', { updates: [] })).data.message).toBe('No updates provided');
  });

  it('asks for a key where several accessories share a name', async () => {
    home.accessories.update(systemCaller, home.named('Heater').id, { name: 'Kettle' });
    const updates = [{ home: key, room: 'Default Room', accessory: 'Kettle', on: true }];
    const { data } = await mcp.call('set_state', { updates });
    expect(data.errors[0]).toMatch(/several accessories .* Give the key of one accessory: kettle_\w{4}, kettle_\w{4}/);
  });

  it('refuses arguments of the wrong kind by name', async () => {
    const base = { home: key, room: 'Living Room', accessory: 'Lamp' };
    const sentence = async (update: object) => (await mcp.call('set_state', { updates: [update] })).data.error;
    expect(await sentence({ ...base, brightness: 'bright' })).toBe('"updates[0].brightness" must be a number.');
    expect(await sentence({ ...base, brightness: 101 })).toBe('"updates[0].brightness" must be at most 100.');
    expect(await sentence({ home: key, accessory: 'Lamp' })).toBe('"updates[0].room" is missing: it must be a text.');
    expect(await sentence({ ...base, on: {} })).toBe('"updates[0].on" must be true or false.');
    expect(await sentence({ ...base, tilt: {} })).toBe(
      '"updates[0].tilt" must be true or false or a number or a text.',
    );
  });
});

describe('get_history and query_history', () => {
  const HOUR_MS = 3_600_000;
  const DAY_MS = 24 * HOUR_MS;

  const remember = (name: string, characteristic: string, samples: readonly (readonly [number, number])[]): void => {
    const { id: accessoryId, homeId } = home.named(name);
    const kind = characteristic === 'power_state' ? 'bool' : 'numeric';
    const seriesId = home.historyStore.openSeries({ homeId, accessoryId, characteristic, kind, unit: null });
    home.historyStore.insert(samples.map(([at, value]) => ({ seriesId, at, value })));
  };
  const enable = () => home.history.setEnabled(systemCaller, home.home.id, true);

  it('get_history answers as GET /rest/history', async () => {
    enable();
    remember('Lamp', 'brightness', [[home.clock.now() - HOUR_MS, 30]]);
    const { data } = await mcp.call('get_history', { accessory: 'lamp', hours: 3, max_points: 50 });
    expect(data).toEqual((await rest.get('/rest/history?accessory=lamp&hours=3&max_points=50')).body);
    expect(data.series.map(({ characteristic }: { characteristic: string }) => characteristic)).toContain('brightness');
  });

  it('get_history reports where the history is off, and which accessory it does not find', async () => {
    expect((await mcp.call('get_history', { accessory: 'lamp' })).data._meta.message).toContain('opt-in');
    const { data, isError } = await mcp.call('get_history', { accessory: 'zeppelin' });
    expect([isError, data.code]).toEqual([true, 'accessory_not_found']);
  });

  it('query_history gives every recorded series of the first home, of the last day', async () => {
    enable();
    const now = home.clock.now();
    remember('Lamp', 'brightness', [
      [now - 2 * DAY_MS, 10],
      [now - HOUR_MS, 30],
    ]);
    remember('Lamp', 'power_state', [[now - HOUR_MS, 1]]);
    const { data } = await mcp.call('query_history', { accessories: ['Lamp'] });
    const everything = await mcp.call('query_history');
    expect(everything.data._meta.series_matched).toBeGreaterThan(2);
    expect(data).toMatchObject({ home: key, to: new Date(now).toISOString() });
    expect(data._meta).toEqual({
      series_returned: 2,
      series_matched: 2,
      points_returned: 2,
      message: '2 of 2 series',
    });
    const brightness = data.series.find((one: { characteristic: string }) => one.characteristic === 'brightness');
    expect(brightness).toMatchObject({
      accessory: { key: keyOf('Lamp'), name: 'Lamp' },
      values: [[new Date(now - HOUR_MS).toISOString(), 30]],
      opening_value: 10,
      continue_from: null,
    });
    const power = data.series.find((one: { characteristic: string }) => one.characteristic === 'power_state');
    expect(power).toMatchObject({ opening_value: null, transitions: [[expect.any(String), 'on']] });
  });

  it('query_history picks accessories and characteristics by any spelling', async () => {
    enable();
    const at = home.clock.now() - HOUR_MS;
    remember('Lamp', 'brightness', [[at, 30]]);
    remember('Lamp', 'power_state', [[at, 1]]);
    remember('Kettle', 'power_state', [[at, 1]]);
    const names = async (args: object) =>
      (await mcp.call('query_history', args)).data.series.map(
        (one: { accessory: { name: string }; characteristic: string }) => `${one.accessory.name} ${one.characteristic}`,
      );
    expect(await names({ characteristics: ['on'] })).toEqual([
      'Heater power_state',
      'Kettle power_state',
      'Lamp power_state',
    ]);
    expect(await names({ characteristics: ['Brightness'] })).toEqual(['Lamp brightness']);
    expect(await names({ accessories: [keyOf('Kettle')] })).toEqual(['Kettle power_state']);
    expect(await names({ accessories: ['lamp'], characteristics: ['power_state', 'brightness'] })).toHaveLength(2);
    expect(await names({ characteristics: ['on_2'] })).toEqual([]);
  });

  it('query_history gives raw samples in pages that go on where the last one ended', async () => {
    enable();
    const start = home.clock.now() - HOUR_MS;
    const samples = Array.from({ length: 90 }, (_, index) => [start + index * 30_000, index] as const);
    remember('Lamp', 'brightness', samples);
    const read: number[] = [];
    let from: string | null = new Date(start).toISOString();
    let calls = 0;
    while (from !== null) {
      const args = { characteristics: ['brightness'], start: from, resolution: 'raw', max_points_per_series: 20 };
      const { data } = await mcp.call('query_history', args);
      const [series] = data.series;
      expect(series.values.length).toBeLessThanOrEqual(20);
      read.push(...series.values.map(([, value]: [string, number]) => value));
      from = series.continue_from;
      calls += 1;
    }
    expect(read).toEqual(samples.map(([, value]) => value));
    expect(calls).toBeGreaterThan(4);
  });

  it('query_history brings long windows down to as many points as were asked for', async () => {
    enable();
    const end = home.clock.now();
    remember(
      'Lamp',
      'brightness',
      Array.from({ length: 500 }, (_, index) => [end - (500 - index) * 60_000, index % 100] as const),
    );
    const { data } = await mcp.call('query_history', { characteristics: ['brightness'], max_points_per_series: 25 });
    expect(data.series[0].values.length).toBeLessThanOrEqual(25);
    expect(data.series[0]).toMatchObject({ continue_from: null, summary: { min: 0, max: 99 } });
  });

  it('query_history reports what is wrong, and what there is instead', async () => {
    enable();
    const fault = async (args: object) => (await mcp.call('query_history', args)).data;
    expect(await fault({ accessories: ['Lmap'] })).toMatchObject({
      code: 'accessory_not_found',
      field: 'accessories[0]',
      error: expect.stringContaining(keyOf('Lamp')),
    });
    expect((await fault({ characteristics: ['vibes'] })).error).toContain('There are: ');
    expect((await fault({ home: 'Nowhere' })).code).toBe('home_not_found');
    expect((await fault({ start: 'yesterday' })).field).toBe('start');
    expect((await fault({ start: '2026-01-15T12:00:00Z', end: '2026-01-14T12:00:00Z' })).field).toBe('end');
    expect((await fault({ resolution: 'weekly' })).error).toBe('"resolution" must be one of auto, raw, hourly, daily.');
  });

  it('query_history reports where the history is off', async () => {
    expect((await mcp.call('query_history')).data._meta.message).toContain('opt-in');
  });
});

describe('Scenes', () => {
  const evening = { home: 'My Home', name: 'Evening', actions: [{ accessory: 'Lamp', on: true, brightness: 20 }] };

  it('are made, run, changed and deleted by name', async () => {
    const created = await mcp.call('create_scene', evening);
    expect(created.data).toMatchObject({
      home: key,
      scene: { name: 'Evening', actionCount: 2 },
      message: 'Created the scene "Evening"',
    });
    const ran = await mcp.call('run_scene', { home: key, name: 'evening' });
    expect(ran.data).toMatchObject({ success: true, scene: { name: 'Evening' }, failed: 0, errors: [] });
    expect(JSON.stringify((await mcp.call('get_state', { filter_by_name: 'lamp' })).data)).toContain('"brightness":20');

    const actions = [{ accessory: keyOf('Kettle'), room: 'Default Room', on: true }];
    const changed = await mcp.call('update_scene', { home: key, name: 'Evening', new_name: 'Tea', actions });
    expect(changed.data.scene).toMatchObject({ name: 'Tea', actionCount: 1 });
    expect((await mcp.call('delete_scene', { home: key, name: 'tea' })).data).toMatchObject({ success: true });
    const left = (await rest.get('/rest/scenes')).body.map(({ name }: { name: string }) => name);
    expect(left).toEqual(['Good Night', 'Leave Home']);
  });

  it('are as REST shows them, except for their latest run', async () => {
    const { data } = await mcp.call('create_scene', evening);
    expect({ ...data.scene, lastRun: null }).toEqual((await rest.get(`/rest/scenes/${data.scene.id}`)).body);
  });

  it('report where in the arguments something is wrong', async () => {
    const fault = async (actions: unknown) => (await mcp.call('create_scene', { ...evening, actions })).data;
    expect(
      await fault([
        { accessory: 'Lamp', on: true },
        { accessory: 'Lamp', brightness: 400 },
      ]),
    ).toMatchObject({
      code: 'invalid_value',
      field: 'actions[1].brightness',
      error: expect.stringContaining('actions[1].brightness'),
    });
    expect(await fault([{ accessory: 'Lmap', on: true }])).toMatchObject({ field: 'actions[0].accessory' });
    expect(await fault([{ accessory: 'Lamp', room: 'Cellar', on: true }])).toMatchObject({ field: 'actions[0].room' });
    expect(await fault([{ accessory: 'Lamp' }])).toMatchObject({ code: 'invalid_request', field: 'actions[0]' });
    expect(await fault([])).toMatchObject({ error: 'At least one action is required' });
    expect((await mcp.call('create_scene', { ...evening, name: 'Evening!' })).data.error).toContain(
      '"Evening" would do',
    );
  });

  it('lists the scenes that there are where one is not found', async () => {
    await mcp.call('create_scene', evening);
    for (const tool of ['run_scene', 'update_scene', 'delete_scene']) {
      const { data, isError } = await mcp.call(tool, { home: key, name: 'Morning' });
      expect([tool, isError, data.code]).toEqual([tool, true, 'scene_not_found']);
      expect(data.error).toContain('"Evening"');
    }
  });

  it('is an error where an action fails, and names it', async () => {
    await mcp.call('create_scene', evening);
    home.driver.setReachable(home.named('Lamp').address.source, false);
    const { data, isError } = await mcp.call('run_scene', { home: key, name: 'Evening' });
    expect([isError, data.success, data.failed]).toEqual([true, false, 2]);
    expect(data.errors[0]).toContain('Lamp');
  });

  it('leaves a scene as it is where nothing is to be changed', async () => {
    await mcp.call('create_scene', evening);
    expect((await mcp.call('update_scene', { home: key, name: 'Evening' })).data.code).toBe('invalid_request');
  });
});

describe('People', () => {
  const POSITION = { latitude: 52.5163, longitude: 13.3777 };

  it('are listed by home, with their presence and without positions or accounts', async () => {
    const { id } = home.people.create(systemCaller, { homeId: home.home.id, name: 'Ada' });
    home.people.create(systemCaller, { homeId: home.home.id, name: 'Grace' });
    home.people.setPresence(systemCaller, id, POSITION);
    home.people.setPresence(systemCaller, id, { atHome: true });
    const { data } = await mcp.call('get_people');
    const [ada] = (await rest.get('/rest/people')).body;
    expect(ada).toMatchObject({ ...POSITION, atHome: true });
    expect(data).toEqual({
      [key]: [
        { name: 'Ada', at_home: true, changed_at: ada.changedAt },
        { name: 'Grace', at_home: null, changed_at: null },
      ],
      _meta: { message: '2 people in 1 home' },
    });
    expect(await mcp.call('get_people', { filter_by_home: 'cottage' })).toMatchObject({
      data: { _meta: { message: `No home matches "cottage". There are: ${key}` } },
    });
  });
});

describe('Virtual accessories', () => {
  it.each([
    ['switch', {}, 'input_boolean'],
    ['mode', { options: ['Home', 'Away'], initial: 'Away' }, 'input_select'],
    ['number', { min: 0, max: 10, step: 0.5, unit: 'bar' }, 'input_number'],
    ['counter', { initial: 3 }, 'counter'],
    ['timer', { duration: { minutes: 5 } }, 'timer'],
    ['text', { initial: 'hello' }, 'input_text'],
    ['date', {}, 'input_datetime'],
  ])('of type %s are made, changed and deleted', async (type, fields, kind) => {
    const made = await mcp.call('create_virtual_accessory', {
      home: key,
      name: 'Thing',
      type,
      room: 'Living Room',
      ...fields,
    });
    const { virtual_accessory: thing } = made.data;
    expect(thing).toMatchObject({ name: 'Thing', type: kind, room: 'Living Room', slug: keyOf('Thing') });

    const changes = { home: key, id: thing.slug, name: 'Other', room: '', controllable: false, icon: 'star' };
    const { data } = await mcp.call('update_virtual_accessory', changes);
    expect(data.virtual_accessory).toMatchObject({ id: thing.id, name: 'Other', room: 'Default Room' });
    const listed = (await rest.get(`/rest/virtual-accessories/${thing.id}`)).body;
    expect(listed).toMatchObject({ isUserEditable: false, virtualIcon: 'star' });

    const deleted = await mcp.call('delete_virtual_accessory', { home: key, id: thing.id });
    expect(deleted.data).toMatchObject({ success: true, id: thing.id, message: 'Deleted "Other"' });
    expect((await rest.get('/rest/virtual-accessories')).body).toEqual([]);
  });

  it('reports what a kind needs and what it does not take', async () => {
    const fault = async (args: object) =>
      (await mcp.call('create_virtual_accessory', { home: key, name: 'X', ...args })).data;
    expect(await fault({ type: 'mode' })).toMatchObject({ field: 'options' });
    expect(await fault({ type: 'number', min: 1 })).toMatchObject({ field: 'max' });
    expect(await fault({ type: 'switch', options: ['a', 'b'] })).toMatchObject({ field: 'options' });
    expect(await fault({ type: 'sensor' })).toMatchObject({
      error: '"type" must be one of switch, mode, number, counter, timer, text, date.',
    });
    expect(await fault({ type: 'switch', room: 'Cellar' })).toMatchObject({ code: 'room_not_found' });
  });

  it('finds none among devices, and lists those that there are', async () => {
    home.virtuals.create(systemCaller, { homeId: home.home.id, name: 'Mood', type: 'switch' });
    const { data } = await mcp.call('delete_virtual_accessory', { home: key, id: keyOf('Lamp') });
    expect(data.code).toBe('accessory_not_found');
    expect(data.error).toContain(keyOf('Mood'));
    expect(data.error).not.toContain(keyOf('Kettle'));
  });

  it('stay while a scene uses them', async () => {
    home.virtuals.create(systemCaller, { homeId: home.home.id, name: 'Mood', type: 'switch' });
    await mcp.call('create_scene', { home: key, name: 'Calm', actions: [{ accessory: 'Mood', on: true }] });
    const { data } = await mcp.call('delete_virtual_accessory', { home: key, id: 'Mood' });
    expect(data).toMatchObject({ code: 'conflict', error: expect.stringContaining('Calm') });
  });
});
