/** Wire-facts §7, row by row: kinds with their configuration and operations. Shapes in REST are in section-2-3. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createRestClient, createTestApi, createToken, type RestClient } from '../support/rest-client.ts';
import { createTempDirectory } from '../support/temp-directory.ts';
import { createTestHome, type TestHome } from '../support/test-home.ts';

let home: TestHome;
let rest: RestClient;

beforeEach(() => open(createTestHome({ sample: true })));
afterEach(() => home.close());

function open(opened: TestHome): void {
  home = opened;
  rest = createRestClient(createTestApi(home), createToken(home));
}

/** What GraphQL calls the id is `entityId` as well, as clients read it. */
async function save(data: object): Promise<string> {
  const query = 'mutation($h:String!,$d:String!){saveVirtualAccessory(homeId:$h,data:$d){entityId}}';
  const variables = { h: home.home.id, d: JSON.stringify({ name: 'Thing', ...data }) };
  const { body } = await rest.post('/graphql', { query, variables });
  expect(body.errors).toBeUndefined();
  return body.data.saveVirtualAccessory.entityId;
}

const operate = (id: string, operation: string, value?: unknown) =>
  rest.post(`/rest/virtual-accessories/${id}/operate`, { operation, value });
const shown = async (id: string) => (await rest.get(`/rest/accessories/${id}`)).body;
const shownValue = async (id: string) => (await shown(id)).services[0].characteristics[0].value;

async function write(id: string, settings: object) {
  const { name, roomName } = await shown(id);
  return (await rest.post('/rest/state', { home: 'My Home', room: roomName, accessory: name, ...settings })).body;
}

/** Type, its word on creation, its configuration, and operations with what the value is after each. */
const KINDS = [
  [
    'input_boolean',
    'switch',
    { initialValue: true },
    [
      ['turn_off', undefined, false],
      ['turn_on', undefined, true],
      ['toggle', undefined, false],
      ['set', true, true],
    ],
  ],
  ['input_select', 'mode', { options: ['Day', 'Night'], initialValue: 'Night' }, [['set', 'Day', 'Day']]],
  [
    'counter',
    'counter',
    { initial: 4, step: 2, min: 0, max: 10 },
    [
      ['increment', undefined, 6],
      ['decrement', undefined, 4],
      ['set', 9, 9],
      ['reset', undefined, 4],
    ],
  ],
  [
    'timer',
    'timer',
    { duration: 60 },
    [
      ['start', undefined, 'active'],
      ['pause', undefined, 'paused'],
      ['resume', undefined, 'active'],
      ['cancel', undefined, 'idle'],
      ['start', undefined, 'active'],
      ['finish', undefined, 'idle'],
    ],
  ],
  [
    'input_number',
    'number',
    { min: 10, max: 20, step: 0.5, initialValue: 12, unit: '°C', control: 'field' },
    [
      ['set', 15, 15],
      ['increment', undefined, 15.5],
      ['decrement', undefined, 15],
    ],
  ],
  [
    'input_text',
    'text',
    { minLength: 2, maxLength: 5, pattern: '[a-z]+', initialValue: 'abc' },
    [['set', 'xyz', 'xyz']],
  ],
  ['input_datetime', 'date', { hasDate: false, hasTime: true, initialValue: '07:30' }, [['set', '08:15', '08:15']]],
] as const;

describe('wire-facts §7: kinds', () => {
  it.each(KINDS)(
    '%s: created as "%s" with its configuration, and its operations',
    async (type, word, config, operations) => {
      const id = await save({ type: word, ...config });
      expect(await shown(id)).toMatchObject({ isVirtual: true, virtualType: type });
      const first = Object.entries(config).find(([key]) => key.startsWith('initial'))?.[1] ?? 'idle';
      expect(await shownValue(id)).toBe(first);
      for (const [operation, value, then] of operations) {
        expect((await operate(id, operation, value)).body).toMatchObject({ success: true, value: then });
        expect(await shownValue(id)).toBe(then);
      }
    },
  );

  it.each(KINDS)('%s: is created by GraphQL, REST and the API’s own name alike', async (type, word, config) => {
    const body = { homeId: home.home.id, ...config };
    for (const [name, as] of [
      ['By word', word],
      ['By type', type],
    ]) {
      const made = await rest.post('/rest/virtual-accessories', { ...body, name, type: as });
      expect([made.status, made.body.virtualType]).toEqual([200, type]);
    }
  });

  it.each(['schedule', 'template_sensor', 'group'])('%s cannot be created', async (type) => {
    const made = await rest.post('/rest/virtual-accessories', { homeId: home.home.id, name: 'X', type });
    expect([made.status, made.body.code]).toEqual([422, 'invalid_value']);
  });

  it.each([
    ['switch', false, {}],
    ['mode', 'Home', { virtualOptions: ['Home', 'Away'] }],
    ['number', 0, { virtualControl: 'stepper' }],
    ['text', '', {}],
    ['date', expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d$/), { virtualHasDate: true, virtualHasTime: true }],
  ])('defaults offered on creation: %s', async (type, value, extra) => {
    const id = await save({ type });
    expect(await shownValue(id)).toEqual(value);
    expect(await shown(id)).toMatchObject(extra);
  });

  it('a number’s default range is 0 to 100 in steps of 1', async () => {
    const [{ characteristics }] = (await shown(await save({ type: 'number' }))).services;
    expect(characteristics[0]).toMatchObject({ minValue: 0, maxValue: 100, stepValue: 1 });
  });

  it.each([
    ['mode', { options: ['Alone'] }],
    ['mode', { options: ['Twin', 'Twin'] }],
    ['number', { min: 5, max: 1 }],
    ['text', { minLength: 9, maxLength: 3 }],
    ['date', { hasDate: false, hasTime: false }],
    ['timer', { duration: -1 }],
  ])('a configuration that makes no sense is refused: %s %j', async (type, config) => {
    const made = await rest.post('/rest/virtual-accessories', { homeId: home.home.id, name: 'X', type, ...config });
    expect([made.status, made.body.code]).toEqual([422, 'invalid_value']);
    expect((await rest.get(`/rest/virtual-accessories?home=${home.home.id}`)).body).toEqual([]);
  });
});

describe('wire-facts §7: writes', () => {
  it.each(['active', 'start', true])('a timer: %j starts', async (word) => {
    const id = await save({ type: 'timer', duration: 60 });
    await write(id, { virtual_timer: word });
    expect(await shownValue(id)).toBe('active');
  });

  it.each(['idle', 'paused', 'stop', false])('a timer: %j, like any other value, cancels', async (word) => {
    const id = await save({ type: 'timer', duration: 60 });
    await operate(id, 'start');
    expect(await write(id, { virtual_timer: word })).toMatchObject({ updated: 1, failed: 0 });
    expect(await shownValue(id)).toBe('idle');
  });

  it('a count is set; a number out of its range is refused (the API document wins over clamping)', async () => {
    const counter = await save({ type: 'counter', initial: 5, max: 10 });
    await write(counter, { virtual_count: 2 });
    expect(await shownValue(counter)).toBe(2);
    expect((await write(counter, { virtual_count: 11 })).errors[0]).toContain('Invalid value 11');
    expect(await shownValue(counter)).toBe(2);
  });

  it('controllable false → people’s writes fail: `<name> is read-only`', async () => {
    const id = await save({ type: 'switch', controllable: false });
    expect((await write(id, { on: true })).errors[0]).toMatch(/Thing is read-only$/);
    const operated = await operate(id, 'toggle');
    expect([operated.status, operated.body]).toEqual([
      422,
      { error: 'Thing is read-only', code: 'characteristic_not_writable' },
    ]);
    const query =
      'mutation($a:String!){setCharacteristic(accessoryId:$a,characteristicType:"on",value:true){success code error}}';
    const { body } = await rest.post('/graphql', { query, variables: { a: id } });
    expect(body.data.setCharacteristic).toEqual({
      success: false,
      code: 'characteristic_not_writable',
      error: 'Thing is read-only',
    });
    expect(await shownValue(id)).toBe(false);
  });
});

describe('wire-facts §7: names and restarts', () => {
  it('names are unique per room ignoring case', async () => {
    await save({ type: 'switch' });
    const again = { homeId: home.home.id, name: 'THING', type: 'mode' };
    expect((await rest.post('/rest/virtual-accessories', again)).body.code).toBe('conflict');
    const elsewhere = { ...again, roomId: home.named('Lamp').roomId };
    expect((await rest.post('/rest/virtual-accessories', elsewhere)).status).toBe(200);
  });

  it('values persist across a restart, running timers too', async () => {
    using directory = createTempDirectory('wire-7');
    const path = directory.file('relay.db');
    home.close();
    open(createTestHome({ path }));
    const { clock } = home;
    const counter = await save({ type: 'counter', name: 'Count' });
    const timer = await save({ type: 'timer', name: 'Egg', duration: 300 });
    await write(counter, { virtual_count: 7 });
    await operate(timer, 'start');
    const endsAt = (await shown(timer)).virtualEndsAt;
    home.close();
    open(createTestHome({ path, clock }));
    expect(await shownValue(counter)).toBe(7);
    expect(await shown(timer)).toMatchObject({ virtualTimerState: 'active', virtualEndsAt: endsAt });
    await clock.advance(300_000);
    expect(await shown(timer)).toMatchObject({ virtualTimerState: 'idle', virtualFinishedAt: endsAt });
  });
});
