/** `/rest/virtual-accessories`: making, changing, deleting and operating, and what bad input gets. */
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createRestClient, createTestApi, createToken, type RestClient } from '../../support/rest-client.ts';
import { createTestHome, systemCaller, type TestHome } from '../../support/test-home.ts';

const PATH = '/rest/virtual-accessories';
const NO_CALLER = '00000000-0000-4000-8000-000000000000';

let home: TestHome;
let rest: RestClient;
let homeId: string;

beforeEach(() => {
  home = createTestHome({ sample: true });
  rest = createRestClient(createTestApi(home), createToken(home));
  homeId = home.home.id;
});

afterEach(() => home.close());

const create = (fields: object) => rest.post(PATH, { homeId, name: 'Thing', ...fields });

it('are created, listed, shown, changed and deleted', async () => {
  const attic = home.rooms.create(systemCaller, { homeId, name: 'Attic' });
  const created = await create({
    type: 'mode',
    name: ' Home Mode ',
    roomId: attic.id,
    options: ['A', 'B'],
    initial: 'B',
  });
  expect([created.status, created.body]).toMatchObject([
    200,
    {
      name: 'Home Mode',
      roomName: 'Attic',
      virtualType: 'input_select',
      virtualOptions: ['A', 'B'],
      virtualConfig: { options: ['A', 'B'], initialValue: 'B' },
      services: [{ characteristics: [{ value: 'B' }] }],
    },
  ]);
  const path = `${PATH}/${created.body.id}`;
  expect((await rest.get(path)).body).toEqual(created.body);
  expect((await rest.get(PATH)).body).toEqual([created.body]);
  expect((await rest.get(`${PATH}?home=${homeId}`)).body).toEqual([created.body]);
  const changed = await rest.patch(path.toUpperCase().replace('/REST/VIRTUAL-ACCESSORIES', PATH), {
    name: 'Mode',
    roomId: null,
    options: ['B', 'C'],
    icon: 'moon',
    controllable: false,
  });
  expect(changed.body).toMatchObject({
    name: 'Mode',
    roomName: 'Default Room',
    virtualOptions: ['B', 'C'],
    virtualIcon: 'moon',
    isUserEditable: false,
  });
  expect((await rest.patch(`/rest/accessories/${created.body.id}`, { name: 'Mood' })).body).toMatchObject({
    name: 'Mood',
    isVirtual: true,
  });
  expect((await rest.delete(path)).body).toEqual({ success: true, accessoryId: created.body.id });
  expect([(await rest.get(path)).status, (await rest.get(PATH)).body]).toEqual([404, []]);
});

it.each([
  [{ type: 'number', value: 5 }, 400, 'value'],
  [{}, 400, 'type'],
  [{ type: 5 }, 422, 'type'],
  [{ type: 'lamp' }, 422, 'switch, mode'],
  [{ type: 'mode', options: [1, 2] }, 422, 'options[0]'],
  [{ type: 'mode', options: ['a'] }, 422, '2 to 100'],
  [{ type: 'mode', min: 5 }, 400, 'a mode takes'],
  [{ type: 'number', min: '5' }, 422, 'min'],
  [{ type: 'number', min: 5, max: 1 }, 422, 'less than max'],
  [{ type: 'timer', duration: { weeks: 1 } }, 400, 'duration.weeks'],
  [{ type: 'timer', duration: '9 weeks' }, 422, '1:30:00'],
  [{ type: 'text', pattern: '(a+)+$' }, 422, 'take very long'],
  [{ type: 'text', pattern: '(' }, 422, 'regular expression'],
  [{ type: 'switch', name: 5 }, 422, 'name'],
  [{ type: 'switch', name: '\n' }, 422, 'empty'],
  [{ type: 'switch', roomId: NO_CALLER }, 404, 'Room not found'],
  [{ type: 'switch', homeId: NO_CALLER }, 404, 'Home not found'],
  [{ type: 'switch', name: 'Heater' }, 422, 'already'],
])('POST %j answers %i and makes nothing', async (fields, status, sentence) => {
  const answer = await create(fields);
  expect([answer.status, answer.body.error]).toEqual([status, expect.stringContaining(sentence)]);
  expect((await rest.get(PATH)).body).toEqual([]);
});

it.each([
  ['GET', `${PATH}/${NO_CALLER}`, undefined, 404],
  ['PATCH', `${PATH}/${NO_CALLER}`, { name: 'x' }, 404],
  ['DELETE', `${PATH}/not-an-id`, undefined, 404],
  ['POST', `${PATH}/${NO_CALLER}/operate`, { operation: 'toggle' }, 404],
  ['GET', `${PATH}?home=kitchen`, undefined, 400],
  ['GET', `${PATH}?home=${NO_CALLER}`, undefined, 404],
  ['PUT', PATH, {}, 405],
] as const)('%s %s %j answers %i', async (method, path, body, status) => {
  const answer = await rest.request(method, path, body);
  expect([answer.status, typeof answer.body.error]).toEqual([status, 'string']);
});

it('a device is none of them', async () => {
  expect((await rest.get(`${PATH}/${home.named('Lamp').id}`)).body.error).toBe('Accessory not found');
});

it('every input gets an answer with what to do, and no internal error', async () => {
  const { id } = (await create({ type: 'number' })).body;
  const timer = (await create({ type: 'timer', name: 'Tea' })).body.id;
  const fields = ['name', 'type', 'roomId', 'options', 'min', 'max', 'step', 'duration', 'pattern', 'initial', 'icon'];
  const value = fc.oneof(fc.jsonValue(), fc.constantFrom('timer', 'mode', 'text', 'set', 'start', '[', '(a+)+', 1e308));
  const body = fc.dictionary(fc.constantFrom(...fields, 'operation', 'value', 'homeId', '__proto__'), value);
  await fc.assert(
    fc.asyncProperty(body, fc.constantFrom(id, timer), async (sent, target) => {
      const answers = [
        await rest.post(PATH, { homeId, name: 'Other', ...sent }),
        await rest.patch(`${PATH}/${target}`, sent),
        await rest.post(`${PATH}/${target}/operate`, { operation: 'set', ...sent }),
        await rest.post(`${PATH}/${target}/operate`, { operation: 'start', value: sent }),
      ];
      for (const { status } of answers) expect(status).toBeLessThan(500);
      if (answers[0]?.status === 200) await rest.delete(`${PATH}/${answers[0].body.id}`);
    }),
    { numRuns: 150 },
  );
});

describe('operating', () => {
  it('answers with the value it has then', async () => {
    const { id } = (await create({ type: 'counter', max: 10 })).body;
    const operate = (body: object) => rest.post(`${PATH}/${id}/operate`, body);
    expect((await operate({ operation: 'increment', value: 4 })).body).toEqual({
      success: true,
      accessoryId: id,
      value: 4,
    });
    expect((await operate({ operation: 'increment', value: 40 })).body.value).toBe(10);
    expect((await operate({ operation: 'reset' })).body.value).toBe(0);
  });

  it.each([
    [{}, 400, 'operation'],
    [{ operation: 'explode' }, 422, 'a counter takes increment, decrement, reset, set'],
    [{ operation: 'set' }, 422, 'value'],
    [{ operation: 'set', value: 11 }, 422, 'to 10'],
    [{ operation: 'increment', value: [] }, 422, 'greater than 0'],
    [{ operation: 'reset', amount: 1 }, 400, 'amount'],
  ])('%j answers %i', async (body, status, sentence) => {
    const { id } = (await create({ type: 'counter', max: 10 })).body;
    const answer = await rest.post(`${PATH}/${id}/operate`, body);
    expect([answer.status, answer.body.error]).toEqual([status, expect.stringContaining(sentence)]);
  });

  it('a timer that does not run is no reason to pause: 422 with what to do', async () => {
    const { id } = (await create({ type: 'timer' })).body;
    const answer = await rest.post(`${PATH}/${id}/operate`, { operation: 'pause' });
    expect([answer.status, answer.body]).toEqual([
      422,
      { error: 'The timer is idle: pause needs one that is active.', code: 'conflict', reason: 'timer_state' },
    ]);
  });
});
