import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createRestClient, createTestApi, createToken, type RestClient } from '../../support/rest-client.ts';
import { createTestHome, systemCaller, type TestHome } from '../../support/test-home.ts';

let home: TestHome;
let rest: RestClient;
/** Paths of keys to real accessories, and every key by itself. */
let paths: readonly (readonly [string, string, string])[];
let keys: readonly string[];

beforeAll(async () => {
  home = createTestHome({ sample: true });
  home.serviceGroups.create(systemCaller, {
    homeId: home.home.id,
    name: 'Switches',
    accessoryIds: [home.named('Heater').id, home.named('Kettle').id],
  });
  rest = createRestClient(createTestApi(home), createToken(home));
  const { _homes, _meta, ...tree } = (await rest.get('/rest/state')).body as Record<string, Record<string, object>>;
  paths = Object.entries(tree).flatMap(([homeKey, { _scenes, ...rooms }]) =>
    Object.entries(rooms).flatMap(([roomKey, room]) =>
      Object.keys(room).map((key) => [homeKey, roomKey, key] as const),
    ),
  );
  keys = [...new Set(paths.flat())];
});

afterAll(() => home.close());

/** Words that mean something somewhere, and what breaks programs. */
const WORDS = [
  ...[
    'on',
    'active',
    'brightness',
    'hue',
    'lock_target',
    'hvac_mode',
    'target_temp',
    'name',
    'type',
    'on_2',
    'identify',
  ],
  ...[
    'home',
    'room',
    'accessory',
    'homeId',
    'home_id',
    'state',
    'My Home',
    'Living Room',
    'Lamp',
    'Thermostat',
    'Motion',
  ],
  ...['_settable', '_scenes', '_homes', '_meta', '__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty'],
  ...[
    '',
    ' ',
    '\u0000',
    '\ud800',
    '🦊',
    '\u202e',
    "'; DROP TABLE homes; --",
    '<img src=x onerror=alert(1)>',
    '../../etc/passwd',
  ],
];

function bodies(): fc.Arbitrary<unknown> {
  const word = fc.oneof(
    fc.constantFrom(...keys),
    fc.constantFrom(...WORDS),
    fc.string({ unit: 'binary', maxLength: 8 }),
  );
  const leaf = fc.oneof(
    fc.constantFrom(
      null,
      true,
      false,
      0,
      -0,
      1,
      50,
      1e308,
      -1,
      0.1,
      2 ** 53,
      18446744073709551615n.toString(),
      'on',
      'auto',
    ),
    word,
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.integer(),
  );
  const { node } = fc.letrec<{ node: unknown }>((tie) => ({
    node: fc.oneof(
      { maxDepth: 5, withCrossShrink: true },
      leaf,
      fc.dictionary(word, tie('node'), { maxKeys: 5 }),
      fc.array(tie('node'), { maxLength: 4 }),
    ),
  }));
  const property = fc.constantFrom('on', 'on', 'brightness', 'hvac_mode', 'target_temp', 'lock_target', 'motion', '73');
  const value = fc.constantFrom(true, 'on', 1, 21, 'heat');
  const settings = fc.dictionary(
    fc.oneof({ arbitrary: property, weight: 4 }, word),
    fc.oneof({ arbitrary: value, weight: 4 }, leaf, node),
    { maxKeys: 4 },
  );
  const aimed = fc
    .tuple(fc.constantFrom(...paths), settings)
    .map(([[homeKey, roomKey, key], values]) => ({ [homeKey]: { [roomKey]: { [key]: values } } }));
  const named = fc
    .tuple(fc.constantFrom('Lamp', 'Thermostat', 'Motion'), settings)
    .map(([accessory, values]) => ({ ...values, home: 'my home', room: 'Living Room', accessory }));
  const flat = fc.record({ home: word, room: word, accessory: word, on: leaf, hue: node }, { requiredKeys: [] });
  return fc.oneof(
    { arbitrary: aimed, weight: 4 },
    { arbitrary: fc.array(fc.oneof(named, flat, node), { maxLength: 4 }), weight: 3 },
    named,
    flat,
    fc.dictionary(word, fc.dictionary(word, fc.dictionary(word, fc.dictionary(word, leaf)))),
    fc.record({ homeId: fc.oneof(fc.constant(home.home.id), word), state: node }),
    node,
  );
}

/** Traces of a stack, a path or SQL. */
const INTERNALS = /\bat \S+ \(|node:internal|\/src\/|node_modules|\.ts:\d+|SQLITE|TypeError|undefined/;

const REPORT_KEYS = 'updated,failed,changes,errors,message';

let updates = 0;

/** @returns what is wrong with the answer to this body. */
async function faultOf(payload: string): Promise<string | undefined> {
  const { status, headers, body, text } = await rest.post('/rest/state', payload);
  if (headers.get('content-type') !== 'application/json') return 'not JSON';
  if (text.length > 100_000) return 'too long';
  if (status !== 200) {
    if (![400, 404, 422].includes(status)) return `status ${status}`;
    return typeof body.error === 'string' && isClean(body.error, payload) ? undefined : text;
  }
  updates += body.updated;
  if (Object.keys(body).join().replace('success,', '') !== REPORT_KEYS) return `keys: ${text}`;
  if (body.updated !== body.changes.length) return `changes: ${text}`;
  if (body.failed > body.errors.length || body.failed > 0 !== body.errors.length > 0) return `errors: ${text}`;
  return isClean(body.errors.join('\n'), payload) ? undefined : text;
}

/** The caller's input may come back; our own words must reveal nothing of the inside. */
function isClean(sentences: string, payload: string): boolean {
  return INTERNALS.test(payload) || !INTERNALS.test(sentences);
}

async function check(payload: string): Promise<void> {
  expect(await faultOf(payload)).toBeUndefined();
}

describe('POST /rest/state', () => {
  it('answers 10,000 bodies of any shape with its report or an error in JSON, and never with 500', async () => {
    await fc.assert(
      fc.asyncProperty(bodies(), (body) => check(JSON.stringify(body) ?? 'null')),
      { numRuns: 10_000, endOnFailure: true },
    );
    // Proves that the shapes reach all the way: many of them are good requests.
    expect(updates).toBeGreaterThan(500);
  });

  it('answers bytes that are no JSON with 400', async () => {
    await fc.assert(fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 60 }), check), {
      numRuns: 500,
      endOnFailure: true,
    });
  });

  it('takes nesting of any depth', async () => {
    for (const [open, close] of [
      ['[', ']'],
      ['{"a":', '}'],
    ] as const) {
      const depth = 100_000;
      const { status } = await rest.post('/rest/state', `${open.repeat(depth)}1${close.repeat(depth)}`);
      expect([200, 400]).toContain(status);
    }
  });

  it('still works after all that', async () => {
    const { body } = await rest.post('/rest/state', {
      home: 'My Home',
      room: 'Living Room',
      accessory: 'Lamp',
      on: true,
    });
    expect(body).toMatchObject({ updated: 1, failed: 0 });
  });
});
