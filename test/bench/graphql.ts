/**
 * A whole home by GraphQL, in one process. First what executing takes, against graphql-js executing the same document
 * over plain objects that hold the same data; then the whole request from its bytes to those of the answer, against
 * graphql-http's own handler over the same plain objects. The baselines check no token and no limit.
 */
import { buildSchema, type ExecutionResult, execute, parse, printSchema } from 'graphql';
import { createHandler } from 'graphql-http';
import { Hono } from 'hono';
import { Documents } from '../../src/api/graphql/documents.ts';
import { RequestScope } from '../../src/api/graphql/request-scope.ts';
import { createSchema } from '../../src/api/graphql/schema.ts';
import { apiDeps, createTestApi, createToken } from '../support/rest-client.ts';
import { doorLock, lamp, motionSensor, thermostat } from '../support/sample-accessories.ts';
import { createTestHome, systemCaller, type TestHome } from '../support/test-home.ts';
import { median, printFinding } from './report.ts';

const ACCESSORIES = 100;
const ROUNDS = 200;

const QUERY = `query WholeHome {
  homes { id name role rooms { id name accessories {
    id name homeId roomId category reachable
    services { id type name characteristics { id type value format unit minValue maxValue canWrite } }
  } } }
}`;

type Work = () => unknown;

export async function benchGraphql(): Promise<void> {
  const home = furnishHome();
  try {
    const schema = createSchema();
    const plain = buildSchema(printSchema(schema));
    const ours = executeOurs(home);
    const { data: rootValue } = JSON.parse(JSON.stringify(await ours()));
    const document = parse(QUERY);
    const theirs = (): unknown => execute({ schema: plain, document, rootValue });
    await compare(`executing a whole home of ${ACCESSORIES} accessories`, ours, theirs);

    const headers = {
      Authorization: `Bearer ${createToken(home)}`,
      'Content-Type': 'application/json',
      Host: 'localhost',
    };
    const request = { method: 'POST', headers, body: JSON.stringify({ query: QUERY }) };
    const handler = createHandler({ schema: plain, rootValue });
    const bare = new Hono().post('/graphql', async (c) => {
      const raw = c.req.raw;
      const [body, init] = await handler({
        method: raw.method,
        url: raw.url,
        headers: raw.headers,
        body: () => raw.text(),
        raw,
        context: null,
      });
      return new Response(body, init);
    });
    const api = createTestApi(home);
    const answers = [api, bare].map((app) => async () => (await app.request('/graphql', request)).text());
    await compare('the whole request', answers[0] as Work, answers[1] as Work);
    await benchDocuments();
  } finally {
    home.close();
  }
}

function executeOurs(home: TestHome): () => unknown {
  const schema = createSchema();
  const document = parse(QUERY);
  const deps = apiDeps(home);
  return () => {
    const contextValue = {
      caller: systemCaller,
      deps,
      request: new RequestScope(systemCaller, deps),
      webhookOrigin: '',
    };
    return execute({ schema, document, contextValue });
  };
}

async function compare(what: string, ours: Work, theirs: Work): Promise<void> {
  const [mine, other] = [textOf(await ours()), textOf(await theirs())];
  if (mine !== other) throw new Error(`Both must answer the same: ${mine.slice(0, 200)}… and ${other.slice(0, 200)}…`);
  const times: { ours: number[]; theirs: number[] } = { ours: [], theirs: [] };
  for (let round = 0; round < ROUNDS; round += 1) {
    times.theirs.push(await perSecond(theirs));
    times.ours.push(await perSecond(ours));
  }
  printFinding({
    what: `GraphQL, ${what}, ${Math.round(mine.length / 1024)} KiB`,
    ours: median(times.ours),
    baseline: median(times.theirs),
    unit: 'a second',
    target: { at: 'least', value: 0.8 },
  });
}

function textOf(result: unknown): string {
  return typeof result === 'string' ? result : JSON.stringify(result as ExecutionResult);
}

/** What remembering documents saves each request. */
async function benchDocuments(): Promise<void> {
  const schema = createSchema();
  const remembering = new Documents(schema);
  const fresh: number[] = [];
  const remembered: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    fresh.push(await perSecond(() => new Documents(schema).prepare(QUERY)));
    remembered.push(await perSecond(() => remembering.prepare(QUERY)));
  }
  printFinding({
    what: 'GraphQL, checking, parsing and validating that document',
    ours: 1_000 / median(fresh),
    unit: 'ms',
    note: `${(1_000_000 / median(remembered)).toFixed(1)} µs where it is remembered`,
  });
}

async function perSecond(work: Work): Promise<number> {
  const start = performance.now();
  await work();
  return 1_000 / (performance.now() - start);
}

function furnishHome(): TestHome {
  const home = createTestHome();
  const makers = [() => lamp('Lamp'), () => thermostat(), () => doorLock(), () => motionSensor()];
  const rooms = Array.from({ length: 12 }, (_, index) =>
    home.rooms.create(systemCaller, { homeId: home.home.id, name: `Room ${index}` }),
  );
  for (let index = 0; index < ACCESSORIES; index += 1) {
    const deviceId = `20:00:00:00:00:${index.toString(16).padStart(2, '0').toUpperCase()}`;
    const made = makers[index % makers.length]?.() ?? lamp('Lamp');
    home.driver.attach(home.home.id, { deviceId, name: 'Device', setupCode: '031-45-154', accessories: [made] });
  }
  for (const [index, { id }] of home.state.accessories(home.home.id).entries()) {
    home.accessories.update(systemCaller, id, { roomId: rooms[index % rooms.length]?.id });
  }
  return home;
}
