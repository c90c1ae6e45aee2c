/**
 * Wire-facts §11.2: MCP, sentence by sentence. Its tools for the service's own automations go by neutral names here:
 * `*_flow` (decisions §13).
 */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { slugKey } from '../../src/home/slug.ts';
import { type AutomationHome, createAutomationHome } from '../support/automation-home.ts';
import { createMcpClient, type McpClient } from '../support/mcp-client.ts';
import { createRestClient, createTestApi, createToken, type RestClient } from '../support/rest-client.ts';
import { systemCaller } from '../support/test-home.ts';

let home: AutomationHome;
let app: ReturnType<typeof createTestApi>;
let mcp: McpClient;
let rest: RestClient;
/** The home's key. */
let key: string;

beforeEach(() => {
  home = createAutomationHome({ sample: true });
  app = createTestApi(home);
  const token = createToken(home);
  mcp = createMcpClient(app, token);
  rest = createRestClient(app, token);
  key = slugKey(home.home.name, home.home.id);
});
afterEach(() => home.stop());

const keyOf = (name: string): string => slugKey(name, home.named(name).id);
const make = (fields: Readonly<Record<string, unknown>>) =>
  home.virtuals.create(systemCaller, { homeId: home.home.id, name: 'Thing', type: 'counter', ...fields });
/** What a tool answers; fails where it refuses. */
const call = async (name: string, args: object = {}) => {
  const { isError, data } = await mcp.call(name, args);
  expect([name, isError, isError && data]).toEqual([name, false, false]);
  return data;
};
const refusal = async (name: string, args: object) => {
  const { isError, data } = await mcp.call(name, args);
  expect([name, isError]).toEqual([name, true]);
  return data;
};

describe('The transport', () => {
  it('is JSON-RPC 2.0 over POST /mcp', async () => {
    expect(await mcp.rpc('ping')).toEqual({ jsonrpc: '2.0', id: 1, result: {} });
  });

  it('initialize agrees on protocolVersion 2024-11-05 and names the server', async () => {
    const clientInfo = { name: 'test', version: '1' };
    const { result } = await mcp.rpc('initialize', { protocolVersion: '2024-11-05', capabilities: {}, clientInfo });
    expect(result).toMatchObject({ protocolVersion: '2024-11-05', serverInfo: { name: 'hearthd' } });
  });

  it('notifications/initialized is taken without an answer', async () => {
    const response = await mcp.post({ jsonrpc: '2.0', method: 'notifications/initialized' });
    expect([response.status, await response.text()]).toEqual([202, '']);
  });

  it('tools/call answers with content text holding pretty JSON', async () => {
    const { result } = await mcp.rpc('tools/call', { name: 'get_state', arguments: {} });
    expect(result.content).toEqual([{ type: 'text', text: expect.stringMatching(/^\{\n {2}"/) }]);
  });

  it('tools/call returns isError where it was refused', async () => {
    expect(await refusal('run_scene', { home: key, name: 'Nothing' })).toMatchObject({ code: 'scene_not_found' });
  });

  it('an unknown method is -32601, what is no JSON -32700', async () => {
    expect(await mcp.rpc('tools/ponder')).toMatchObject({ error: { code: -32_601 } });
    expect(await (await mcp.post('{')).json()).toMatchObject({ error: { code: -32_700 } });
  });
});

describe('The tools', () => {
  it.each<readonly [string, readonly string[], readonly string[]]>([
    ['get_state', [], ['filter_by_home', 'filter_by_room', 'filter_by_type', 'filter_by_name']],
    ['get_history', ['accessory'], ['home', 'characteristic', 'hours', 'max_points']],
    [
      'query_history',
      [],
      ['home', 'accessories', 'characteristics', 'start', 'end', 'resolution', 'max_points_per_series'],
    ],
    ['set_state', ['updates'], []],
    ['run_scene', ['home', 'name'], []],
    ['create_scene', ['home', 'name', 'actions'], []],
    ['update_scene', ['home', 'name'], ['new_name', 'actions']],
    ['delete_scene', ['home', 'name'], []],
    ['get_people', [], ['filter_by_home']],
    ['get_automations', [], ['filter_by_home']],
    ['create_automation', ['home', 'name', 'trigger', 'actions'], []],
    ['update_automation', ['home', 'id'], ['name', 'trigger', 'actions', 'enabled']],
    ['delete_automation', ['home', 'id'], []],
    ['get_flows', [], ['filter_by_home']],
    ['create_flow', ['home', 'name', 'triggers', 'actions'], ['conditions', 'enabled', 'mode', 'description']],
    ['update_flow', ['home', 'id'], ['name', 'triggers', 'conditions', 'actions', 'enabled', 'mode', 'description']],
    ['delete_flow', ['home', 'id'], []],
    ['get_blueprints', ['home'], []],
    ['apply_blueprint', ['home', 'blueprint', 'inputs'], ['name']],
    [
      'create_virtual_accessory',
      ['home', 'name', 'type'],
      ['options', 'min', 'max', 'step', 'unit', 'initial', 'duration', 'controllable', 'icon', 'room'],
    ],
    [
      'update_virtual_accessory',
      ['home', 'id'],
      ['name', 'options', 'min', 'max', 'step', 'unit', 'duration', 'controllable', 'icon', 'room'],
    ],
    ['delete_virtual_accessory', ['home', 'id'], []],
  ])('%s takes its parameters and requires those that are marked so', async (name, required, others) => {
    const tool = (await mcp.tools()).find((one) => one.name === name);
    const { properties, required: needed = [] } = tool.inputSchema;
    expect([...needed].sort()).toEqual([...required].sort());
    expect(Object.keys(properties).sort()).toEqual([...required, ...others].sort());
  });

  it('set_state takes every property, the virtual ones too', async () => {
    const tool = (await mcp.tools()).find(({ name }) => name === 'set_state');
    const { properties, required } = tool.inputSchema.properties.updates.items;
    expect([...required].sort()).toEqual(['accessory', 'home', 'room']);
    const names = `on brightness hue saturation color_temp active heat_target cool_target hvac_mode lock_target alarm_target speed
      volume mute target virtual_mode virtual_count virtual_number virtual_text virtual_datetime virtual_timer`;
    expect(Object.keys(properties)).toEqual(expect.arrayContaining(names.split(/\s+/)));
  });

  it('carry readOnlyHint and destructiveHint', async () => {
    for (const { name, annotations } of await mcp.tools()) {
      expect([name, annotations.readOnlyHint]).toEqual([name, /^(get|query)_/.test(name)]);
      if (/^delete_/.test(name)) expect([name, annotations.destructiveHint]).toEqual([name, true]);
    }
  });

  it('carry the account’s homes and rooms in their descriptions', async () => {
    const tools = await mcp.tools();
    for (const { description } of tools) expect(description).toContain(key);
    const { description } = tools.find(({ name }) => name === 'get_state');
    for (const { id, name } of home.state.rooms(home.home.id)) expect(description).toContain(slugKey(name, id));
  });

  it('set_state needs control permission: who may only view is neither shown it nor let through', async () => {
    const { token } = home.tokens.create(systemCaller, { name: 'viewer', homePermissions: { [home.home.id]: 'view' } });
    const viewer = createMcpClient(app, token);
    const names = (await viewer.tools()).map(({ name }) => name);
    expect(names).toEqual([
      'get_state',
      'get_history',
      'query_history',
      'get_people',
      'get_automations',
      'get_flows',
      'get_blueprints',
    ]);
    const updates = [{ home: key, room: 'Living Room', accessory: 'Lamp', on: true }];
    expect(await viewer.call('set_state', { updates })).toMatchObject({
      isError: true,
      data: { code: 'insufficient_permissions' },
    });
  });
});

describe('State, history and scenes', () => {
  it('get_state is the tree of REST', async () => {
    expect(await call('get_state')).toEqual((await rest.get('/rest/state')).body);
  });

  it('get_history is that of REST', async () => {
    expect(await call('get_history', { accessory: 'lamp' })).toEqual(
      (await rest.get('/rest/history?accessory=lamp')).body,
    );
  });

  it('query_history takes the first home where none is named, and reports how much it returned and matched', async () => {
    const { home: shown, _meta } = await call('query_history');
    expect(shown).toBe(key);
    expect(_meta).toEqual({ series_returned: 0, series_matched: 0, points_returned: 0, message: expect.any(String) });
  });

  it('query_history gives continue_from and opening_value with each series', async () => {
    home.history.setEnabled(systemCaller, home.home.id, true);
    const accessoryId = home.named('Lamp').id;
    const series = {
      homeId: home.home.id,
      accessoryId,
      characteristic: 'brightness',
      kind: 'numeric',
      unit: null,
    } as const;
    const seriesId = home.historyStore.openSeries(series);
    const now = home.clock.now();
    home.historyStore.insert([
      { seriesId, at: now - 48 * 3_600_000, value: 10 },
      { seriesId, at: now - 3_600_000, value: 30 },
    ]);
    const answer = await call('query_history', { home: key, characteristics: ['brightness'] });
    expect(answer.series).toMatchObject([{ opening_value: 10, continue_from: null }]);
  });

  it('set_state answers as POST /rest/state, and sets what is virtual too', async () => {
    make({ name: 'Mood', type: 'mode', options: ['Calm', 'Loud'] });
    const updates = [
      { home: key, room: 'Living Room', accessory: keyOf('Lamp'), on: true, brightness: 40 },
      { home: key, room: 'Default Room', accessory: keyOf('Mood'), virtual_mode: 'Loud' },
    ];
    expect(await call('set_state', { updates })).toMatchObject({
      updated: 2,
      failed: 0,
      changes: [expect.stringMatching(/: on=true, brightness=40$/), expect.stringMatching(/: virtual_mode=Loud$/)],
      errors: [],
    });
  });

  it('scenes are made, run, changed and deleted by name', async () => {
    const actions = [{ accessory: 'Lamp', room: 'Living Room', on: true }];
    await call('create_scene', { home: key, name: 'Evening', actions });
    expect(await call('run_scene', { home: key, name: 'evening' })).toMatchObject({ success: true });
    await call('update_scene', {
      home: key,
      name: 'Evening',
      new_name: 'Night',
      actions: [{ accessory: 'Lamp', on: false }],
    });
    await call('delete_scene', { home: key, name: 'Night' });
    expect(await refusal('run_scene', { home: key, name: 'Night' })).toMatchObject({ code: 'scene_not_found' });
  });
});

describe('Virtual accessories', () => {
  it('answer with the home, the accessory (id, slug, name, type, room) and a message', async () => {
    const fields = { home: key, name: 'Mood', type: 'mode', options: ['Calm', 'Loud'], room: 'Living Room' };
    const made = await call('create_virtual_accessory', fields);
    expect(made).toEqual({
      home: key,
      virtual_accessory: {
        id: home.named('Mood').id,
        slug: keyOf('Mood'),
        name: 'Mood',
        type: expect.any(String),
        room: 'Living Room',
      },
      message: expect.any(String),
    });
  });

  it('a mode needs options, a number needs min and max', async () => {
    expect((await refusal('create_virtual_accessory', { home: key, name: 'A', type: 'mode' })).field).toBe('options');
    expect((await refusal('create_virtual_accessory', { home: key, name: 'A', type: 'number', min: 1 })).field).toBe(
      'max',
    );
  });

  it('a duration is seconds or {hours, minutes, seconds}', async () => {
    for (const duration of [90, { minutes: 1, seconds: 30 }]) {
      await call('create_virtual_accessory', { home: key, name: 'Egg', type: 'timer', duration });
      await call('delete_virtual_accessory', { home: key, id: keyOf('Egg') });
    }
  });

  it('are changed by slug or id; a room "" is the home itself', async () => {
    const { id } = make({ name: 'Visits' });
    await call('update_virtual_accessory', { home: key, id: keyOf('Visits'), name: 'Guests', room: 'Living Room' });
    const { virtual_accessory: shown } = await call('update_virtual_accessory', { home: key, id, room: '' });
    expect(shown).toMatchObject({ id, name: 'Guests', room: 'Default Room' });
  });
});

describe('Native automations', () => {
  const actions = [{ accessory: 'Lamp', on: true }];
  const create = (trigger: object, name = 'Evening') =>
    call('create_automation', { home: key, name, trigger, actions });
  const events = (...list: object[]) => ({ type: 'event', events: list });

  it('get_automations answers by home key with id, name, enabled, editable, trigger, actions and last_fired, and with _meta', async () => {
    const { automation } = await create({ type: 'timer', hour: 7, minute: 0, recurrenceType: 'daily' });
    expect(await call('get_automations')).toEqual({ [key]: [automation], _meta: expect.anything() });
    expect(Object.keys(automation).sort()).toEqual(
      ['id', 'name', 'enabled', 'editable', 'trigger', 'actions', 'scene_id', 'last_fired'].sort(),
    );
  });

  it('_meta.view_only_homes and trigger.activation_issue report what stands in the way', async () => {
    await create(events({ type: 'significantTime', significantEvent: 'sunset', offsetMinutes: -10 }));
    const { token } = home.tokens.create(systemCaller, { name: 'viewer', homePermissions: { [home.home.id]: 'view' } });
    const { data } = await createMcpClient(app, token).call('get_automations');
    expect(data._meta.view_only_homes).toEqual([key]);
    expect(data[key][0].trigger.activation_issue).toEqual(expect.stringMatching(/location/));
  });

  it('create_automation answers {home, automation, message}', async () => {
    const answer = await create({ type: 'timer', fireDate: '2040-01-01T07:00:00Z' });
    expect(answer).toEqual({ home: key, automation: expect.anything(), message: 'Created the automation "Evening"' });
  });

  it('delete_automation answers {success, id, home, message}', async () => {
    const { automation } = await create({ type: 'timer', hour: 7 });
    const { id } = automation;
    await call('update_automation', { home: key, id, name: 'Dusk', enabled: false });
    expect(await call('delete_automation', { home: key, id })).toEqual({
      success: true,
      id,
      home: key,
      message: 'Deleted the automation "Dusk"',
    });
  });

  it.each([
    ['daily', { type: 'timer', hour: 7, minute: 30, recurrenceType: 'daily', timeZone: 'Europe/Berlin' }],
    ['weekly', { type: 'timer', hour: 7, minute: 30, recurrenceType: 'weekly' }],
    ['once', { type: 'timer', hour: 7, minute: 30, recurrenceType: 'once' }],
    ['at a date', { type: 'timer', fireDate: '2040-01-01T07:00:00.000Z' }],
  ])('a timer fires %s', async (_when, trigger) => {
    const { automation } = await create(trigger);
    expect(automation).toMatchObject({ enabled: true, editable: true, trigger: { type: 'timer' } });
  });

  it('events are characteristic, significantTime, calendar and duration; with conditions, endEvents, recurrences and executeOnce', async () => {
    const trigger = {
      type: 'event',
      events: [
        { type: 'characteristic', accessory: keyOf('Thermostat'), characteristic: 'hvac_mode', value: 'heat' },
        { type: 'significantTime', significantEvent: 'sunset', offsetMinutes: -15 },
        { type: 'calendar', calendarComponents: { hour: 7, minute: 0 } },
      ],
      endEvents: [{ type: 'duration', durationSeconds: 60 }],
      conditions: [{ type: 'characteristic', accessory: keyOf('Front Door'), characteristic: 'locked', value: true }],
      recurrences: [{ weekday: 1 }],
      executeOnce: true,
    };
    const { activation_issue: _issue, ...shown } = (await create(trigger)).automation.trigger;
    expect(shown).toEqual(trigger);
  });

  it('presence and location can’t be made here, and are shown where they are', async () => {
    for (const type of ['presence', 'location']) {
      const args = { home: key, name: 'Gone', trigger: events({ type }), actions };
      expect((await refusal('create_automation', args)).error).toContain(
        'characteristic, significantTime, calendar, duration',
      );
    }
    home.automations.create(systemCaller, {
      homeId: home.home.id,
      name: 'Gone',
      trigger: events({ type: 'presence', presenceEvent: 'lastDeparture', presenceType: 'allUsers' }),
      actions: [{ accessoryId: home.named('Lamp').id, characteristicType: 'on', targetValue: false }],
    });
    const { [key]: shown } = await call('get_automations');
    expect(shown).toMatchObject([{ editable: false, trigger: { events: [{ _unsupported: 'presence' }] } }]);
  });
});

describe('Flows', () => {
  const create = (fields: object) =>
    call('create_flow', { home: key, name: 'Hall', triggers: [], actions: [], ...fields });
  const wrong = (fields: object) =>
    refusal('create_flow', { home: key, name: 'Hall', triggers: [], actions: [], ...fields });
  /** With ids, as they are shown. */
  const numbered = (parts: readonly object[]) => parts.map((part, index) => ({ id: `p${index}`, ...part }));

  it('get_flows answers by home key with what a flow is, last_triggered, trigger_count and editable_via_mcp, and with _meta', async () => {
    const { flow } = await create({ description: 'Light' });
    expect(flow).toEqual({
      id: expect.any(String),
      name: 'Hall',
      description: 'Light',
      enabled: true,
      mode: 'single',
      triggers: [],
      conditions: [],
      actions: [],
      last_triggered: null,
      trigger_count: 0,
      editable_via_mcp: true,
    });
    expect(await call('get_flows')).toEqual({
      [key]: [flow],
      _meta: { view_only_homes: [], message: '1 flow in 1 home' },
    });
  });

  it('parts that can’t be expressed are marked _unsupported', async () => {
    home.saveFlow({ triggers: [{ type: 'time_pattern', minutes: '/5' }] });
    const { [key]: shown } = await call('get_flows');
    expect(shown).toMatchObject([
      { editable_via_mcp: false, triggers: [{ _unsupported: 'time_pattern', minutes: '/5' }] },
    ]);
  });

  it('triggers: device, numeric, virtual, time, sun, webhook', async () => {
    make({ name: 'Visits' });
    const triggers = numbered([
      { type: 'device', accessory: keyOf('Motion'), characteristic: 'motion', from: false, to: true, for: 300 },
      { type: 'numeric', accessory: keyOf('Thermostat'), characteristic: 'current_temp', above: 25, below: 30 },
      { type: 'virtual', virtual: keyOf('Visits'), to: 3 },
      { type: 'virtual', virtual: keyOf('Visits'), above: 3 },
      { type: 'time', at: '07:00', weekdays: [0, 6] },
      { type: 'sun', event: 'sunset', offset: -600 },
      { type: 'sun', event: 'sunrise', offset: { minutes: 10 } },
      { type: 'webhook', webhook_id: 'abcdefghijklmnopqrstuvwx' },
    ]);
    expect((await create({ triggers })).flow.triggers).toEqual(triggers);
  });

  it('a device trigger may watch a service group', async () => {
    const accessoryIds = [home.named('Heater').id, home.named('Kettle').id];
    home.serviceGroups.create(systemCaller, { homeId: home.home.id, name: 'Plugs', accessoryIds });
    const trigger = { type: 'device', service_group: 'Plugs', characteristic: 'on', to: true };
    const { flow } = await create({ triggers: [trigger] });
    expect(flow.triggers).toMatchObject([
      { type: 'device', service_group: expect.stringMatching(/^plugs_/), to: true },
    ]);
  });

  it('conditions: device, numeric, virtual, time, sun, template, and nests of them', async () => {
    make({ name: 'Visits' });
    const conditions = [
      { type: 'device', accessory: keyOf('Front Door'), characteristic: 'locked', value: true },
      { type: 'numeric', accessory: keyOf('Lamp'), characteristic: 'brightness', below: 50 },
      {
        type: 'nest',
        operator: 'or',
        conditions: [
          { type: 'virtual', virtual: keyOf('Visits'), equals: 2 },
          { type: 'virtual', virtual: keyOf('Visits'), above: 5 },
          { type: 'nest', operator: 'not', conditions: [{ type: 'sun', after: 'sunset', before: 'sunrise' }] },
        ],
      },
      { type: 'time', after: '22:00', before: '06:00', weekdays: [1, 2] },
      { type: 'template', expression: '1 < 2' },
    ];
    expect((await create({ conditions })).flow.conditions).toEqual(conditions);
  });

  it('actions: device with properties, virtual, scene, delay, notify', async () => {
    make({ name: 'Visits' });
    home.scenes.create(systemCaller, {
      homeId: home.home.id,
      name: 'Movie',
      actions: [{ accessoryId: home.named('Lamp').id, characteristicType: 'on', targetValue: true }],
    });
    const actions = numbered([
      { type: 'device', accessory: keyOf('Lamp'), on: true, brightness: 40 },
      { type: 'device', accessory: keyOf('Thermostat'), hvac_mode: 'heat' },
      { type: 'virtual', virtual: keyOf('Visits'), operation: 'set', value: 3 },
      { type: 'scene', scene: 'Movie' },
      { type: 'delay', seconds: 30 },
      { type: 'delay', duration: { minutes: 5 } },
      { type: 'notify', message: 'Somebody is at the door', title: 'Door' },
    ]);
    expect((await create({ actions })).flow.actions).toEqual(actions);
  });

  it('for and offsets accept seconds or {hours, minutes, seconds}', async () => {
    const held = (duration: unknown) => ({ type: 'device', accessory: 'Lamp', characteristic: 'on', for: duration });
    const triggers = [
      held(90),
      held({ hours: 1, minutes: 2, seconds: 3 }),
      { type: 'sun', event: 'sunset', offset: -60 },
    ];
    const { flow } = await create({ triggers });
    const kept = home.flows.get(systemCaller, flow.id).triggers;
    expect(kept).toMatchObject([
      { for: { seconds: 90 } },
      { for: { hours: 1, minutes: 2, seconds: 3 } },
      { offset: { seconds: -60 } },
    ]);
  });

  it('the modes are single, restart, queued and parallel; what is unsupported is named with those that are', async () => {
    for (const mode of ['single', 'restart', 'queued', 'parallel']) {
      const { flow } = await create({ mode });
      expect(flow.mode).toBe(mode);
      await call('delete_flow', { home: key, id: flow.id });
    }
    expect((await wrong({ mode: 'twice' })).error).toContain('single, restart, queued, parallel');
    expect((await wrong({ conditions: [{ operator: 'xor', conditions: [] }] })).error).toContain('and, or, not');
    make({ name: 'Visits' });
    const action = { type: 'virtual', virtual: 'Visits', operation: 'explode' };
    expect((await wrong({ actions: [action] })).error).toContain('increment, decrement, reset, set');
  });

  it('what is missing is named with what there is: rooms, accessories, virtual accessories', async () => {
    const room = await wrong({ actions: [{ type: 'device', accessory: 'Lamp', room: 'Attic', on: true }] });
    for (const { id, name } of home.state.rooms(home.home.id)) expect(room.error).toContain(slugKey(name, id));
    const lamp = await wrong({ triggers: [{ type: 'device', accessory: 'Lmap', characteristic: 'on' }] });
    expect(lamp.error).toContain(keyOf('Lamp'));
    const [first, second] = ['Living Room', 'Default Room'].map((name) => {
      const roomId = home.state.rooms(home.home.id).find((one) => one.name === name)?.id;
      return make({ name: 'Visits', roomId }).id;
    });
    const ambiguous = await wrong({ triggers: [{ type: 'virtual', virtual: 'Visits', to: 1 }] });
    for (const id of [first, second]) expect(ambiguous.error).toContain(slugKey('Visits', id ?? ''));
  });

  it('apply_blueprint makes one that get_blueprints lists, with accessories by their keys', async () => {
    const { blueprints } = await call('get_blueprints', { home: key });
    const wake = blueprints.find(({ id }: { id: string }) => id === 'wake_up_light');
    expect(wake.inputs[0]).toMatchObject({ id: 'lights', several: true, required: true, choices: [keyOf('Lamp')] });
    expect(blueprints.find(({ id }: { id: string }) => id === 'laundry_done').missing).toEqual(['plug']);
    const args = { home: key, blueprint: 'wake_up_light', inputs: { lights: [keyOf('Lamp')], at: '06:15' } };
    expect(await call('apply_blueprint', { ...args, name: 'Sunrise' })).toMatchObject({
      name: 'Sunrise',
    });
    expect(home.flows.list(systemCaller)[0]?.triggers[0]).toMatchObject({ type: 'time', at: '06:15' });
    expect(await refusal('apply_blueprint', { ...args, inputs: { lights: ['Motion'] } })).toMatchObject({
      field: 'inputs.lights[0]',
    });
    expect(await refusal('apply_blueprint', { ...args, inputs: {} })).toMatchObject({ field: 'inputs.lights' });
    expect(await refusal('apply_blueprint', { ...args, blueprint: 'no' })).toMatchObject({ code: 'not_found' });
  });

  it('update_flow changes what is given, and delete_flow deletes', async () => {
    const { flow } = await create({ actions: [{ type: 'delay', seconds: 1 }] });
    const changed = await call('update_flow', {
      home: key,
      id: flow.id,
      name: 'Corridor',
      enabled: false,
      mode: 'restart',
    });
    expect(changed.flow).toEqual({ ...flow, name: 'Corridor', enabled: false, mode: 'restart' });
    expect(await call('delete_flow', { home: key, id: flow.id })).toMatchObject({
      success: true,
      id: flow.id,
      home: key,
    });
  });
});
