import {
  closeSync,
  copyFileSync,
  openSync,
  readdirSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { silentLogger } from '../../src/kernel/logger.ts';
import { BackupFolder } from '../../src/storage/backups/backup-folder.ts';
import { type Database, openDatabase } from '../../src/storage/database.ts';
import { openOrRestore } from '../../src/storage/recovery.ts';
import { createTempDirectory, type TempDirectory } from '../support/temp-directory.ts';

let directory: TempDirectory;
let path: string;

beforeEach(() => {
  directory = createTempDirectory('recovery');
  path = directory.file('relay.db');
});
afterEach(() => directory.remove());

function damage(file: string): void {
  const handle = openSync(file, 'r+');
  writeSync(handle, Buffer.alloc(statSync(file).size - 100, 0x5a), 0, undefined, 0);
  closeSync(handle);
}

const put = (database: Database, value: string): void => {
  database.prepare("INSERT OR REPLACE INTO settings VALUES ('word', ?)").run(value);
};
const word = (database: Database): unknown =>
  database.prepare("SELECT value FROM settings WHERE key = 'word'").pluck().get();
const asideNames = (): readonly string[] => readdirSync(directory.path).filter((name) => name.includes('.damaged-'));

const AT = Date.UTC(2026, 0, 2, 3, 0, 0);
const BACKUP = 'relay-nightly-20260102T030000Z.db';

/** A database with a copy of what it held first. */
function copied(first: string, then: string): void {
  const database = openDatabase(path);
  put(database, first);
  new BackupFolder(path).snapshot(database, 'nightly', AT);
  put(database, then);
  database.close();
}

describe('a damaged database', () => {
  it('is set aside whole, and the last copy takes its place', () => {
    copied('copied', 'later');
    damage(path);
    const reported: object[] = [];
    const logger = { ...silentLogger, error: (fields: object) => void reported.push(fields) };
    const database = openOrRestore(path, logger, Date.UTC(2026, 0, 2, 3, 4, 5));
    expect(word(database)).toBe('copied');
    database.close();
    expect(asideNames()).toEqual(['relay.db.damaged-20260102T030405Z']);
    expect(reported).toEqual([
      expect.objectContaining({
        setAside: `${path}.damaged-20260102T030405Z`,
        restoredFrom: directory.file('backups', BACKUP),
      }),
    ]);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it('is replaced by an older copy if the newest is damaged as well', () => {
    copied('older', 'x');
    copyFileSync(directory.file('backups', BACKUP), directory.file('backups', 'relay-schema-1.db'));
    utimesSync(directory.file('backups', 'relay-schema-1.db'), 1, 1);
    damage(directory.file('backups', BACKUP));
    damage(path);
    const database = openOrRestore(path, silentLogger);
    expect(word(database)).toBe('older');
    database.close();
  });

  it('is not replaced by the home from before a restore, or by another one’s, while there is another', () => {
    copied('kept', 'x');
    const database = openDatabase(path);
    const folder = new BackupFolder(path);
    put(database, 'left');
    folder.snapshot(database, 'before-restore', AT + 1_000);
    put(database, 'foreign');
    folder.snapshot(database, 'uploaded', AT + 2_000);
    database.close();
    damage(path);
    const repaired = openOrRestore(path, silentLogger);
    expect(word(repaired)).toBe('kept');
    repaired.close();
  });

  it.each([
    ['gone', () => rmSync(path)],
    ['empty', () => writeFileSync(path, '')],
  ])('that is %s is replaced by its copy too', (_, lose) => {
    copied('copied', 'later');
    lose();
    const database = openOrRestore(path, silentLogger);
    expect(word(database)).toBe('copied');
    database.close();
  });

  it('gives way to an empty one where there is no copy, and is still there', () => {
    openDatabase(path).close();
    damage(path);
    const database = openOrRestore(path, silentLogger);
    expect(word(database)).toBeUndefined();
    database.close();
    expect(asideNames()).toHaveLength(1);
  });

  it('is the only thing that is repaired: a newer version’s database is refused and stays', () => {
    const database = openDatabase(path);
    database.pragma('user_version = 999');
    database.close();
    expect(() => openOrRestore(path, silentLogger)).toThrow(/written by a newer hearthd/);
    expect(asideNames()).toEqual([]);
  });
});
