/**
 * Opens SQLite. Knows no table's meaning: SQL lives in the `*-store.ts` files of the features, schema in `migrations/`.
 */

import { chmodSync, existsSync, lstatSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { HearthError, messageOf } from '../kernel/errors.ts';
import { explainDiskFailures, isDamage } from './disk-failures.ts';
import { latestSchema, listMigrations, type Migration, migrate, schemaOf } from './migrate.ts';
import { type Database, openSqlite } from './sqlite.ts';

export type { Database };

/** Copies of databases, beside them. */
export const BACKUPS_FOLDER = 'backups';

/** The file is no database, or no longer a sound one. Nothing was changed. */
export class DamagedDatabaseError extends HearthError {
  readonly fault: string;

  constructor(path: string, fault: string) {
    super('conflict', damaged(path, fault));
    this.fault = fault;
  }
}

/** How a database is kept. */
export interface DatabasePolicy {
  readonly migrations: readonly Migration[];
  readonly pragmas: readonly string[];
  /** Whether every page is read at the opening, which takes a second for each hundred megabytes or so on a small computer. */
  readonly checked: boolean;
  /** Whether a copy is put into `backups/` before the schema is changed. */
  readonly backedUp: boolean;
}

/** For what can't be had again: relay.db. */
const IRREPLACEABLE: Omit<DatabasePolicy, 'migrations'> = {
  pragmas: [
    // Readers never wait for the writer, and a power cut loses nothing that was committed.
    'journal_mode = WAL',
    // Every commit is on the disk before it is acknowledged (decisions §1).
    'synchronous = FULL',
    // A backup tool holding the file for a moment delays us instead of failing us.
    'busy_timeout = 5000',
    'foreign_keys = ON',
    // Deleted keys and tokens are overwritten, not just unlinked.
    'secure_delete = ON',
    // The schema is ours alone; functions called from it by a tampered file are not trusted.
    'trusted_schema = OFF',
  ],
  checked: true,
  backedUp: true,
};

/**
 * Opens (or creates, mode 0600) a database and brings it to this version's schema. Before an existing schema is changed, a copy
 * is put into `backups/` beside it.
 * @param source a file, `:memory:`, or what `serialize` gave of a database, which is copied into memory.
 * @throws `conflict` with one line that names the file and the fix: damaged, newer than this program, not ours, disk full.
 */
export function openDatabase(source: string | Buffer, migrations: readonly Migration[] = listMigrations()): Database {
  return openAs(source, { ...IRREPLACEABLE, migrations });
}

/**
 * As `openDatabase`, kept in another way.
 * @param damaged called, once or more, when a statement finds damage later.
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
 * Checks a database that no daemon has open. Changes nothing in it; SQLite may leave an empty `-wal` and `-shm` beside it, which
 * it gives to the database's owner even when root runs this.
 * @returns what is wrong, as one line with the fix; `undefined` if it is sound.
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

/** The first fault that SQLite finds. `quick_check` reads every page but does not compare indexes with their tables. */
function findDamage(database: Database, check: 'quick_check' | 'integrity_check' = 'quick_check'): string | undefined {
  const verdict = String(database.pragma(`${check}(1)`, { simple: true }));
  return verdict === 'ok' ? undefined : (verdict.split('\n')[0] ?? verdict);
}

/** An upgrade can then be undone by putting the copy back. Written under another name first: half a copy is no copy. */
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

/** SQLite's primary result code → what to do. https://www.sqlite.org/rescode.html */
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
