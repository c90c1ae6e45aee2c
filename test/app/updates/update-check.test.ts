import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { isNewer, parseRelease } from '../../../src/app/updates/newer-version.ts';
import { REGISTRY_URL, UpdateCheck } from '../../../src/app/updates/update-check.ts';
import { UpdateCheckStore } from '../../../src/app/updates/update-check-store.ts';
import { GuardedSender } from '../../../src/drivers/http/guarded-sender.ts';
import type { HomeEvents } from '../../../src/home/events.ts';
import { type HttpAnswer, type HttpRequest, HttpSendError } from '../../../src/home/http-sender.ts';
import { systemClock } from '../../../src/kernel/clock.ts';
import { EventBus } from '../../../src/kernel/event-bus.ts';
import type { Database } from '../../../src/storage/database.ts';
import { ROOT } from '../../support/built-once.ts';
import { openFreshDatabase } from '../../support/fresh-database.ts';
import { TestClock } from '../../support/test-clock.ts';
import { createTestHome, systemCaller } from '../../support/test-home.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

const tags = (latest: unknown): Partial<HttpAnswer> => ({ body: JSON.stringify({ latest, beta: '9.9.9' }) });

let database: Database;
let clock: TestClock;
let bus: EventBus<HomeEvents>;
let isOn: boolean;
let asked: HttpRequest[];
let askedAt: number[];
/** The next answers; the last one stays. */
let answers: (Partial<HttpAnswer> | Error)[];
let lines: string[];

beforeEach(() => {
  database = openFreshDatabase();
  clock = new TestClock();
  bus = new EventBus();
  isOn = true;
  asked = [];
  askedAt = [];
  answers = [tags('1.3.0')];
  lines = [];
});

const logTo = (level: string) => (_: object, sentence: string) => void lines.push(`${level} ${sentence}`);

function create(random = 0): UpdateCheck {
  const logger = { debug: logTo('debug'), info: logTo('info'), warn: logTo('warn'), error: logTo('error') };
  return new UpdateCheck({
    store: new UpdateCheckStore(database),
    http: {
      async send(request) {
        asked.push(request);
        askedAt.push(clock.now());
        const answer = (answers.length > 1 ? answers.shift() : answers[0]) ?? {};
        if (answer instanceof Error) throw answer;
        return { status: 200, statusText: 'OK', headers: {}, body: '', ...answer };
      },
    },
    isOn: () => isOn,
    bus,
    clock,
    logger: logger as never,
    random: () => random,
    version: '1.2.3',
  });
}

function turn(on: boolean): void {
  isOn = on;
  bus.emit('relay.settings_changed', {});
}

async function started(random?: number): Promise<UpdateCheck> {
  const check = create(random);
  check.start();
  await clock.advance(5 * MINUTE_MS);
  return check;
}

describe('the update check', () => {
  it('asks nothing while it is off, and has no timer', async () => {
    isOn = false;
    const check = await started();
    turn(false);
    await clock.advance(60 * DAY_MS);
    expect(asked).toEqual([]);
    expect(clock.pendingTimers).toBe(0);
    expect([check.newVersion, check.askedAt]).toEqual([null, null]);
  });

  it('asks one address, without a word about this relay', async () => {
    await started();
    expect(asked).toEqual([
      {
        url: 'https://registry.npmjs.org/-/package/hearthd/dist-tags',
        method: 'GET',
        headers: { accept: 'application/json', 'user-agent': 'hearthd' },
        publicOnly: true,
        timeoutMs: 30_000,
        signal: expect.any(AbortSignal),
      },
    ]);
    expect(REGISTRY_URL).toBe(asked[0]?.url);
  });

  it('sends what the manual shows, byte by byte', async () => {
    await started();
    const received: string[] = [];
    const server = createServer((socket) =>
      socket.once('data', (bytes) => {
        received.push(bytes.toString('latin1'));
        socket.end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}');
      }),
    );
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    const sender = new GuardedSender({
      clock: systemClock,
      allowLoopback: true,
      ownAddresses: () => [],
      ownPorts: () => [],
    });
    const [question] = asked as [HttpRequest];
    await sender.send({ ...question, url: question.url.replace('https://registry.npmjs.org', `http://${host}`) });
    server.close();
    const [, manual = ''] =
      /```\n(GET [^`]*)```/.exec(readFileSync(join(ROOT, 'src/docs/manual/install.md'), 'utf8')) ?? [];
    expect(received).toEqual([`${manual.replace('registry.npmjs.org', host)}\n`.replaceAll('\n', '\r\n')]);
  });

  it('asks once a day at most, some time later than a day, and not before a minute after the start', async () => {
    const check = create(0.5);
    check.start();
    await clock.advance(MINUTE_MS);
    expect(asked).toHaveLength(0);
    await clock.advance(10 * DAY_MS);
    // A look an hour: a day and half an hour has passed at the 25th.
    expect(askedAt).toHaveLength(10);
    for (const [index, at] of askedAt.slice(1).entries()) expect(at - (askedAt[index] ?? 0)).toBe(25 * HOUR_MS);
  });

  it('finds a newer version, and announces it once in the log', async () => {
    const check = await started();
    expect([check.newVersion, check.askedAt]).toEqual(['1.3.0', askedAt[0]]);
    await clock.advance(3 * DAY_MS);
    expect(asked.length).toBeGreaterThan(2);
    expect(lines).toEqual(['info A new version is out']);
  });

  it('begins when it is turned on, forgets nothing when it is turned off, and asks not again within the day', async () => {
    isOn = false;
    const check = await started();
    turn(true);
    // Other settings change meanwhile.
    turn(true);
    await clock.advance(5 * MINUTE_MS);
    expect(asked).toHaveLength(1);
    turn(false);
    expect(check.newVersion).toBeNull();
    expect(clock.pendingTimers).toBe(0);
    turn(true);
    await clock.advance(12 * HOUR_MS);
    expect(check.newVersion).toBe('1.3.0');
    expect(asked).toHaveLength(1);
    await clock.advance(14 * HOUR_MS);
    expect(asked).toHaveLength(2);
  });

  it('remembers over restarts when it asked, and what it found', async () => {
    await (await started()).stop();
    for (let hour = 0; hour < 23; hour += 1) {
      const check = await started();
      expect(check.newVersion).toBe('1.3.0');
      await check.stop();
      await clock.advance(55 * MINUTE_MS);
    }
    expect(asked).toHaveLength(1);
    await started();
    await clock.advance(2 * HOUR_MS);
    expect(asked).toHaveLength(2);
  });

  it('does not report a version that is installed by now', async () => {
    answers = [tags('1.2.3')];
    expect((await started()).newVersion).toBeNull();
  });

  it.each<[string, Partial<HttpAnswer> | Error]>([
    ['a registry that is away', new HttpSendError('network', 'registry.npmjs.org could not be reached')],
    ['a registry that takes too long', new HttpSendError('timeout', 'no answer')],
    ['garbage', { body: '<html>' }],
    ['an answer that is cut off', { body: `{"latest":"9.0.0","x":"${'x'.repeat(64 * 1_024)}` }],
    ['nothing', { body: '' }],
    ['null', { body: 'null' }],
    ['a list', { body: '[]' }],
    ['no latest', { body: '{}' }],
    ['a number', tags(2)],
    ['a redirect', { status: 302, headers: { location: 'https://example.org' }, ...tags('9.0.0') }],
    ['an error', { status: 500, ...tags('9.0.0') }],
    ['no such package', { status: 404, body: '{"error":"not_found"}' }],
    ['a pre-release', tags('2.0.0-beta.1')],
    ['a version with markup', tags('2.0.0<b>')],
    ['an endless number', tags(`${'9'.repeat(400)}.0.0`)],
  ])('is quiet about %s, keeps what it knew, and waits a day', async (_, answer) => {
    const check = await started();
    answers = [answer];
    lines = [];
    await clock.advance(26 * HOUR_MS);
    expect(asked).toHaveLength(2);
    expect(check.newVersion).toBe('1.3.0');
    expect(lines).toEqual(['debug The update check failed; the next one is in a day']);
    await clock.advance(20 * HOUR_MS);
    expect(asked).toHaveLength(2);
  });

  it('withdraws a version that the registry withdraws', async () => {
    const check = await started();
    answers = [tags('1.1.0')];
    await clock.advance(26 * HOUR_MS);
    expect(check.newVersion).toBeNull();
  });

  it('asks nothing while the time of the question can’t be stored', async () => {
    database.exec(`CREATE TRIGGER no_room BEFORE INSERT ON settings BEGIN SELECT RAISE(ABORT, 'disk is full'); END`);
    await started();
    await clock.advance(2 * DAY_MS);
    expect(asked).toEqual([]);
    expect(new Set(lines)).toEqual(new Set(['debug The update check failed; the next one is in a day']));
    database.exec('DROP TRIGGER no_room');
    await clock.advance(2 * DAY_MS);
    expect(asked).not.toEqual([]);
  });

  it('asks at most once a day of its own time when the clock leaps, and is not held up by a time ahead', async () => {
    const check = await started();
    clock.jumpWallClock(300 * DAY_MS);
    await clock.advance(20 * HOUR_MS);
    expect(asked).toHaveLength(1);
    await clock.advance(6 * HOUR_MS);
    expect(asked).toHaveLength(2);
    await check.stop();
    clock.jumpWallClock(-500 * DAY_MS);
    await started();
    await clock.advance(20 * HOUR_MS);
    expect(asked).toHaveLength(2);
    await clock.advance(6 * HOUR_MS);
    expect(asked).toHaveLength(3);
  });

  it.each(['{', 'null', '[]', '{"askedAt":"x","latest":7}'])('takes the damaged row %s for none', async (row) => {
    database.prepare('INSERT INTO settings (key, value) VALUES (?, ?)').run('updates.check', row);
    expect((await started()).newVersion).toBe('1.3.0');
  });

  it('ends the question under way when the relay stops, and asks nothing afterwards', async () => {
    const check = await started();
    const [question] = asked;
    await check.stop();
    expect(question?.signal?.aborted).toBe(true);
    turn(false);
    turn(true);
    await clock.advance(2 * DAY_MS);
    expect(asked).toHaveLength(1);
  });
});

describe('a whole home', () => {
  it('sends no request in a month, until an owner turns the update check on', async () => {
    const sent: string[] = [];
    const home = createTestHome({
      sample: true,
      http: {
        async send({ url }) {
          sent.push(url);
          return { status: 200, statusText: 'OK', headers: {}, body: '{"latest":"999.0.0"}' };
        },
      },
    });
    home.updateCheck.start();
    home.deliverer.start();
    await home.clock.advance(30 * DAY_MS);
    expect(sent).toEqual([]);
    expect(await home.relayStatus.read(systemCaller)).toMatchObject({ newVersion: null, updatesAskedAt: null });

    home.relaySettings.update(systemCaller, { update_check: true });
    await home.clock.advance(HOUR_MS);
    expect(sent).toEqual([REGISTRY_URL]);
    const { newVersion, updatesAskedAt, warnings } = await home.relayStatus.read(systemCaller);
    expect([newVersion, typeof updatesAskedAt]).toEqual(['999.0.0', 'number']);
    expect(warnings).toContainEqual(
      expect.objectContaining({ code: 'new_version', values: { version: '999.0.0', install: 'npm' } }),
    );

    home.relaySettings.update(systemCaller, { update_check: null });
    await home.clock.advance(30 * DAY_MS);
    expect(sent).toHaveLength(1);
    expect((await home.relayStatus.read(systemCaller)).newVersion).toBeNull();
    await home.updateCheck.stop();
    await home.close();
  });
});

describe('versions', () => {
  it.each([
    ['1.2.4', '1.2.3', true],
    ['1.10.0', '1.9.9', true],
    ['2.0.0', '1.99.99', true],
    ['1.2.3', '1.2.3', false],
    ['1.2.2', '1.2.3', false],
    ['0.99.99', '1.0.0', false],
    ['1.2.3', '1.2.3-rc.1', true],
    ['1.2.2', '1.2.3-rc.1', false],
    ['1.2.3', 'unknown', false],
  ])('%s after %s: %s', (release, own, expected) => {
    expect(isNewer(release, own)).toBe(expected);
  });

  it('are releases only if they are three plain numbers', () => {
    expect(parseRelease('1.2.3')).toBe('1.2.3');
    for (const text of ['1.2', 'v1.2.3', '1.2.3-rc.1', '1.2.3+4', ' 1.2.3', '1.2.3\n', '', 3, null, undefined])
      expect(parseRelease(text)).toBeNull();
  });
});
