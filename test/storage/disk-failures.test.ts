import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Database, openDatabase } from '../../src/storage/database.ts';
import { openSqlite } from '../../src/storage/sqlite.ts';
import { createTempDirectory, type TempDirectory } from '../support/temp-directory.ts';

let directory: TempDirectory;
let database: Database;

beforeEach(() => {
  directory = createTempDirectory('disk');
  database = openDatabase(directory.file('relay.db'));
  database.exec('CREATE TABLE things (id INTEGER PRIMARY KEY, text TEXT UNIQUE)');
});
afterEach(() => {
  database.close();
  directory.remove();
});

const insert = (text: string) => database.prepare('INSERT INTO things (text) VALUES (?)').run(text);
const count = (): unknown => database.prepare('SELECT count(*) AS n FROM things').get();

/** No page more than it has now: to SQLite the same as a full disk. */
function fillDisk(): void {
  database.pragma(`max_page_count = ${String(database.pragma('page_count', { simple: true }))}`);
}

describe('a database on a disk that fails', () => {
  it('reports that the disk is full, in a statement and in a transaction, and changes nothing', () => {
    fillDisk();
    const big = 'x'.repeat(20_000);
    const full = { code: 'storage_unavailable', message: expect.stringMatching(/^The disk is full: /) };
    expect(() => insert(big)).toThrow(expect.objectContaining(full));
    const work = database.transaction((text: string) => {
      insert('small');
      insert(text);
    });
    expect(() => work(big)).toThrow(expect.objectContaining(full));
    expect(() => work.immediate(big)).toThrow(expect.objectContaining(full));
    expect(count()).toEqual({ n: 0 });
    database.pragma('max_page_count = 1000000');
    work.immediate('small too');
    expect(count()).toEqual({ n: 2 });
  });

  it('reports that another program holds it', () => {
    database.pragma('busy_timeout = 10');
    const other = openSqlite(directory.file('relay.db'));
    other.exec('BEGIN IMMEDIATE');
    expect(() => insert('a')).toThrow(expect.objectContaining({ code: 'storage_unavailable' }));
    expect(() => database.transaction(() => insert('a')).immediate()).toThrow(/^Another program holds the database/);
    other.exec('ROLLBACK');
    other.close();
    expect(insert('a').changes).toBe(1);
  });

  it('leaves every other failure as it is', () => {
    insert('a');
    expect(() => insert('a')).toThrow(expect.objectContaining({ code: 'SQLITE_CONSTRAINT_UNIQUE' }));
    const work = database.transaction(() => {
      throw new TypeError('a fault of ours');
    });
    expect(() => work.immediate()).toThrow(TypeError);
  });
});
