/** What thousands of requests, and those that were given up half way, leave behind: nothing. */
import { readdirSync, readFileSync } from 'node:fs';
import { type ClientRequest, request as httpRequest } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSqlite } from '../../src/storage/sqlite.ts';
import { BuiltDaemon, type BuiltProgram, buildProgram } from '../support/built-daemon.ts';
import { type Answer, eventually } from '../support/e2e-relay.ts';
import { PATIENCE_MS } from '../support/patience.ts';
import { createTempDirectory, type TempDirectory } from '../support/temp-directory.ts';

const HOUR_MS = 3_600_000;
/** Far more than a socket's buffers hold. */
const SAMPLES = 100_000;
const SERIES = 4;
const GROWTH_MIB = 48;

let program: BuiltProgram;
let directory: TempDirectory;
let daemon: BuiltDaemon;
let token: string;
let homeId: string;
let ids: string[];

/** A home with four numbers, each with a long history. */
beforeAll(async () => {
  program = buildProgram();
  directory = createTempDirectory('home-leaks');
  const first = await BuiltDaemon.start({ program, directory });
  homeId = (await first.asSystem('GET', '/rest/homes')).body[0].id;
  await first.asSystem('PATCH', `/rest/history/homes/${homeId}`, { enabled: true });
  ids = [];
  for (let n = 0; n < SERIES; n += 1) {
    const made = await first.asSystem('POST', '/rest/virtual-accessories', {
      homeId,
      name: `Level ${n}`,
      type: 'number',
    });
    ids.push(made.body.id);
  }
  await first.asSystem('GET', `/rest/history/homes/${homeId}`);
  await first.end();
  const database = openSqlite(directory.file('data', 'history.db'));
  const series = database.prepare('SELECT id FROM series').pluck().all() as number[];
  expect(series).toHaveLength(SERIES);
  const insert = database.prepare('INSERT INTO samples (series_id, at, value) VALUES (?, ?, ?)');
  const since = Date.now() - 20 * HOUR_MS;
  database.transaction(() => {
    for (const id of series) {
      for (let n = 0; n < SAMPLES / SERIES; n += 1) insert.run(id, since + n * 1_000, n % 100);
    }
    database.prepare('UPDATE series SET sample_count = sample_count + ?').run(SAMPLES / SERIES);
  })();
  database.close();
  daemon = await BuiltDaemon.start({ program, directory, nodeFlags: ['--expose-gc', '--max-semi-space-size=8'] });
  token = await daemon.createToken();
});
afterAll(async () => {
  await daemon[Symbol.asyncDispose]();
  directory.remove();
  program[Symbol.dispose]();
});

const residentMib = (): number =>
  Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${daemon.pid}/status`, 'utf8'))?.[1]) / 1024;
const openFiles = (): number => readdirSync(`/proc/${daemon.pid}/fd`).length;

async function send(method: string, path: string, body?: object): Promise<{ status: number; body: Answer['body'] }> {
  const response = await fetch(`${daemon.url}${path}`, {
    method,
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, body: text.startsWith('{') || text.startsWith('[') ? JSON.parse(text) : text };
}

const historyQuery = (): object => ({
  query: `query($s: [HistorySeriesInput!]!) { history(homeId: "${homeId}", series: $s, fromTs: ${Date.now() - 24 * HOUR_MS}, toTs: ${Date.now()}, resolution: "raw") { points { ts avg } } }`,
  variables: { s: ids.map((accessoryId) => ({ accessoryId, characteristicType: 'virtual_number' })) },
});

/** Sends a request, reads the beginning of its answer, or nothing, and goes away. */
function giveUp(method: string, path: string, body: object | undefined, after: 'first bytes' | number): Promise<void> {
  return new Promise((resolve) => {
    const url = new URL(path, daemon.url);
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
    const outgoing = httpRequest(url, { method, headers, agent: false });
    outgoing.on('error', () => {});
    outgoing.on('close', () => resolve());
    outgoing.on('response', (response) => {
      response.on('error', () => {});
      if (after === 'first bytes') response.once('data', () => outgoing.destroy());
    });
    if (after !== 'first bytes') setTimeout(() => outgoing.destroy(), after);
    outgoing.end(body && JSON.stringify(body));
  });
}

async function mixed(round: number): Promise<void> {
  const [id = '', other = ''] = [ids[round % SERIES], ids[(round + 1) % SERIES]];
  const name = `Scene ${round}`;
  const actions = [id, other].map((accessoryId) => ({
    accessoryId,
    characteristicType: 'virtual_number',
    targetValue: round % 100,
  }));
  const scene = await send('POST', '/rest/scenes', { homeId, name, actions });
  const answers = await Promise.all([
    send('GET', '/rest/state'),
    send('POST', `/rest/scenes/${scene.body.id}/execute`),
    send('POST', '/graphql', {
      query: `{ homes { name accessories { name services { characteristics { value } } } } n${round}: version }`,
    }),
    send('POST', '/graphql', {
      query: `mutation { setCharacteristic(accessoryId: "${id}", characteristicType: "virtual_number", value: ${round % 100}) { success } }`,
    }),
    send('GET', `/rest/history?accessory=${other}&hours=1`),
    send('POST', '/rest/scenes', { homeId, name: 'Bad!', actions }),
    send('GET', '/rest/scenes/__proto__'),
    send('POST', `/rest/virtual-accessories/${id}/operate`, { operation: 'increment' }),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 422, 404, expect.any(Number)]);
  expect((await send('DELETE', `/rest/scenes/${scene.body.id}`)).status).toBe(200);
}

async function run(rounds: number, from: number): Promise<void> {
  for (let n = 0; n < rounds; n += 4) await Promise.all([0, 1, 2, 3].map((k) => mixed(from + n + k)));
}

describe('a daemon', () => {
  it('that has answered three thousand mixed requests is no larger and holds no more sockets than before', async () => {
    await run(80, 0);
    const before = residentMib();
    await run(140, 80);
    const files = openFiles();
    await run(80, 220);
    expect(openFiles()).toBeLessThanOrEqual(files + 8);
    expect(residentMib() - before, 'MiB more').toBeLessThan(GROWTH_MIB);
  });

  it('whose exports and queries are given up half way lets go of them, and goes on answering others', async () => {
    const idle = openFiles();
    const exportPath = `/rest/history/export?home=${homeId}`;
    const graphqlExport = { query: `{ exportHistory(homeId: "${homeId}") }` };
    await Promise.all(Array.from({ length: 10 }, () => giveUp('GET', exportPath, undefined, 'first bytes')));
    const before = residentMib();
    for (let round = 0; round < 3; round += 1) {
      const given = Array.from({ length: 30 }, (_, n) => {
        if (n % 3 === 0) return giveUp('GET', exportPath, undefined, 'first bytes');
        if (n % 3 === 1) return giveUp('POST', '/graphql', historyQuery(), 10 + n);
        return giveUp('GET', `/rest/history?accessory=${ids[n % SERIES]}&hours=24&max_points=1000`, undefined, 5 + n);
      });
      given.push(giveUp('POST', '/graphql', graphqlExport, 50));
      const began = performance.now();
      expect(
        (await send('POST', `/rest/virtual-accessories/${ids[0]}/operate`, { operation: 'set', value: round })).status,
      ).toBe(200);
      expect(performance.now() - began, 'a command meanwhile').toBeLessThan(PATIENCE_MS);
      await Promise.all(given);
    }
    await eventually(() => openFiles() <= idle + 8, 'sockets to be closed', 20_000);
    expect(residentMib() - before, 'MiB more').toBeLessThan(6 * GROWTH_MIB);
    // All places for long queries are free again: the next ones are answered, and whole.
    const { status, body } = await send('POST', '/graphql', historyQuery());
    expect([status, body.errors]).toEqual([200, undefined]);
    expect(body.data.history).toHaveLength(SERIES);
    for (const { points } of body.data.history) expect(points.length).toBeGreaterThan(100);
    const whole = await send('GET', `${exportPath}&accessory=${ids[0]}`);
    expect(String(whole.body).split('\r\n').length).toBeGreaterThan(SAMPLES / SERIES);
    const errors = daemon.log.filter(({ level }) => Number(level) >= 50);
    expect(errors).toEqual([]);
  });

  it('with ninety long queries at once answers each, refuses what is too much, and is free again afterwards', async () => {
    const answers = await Promise.all(Array.from({ length: 90 }, () => send('POST', '/graphql', historyQuery())));
    for (const { status, body } of answers) {
      expect([200, 429, 503]).toContain(status);
      const reasons = (body.errors ?? []).map(
        ({ extensions }: { extensions: { reason: string } }) => extensions.reason,
      );
      for (const reason of reasons) expect(['rate_limited', 'accessory_unreachable']).toContain(reason);
    }
    expect(answers.some(({ body }) => body.data?.history?.length === SERIES)).toBe(true);
    const { body } = await send('POST', '/graphql', historyQuery());
    expect(body.errors).toBeUndefined();
  });

  it('with forty exports at once over GraphQL, which are not streamed, makes a few and refuses the others', async () => {
    const query = `{ exportHistory(homeId: "${homeId}") }`;
    const before = daemon.peakMemoryMib();
    const answers = await Promise.all(Array.from({ length: 40 }, () => send('POST', '/graphql', { query })));
    const made = answers.filter(({ body }) => String(body.data?.exportHistory).split('\r\n').length > SAMPLES);
    expect(made.length).toBeGreaterThan(0);
    for (const { body } of answers) {
      if (body.errors) expect(body.errors[0].extensions).toMatchObject({ code: 'RATE_LIMITED', retryAfterSeconds: 5 });
    }
    expect(daemon.peakMemoryMib() - before, 'MiB more at the most').toBeLessThan(8 * GROWTH_MIB);
    const again = await send('POST', '/graphql', { query });
    expect(again.body.errors).toBeUndefined();
  });

  it('with forty unread exports over REST holds none of them in memory', async () => {
    const before = residentMib();
    const idle = openFiles();
    const stalled = await Promise.all(
      Array.from({ length: 40 }, () => {
        return new Promise<ClientRequest>((resolve, reject) => {
          const headers = { Authorization: `Bearer ${token}` };
          const outgoing = httpRequest(new URL(`/rest/history/export?home=${homeId}`, daemon.url), {
            headers,
            agent: false,
          });
          outgoing.on('error', reject);
          outgoing.on('response', (response) => {
            response.pause();
            resolve(outgoing);
          });
          outgoing.end();
        });
      }),
    );
    // Long enough for all of them to have been written out, were they.
    for (let n = 0; n < 20; n += 1) expect((await send('GET', '/rest/state')).status).toBe(200);
    // What is held stays; what has been read from the database and sent goes with the next collection.
    await eventually(async () => {
      for (let n = 0; n < 50; n += 1) await send('GET', '/rest/accessories');
      return residentMib() - before < 3 * GROWTH_MIB;
    }, 'memory of unread exports to be free');
    for (const outgoing of stalled) {
      outgoing.on('error', () => {});
      outgoing.destroy();
    }
    await eventually(() => openFiles() <= idle + 8, 'sockets to be closed', 20_000);
  });
});
