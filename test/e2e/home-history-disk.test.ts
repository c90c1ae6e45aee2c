/**
 * What may become of history.db while the daemon runs and while it does not. The home goes on, and relay.db never
 * suffers.
 */
import { randomBytes } from 'node:crypto';
import {
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { describe, expect, it } from 'vitest';
import { openSqlite } from '../../src/storage/sqlite.ts';
import { type E2eRelay, eventually } from '../support/e2e-relay.ts';
import { ask, type Furnished, faultsOf, graphql, startFurnished } from './home-fixture.ts';

type Destroy = (file: string) => void;

/** As `dd if=/dev/urandom conv=notrunc` does. */
function overwrite(path: string, from: number): void {
  const handle = openSync(path, 'r+');
  const { size } = statSync(path);
  writeSync(handle, randomBytes(Math.max(size - from, 1)), 0, undefined, Math.min(from, size));
  closeSync(handle);
}

const remove = (path: string): void => rmSync(path, { recursive: true, force: true });

const DAMAGES: readonly (readonly [how: string, destroy: Destroy])[] = [
  ['deleted', (file) => remove(file)],
  [
    'deleted with its companions',
    (file) => {
      for (const end of ['', '-wal', '-shm']) remove(file + end);
    },
  ],
  ['emptied', (file) => truncateSync(file, 0)],
  ['cut in the middle of a page', (file) => truncateSync(file, 10_000)],
  ['overwritten from its start', (file) => overwrite(file, 0)],
  ['overwritten but for its first page', (file) => overwrite(file, 4_096)],
  [
    'replaced by another file',
    (file) => {
      writeFileSync(`${file}.new`, 'this is no database\n'.repeat(1_000));
      renameSync(`${file}.new`, file);
    },
  ],
];

async function record(relay: E2eRelay, { lever, number }: Furnished, changes: number): Promise<void> {
  for (let n = 0; n < changes; n += 1) {
    const operation = { operation: 'toggle' };
    const level = { operation: 'set', value: n % 100 };
    const answers = await Promise.all([
      relay.asSystem('POST', `/rest/virtual-accessories/${lever}/operate`, operation),
      relay.asSystem('POST', `/rest/virtual-accessories/${number}/operate`, level),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  }
}

/** Every way to read history answers, were it that there is none now; each failure is an expected one. */
async function readEverything(relay: E2eRelay, { homeId, lever }: Furnished): Promise<readonly number[]> {
  const answers = [
    await ask(relay, 'GET', `/rest/history?accessory=${lever}`),
    await ask(relay, 'GET', `/rest/history/series?home=${homeId}`),
    await ask(relay, 'GET', `/rest/history/homes/${homeId}`),
    await ask(relay, 'GET', `/rest/history/export?home=${homeId}`),
    await ask(relay, 'PATCH', '/rest/history/series', {
      homeId,
      accessoryId: lever,
      characteristicType: 'on',
      minIntervalS: 0,
    }),
    await ask(relay, 'PATCH', `/rest/history/homes/${homeId}`, { enabled: true }),
  ];
  for (const { status, text } of answers) {
    expect([200, 503], text).toContain(status);
    if (status === 503) expect(text).toContain('storage_unavailable');
  }
  const query = `{ historySeries(homeId: "${homeId}") { sampleCount } historyStorageStats(homeId: "${homeId}") { sampleRows } exportHistory(homeId: "${homeId}") }`;
  const { status, body } = await graphql(relay, query);
  expect(status).toBe(200);
  for (const { extensions } of body.errors ?? []) expect(extensions.reason).toBe('storage_unavailable');
  return answers.map((answer) => answer.status);
}

/** Whether a change is found again in what was recorded. */
async function isRecording(relay: E2eRelay, inventory: Furnished): Promise<boolean> {
  await record(relay, inventory, 2);
  const { status, text } = await ask(
    relay,
    'GET',
    `/rest/history/export?home=${inventory.homeId}&accessory=${inventory.lever}`,
  );
  return status === 200 && text.trimEnd().split('\r\n').length > 1;
}

async function withHistory(): Promise<{ relay: E2eRelay; demoHome: Furnished; file: string }> {
  const { relay, demoHome: inventory } = await startFurnished();
  expect((await relay.asSystem('PATCH', `/rest/history/homes/${inventory.homeId}`, { enabled: true })).status).toBe(
    200,
  );
  await record(relay, inventory, 60);
  expect(await isRecording(relay, inventory)).toBe(true);
  return { relay, demoHome: inventory, file: relay.directory.file('history.db') };
}

const goesOn = async (relay: E2eRelay, inventory: Furnished): Promise<void> => {
  expect((await relay.post('/rest/scene', { home: inventory.homeId, name: 'Evening' })).body).toMatchObject({
    success: true,
  });
  const renamed = await relay.asSystem('PATCH', `/rest/scenes/${inventory.scene}`, { name: 'Evening' });
  expect(renamed.status).toBe(200);
  expect((await relay.get('/rest/state')).status).toBe(200);
};

describe('history.db', () => {
  it.each(DAMAGES)(
    '%s while the daemon runs: the home goes on, and so does history after the next start',
    async (_, destroy) => {
      const { relay, demoHome: inventory, file } = await withHistory();
      await using _relay = relay;
      destroy(file);
      await record(relay, inventory, 30);
      await readEverything(relay, inventory);
      await goesOn(relay, inventory);
      await record(relay, inventory, 30);
      await readEverything(relay, inventory);
      await relay.stop();
      expect(faultsOf(relay.directory.file('relay.db'))).toEqual([]);
      await relay.start();
      await goesOn(relay, inventory);
      await readEverything(relay, inventory);
      expect(await isRecording(relay, inventory)).toBe(true);
      expect(
        readdirSync(relay.directory.path).filter((name) => name.startsWith('relay.db') && name.includes('damaged')),
      ).toEqual([]);
    },
  );

  it.each(DAMAGES)('%s while the daemon is down: it starts, and a new history begins', async (_, destroy) => {
    const { relay, demoHome: inventory, file } = await withHistory();
    await using _relay = relay;
    await relay.stop();
    destroy(file);
    await relay.start();
    await goesOn(relay, inventory);
    await readEverything(relay, inventory);
    await eventually(() => isRecording(relay, inventory), 'history to be recorded');
    expect(faultsOf(relay.directory.file('relay.db'))).toEqual([]);
  });

  it.each<[string, Destroy]>([
    ['a folder', (file) => mkdirSync(file)],
    [
      'the database of another program',
      (file) => {
        const other = openSqlite(file);
        other.exec('CREATE TABLE series (odd); CREATE TABLE samples (odd)');
        other.close();
      },
    ],
  ])(
    'replaced by %s: that is left alone, the home goes on without history, and with it once it is gone',
    async (_, replace) => {
      const { relay, demoHome: inventory, file } = await withHistory();
      await using _relay = relay;
      await relay.stop();
      remove(file);
      replace(file);
      await relay.start();
      await goesOn(relay, inventory);
      expect(await readEverything(relay, inventory)).toContain(503);
      await relay.stop();
      remove(file);
      await relay.start();
      expect(await isRecording(relay, inventory)).toBe(true);
    },
  );

  it('held by another program for good: requests to it report that, and the home does not wait', async () => {
    const { relay, demoHome: inventory, file } = await withHistory();
    await using _relay = relay;
    const other = openSqlite(file);
    other.exec('BEGIN IMMEDIATE');
    const began = performance.now();
    await record(relay, inventory, 120);
    await goesOn(relay, inventory);
    expect((performance.now() - began) / 250, 'milliseconds a change').toBeLessThan(200);
    await readEverything(relay, inventory);
    other.exec('ROLLBACK');
    other.close();
    expect(await isRecording(relay, inventory)).toBe(true);
  });
});
