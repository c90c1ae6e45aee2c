// biome-ignore-all lint/suspicious/noThenProperty: the record's name (wire-facts §6.2) for a list, never awaited
/**
 * Any input sent as a flow or a native automation is accepted or refused with a sentence, and what is accepted can be
 * shown, sent back, run, exported, imported and deleted: valid documents with every kind in them, spoilt at random.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AutomationClient, openAutomationClient } from '../contract/automation-client.ts';

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

let door: AutomationClient;
let ids: { readonly [name: string]: string };

beforeAll(async () => {
  door = openAutomationClient({ runsPerMinute: 1_000 });
  const { homeId, rest } = door;
  const post = async (path: string, body: object): Promise<string> => (await rest.post(path, body)).body.id;
  const accessoryId = door.id('Lamp');
  const actions = [{ accessoryId, characteristicType: 'on', targetValue: true }];
  const other = await door.save({ actions: [{ type: 'stop', reason: 'Done' }] }, 'Other');
  ids = {
    accessoryId,
    heater: door.id('Heater'),
    serviceGroupId: await post('/rest/service-groups', { homeId, name: 'Both', accessoryIds: [accessoryId] }),
    sceneId: await post('/rest/scenes', { homeId, name: 'Evening', actions }),
    personId: await post('/rest/people', { homeId, name: 'Ada' }),
    virtual: await post('/rest/virtual-accessories', { homeId, name: 'Count', type: 'counter' }),
    flow: other.id,
  };
  expect(Object.values(ids).filter((id) => id === undefined)).toEqual([]);
});

afterAll(() => door.close());

const power = { characteristicType: 'power_state' };

function everything(): Json {
  const { accessoryId, serviceGroupId, sceneId, personId, virtual, flow } = ids as Record<string, string>;
  const state = { type: 'state', accessoryId, ...power, value: true };
  const block = {
    operator: 'or',
    conditions: [
      state,
      { type: 'numeric_state', accessoryId, characteristicType: 'brightness', above: 5, below: 90 },
      { type: 'time', after: '22:00', before: '06:30', weekdays: [1, 2] },
      { type: 'sun', after: 'sunset', afterOffset: { minutes: -30 } },
      { type: 'template', expression: "states('Lamp', 'power_state') == true || now() > 0" },
      { operator: 'not', conditions: [{ type: 'presence', event: 'atHome', who: [personId] }] },
    ],
  };
  const triggers = [
    { id: 'a', type: 'state', accessoryId, ...power, from: false, to: true, for: { seconds: 5 } },
    { id: 'b', type: 'numeric_state', serviceGroupId, characteristicType: 'brightness', above: 10 },
    { id: 'c', type: 'time', at: '07:30', weekdays: [0, 6] },
    { id: 'd', type: 'time_pattern', minutes: '/5', seconds: '10' },
    { id: 'e', type: 'sun', event: 'sunset', offset: { minutes: -10 } },
    { id: 'f', type: 'event', eventType: 'knock', eventData: { door: { side: 'left' } } },
    { id: 'g', type: 'template', expression: 'now() > 3', for: { minutes: 1 } },
    { id: 'h', type: 'device_offline', accessoryId, forMinutes: 2 },
    { id: 'i', type: 'presence', event: 'firstArrival', personIds: [personId] },
    { id: 'j', type: 'timer', fireDate: '2027-01-31T10:00:00Z', recurrence: { month: 1 } },
    { id: 'k', type: 'calendar', components: { month: 2, day: 29, hour: 7 } },
    { id: 'l', type: 'schedule', scheduleMode: 'interval', minutes: '/10' },
    { id: 'm', type: 'system', event: 'relay_connected' },
    { id: 'n', type: 'location', latitude: 52, longitude: 13, radius: 100, notifyOnEntry: true, notifyOnExit: false },
  ];
  const set = { type: 'set_device', accessoryId, ...power, value: '{{ x > 1 }}', onError: 'retry', maxRetries: 2 };
  return {
    description: 'Everything',
    mode: 'queued',
    maxRunning: 3,
    triggers,
    conditions: { type: 'time', after: '00:00', before: '23:59' },
    variables: { x: 3, list: [1, { two: 2 }] },
    uiState: { nodes: [{ id: 'a', x: 1.5 }] },
    actions: [
      { ...set, id: 'set' },
      { id: 'group', type: 'set_service_group', groupId: serviceGroupId, ...power, value: true, onError: 'continue' },
      { type: 'run_scene', sceneId },
      { type: 'delay', duration: { seconds: '{{ x }}' } },
      { id: 'w', type: 'wait', triggers: [{ type: 'event', eventType: 'x' }], timeoutSeconds: 2 },
      { type: 'wait_for_template', expression: 'x > 5', timeout: { seconds: 1 }, continueOnTimeout: true },
      { type: 'choose', choices: [{ conditions: block, actions: [set] }], default: [{ type: 'stop', error: false }] },
      { type: 'if', condition: block, then: [set], else: [{ type: 'variables', variables: { y: '{{ x + 1 }}' } }] },
      {
        type: 'repeat',
        mode: 'for_each',
        forEachItems: '{{ list }}',
        sequence: [{ type: 'fire_event', eventType: 'n' }],
      },
      { type: 'repeat', mode: 'until', untilCondition: block, sequence: [{ type: 'delay', duration: '{{ 1 }}' }] },
      { type: 'parallel', branches: [[set], [{ type: 'notify', title: 'Hi', message: 'x is {{ x }}' }]] },
      { id: 'http', type: 'http_request', url: 'http://192.168.1.2/{{ x }}', headers: { 'x-a': 'b' }, body: { a: 1 } },
      { type: 'toggle_automation', automationId: flow, action: 'trigger' },
      { type: 'call_script', scriptId: flow, variables: { z: 1 }, responseVariable: 'answer' },
      { type: 'merge', mode: 'append', inputIds: ['set', 'http'] },
      { type: 'virtual', accessoryId: virtual, operation: 'increment', value: 1 },
      { type: 'stop', reason: 'The end', error: false },
    ],
  } as unknown as Json;
}

function native(): Json {
  const { accessoryId, personId } = ids as Record<string, string>;
  return {
    name: 'Native',
    trigger: {
      type: 'event',
      executeOnce: false,
      events: [
        { type: 'characteristic', accessoryId, characteristicType: 'on', triggerValue: true },
        { type: 'characteristic', accessoryId, characteristicType: 'brightness', thresholdMin: 5 },
        { type: 'significantTime', significantEvent: 'sunset', offsetMinutes: -5 },
        { type: 'calendar', calendarComponents: { hour: 7, minute: 30 } },
        { type: 'presence', presenceType: 'customUsers', presenceEvent: 'atHome', personIds: [personId] },
      ],
      endEvents: [{ type: 'duration', durationSeconds: 60 }],
      conditions: [{ type: 'time', afterTime: '07:00' }],
      recurrences: [{ weekday: 2 }],
    },
    actions: [{ accessoryId, characteristicType: 'on', targetValue: true }],
  } as unknown as Json;
}

const ODD: readonly Json[] = [
  null,
  true,
  -1,
  0,
  1e308,
  -0.5,
  2 ** 53,
  '',
  ' ',
  '{{',
  '{{ }}',
  '{{ x',
  '{{ __proto__ }}',
  "{{ ''.constructor }}",
  '\u0000',
  '\ud800',
  '__proto__',
  'constructor',
  'toString',
  '25:00',
  '/0',
  '+275760-09-13T00:00:00.001Z',
  'x'.repeat(5_000),
  '00000000-0000-4000-8000-000000000000',
  [],
  {},
  [[]],
  [null],
  { type: 'state' },
  { type: '__proto__' },
  { operator: 'and', conditions: [] },
  { hours: 1e9 },
  { hours: -1 },
];

/** Where in a document something is. */
function placesIn(value: Json, path: (string | number)[] = []): (string | number)[][] {
  const inside =
    typeof value === 'object' && value !== null
      ? Object.entries(value).flatMap(([key, item]) =>
          placesIn(item, [...path, Array.isArray(value) ? Number(key) : key]),
        )
      : [];
  return path.length === 0 ? inside : [path, ...inside];
}

interface Spoil {
  readonly kind: 'replace' | 'delete' | 'double' | 'rename';
  readonly at: number;
  readonly what: number;
}

type Members = { [key: string]: Json };

/** What can be done to a member of an object or a list. */
const SPOILERS: Readonly<Record<Spoil['kind'], (node: Members, key: string, what: number) => void>> = {
  replace(node, key, what) {
    node[key] = structuredClone(odd(what));
  },
  delete(node, key) {
    if (Array.isArray(node)) node.splice(Number(key), 1);
    else delete node[key];
  },
  double(node, key) {
    if (Array.isArray(node)) node.push(structuredClone(node[Number(key)]));
    else node[`${key}2`] = structuredClone(node[key] ?? null);
  },
  rename(node, key, what) {
    node[String(odd(what)).slice(0, 20)] = node[key] ?? null;
  },
};

function odd(what: number): Json {
  return ODD[what % ODD.length] ?? null;
}

function spoilt(document: Json, spoils: readonly Spoil[]): Json {
  const copy: Json = structuredClone(document);
  for (const { kind, at, what } of spoils) {
    const places = placesIn(copy);
    const path = places[at % places.length] ?? [];
    const key = path.pop();
    const node = path.reduce<Json>((one, part) => (one as Members)[part] ?? null, copy);
    if (key !== undefined) SPOILERS[kind](node as Members, String(key), what);
  }
  return copy;
}

const spoils = fc.array(
  fc.record({
    kind: fc.constantFrom<Spoil['kind']>('replace', 'replace', 'delete', 'double', 'rename'),
    at: fc.nat(400),
    what: fc.nat(400),
  }),
  { minLength: 0, maxLength: 2 },
);

describe('a flow', () => {
  it('with one of every kind in it is taken as it is', async () => {
    const answer = await door.rest.post('/rest/flows', {
      homeId: door.homeId,
      name: 'All',
      ...(everything() as object),
    });
    expect(answer.text).toContain('"id"');
    await door.rest.delete(`/rest/flows/${answer.body.id}`);
  });

  it('that is spoilt in any way is refused with a sentence, or lives a whole life', async () => {
    let taken = 0;
    await fc.assert(
      fc.asyncProperty(spoils, async (list) => {
        const body = spoilt({ homeId: door.homeId, name: 'Odd', ...(everything() as object) }, list);
        const made = await door.rest.post('/rest/flows', body);
        expect([200, 400, 404, 422]).toContain(made.status);
        if (made.status !== 200) {
          expect(made.body).toMatchObject({ error: expect.any(String), code: expect.any(String) });
          return;
        }
        taken += 1;
        await liveOf(made.body);
      }),
      { numRuns: 60, seed: 20_261_121 },
    );
    expect(taken).toBeGreaterThan(10);
  });
});

// biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects, and fails if it is not there.
async function liveOf(flow: any): Promise<void> {
  const path = `/rest/flows/${flow.id}`;
  const again = await door.rest.request('PUT', path, flow);
  expect(again.status, again.text).toBe(200);
  const { version: _v, metadata: _m, ...definition } = flow;
  expect(again.body).toMatchObject(definition);
  for (const format of ['yaml', 'json'] as const) {
    const document = await door.rest.get(`${path}/export?format=${format}`);
    expect(document.status, document.text).toBe(200);
    const imported = await door.rest.post(`/rest/flows/import?home=${door.homeId}`, document.text, {
      'Content-Type': `application/${format}`,
    });
    expect(imported.status, imported.text).toBe(200);
    await door.rest.delete(`/rest/flows/${imported.body.id}`);
  }
  const run = await door.rest.post(`${path}/run`, {});
  expect(run.status, run.text).toBe(200);
  await door.advance(3_000);
  expect((await door.rest.get(`${path}/traces`)).status).toBe(200);
  expect((await door.rest.get(`${path}/next?count=5`)).status).toBe(200);
  expect((await door.rest.delete(path)).status).toBe(200);
  await door.advance(1_000);
}

describe('a native automation', () => {
  it('that is spoilt in any way is refused with a sentence, or lives a whole life', async () => {
    await fc.assert(
      fc.asyncProperty(spoils, async (list) => {
        const body = spoilt({ homeId: door.homeId, ...(native() as object) }, list);
        const made = await door.rest.post('/rest/automations', body);
        if (list.length === 0) expect(made.status, made.text).toBe(200);
        expect([200, 400, 404, 422], made.text).toContain(made.status);
        if (made.status !== 200) return;
        const path = `/rest/automations/${made.body.id}`;
        expect((await door.rest.get(path)).status).toBe(200);
        const { trigger } = made.body;
        const again = await door.rest.request('PATCH', path, { trigger });
        expect(again.status, again.text).toBe(200);
        expect((await door.rest.delete(path)).status).toBe(200);
      }),
      { numRuns: 200, seed: 20_261_121 },
    );
  });
});
