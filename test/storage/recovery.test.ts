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
import { type Database, openDatabase } from '../../src/storage/database.ts';
import { DailyCopy, openOrRestore } from '../../src/storage/recovery.ts';
import { createTempDirectory, type TempDirectory } from '../support/temp-directory.ts';
import { TestClock } from '../support/test-clock.ts';

let directory: TempDirectory;
let path: string;

beforeEach(() => {
  directory = createTempDirectory('recovery');
  path = directory.file('relay.db');
});
afterEach(() => directory.remove());

const HOUR_MS = 3_600_000;

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

/** A database with a copy of what it held first. */
async function copied(first: string, then: string): Promise<void> {
  const database = openDatabase(path);
  put(database, first);
  new DailyCopy({ database, path, clock: new TestClock(), logger: silentLogger }).copy();
  put(database, then);
  database.close();
}

describe('a damaged database', () => {
  it('is set aside whole, and the last copy takes its place', async () => {
    await copied('copied', 'later');
    damage(path);
    const told: object[] = [];
    const logger = { ...silentLogger, error: (fields: object) => void told.push(fields) };
    const database = openOrRestore(path, logger, Date.UTC(2026, 0, 2, 3, 4, 5));
    expect(word(database)).toBe('copied');
    database.close();
    expect(asideNames()).toEqual(['relay.db.damaged-20260102T030405Z']);
    expect(told).toEqual([
      expect.objectContaining({
        setAside: `${path}.damaged-20260102T030405Z`,
        restoredFrom: directory.file('backups', 'relay-daily.db'),
      }),
    ]);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it('is replaced by an older copy if the newest is damaged as well', async () => {
    await copied('older', 'x');
    copyFileSync(directory.file('backups', 'relay-daily.db'), directory.file('backups', 'relay-schema-1.db'));
    utimesSync(directory.file('backups', 'relay-schema-1.db'), 1, 1);
    damage(directory.file('backups', 'relay-daily.db'));
    damage(path);
    const database = openOrRestore(path, silentLogger);
    expect(word(database)).toBe('older');
    database.close();
  });

  it.each([
    ['gone', () => rmSync(path)],
    ['empty', () => writeFileSync(path, '')],
  ])('that is %s is replaced by its copy too', async (_, lose) => {
    await copied('copied', 'later');
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

  it('is the only thing that is mended: a newer version’s database is refused and stays', () => {
    const database = openDatabase(path);
    database.pragma('user_version = 999');
    database.close();
    expect(() => openOrRestore(path, silentLogger)).toThrow(/written by a newer hearthd/);
    expect(asideNames()).toEqual([]);
  });
});

describe('the daily copy', () => {
  it('is made soon after a start and then daily, private, with the one before kept', async () => {
    const clock = new TestClock(Date.now());
    const database = openDatabase(path);
    const daily = new DailyCopy({ database, path, clock, logger: silentLogger });
    const names = (): readonly string[] => {
      const folder = directory.file('backups');
      return statSync(folder, { throwIfNoEntry: false }) ? readdirSync(folder).sort() : [];
    };
    daily.start();
    expect(names()).toEqual([]);
    await clock.advance(HOUR_MS / 6);
    await expect.poll(names, { timeout: 10_000 }).toEqual(['relay-daily.db']);
    expect(statSync(directory.file('backups', 'relay-daily.db')).mode & 0o777).toBe(0o600);
    await clock.advance(2 * HOUR_MS);
    expect(names()).toEqual(['relay-daily.db']);
    await clock.advance(24 * HOUR_MS);
    await expect.poll(names, { timeout: 10_000 }).toEqual(['relay-daily-before.db', 'relay-daily.db']);
    daily.stop();
    database.close();
  });

  it('that can’t be made leaves the old one in place', async () => {
    await copied('kept', 'x');
    const database = openDatabase(path);
    const daily = new DailyCopy({ database, path, clock: new TestClock(), logger: silentLogger });
    database.close();
    expect(() => daily.copy()).toThrow();
    const copy = openDatabase(directory.file('backups', 'relay-daily.db'));
    expect(word(copy)).toBe('kept');
    copy.close();
  });
});
