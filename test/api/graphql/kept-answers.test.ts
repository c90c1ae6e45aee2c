import { parse } from 'graphql';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { KeptAnswers } from '../../../src/api/graphql/kept-answers.ts';
import { createSchema } from '../../../src/api/graphql/schema.ts';
import { createTestApi, createToken } from '../../support/rest-client.ts';
import { createTestHome, systemCaller, type TestHome } from '../../support/test-home.ts';

const LAMP = '10:00:00:00:00:01';
const WHOLE = `{ homes { id name role roomCount rooms { id name accessories {
  id name roomName reachable lastSeenAt services { id characteristics { id value } }
} } } }`;

const schema = createSchema();
let home: TestHome;
let api: ReturnType<typeof createTestApi>;

beforeEach(() => {
  home = createTestHome({ sample: true });
  api = createTestApi(home);
});
afterEach(() => home.close());

async function ask(query: string, token: string, variables?: object): Promise<string> {
  return (await send(query, token, variables)).text();
}

async function send(query: string, token: string, variables?: object, from = api): Promise<Response> {
  return from.request('/graphql', {
    method: 'POST',
    headers: { Host: 'localhost', Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ query, variables }),
  });
}

/** By an API that has kept nothing. */
async function askAfresh(query: string, token: string, variables?: object): Promise<string> {
  return (await send(query, token, variables, createTestApi(home))).text();
}

describe('a kept answer', () => {
  it.each<[string, () => unknown]>([
    ['a value changes', () => home.driver.event(LAMP, '1', '10', 77)],
    [
      'a device reports what is known',
      async () => {
        await home.clock.advance(5_000);
        home.driver.event(LAMP, '1', '10', home.state.characteristic({ accessoryId: lampId(), iid: '10' })?.value ?? 0);
      },
    ],
    ['a device does not answer', () => home.driver.setReachable(LAMP, false)],
    [
      'a room is renamed',
      () => home.rooms.update(systemCaller, home.state.accessory(lampId())?.roomId ?? '', { name: 'Cellar' }),
    ],
    ['an accessory is renamed', () => home.accessories.update(systemCaller, lampId(), { name: 'Sun' })],
    ['a home is added', () => home.homes.create(systemCaller, { name: 'Second' })],
  ])('is replaced when %s', async (_, change) => {
    const token = createToken(home);
    const before = await ask(WHOLE, token);
    expect(await ask(WHOLE, token)).toBe(before);
    await change();
    const after = await ask(WHOLE, token);
    expect(after).not.toBe(before);
    expect(after).toBe(await askAfresh(WHOLE, token));
  });

  it('is for callers with the same roles in the same homes', async () => {
    const second = home.homes.create(systemCaller, { name: 'Second' });
    const tokens = [
      createToken(home),
      createToken(home, { [home.home.id]: 'view' }),
      createToken(home, { [home.home.id]: 'control' }),
      createToken(home, { [second.id]: 'view' }),
    ];
    const answers = [];
    for (const token of tokens) answers.push(await ask(WHOLE, token));
    expect(new Set(answers).size).toBe(tokens.length);
    for (const [index, token] of tokens.entries()) expect(answers[index]).toBe(await askAfresh(WHOLE, token));
  });

  it('depends on variables and on the name of the operation', async () => {
    const token = createToken(home);
    const query = 'query Rooms($id: String!) { rooms(homeId: $id) { name } }';
    const second = home.homes.create(systemCaller, { name: 'Second' });
    const [first, other] = [await ask(query, token, { id: home.home.id }), await ask(query, token, { id: second.id })];
    expect(other).not.toBe(first);
    expect(other).toBe(await askAfresh(query, token, { id: second.id }));
  });

  it('is none with errors: each request has its own id', async () => {
    const token = createToken(home);
    const requestId = async (): Promise<string | null> =>
      (await send('{ home(homeId: "nowhere") { id } }', token)).headers.get('x-request-id');
    const first = await requestId();
    expect(first).not.toBeNull();
    expect(await requestId()).not.toBe(first);
  });

  it('is none with what changes by the clock', async () => {
    const token = createToken(home);
    const timer = home.virtuals.create(systemCaller, {
      homeId: home.home.id,
      name: 'Egg',
      type: 'timer',
      duration: 300,
    });
    home.virtuals.operate(systemCaller, timer.id, 'start');
    const query = '{ accessories { id virtualRemainingMs } }';
    const before = await ask(query, token);
    await home.clock.advance(1_000);
    expect(await ask(query, token)).not.toBe(before);
  });

  it('is none for fields outside homes, rooms and accessories, wherever they are in the document', () => {
    const kept = new KeptAnswers(schema);
    const isKeepable = (text: string): boolean => kept.isKeepable(parse(text));
    expect(isKeepable(WHOLE)).toBe(true);
    expect(isKeepable('query A { homes { ...F } } fragment F on PlatformHome { __typename name }')).toBe(true);
    expect(isKeepable('query A { homes { id } } query B { homes { scenes { id } } }')).toBe(false);
    expect(isKeepable('query A { homes { ...F } } fragment F on PlatformHome { zones { id } }')).toBe(false);
    expect(isKeepable('{ accessories { ... on PlatformAccessory { virtualTimerState } } }')).toBe(false);
    expect(isKeepable('{ __schema { description } }')).toBe(false);
  });
});

function lampId(): string {
  return home.state.accessoriesOf(LAMP)[0]?.id ?? '';
}
