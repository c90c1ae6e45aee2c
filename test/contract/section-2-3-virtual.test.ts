/**
 * API §2.3 and the virtual rows of §4.1.1; what they leave open, as wire-facts §2.2, §2.4 and §7 and decisions §3 fill
 * it.
 */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createRestClient, createTestApi, createToken, type RestClient } from '../support/rest-client.ts';
import { createTestHome, type TestHome } from '../support/test-home.ts';

let home: TestHome;
let rest: RestClient;

beforeEach(() => {
  home = createTestHome({ sample: true });
  rest = createRestClient(createTestApi(home), createToken(home));
});

afterEach(() => home.close());

/** Type, word that people use, property, value at first, another value and what it is then. */
const KINDS = [
  ['input_boolean', 'switch', 'on', false, true, true],
  ['input_select', 'mode', 'virtual_mode', 'Home', 'Away', 'Away'],
  ['counter', 'counter', 'virtual_count', 0, 7, 7],
  ['timer', 'timer', 'virtual_timer', 'idle', 'active', 'active'],
  ['input_number', 'number', 'virtual_number', 0, 21, 21],
  ['input_text', 'text', 'virtual_text', '', 'Hello', 'Hello'],
  ['input_datetime', 'date', 'virtual_datetime', expect.any(String), '2026-05-01T07:30', '2026-05-01T07:30'],
] as const;

async function create(type: string, fields: object = {}): Promise<string> {
  const body = { homeId: home.home.id, name: 'Thing', type, ...fields };
  const { status, body: created, text } = await rest.post('/rest/virtual-accessories', body);
  expect([status, text]).toEqual([200, expect.any(String)]);
  return created.id;
}

/** Where an accessory stands in the tree. */
function placeOf(id: string): readonly [string, string, string] {
  const { roomId, name } = home.state.accessory(id) ?? { roomId: '', name: '' };
  const key = (of: string, ending: string): string => `${of.toLowerCase().replaceAll(' ', '_')}_${ending.slice(-4)}`;
  return [key(home.home.name, home.home.id), key(home.state.room(roomId)?.name ?? '', roomId), key(name, id)];
}

async function entryOf(id: string): Promise<Record<string, unknown>> {
  const [homeKey, roomKey, key] = placeOf(id);
  return (await rest.get('/rest/state')).body[homeKey][roomKey][key];
}

async function write(id: string, settings: object) {
  const [homeKey, roomKey, key] = placeOf(id);
  return (await rest.post('/rest/state', { [homeKey]: { [roomKey]: { [key]: settings } } })).body;
}

describe('API §2.3', () => {
  it.each(KINDS)('virtual accessories are returned alongside real devices: %s', async (type, word, property, first) => {
    const id = await create(word);
    const [homeKey, roomKey, key] = placeOf(id);
    expect(await entryOf(id)).toEqual({
      type,
      [property]: first,
      _settable: [property],
      name: `${homeKey}.${roomKey}.${key}`,
    });
    expect((await rest.get('/rest/state')).body._meta.message).toBe('Found 8 accessories across 1 home');
  });

  it.each(KINDS)('they are read and written the same way: %s', async (_, word, property, _first, next, then) => {
    const id = await create(word);
    const [homeKey, roomKey, key] = placeOf(id);
    expect(await write(id, { [property]: next })).toMatchObject({
      updated: 1,
      failed: 0,
      errors: [],
      changes: [`${homeKey}/${roomKey}/${key}: ${property}=${next}`],
    });
    expect(await entryOf(id)).toMatchObject({ [property]: then });
    const flat = { home: 'My Home', room: 'Default Room', accessory: 'Thing', [property]: next };
    expect((await rest.post('/rest/state', flat)).body).toMatchObject({ updated: 1, failed: 0 });
  });

  it.each(KINDS)(
    'in GET /rest/accessories, virtual accessories carry isVirtual: true and a virtualType: %s',
    async (type, word) => {
      const id = await create(word);
      const listed = (await rest.get('/rest/accessories')).body.find(
        (accessory: { id: string }) => accessory.id === id,
      );
      expect(listed).toMatchObject({ isVirtual: true, virtualType: type, type, isReachable: true });
      expect((await rest.get(`/rest/accessories/${id}`)).body).toEqual(listed);
      const real = (await rest.get('/rest/accessories?name=lamp')).body[0];
      expect([real.isVirtual, real.virtualType]).toEqual([undefined, undefined]);
    },
  );

  it('a virtual Switch uses on', async () => {
    const id = await create('input_boolean');
    expect(await write(id, { on: 'on' })).toMatchObject({ failed: 0 });
    expect((await entryOf(id)).on).toBe(true);
  });

  it('the filter type takes each virtual type, and switch also finds a virtual switch', async () => {
    for (const [, word] of KINDS) await create(word, { name: `My ${word}` });
    for (const [type] of KINDS) {
      const { _meta } = (await rest.get(`/rest/state?type=${type}`)).body;
      expect([type, _meta.message]).toEqual([type, 'Found 1 accessory across 1 home']);
    }
    // Heater and Kettle are switches, too.
    expect((await rest.get('/rest/state?type=switch')).body._meta.message).toBe('Found 3 accessories across 1 home');
    expect((await rest.get('/rest/accessories?type=virtual_mode')).body).toHaveLength(1);
  });
});

describe('API §4.1.1', () => {
  it('virtual_count sets the count (does not add to it)', async () => {
    const id = await create('counter');
    await write(id, { virtual_count: 5 });
    await write(id, { virtual_count: 3 });
    expect((await entryOf(id)).virtual_count).toBe(3);
  });

  it.each([['active'], [true], ['start']])('virtual_timer: %j starts the timer', async (word) => {
    const id = await create('timer');
    await write(id, { virtual_timer: word });
    expect((await entryOf(id)).virtual_timer).toBe('active');
  });

  it.each([['idle'], ['stop'], [false], ['paused'], ['']])(
    'virtual_timer: any other value (%j) cancels it',
    async (word) => {
      const id = await create('timer');
      await write(id, { virtual_timer: 'active' });
      expect(await write(id, { virtual_timer: word })).toMatchObject({ updated: 1, failed: 0 });
      expect((await rest.get(`/rest/accessories/${id}`)).body).toMatchObject({
        virtualTimerState: 'idle',
        virtualFinishedAt: null,
      });
    },
  );

  it.each([
    ['mode', 'mode', 'Away', 'virtual_mode', 'Away'],
    ['counter', 'count', 4, 'virtual_count', 4],
    ['number', 'number', 4, 'virtual_number', 4],
    ['timer', 'timer', 'active', 'virtual_timer', 'active'],
    ['text', 'text', 'Hi', 'virtual_text', 'Hi'],
    ['date', 'datetime', '2026-05-01T07:30', 'virtual_datetime', '2026-05-01T07:30'],
  ])('the short name of a %s is taken as well: %s', async (type, short, value, property, then) => {
    const id = await create(type);
    expect(await write(id, { [short]: value })).toMatchObject({ updated: 1, failed: 0 });
    expect((await entryOf(id))[property]).toBe(then);
  });

  it('a value outside the range is an error and never clamped (decisions §3)', async () => {
    const id = await create('number', { min: 10, max: 20 });
    const { updated, failed, errors } = await write(id, { virtual_number: 21 });
    expect([updated, failed, errors[0]]).toEqual([0, 1, expect.stringContaining('a number from 10 to 20')]);
    expect((await entryOf(id)).virtual_number).toBe(10);
  });

  it('writing the value that it has changes nothing and succeeds', async () => {
    const id = await create('mode');
    const before = home.state.version;
    expect(await write(id, { virtual_mode: 'Home' })).toMatchObject({ updated: 1, failed: 0 });
    expect(home.state.version).toBe(before);
  });
});

describe('wire-facts §7', () => {
  it('the accessory has one service with one characteristic', async () => {
    const id = await create('number', { min: 0, max: 30, step: 0.5, unit: 'celsius', control: 'field' });
    expect((await rest.get(`/rest/accessories/${id}`)).body).toMatchObject({
      category: 'Sensor',
      isUserEditable: true,
      virtualControl: 'field',
      services: [
        {
          serviceType: 'virtual_number',
          characteristics: [
            {
              characteristicType: 'virtual_number',
              value: 0,
              format: 'float',
              unit: 'celsius',
              minValue: 0,
              maxValue: 30,
              stepValue: 0.5,
              isReadable: true,
              isWritable: true,
            },
          ],
        },
      ],
    });
    const [service, ...others] = (await rest.get(`/rest/accessories/${id}`)).body.services;
    expect([others, service.characteristics.length]).toEqual([[], 1]);
  });

  it('a switch has the switch service and power_state', async () => {
    const id = await create('switch');
    expect((await rest.get(`/rest/accessories/${id}`)).body).toMatchObject({
      category: 'Switch',
      services: [{ serviceType: 'switch', characteristics: [{ characteristicType: 'power_state', value: false }] }],
    });
  });

  it('each kind carries the extra fields that it has', async () => {
    const mode = (await rest.get(`/rest/accessories/${await create('mode', { name: 'A' })}`)).body;
    expect(mode).toMatchObject({ virtualOptions: ['Home', 'Away'], virtualOperations: ['set'] });
    expect(mode.services[0].characteristics[0].validValues).toEqual(['Home', 'Away']);
    const date = (await rest.get(`/rest/accessories/${await create('date', { name: 'B', hasTime: false })}`)).body;
    expect(date).toMatchObject({ virtualHasDate: true, virtualHasTime: false });
    const timer = (await rest.get(`/rest/accessories/${await create('timer', { name: 'C', duration: 60 })}`)).body;
    expect(timer).toMatchObject({
      virtualTimerState: 'idle',
      virtualDurationMs: 60_000,
      virtualStartedAt: null,
      virtualEndsAt: null,
      virtualRemainingMs: null,
      virtualFinishedAt: null,
    });
    for (const field of ['virtualTimerState', 'virtualHasDate', 'virtualControl'])
      expect(mode).not.toHaveProperty(field);
  });

  it('a timer’s value reads idle, active or paused, and its times are included', async () => {
    const id = await create('timer', { duration: 60 });
    const operate = (operation: string) => rest.post(`/rest/virtual-accessories/${id}/operate`, { operation });
    expect((await operate('start')).body).toMatchObject({
      success: true,
      value: 'active',
      virtualStartedAt: '2026-01-15T12:00:00.000Z',
      virtualEndsAt: '2026-01-15T12:01:00.000Z',
      virtualRemainingMs: 60_000,
    });
    await home.clock.advance(20_000);
    expect((await operate('pause')).body).toMatchObject({ value: 'paused', virtualRemainingMs: 40_000 });
    expect((await entryOf(id)).virtual_timer).toBe('paused');
    await operate('resume');
    await home.clock.advance(40_000);
    expect((await rest.get(`/rest/accessories/${id}`)).body).toMatchObject({
      virtualTimerState: 'idle',
      virtualFinishedAt: '2026-01-15T12:01:00.000Z',
    });
  });

  it('controllable false: people’s writes fail as read-only, and nothing shows it as writable', async () => {
    const id = await create('mode', { controllable: false });
    const [homeKey, roomKey, key] = placeOf(id);
    expect(await write(id, { virtual_mode: 'Away' })).toMatchObject({
      updated: 0,
      failed: 1,
      errors: [`${homeKey}/${roomKey}/${key}.virtual_mode: Thing is read-only`],
    });
    expect(await entryOf(id)).not.toHaveProperty('_settable');
    const shown = (await rest.get(`/rest/accessories/${id}`)).body;
    expect([shown.isUserEditable, shown.services[0].characteristics[0].canWrite]).toEqual([false, false]);
    const operated = await rest.post(`/rest/virtual-accessories/${id}/operate`, { operation: 'set', value: 'Away' });
    expect([operated.status, operated.body]).toEqual([
      422,
      { error: 'Thing is read-only', code: 'characteristic_not_writable' },
    ]);
  });

  it('names are unique in a room ignoring case', async () => {
    await create('mode');
    const answer = await rest.post('/rest/virtual-accessories', { homeId: home.home.id, name: 'THING', type: 'mode' });
    expect([answer.status, answer.body.code]).toEqual([422, 'conflict']);
  });

  it('identify answers at once', async () => {
    const id = await create('mode');
    expect((await rest.post(`/rest/accessories/${id}/identify`)).body).toEqual({ success: true });
    expect(home.driver.identified).toEqual([]);
  });

  it('a paused home’s virtual accessories are as little written as its devices', async () => {
    const id = await create('mode');
    await rest.patch(`/rest/homes/${home.home.id}`, { paused: true });
    expect(await write(id, { virtual_mode: 'Away' })).toMatchObject({ error: 'Relay not connected' });
    expect((await entryOf(id)).virtual_mode).toBe('Home');
  });

  it('one request writes virtual accessories and devices together', async () => {
    const id = await create('mode');
    const [homeKey, , key] = placeOf(id);
    const [, lampRoom, lampKey] = placeOf(home.named('Lamp').id);
    const [, room] = placeOf(id);
    const answer = await rest.post('/rest/state', {
      [homeKey]: { [room]: { [key]: { virtual_mode: 'Away' } }, [lampRoom]: { [lampKey]: { on: true } } },
    });
    expect(answer.body).toMatchObject({ updated: 2, failed: 0 });
    expect(home.driver.writes).toHaveLength(1);
  });
});
