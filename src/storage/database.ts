/**
 * Opens SQLite. It knows nothing about tables: SQL is in the `*-store.ts` files of the features, the schema in
 * `migrations/`.
 */

import { chmodSync, existsSync, lstatSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { HearthError, messageOf } from '../kernel/errors.ts';
import { explainDiskFailures, isDamage } from './disk-failures.ts';
import { latestSchema, listMigrations, type Migration, migrate, schemaOf } from './migrate.ts';
import { type Database, openSqlite } from './sqlite.ts';

export type { Database };

/** The folder for copies of databases, beside them. */
export const BACKUPS_FOLDER = 'backups';

/** The file is not a database, or it is damaged. Nothing was changed. */
export class DamagedDatabaseError extends HearthError {
  readonly fault: string;

  constructor(path: string, fault: string) {
    super('conflict', damaged(path, fault));
    this.fault = fault;
  }
}

/** The configuration of a database. */
export interface DatabasePolicy {
  readonly migrations: readonly Migration[];
  readonly pragmas: readonly string[];
  /** Whether opening reads every page, which takes about a second per 100 MB on a small computer. */
  readonly checked: boolean;
  /** Whether a copy goes to `backups/` before a schema change. */
  readonly backedUp: boolean;
}

/** For data that cannot be recreated: relay.db. */
const IRREPLACEABLE: Omit<DatabasePolicy, 'migrations'> = {
  pragmas: [
    // Readers never wait for the writer, and a power cut loses no committed data.
    'journal_mode = WAL',
    // Every commit is on the disk before it is acknowledged (decisions §1).
    'synchronous = FULL',
    // A backup tool that holds the file briefly causes a delay, not an error.
    'busy_timeout = 5000',
    'foreign_keys = ON',
    // Overwrites deleted keys and tokens instead of only unlinking them.
    'secure_delete = ON',
    // Only our own schema is trusted; functions that a tampered file calls from its schema are not.
    'trusted_schema = OFF',
  ],
  checked: true,
  backedUp: true,
};

/**
 * Opens (or creates, mode 0600) a database and migrates it to this version's schema. Before it changes an existing
 * schema, it saves a copy to `backups/` beside the file.
 * @param source a file, `:memory:`, or the result of `serialize`, which is copied into memory.
 * @throws `conflict` with one line that has the file and the fix: damaged, newer than this program, not ours, disk
 * full.
 */
export function openDatabase(source: string | Buffer, migrations: readonly Migration[] = listMigrations()): Database {
  return openAs(source, { ...IRREPLACEABLE, migrations });
}

/**
 * Like `openDatabase`, with another policy.
 * @param damaged called, once or more, if a later statement finds damage.
 */
export function openAs(source: string | Buffer, policy: DatabasePolicy, damaged?: () => void): Database {
  const { migrations } = policy;
  const path = typeof source === 'string' ? source : ':memory:';
  const inMemory = path === ':memory:';
  if (!inMemory && lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()) {
    throw new HearthError('conflict', `${path} is a symbolic link; put the real file there.`);
  }
  let database: Database | undefined;
  try {
    database = openSqlite(source);
    if (!inMemory) chmodSync(path, 0o600);
    for (const pragma of policy.pragmas) database.pragma(pragma);
    const fault = policy.checked ? findDamage(database) : undefined;
    if (fault) throw new DamagedDatabaseError(path, fault);
    if (!inMemory && policy.backedUp) backUpBeforeUpgrade(database, path, migrations);
    migrate(database, path, migrations);
    return explainDiskFailures(database, damaged);
  } catch (error) {
    database?.close();
    if (error instanceof HearthError) throw error;
    if (isDamage(error)) throw new DamagedDatabaseError(path, messageOf(error));
    throw new HearthError('conflict', whyNot(path, error), {}, { cause: error });
  }
}

/**
 * Checks a database that no daemon has open. Changes nothing in it. SQLite may leave an empty `-wal` and `-shm` beside
 * it, owned by the database's owner even if root runs this.
 * @returns the problem, as one line with the fix; `undefined` if the database is sound.
 */
export function checkDatabase(path: string): string | undefined {
  let database: Database | undefined;
  try {
    database = openSqlite(path, { readonly: true, fileMustExist: true });
    const fault = findDamage(database, 'integrity_check');
    return fault === undefined ? undefined : damaged(path, fault);
  } catch (error) {
    return whyNot(path, error);
  } finally {
    database?.close();
  }
}

/**
 * The first problem that SQLite finds. `quick_check` reads every page but does not compare indexes with their tables.
 */
function findDamage(database: Database, check: 'quick_check' | 'integrity_check' = 'quick_check'): string | undefined {
  const verdict = String(database.pragma(`${check}(1)`, { simple: true }));
  return verdict === 'ok' ? undefined : (verdict.split('\n')[0] ?? verdict);
}

/**
 * Makes an upgrade reversible: the copy can replace the database. The copy has a temporary name until it is complete.
 */
function backUpBeforeUpgrade(database: Database, path: string, migrations: readonly Migration[]): void {
  const schema = schemaOf(database);
  if (schema === 0 || schema >= latestSchema(migrations)) return;
  const folder = join(dirname(path), BACKUPS_FOLDER);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const copy = join(folder, `${basename(path, '.db')}-schema-${schema}.db`);
  const unfinished = `${copy}.unfinished`;
  rmSync(unfinished, { force: true });
  database.prepare('VACUUM INTO ?').run(unfinished);
  chmodSync(unfinished, 0o600);
  renameSync(unfinished, copy);
}

function damaged(path: string, fault: string): string {
  const backups = join(dirname(path), BACKUPS_FOLDER);
  const restore = existsSync(backups) ? `put a copy from ${backups} in its place` : 'restore a backup of it';
  return `${path} is damaged (${fault}). Nothing was changed: move it away and ${restore}.`;
}

/** SQLite's primary result code → the fix. https://www.sqlite.org/rescode.html */
const FIXES: readonly (readonly [code: string, (path: string) => string])[] = [
  ['SQLITE_FULL', (path) => `${path} can't be written: the disk is full. Free some space and start again.`],
  [
    'SQLITE_READONLY',
    (path) =>
      `${path} is read-only. Give it to the user that hearthd runs as (chown) and make it writable (chmod 600).`,
  ],
  [
    'SQLITE_BUSY',
    (path) =>
      `${path} is held by another program, such as a backup tool or the sqlite3 shell. Close it and start again.`,
  ],
];

function whyNot(path: string, error: unknown): string {
  const message = messageOf(error);
  if (isDamage(error)) return damaged(path, message);
  const code = (error as { code?: string }).code ?? '';
  const [, sentence] = FIXES.find(([prefix]) => code.startsWith(prefix)) ?? [];
  return sentence?.(path) ?? `Can't open the database ${path}: ${message}. Check the directory with hearthd doctor.`;
}
