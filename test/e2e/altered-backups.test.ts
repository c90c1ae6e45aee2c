/**
 * Altered backups over a relay's real doors: uploads that are no backups, odd files in the folder, and restored homes
 * whose rows hold what no operation makes.
 */
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { restoreOffline } from '../../src/app/backup/restore-offline.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import type { Database } from '../../src/storage/sqlite.ts';
import { alterCopy, BREAKING, nonsenseOf } from '../support/alterations.ts';
import { askEverything } from '../support/ask-everything.ts';
import { type Answer, E2eRelay } from '../support/e2e-relay.ts';
import { furnishBackup, tablesOf } from '../support/furnished-backup.ts';
import { createTempDirectory, type TempDirectory } from '../support/temp-directory.ts';

let directory: TempDirectory;
let good: string;

beforeAll(async () => {
  directory = createTempDirectory('altered-backups');
  good = directory.file('good.db');
  await furnishBackup(good);
});
afterAll(() => directory.remove());

function upload(relay: E2eRelay, content: Buffer): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const socketPath = relay.directory.file('hearthd.sock');
    const headers = { 'Content-Type': 'application/octet-stream', 'Content-Length': content.byteLength };
    const outgoing = request({ socketPath, path: '/rest/backups/upload', method: 'POST', headers }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, body: JSON.parse(Buffer.concat(parts).toString()) }),
      );
    });
    outgoing.on('error', reject);
    outgoing.end(content);
  });
}

describe('the list of backups', () => {
  it('goes on after uploads that are no sound backups: each is refused with its reason, and none is kept', async () => {
    await using relay = await E2eRelay.start();
    const altered = directory.file('upload.db');
    for (const { name, fault, alter } of BREAKING) {
      alterCopy(good, altered, alter);
      const { status, body } = await upload(relay, readFileSync(altered));
      expect([name, status, body.reason]).toEqual([name, 422, `backup_${fault}`]);
    }
    const sealed = Buffer.concat([Buffer.from('hearthd-backup\n'), Buffer.of(1), Buffer.alloc(60)]);
    const odd = [
      [sealed.subarray(0, 16), 'backup_damaged'],
      [sealed.subarray(0, 40), 'backup_damaged'],
      [Buffer.concat([sealed.subarray(0, 15), Buffer.of(2), sealed.subarray(16)]), 'backup_newer'],
      [readFileSync(good).subarray(0, 100), 'backup_damaged'],
      [readFileSync(good).subarray(0, 16), 'backup_damaged'],
      [Buffer.alloc(5_000_000, 65), 'backup_foreign'],
    ] as const;
    for (const [content, reason] of odd) {
      const { status, body } = await upload(relay, content);
      expect([status, [reason, 'backup_foreign']]).toEqual([422, expect.arrayContaining([body.reason])]);
    }
    expect((await relay.asSystem('GET', '/rest/backups')).body).toEqual([]);
    expect(readdirSync(relay.directory.file('backups'))).toEqual([]);
    expect((await upload(relay, readFileSync(good))).status).toBe(200);
    expect((await relay.asSystem('GET', '/rest/backups')).body).toHaveLength(1);
  });

  it('shows odd files that are in the folder already with their reason, and lets them be deleted', async () => {
    await using relay = await E2eRelay.start();
    const folder = relay.directory.file('backups');
    mkdirSync(folder, { recursive: true });
    const { alter } = BREAKING.find(
      ({ name }) => name === 'the settings with other columns',
    ) as (typeof BREAKING)[number];
    alterCopy(good, `${folder}/relay-uploaded-20260101T000001Z.db`, alter);
    writeFileSync(`${folder}/relay-manual-20260101T000002Z.db`, '');
    mkdirSync(`${folder}/relay-manual-20260101T000003Z.db`);
    writeFileSync(`${folder}/relay-uploaded-20260101T000004Z.sealed`, 'no such thing');
    copyFileSync(good, `${folder}/relay-manual-20260101T000005Z.db`);
    writeFileSync(`${folder}/relay-manual-20260101T000005Z.db-wal`, 'a log');
    copyFileSync(good, `${folder}/relay-manual-20260101T000006Z.db`);
    const { status, body } = await relay.asSystem('GET', '/rest/backups');
    expect(status).toBe(200);
    expect(body.map(({ fault, isSound }: { fault: string; isSound: boolean }) => [fault, isSound])).toEqual([
      [null, true],
      ['incomplete', false],
      ['foreign', false],
      ['foreign', false],
      ['foreign', false],
      ['altered', false],
    ]);
    const { data } = (await relay.asSystem('POST', '/graphql', { query: '{ backups { name fault isSound } }' })).body;
    expect(data.backups).toHaveLength(6);
    const folderName = body[3].name;
    expect((await relay.asSystem('GET', `/rest/backups/${folderName}`)).body.reason).toBe('backup_foreign');
    for (const { name, isSound } of body) {
      if (isSound) continue;
      const refused = await relay.asSystem('POST', `/rest/backups/${name}/restore`, { password: 'a long password' });
      expect([name, refused.status]).toEqual([name, 422]);
      expect((await relay.asSystem('DELETE', `/rest/backups/${name}`)).status).toBe(200);
    }
    expect((await relay.asSystem('GET', '/rest/backups')).body).toHaveLength(1);
    expect(readdirSync(folder)).toEqual(['relay-manual-20260101T000006Z.db']);
  });
});

describe('a backup whose rows hold what no operation makes', () => {
  /** The n-th kind of nonsense in every table. */
  const rounds = ((): readonly number[] => Array.from({ length: 13 }, (_, round) => round))();

  it.each(rounds)(
    'is restored and answers everything without an error of ours, or is refused: round %i',
    async (round) => {
      const altered = directory.file('nonsense.db');
      const home = createTempDirectory('nonsense');
      alterCopy(good, altered, (database: Database) => {
        for (const table of tablesOf(database)) nonsenseOf(database, table)[round]?.alter(database);
      });
      const before = readFileSync(altered);
      const restoring = restoreOffline({
        ...{ dataDir: home.path, backup: altered, clock: systemClock },
        password: async () => '',
      });
      const refusal = await restoring.then(
        () => undefined,
        (error: unknown) => error,
      );
      if (refusal) expect(refusal).toMatchObject({ code: 'conflict', reason: expect.stringMatching(/^backup_/) });
      else {
        const relay = await E2eRelay.start({ directory: home });
        expect(await askEverything(relay)).toEqual([]);
        await relay.stop();
      }
      expect(readFileSync(altered).equals(before)).toBe(true);
      home.remove();
    },
  );
});

it('a good backup is restored and answers everything without an error of ours', async () => {
  const home = createTempDirectory('good');
  await restoreOffline({ dataDir: home.path, backup: good, password: async () => '', clock: systemClock });
  const relay = await E2eRelay.start({ directory: home });
  expect(await askEverything(relay)).toEqual([]);
  expect((await relay.asSystem('GET', '/rest/flows')).body).toHaveLength(1);
  await relay.stop();
  home.remove();
});
