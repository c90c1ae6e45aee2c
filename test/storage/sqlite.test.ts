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
});
