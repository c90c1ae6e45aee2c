/**
 * Makes of a backup a database that could take the place of the one in use: whole, of this version's schema, on the same disk. The
 * backup itself stays as it is, and so does the database, until `swap-database.ts` exchanges them.
 */
import { constants, copyFileSync, existsSync, rmSync } from 'node:fs';
import { HearthError } from '../../kernel/errors.ts';
import { type Database, openAs } from '../database.ts';
import { listMigrations } from '../migrate.ts';
import { explainDiskError } from './disk-errors.ts';
import { FAULT_REASONS, FAULT_SENTENCES, inspectBackup } from './inspect-backup.ts';
import { unseal } from './sealed-file.ts';

/** It is nobody's yet: what is written to it must only be there when it is swapped in. */
const PRAGMAS = [
  'journal_mode = DELETE',
  'synchronous = FULL',
  'secure_delete = ON',
  // What is carried over from the database in use may refer to homes that are made anew at the start.
  'foreign_keys = OFF',
  'trusted_schema = OFF',
];

/** Where it is put together: named as the database's own files are, so that its modes are looked after. */
export function stagedPath(database: string): string {
  return `${database}.restoring`;
}

/**
 * @param database the path of the database in use.
 * @param backup the path of the backup; without `password` it must be a plain one.
 * @throws `UnsealError` · `conflict` it is damaged, foreign or newer · `storage_unavailable`
 */
export async function stageBackup(database: string, backup: string, password: string | null): Promise<void> {
  const staged = stagedPath(database);
  dropStaged(database);
  try {
    if (password === null) copyFileSync(backup, staged, constants.COPYFILE_EXCL);
    else await unseal(backup, password, staged);
    // An encrypted one shows what it is here and not before.
    const { fault } = inspectBackup(staged, () => null);
    if (fault !== null) throw new HearthError('conflict', FAULT_SENTENCES[fault], { reason: FAULT_REASONS[fault] });
    openStaged(database).close();
  } catch (error) {
    dropStaged(database);
    throw explainDiskError(error);
  }
}

/** Opens it, mode 0600 and brought to this version's schema. Whoever opens it closes it. @throws `conflict` */
export function openStaged(database: string): Database {
  if (!existsSync(stagedPath(database))) throw new HearthError('conflict', 'The copy of the backup is gone.');
  return openAs(stagedPath(database), {
    migrations: listMigrations(),
    pragmas: PRAGMAS,
    checked: true,
    backedUp: false,
  });
}

export function dropStaged(database: string): void {
  for (const companion of ['', '-journal', '-wal', '-shm']) rmSync(stagedPath(database) + companion, { force: true });
}
