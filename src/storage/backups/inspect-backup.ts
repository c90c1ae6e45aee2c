/**
 * Whether a file is a sound database of ours, of a schema that this version knows. A file that comes from elsewhere is not believed
 * on its word: what it holds must be, name by name, what our own migrations make.
 */

import { closeSync, openSync, readSync, rmSync } from 'node:fs';
import type { ErrorReason } from '../../kernel/reasons.ts';
import type { Database } from '../database.ts';
import { isDamage } from '../disk-failures.ts';
import { latestSchema, listMigrations, schemaOf } from '../migrate.ts';
import { openSqlite } from '../sqlite.ts';

/** `damaged`: a database, but not whole · `foreign`: none, or not one of ours · `newer`: of a version after this one. */
export type BackupFault = 'damaged' | 'foreign' | 'newer';

export const FAULT_SENTENCES: Readonly<Record<BackupFault, string>> = {
  damaged: 'This backup is damaged: it can’t be restored.',
  foreign: 'This is no backup of hearthd: give a file that was downloaded from one.',
  newer: 'This backup was made by a newer hearthd: update this one, then restore it.',
};

export const FAULT_REASONS = {
  damaged: 'backup_damaged',
  foreign: 'backup_foreign',
  newer: 'backup_newer',
} as const satisfies Readonly<Record<BackupFault, ErrorReason>>;

export interface Inspection<T> {
  /** `null` where there is none to be read. */
  readonly schema: number | null;
  readonly fault: BackupFault | null;
  /** What was read of it; `null` if it has a fault. */
  readonly read: T | null;
}

/** https://www.sqlite.org/fileformat.html#the_database_header */
const SQLITE_HEADER = Buffer.from('SQLite format 3\0', 'latin1');

/**
 * Reads every page: 20 ms for 5 MB.
 * @param read called with the database where it has no fault.
 */
export function inspectBackup<T>(path: string, read: (database: Database) => T): Inspection<T> {
  if (!startOf(path, SQLITE_HEADER.byteLength).equals(SQLITE_HEADER))
    return { schema: null, fault: 'foreign', read: null };
  let database: Database | undefined;
  try {
    database = openSqlite(path, { readonly: true, fileMustExist: true });
    database.pragma('trusted_schema = OFF');
    const schema = schemaOf(database);
    const fault = faultOf(database, schema);
    return { schema, fault, read: fault === null ? read(database) : null };
  } catch (error) {
    if (isDamage(error)) return { schema: null, fault: 'damaged', read: null };
    throw error;
  } finally {
    database?.close();
    for (const companion of ['-wal', '-shm']) rmSync(path + companion, { force: true });
  }
}

/** The first bytes of a file; fewer if it has no more. */
export function startOf(path: string, bytes: number): Buffer {
  const descriptor = openSync(path, 'r');
  try {
    const buffer = Buffer.alloc(bytes);
    return buffer.subarray(0, readSync(descriptor, buffer, 0, bytes, 0));
  } finally {
    closeSync(descriptor);
  }
}

function faultOf(database: Database, schema: number): BackupFault | null {
  if (schema > latestSchema(listMigrations())) return looksLikeOurs(database) ? 'newer' : 'foreign';
  if (schema < 1 || namesIn(database) !== expectedNames(schema)) return 'foreign';
  const verdict = String(database.pragma('integrity_check(1)', { simple: true }));
  return verdict === 'ok' ? null : 'damaged';
}

/** A later version may have added anything, but keeps what the first one had. */
function looksLikeOurs(database: Database): boolean {
  const names = new Set(namesIn(database).split('\n'));
  return expectedNames(1)
    .split('\n')
    .filter((line) => line.startsWith('table'))
    .every((line) => names.has(line));
}

const expected = new Map<number, string>();

/** What a database of this schema holds, by kind and name. */
function expectedNames(schema: number): string {
  const known = expected.get(schema);
  if (known !== undefined) return known;
  const database = openSqlite(':memory:');
  try {
    for (const { version, sql } of listMigrations()) if (version <= schema) database.exec(sql);
    const names = namesIn(database);
    expected.set(schema, names);
    return names;
  } finally {
    database.close();
  }
}

/** SQLite's own, such as the planner's statistics, come and go. */
function namesIn(database: Database): string {
  const rows = database
    .prepare<[], { line: string }>(
      "SELECT type || ' ' || name || ' ' || tbl_name AS line FROM sqlite_schema WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY line",
    )
    .all();
  return rows.map(({ line }) => line).join('\n');
}
