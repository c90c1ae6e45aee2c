/**
 * Opens SQLite. Knows no table's meaning: SQL lives in the `*-store.ts` files of the features, schema in `migrations/`.
 */

import { chmodSync, existsSync, lstatSync } from 'node:fs';
import BetterSqlite3 from 'better-sqlite3';
import { HearthError, messageOf } from '../kernel/errors.ts';
import { migrate } from './migrate.ts';

export type Database = BetterSqlite3.Database;

const PRAGMAS = [
  // Readers never wait for the writer, and a power cut loses nothing that was committed.
  'journal_mode = WAL',
  // relay.db holds what can't be had again: every commit is on the disk before it is acknowledged (decisions §1).
  'synchronous = FULL',
  // A backup tool holding the file for a moment delays us instead of failing us.
  'busy_timeout = 5000',
  'foreign_keys = ON',
  // Deleted keys and tokens are overwritten, not just unlinked.
  'secure_delete = ON',
  // The schema is ours alone; functions called from it by a tampered file are not trusted.
  'trusted_schema = OFF',
];

/**
 * Opens (or creates, mode 0600) a database and brings it to this version's schema.
 * @param path a file, or `:memory:`.
 * @throws `conflict` with one line that names the file and the fix: not a database, newer than this program, not ours.
 */
export function openDatabase(path: string): Database {
  const inMemory = path === ':memory:';
  if (!inMemory && existsSync(path) && lstatSync(path).isSymbolicLink()) {
    throw new HearthError('conflict', `${path} is a symbolic link; put the real file there.`);
  }
  let database: Database | undefined;
  try {
    database = new BetterSqlite3(path);
    if (!inMemory) chmodSync(path, 0o600);
    for (const pragma of PRAGMAS) database.pragma(pragma);
    migrate(database, path);
    return database;
  } catch (error) {
    database?.close();
    if (error instanceof HearthError) throw error;
    throw new HearthError('conflict', `Can't open the database ${path}: ${messageOf(error)}`, {}, { cause: error });
  }
}
