/** The restart into a backup, over real files and a home that does what the test sets. */
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { Restorer } from '../../../src/app/backup/restorer.ts';
import { silentLogger } from '../../../src/kernel/logger.ts';
import { BackupFolder } from '../../../src/storage/backups/backup-folder.ts';
import { type Database, openDatabase } from '../../../src/storage/database.ts';
import { createTempDirectory, type TempDirectory } from '../../support/temp-directory.ts';
import { TestClock } from '../../support/test-clock.ts';

let directory: TempDirectory;
let path: string;
let folder: BackupFolder;
let database: Database | undefined;
/** What the next starts come to; nothing: they succeed. */
let failures: Error[];

const put = (word: string): void =>
  void database?.prepare("INSERT OR REPLACE INTO settings VALUES ('word', ?)").run(word);
const word = (): unknown => database?.prepare("SELECT value FROM settings WHERE key = 'word'").get();

function home(): Restorer {
  return new Restorer({
    ...{ path, clock: new TestClock(), logger: silentLogger },
    async stopParts() {
      database?.close();
      database = undefined;
    },
    async startParts() {
      database = openDatabase(path);
      const failure = failures.shift();
      if (failure) throw failure;
    },
  });
}

/** A home in the state “now”, with a backup of the state “then”. */
async function restored(restorer: Restorer): Promise<string> {
  const { name, path: backup } = folder.snapshot(database as Database, 'manual', 0);
  put('now');
  await restorer.stage(backup, null);
  const undo = restorer.begin(name);
  expect(restorer.isUnderWay).toBe(true);
  await restorer.settled();
  return undo;
}

beforeEach(() => {
  directory = createTempDirectory('restorer');
  path = directory.file('relay.db');
  folder = new BackupFolder(path);
  database = openDatabase(path);
  put('then');
  failures = [];
});

afterEach(() => {
  database?.close();
  directory.remove();
});

it('puts the backup in place, keeps the former database as the undo, and leaves nothing else behind', async () => {
  const restorer = home();
  const undo = await restored(restorer);
  expect(word()).toEqual({ value: 'then' });
  expect(restorer.last).toMatchObject({ outcome: 'restored', undo, error: null });
  database?.close();
  database = openDatabase(`${folder.path}/${undo}`);
  expect(word()).toEqual({ value: 'now' });
  database.close();
  expect(readdirSync(directory.path).sort()).toEqual(['backups', 'relay.db']);
});

it('brings the former home back by itself where the restored one does not start', async () => {
  failures = [new Error('It does not start.')];
  const restorer = home();
  const undo = await restored(restorer);
  expect(word()).toEqual({ value: 'now' });
  expect(restorer.last).toMatchObject({ outcome: 'failed', undo: null, error: 'It does not start.' });
  expect(existsSync(`${folder.path}/${undo}`)).toBe(false);
});

it('keeps and brings back the former home where backups are on another disk', async () => {
  const elsewhere = mkdtempSync('/dev/shm/hearthd-backups-');
  try {
    expect(statSync(elsewhere).dev).not.toBe(statSync(directory.path).dev);
    symlinkSync(elsewhere, folder.path);
    failures = [new Error('It does not start.')];
    const restorer = home();
    await restored(restorer);
    expect([word(), restorer.last?.outcome]).toEqual([{ value: 'now' }, 'failed']);
    expect(readdirSync(elsewhere)).toHaveLength(1);
    put('then');
    const undo = await restored(restorer);
    expect([word(), restorer.last?.outcome]).toEqual([{ value: 'then' }, 'restored']);
    expect(readdirSync(elsewhere)).toContain(undo);
  } finally {
    rmSync(elsewhere, { recursive: true });
  }
});

it('reports it if nothing starts any more', async () => {
  failures = [new Error('The restored one'), new Error('The former one')];
  const restorer = home();
  await restored(restorer);
  expect(await restorer.lost).toEqual(new Error('The former one'));
});

it('is as it was where the backup can’t be put in place', async () => {
  const restorer = home();
  const { path: backup } = folder.snapshot(database as Database, 'manual', 0);
  put('now');
  await restorer.stage(backup, null);
  rmSync(directory.file('relay.db.restoring'));
  restorer.begin('gone');
  await restorer.settled();
  expect(word()).toEqual({ value: 'now' });
  expect(restorer.last).toMatchObject({ outcome: 'failed' });
});
