import { setTimeout as delay } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { openSqlite } from '../../src/storage/sqlite.ts';

describe('SQLite’s objects', () => {
  it('are made once for the same SQL, so that none is ever collected', () => {
    const database = openSqlite(':memory:');
    database.exec('CREATE TABLE t (a)');
    expect(database.prepare('SELECT a FROM t')).toBe(database.prepare('SELECT a FROM t'));
    database.close();
  });

  it('are never collected, closed databases included: Node 24.19 and later would end the process', async () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const { kept, forgotten } = createObjects();
    // An object that was just made stays until the turn ends.
    await delay(0);
    collect();
    expect(forgotten.deref()).toBeUndefined();
    expect(kept).toHaveLength(102);
    expect(kept.filter((object) => object.deref() === undefined)).toEqual([]);
  });

  it('answer pragmas as the library does', () => {
    const database = openSqlite(':memory:');
    expect(database.pragma('user_version', { simple: true })).toBe(0);
    database.pragma('user_version = 7');
    expect(database.pragma('user_version', { simple: true })).toBe(7);
    expect(database.pragma('user_version')).toEqual([{ user_version: 7 }]);
    database.close();
  });

  it('give no row of a change that is not kept: what fails as it is committed is thrown', () => {
    const database = openSqlite(':memory:');
    database.exec('CREATE TABLE parents (id INTEGER PRIMARY KEY)');
    database.exec('CREATE TABLE t (id INTEGER PRIMARY KEY, p REFERENCES parents DEFERRABLE INITIALLY DEFERRED)');
    database.pragma('foreign_keys = ON');
    const insert = database.prepare('INSERT INTO t (p) VALUES (?) RETURNING id');
    expect(() => insert.get(7)).toThrow(/FOREIGN KEY/);
    database.exec('INSERT INTO parents VALUES (7)');
    expect(insert.get(7)).toEqual({ id: 1 });
    expect(database.prepare('SELECT count(*) AS n FROM t').get()).toEqual({ n: 1 });
    database.close();
  });
});

/** What the library makes for a database that is used and closed, and an object of no use to anything. */
function createObjects(): { readonly kept: readonly WeakRef<object>[]; readonly forgotten: WeakRef<object> } {
  const database = openSqlite(':memory:');
  const statements = Array.from({ length: 100 }, (_, index) => database.prepare(`SELECT ${index}`));
  database.pragma('user_version', { simple: true });
  const objects = [database, database.prepare('PRAGMA user_version'), ...statements];
  database.close();
  return { kept: objects.map((object) => new WeakRef(object)), forgotten: new WeakRef({}) };
}
