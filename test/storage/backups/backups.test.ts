/**
 * Backups as files: their names, what is made of them by night, and what is left when the process dies in the middle.
 */
import { existsSync, linkSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { NIGHTLY_BACKUP } from '../../../src/home/vocabulary/nightly-backup.ts';
import { silentLogger } from '../../../src/kernel/logger.ts';
import { BackupFolder } from '../../../src/storage/backups/backup-folder.ts';
import { backupName, parseBackupName } from '../../../src/storage/backups/backup-names.ts';
import { NightlySnapshots } from '../../../src/storage/backups/nightly-snapshots.ts';
import { receiveBackup } from '../../../src/storage/backups/receive-backup.ts';
import { sealedLength, sealedStream, UnsealError, unseal } from '../../../src/storage/backups/sealed-file.ts';
import { openStaged, stageBackup } from '../../../src/storage/backups/stage-backup.ts';
import { type Database, openDatabase } from '../../../src/storage/database.ts';
import { createTempDirectory, type TempDirectory } from '../../support/temp-directory.ts';
import { TestClock } from '../../support/test-clock.ts';
import { startChild } from './swap-process.ts';

const HOUR_MS = 3_600_000;
const NOON = Date.UTC(2026, 0, 2, 12);

let directory: TempDirectory;
let path: string;
let folder: BackupFolder;
let database: Database;

beforeEach(() => {
  directory = createTempDirectory('backups');
  path = directory.file('relay.db');
  folder = new BackupFolder(path);
  database = openDatabase(path);
});
afterEach(() => {
  database.close();
  directory.remove();
});

async function sealedFile(content: Buffer, password: string): Promise<string> {
  const plain = directory.file('plain');
  writeFileSync(plain, content);
  const pieces: Buffer[] = [];
  for await (const piece of await sealedStream(plain, password)) pieces.push(piece as Buffer);
  const file = directory.file('sealed');
  writeFileSync(file, Buffer.concat(pieces));
  return file;
}

const names = (): readonly string[] => folder.list().map(({ name }) => name);

describe('a name', () => {
  it('records what made the backup and when, and comes back from its parts', () => {
    const name = backupName('before-restore', NOON, true, 2);
    expect(name).toBe('relay-before-restore-20260102T120000Z-2.sealed');
    expect(parseBackupName(name)).toEqual({ kind: 'before-restore', madeAt: NOON, isSealed: true });
    expect(parseBackupName('relay-schema-8.db')).toEqual({ kind: 'before-upgrade', madeAt: null, isSealed: false });
    expect(parseBackupName('relay-daily-before.db')).toMatchObject({ kind: 'nightly' });
  });

  it.each([
    '../relay.db',
    'relay-manual-20260102T120000Z.db/../x',
    'relay-manual-20260102T120000Z.db.part',
    '',
    'relay.db',
  ])('%j is no backup’s', (name) => {
    expect(parseBackupName(name)).toBeUndefined();
    expect(folder.find(name)).toBeUndefined();
  });
});

describe('the nightly snapshot', () => {
  it('is made soon after a start and then every night, private, and seven are kept beside those made by hand', async () => {
    const clock = new TestClock(NOON);
    const nightly = new NightlySnapshots({ database, folder, clock, logger: silentLogger, ...NIGHTLY_BACKUP });
    folder.snapshot(database, 'manual', NOON);
    nightly.start();
    await clock.advance(HOUR_MS / 6);
    expect(names()).toEqual(['relay-nightly-20260102T121000Z.db', 'relay-manual-20260102T120000Z.db']);
    expect(statSync(directory.file('backups', names()[0] ?? '')).mode & 0o777).toBe(0o600);
    await clock.advance(14 * HOUR_MS);
    expect(names()).toHaveLength(2);
    for (let night = 0; night < 8; night += 1) await clock.advance(24 * HOUR_MS);
    nightly.stop();
    const kept = folder.list().filter(({ kind }) => kind === 'nightly');
    expect(kept.map(({ madeAt }) => new Date(madeAt).getUTCDate())).toEqual([10, 9, 8, 7, 6, 5, 4]);
    expect(names()).toContain('relay-manual-20260102T120000Z.db');
  });

  it('follows a restore at once, so that a repair does not undo that', async () => {
    const clock = new TestClock(NOON);
    const nightly = new NightlySnapshots({ database, folder, clock, logger: silentLogger, ...NIGHTLY_BACKUP });
    nightly.make();
    folder.snapshot(database, 'before-restore', NOON + 60_000);
    nightly.start();
    await clock.advance(HOUR_MS / 6);
    nightly.stop();
    expect(names()[0]).toBe('relay-nightly-20260102T121000Z.db');
  });

  it('that can’t be made leaves the others in place and nothing half made', () => {
    const nightly = new NightlySnapshots({
      database,
      folder,
      clock: new TestClock(NOON),
      logger: silentLogger,
      ...NIGHTLY_BACKUP,
    });
    nightly.make();
    database.close();
    expect(() => nightly.make()).toThrow();
    expect(readdirSync(folder.path)).toEqual(['relay-nightly-20260102T120000Z.db']);
  });

  it('is tried again in an hour where the folder can’t be read', async () => {
    const clock = new TestClock(NOON);
    const nightly = new NightlySnapshots({ database, folder, clock, logger: silentLogger, ...NIGHTLY_BACKUP });
    const unreadable = vi.spyOn(folder, 'list').mockImplementationOnce(() => {
      throw new Error('EIO: i/o error');
    });
    nightly.start();
    await clock.advance(HOUR_MS / 6);
    expect(unreadable).toHaveBeenCalledOnce();
    expect(names()).toEqual([]);
    await clock.advance(HOUR_MS);
    nightly.stop();
    expect(names()).toHaveLength(1);
  });
});

it('that is received and breaks off at once leaves nothing behind', async () => {
  const broken = { [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(new Error('It broke off.')) }) };
  for (let time = 0; time < 10; time += 1) {
    await expect(receiveBackup(folder, broken)).rejects.toMatchObject({ code: 'invalid_request' });
  }
  expect(readdirSync(folder.path)).toEqual([]);
});

describe('a sealed file', () => {
  it('comes back with its password only, with any content', async () => {
    for (const content of [Buffer.alloc(0), Buffer.alloc(200_000, 7)]) {
      const file = await sealedFile(content, 'Café au lait');
      expect(statSync(file).size).toBe(sealedLength(content.byteLength));
      // Composed otherwise, as another keyboard does.
      await unseal(file, 'Cafe\u0301 au lait', directory.file('out'));
      expect(readFileSync(directory.file('out')).equals(content)).toBe(true);
      rmSync(directory.file('out'));
      await expect(unseal(file, 'Tea', directory.file('out'))).rejects.toThrow(UnsealError);
      rmSync(directory.file('out'), { force: true });
    }
  });

  it('is refused with a byte changed or missing anywhere', async () => {
    const whole = readFileSync(await sealedFile(Buffer.alloc(100, 1), 'password'));
    const changed = [15, 40, 60, whole.byteLength - 1].map((at) => {
      const copy = Buffer.from(whole);
      copy[at] = (copy[at] ?? 0) ^ 1;
      return copy;
    });
    for (const content of [...changed, whole.subarray(0, -1), whole.subarray(0, 30)]) {
      writeFileSync(directory.file('bad'), content);
      await expect(unseal(directory.file('bad'), 'password', directory.file('out'))).rejects.toThrow(UnsealError);
      rmSync(directory.file('out'), { force: true });
    }
  });
});

describe('what is staged', () => {
  it('is a database of ours with every password that opened it', async () => {
    const hidden = directory.file('hidden.db');
    const foreign = openDatabase(hidden);
    foreign.exec("CREATE TRIGGER spy AFTER INSERT ON settings BEGIN DELETE FROM settings WHERE key = 'word'; END");
    foreign.pragma('journal_mode = DELETE');
    foreign.close();
    for (const [file, password] of [
      [hidden, null],
      [await sealedFile(readFileSync(hidden), 'password'), 'password'],
    ] as const) {
      await expect(stageBackup(path, file, password)).rejects.toMatchObject({
        code: 'conflict',
        message: expect.stringContaining('was altered'),
      });
      expect(() => openStaged(path)).toThrow('is gone');
    }
  });
});

describe('a process that is killed', () => {
  it('with the undo of a restore made, and the restore not, leaves no backup that changes with the home', () => {
    folder.snapshot(database, 'manual', NOON);
    linkSync(path, directory.file('backups', backupName('before-restore', NOON)));
    folder.sweep();
    expect(names()).toEqual(['relay-manual-20260102T120000Z.db']);
    expect(database.pragma('integrity_check', { simple: true })).toBe('ok');
  });

  it('before there was a backup leaves nothing to look through', () => {
    expect(existsSync(folder.path)).toBe(false);
    expect(() => folder.sweep()).not.toThrow();
  });

  it('in the middle of making or swapping in backups leaves a whole database of either kind, and no half backup', async () => {
    database.close();
    for (const waitFor of [1, 2, 5]) {
      const child = await startChild(path);
      await child.rounds(waitFor);
      await child.kill();
      database = openDatabase(path);
      const word = database.prepare("SELECT value FROM settings WHERE key = 'word'").get() as { value: string };
      expect(['one', 'two']).toContain(word.value);
      database.close();
      folder.sweep();
      utimesSync(path, 1, 1);
      expect(readdirSync(folder.path).every((name) => parseBackupName(name))).toBe(true);
      for (const { path: backup } of folder.list()) openDatabase(backup).close();
    }
    database = openDatabase(path);
  });
});
