import { describe, expect, it } from 'vitest';
import { openSqlite } from '../../src/storage/sqlite.ts';

describe('SQLite’s objects', () => {
  it('are made once for the same SQL, so that none is ever collected', () => {
    const database = openSqlite(':memory:');
    database.exec('CREATE TABLE t (a)');
    expect(database.prepare('SELECT a FROM t')).toBe(database.prepare('SELECT a FROM t'));
    database.close();
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
