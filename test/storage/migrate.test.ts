import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Database, openDatabase } from '../../src/storage/database.ts';
import { latestSchema, listMigrations, type Migration, migrate, schemaOf } from '../../src/storage/migrate.ts';
import { openSqlite } from '../../src/storage/sqlite.ts';
import { TYPESCRIPT } from '../support/typescript-process.ts';
import { splitStatements } from './statements.ts';

let scratch: string;
let path: string;

beforeEach(() => {
  scratch = mkdtempSync(join(tmpdir(), 'hearthd-migrate-'));
  path = join(scratch, 'relay.db');
});
afterEach(() => rmSync(scratch, { recursive: true, force: true }));

const NOW = latestSchema(listMigrations());

const NEXT: Migration = { version: NOW + 1, sql: 'CREATE TABLE added (id TEXT) STRICT; INSERT INTO added VALUES (1);' };

const schemaText = (database: Database): string =>
  JSON.stringify(database.prepare('SELECT type, name, sql FROM sqlite_schema ORDER BY name').all());

describe('the migrations that ship', () => {
  it('are numbered without gaps from 1', () => {
    expect(listMigrations().map(({ version }) => version)).toEqual(listMigrations().map((_, index) => index + 1));
  });

  it('run once: a second open changes nothing', () => {
    openDatabase(path).close();
    const database = openDatabase(path);
    expect(schemaOf(database)).toBe(latestSchema(listMigrations()));
    database.close();
  });

  const statements = listMigrations().flatMap(({ version, sql }) =>
    splitStatements(sql).map((_, index) => [version, index + 1] as const),
  );

  it.each(statements)('of schema %i failing after statement %i leave the schema before it', (failing, after) => {
    const database = openSqlite(':memory:');
    const earlier = listMigrations().filter(({ version }) => version < failing);
    migrate(database, ':memory:', earlier);
    const before = schemaText(database);
    const cut = listMigrations()
      .filter(({ version }) => version === failing)
      .map(({ version, sql }) => ({
        version,
        sql: `${splitStatements(sql).slice(0, after).join('\n')}\nSELECT nonsense();`,
      }));
    expect(() => migrate(database, ':memory:', [...earlier, ...cut])).toThrow(/nonsense/);
    expect(schemaText(database)).toBe(before);
    expect(schemaOf(database)).toBe(failing - 1);
    database.close();
  });

  const first = splitStatements(listMigrations()[0]?.sql ?? '').length;

  it.each([1, Math.ceil(first / 2), first, statements.length])(
    'killed by SIGKILL after statement %i of a first start leave nothing, and the next start makes all of it',
    (deadly) => {
      const victim = spawnSync(
        process.execPath,
        [...TYPESCRIPT, resolve(import.meta.dirname, 'migration-victim.ts'), path, String(deadly)],
        { encoding: 'utf8' },
      );
      expect(victim.signal, victim.stderr).toBe('SIGKILL');
      const found = openSqlite(path);
      expect(schemaOf(found)).toBe(0);
      expect(schemaText(found)).toBe('[]');
      expect(found.pragma('integrity_check', { simple: true })).toBe('ok');
      found.close();
      const opened = openDatabase(path);
      expect(schemaOf(opened)).toBe(latestSchema(listMigrations()));
      opened.close();
    },
  );
});

describe('an upgrade', () => {
  it('keeps what was there, and a copy from before beside it, readable by no other user', () => {
    const old = openDatabase(path);
    old.prepare("INSERT INTO settings VALUES ('kept', 'yes')").run();
    old.close();
    const upgraded = openDatabase(path, [...listMigrations(), NEXT]);
    expect(upgraded.prepare("SELECT value FROM settings WHERE key = 'kept'").pluck().get()).toBe('yes');
    expect(schemaOf(upgraded)).toBe(NOW + 1);
    upgraded.close();
    const copy = join(scratch, 'backups', `relay-schema-${NOW}.db`);
    expect(statSync(copy).mode & 0o777).toBe(0o600);
    expect(statSync(join(scratch, 'backups')).mode & 0o777).toBe(0o700);
    const before = openDatabase(copy);
    expect(schemaOf(before)).toBe(NOW);
    expect(before.prepare("SELECT value FROM settings WHERE key = 'kept'").pluck().get()).toBe('yes');
    before.close();
  });

  it('that fails leaves the old version working', () => {
    openDatabase(path).close();
    expect(() =>
      openDatabase(path, [...listMigrations(), { version: NOW + 1, sql: `${NEXT.sql} SELECT nonsense();` }]),
    ).toThrow(/Can't open the database .*nonsense.*hearthd doctor/);
    const database = openDatabase(path);
    expect(schemaOf(database)).toBe(NOW);
    database.close();
  });

  it('makes no copy of a database that is new or up to date', () => {
    openDatabase(path).close();
    openDatabase(path).close();
    expect(existsSync(join(scratch, 'backups'))).toBe(false);
  });
});

describe('a database from a newer version', () => {
  it('is refused with one line and left as it was', () => {
    openDatabase(path, [...listMigrations(), NEXT]).close();
    const refusal = (): unknown => openDatabase(path).close();
    expect(refusal).toThrow(
      `relay.db was written by a newer hearthd (schema ${NOW + 1}, this one knows ${NOW}). Install that version again`,
    );
    expect(refusal).not.toThrow(/\n/);
    const database = openDatabase(path, [...listMigrations(), NEXT]);
    expect(schemaOf(database)).toBe(NOW + 1);
    database.close();
  });
});
