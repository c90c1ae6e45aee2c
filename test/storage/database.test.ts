import {
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hasLogBeside } from '../../src/storage/backups/log-beside.ts';
import { expectedSchema, schemaText } from '../../src/storage/backups/schema-text.ts';
import { checkDatabase, openDatabase } from '../../src/storage/database.ts';
import { latestSchema, listMigrations } from '../../src/storage/migrate.ts';
import { openSqlite } from '../../src/storage/sqlite.ts';
import { underUmask } from '../support/umask.ts';

let scratch: string;
let path: string;

beforeEach(() => {
  scratch = mkdtempSync(join(tmpdir(), 'hearthd-database-'));
  path = join(scratch, 'relay.db');
});
afterEach(() => rmSync(scratch, { recursive: true, force: true }));

function messageOf(action: () => unknown): string {
  try {
    action();
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  return '';
}

describe('a log beside a database', () => {
  it('is one that holds something: what a read leaves is empty', () => {
    expect(hasLogBeside(path)).toBe(false);
    for (const suffix of ['-wal', '-shm', '-journal']) writeFileSync(path + suffix, '');
    writeFileSync(`${path}-shm`, 'no log');
    expect(hasLogBeside(path)).toBe(false);
    for (const suffix of ['-wal', '-journal']) {
      writeFileSync(path + suffix, 'x');
      expect(hasLogBeside(path), suffix).toBe(true);
      rmSync(path + suffix);
    }
    expect(hasLogBeside(path)).toBe(false);
  });
});

describe('the schema of a database', () => {
  it('has nothing of what SQLite makes itself', () => {
    const database = openDatabase(path);
    const before = schemaText(database);
    database.exec('ANALYZE');
    database.exec('CREATE TABLE keyed (name TEXT UNIQUE, place INTEGER PRIMARY KEY AUTOINCREMENT)');
    const text = schemaText(database);
    expect(text.filter((line) => !before.includes(line))).toEqual([
      'table keyed keyed CREATE TABLE keyed(name TEXT UNIQUE,place INTEGER PRIMARY KEY AUTOINCREMENT)',
    ]);
    expect(before.filter((line) => line.includes('sqlite_'))).toEqual([]);
    expect(before).toEqual(expectedSchema(latestSchema(listMigrations())));
    database.close();
  });
});

describe('opening a database', () => {
  it('makes the file and its companions readable by no other user, with every umask', () => {
    underUmask(0, () => {
      const database = openDatabase(path);
      database.prepare("INSERT INTO settings VALUES ('a', 'b')").run();
      for (const name of ['relay.db', 'relay.db-wal', 'relay.db-shm']) {
        expect(statSync(join(scratch, name)).mode & 0o777, name).toBe(0o600);
      }
      database.close();
    });
  });

  it('commits to the disk before it acknowledges, and enforces foreign keys', () => {
    const database = openDatabase(path);
    expect(database.pragma('journal_mode', { simple: true })).toBe('wal');
    expect(database.pragma('synchronous', { simple: true })).toBe(2);
    expect(database.pragma('foreign_keys', { simple: true })).toBe(1);
    database.close();
  });

  it('copies an image of one into memory, and brings its schema up to date there', () => {
    const original = openDatabase(':memory:');
    original.prepare("INSERT INTO settings VALUES ('a', 'b')").run();
    const image = original.serialize();
    const next = { version: latestSchema(listMigrations()) + 1, sql: 'CREATE TABLE added (id TEXT) STRICT' };
    const [first, second] = [openDatabase(image), openDatabase(image, [...listMigrations(), next])];
    first.prepare("UPDATE settings SET value = 'c'").run();
    expect(second.prepare('SELECT value FROM settings').get()).toEqual({ value: 'b' });
    expect(second.pragma('user_version', { simple: true })).toBe(next.version);
    expect(second.pragma('foreign_keys', { simple: true })).toBe(1);
    for (const database of [original, first, second]) database.close();
  });

  it('refuses a symbolic link in place of the file, even a dangling one, and does not write through it', () => {
    const target = join(scratch, 'elsewhere');
    symlinkSync(target, path);
    expect(() => openDatabase(path)).toThrow(/relay\.db is a symbolic link; put the real file there/);
    expect(() => statSync(target)).toThrow();
  });

  it('refuses a damaged head with one line that names the file, and overwrites nothing', () => {
    openDatabase(path).close();
    const rubbish = Buffer.alloc(4096, 0x5a);
    overwrite(path, 0, rubbish);
    const before = readFileSync(path);
    const message = messageOf(() => openDatabase(path));
    expect(message).toMatch(/relay\.db is damaged \(.*\)\. Nothing was changed: move it away and restore a backup/);
    expect(message).not.toContain('\n');
    expect(readFileSync(path)).toEqual(before);
    mkdirSync(join(scratch, 'backups'));
    expect(messageOf(() => openDatabase(path))).toContain(`put a copy from ${join(scratch, 'backups')} in its place`);
  });

  it('refuses damage in the middle, which a database that merely opens would hide', () => {
    openDatabase(path).close();
    const size = statSync(path).size;
    overwrite(path, 4096, Buffer.alloc(size - 4096, 0x5a));
    expect(messageOf(() => openDatabase(path))).toContain('relay.db is damaged');
    expect(checkDatabase(path)).toContain('relay.db is damaged');
  });

  it('refuses a file that is something else', () => {
    writeFileSync(path, 'not a database, but long enough to be looked at as one '.repeat(100));
    expect(messageOf(() => openDatabase(path))).toMatch(/relay\.db is damaged \(file is not a database\)/);
  });

  it('reports that the disk is full', () => {
    // A page limit is to SQLite what a full disk is, and needs no disk.
    const message = messageOf(() =>
      openDatabase(path, [{ version: 1, sql: 'PRAGMA max_page_count = 2; CREATE TABLE a (b); CREATE TABLE c (d);' }]),
    );
    expect(message).toBe(`${path} can't be written: the disk is full. Free some space and start again.`);
  });

  it('waits for a program that holds the file for a moment', () => {
    openDatabase(path).close();
    const holder = openSqlite(path);
    holder.exec('BEGIN IMMEDIATE');
    const database = openDatabase(path);
    expect(database.pragma('busy_timeout', { simple: true })).toBe(5000);
    holder.exec('ROLLBACK');
    holder.close();
    database.close();
  });
});

describe('checking a database', () => {
  it('finds a sound one sound and leaves nothing behind', () => {
    openDatabase(path).close();
    expect(checkDatabase(path)).toBeUndefined();
    expect(openFiles().filter((file) => file.startsWith(path))).toEqual([]);
    const again = openDatabase(path, listMigrations());
    again.close();
  });

  it('reports what is wrong with one that is not there', () => {
    expect(checkDatabase(path)).toMatch(/^Can't open the database .*relay\.db: /);
  });
});

/** What this process has open, where the system lists it. */
function openFiles(): readonly string[] {
  if (!existsSync('/proc/self/fd')) return [];
  return readdirSync('/proc/self/fd').flatMap((name) => {
    try {
      return readlinkSync(`/proc/self/fd/${name}`);
    } catch {
      // The one that listed them is closed.
      return [];
    }
  });
}

function overwrite(file: string, offset: number, bytes: Buffer): void {
  const handle = openSync(file, 'r+');
  writeSync(handle, bytes, 0, bytes.length, offset);
  closeSync(handle);
}
