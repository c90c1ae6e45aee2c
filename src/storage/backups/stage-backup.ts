/**
 * Prepares a database from a backup that can replace the one in use: complete, with this version's schema, on the same
 * disk. The backup stays unchanged, and so does the database, until `swap-database.ts` swaps them.
 */
import { constants, copyFileSync, existsSync, rmSync } from 'node:fs';
import { HearthError } from '../../kernel/errors.ts';
import { type Database, openAs } from '../database.ts';
import { listMigrations } from '../migrate.ts';
import { explainDiskError } from './disk-errors.ts';
import { type BackupFault, FAULT_REASONS, FAULT_SENTENCES, inspectBackup, isRegularFile } from './inspect-backup.ts';
import { hasLogBeside } from './log-beside.ts';
import { unseal } from './sealed-file.ts';

/** The file is not in use yet: its data only needs to be on the disk at the swap. */
const PRAGMAS = [
  'journal_mode = DELETE',
  'synchronous = FULL',
  'secure_delete = ON',
  // Rows carried over from the database in use may refer to homes that are recreated at the start.
  'foreign_keys = OFF',
  'trusted_schema = OFF',
];

/**
 * The path of the staged file: it starts like the database's own files, so that the directory check covers its mode.
 */
export function stagedPath(database: string): string {
  return `${database}.restoring`;
}

/**
 * @param database the path of the database in use.
 * @param backup the path of the backup; without `password` it must be unencrypted.
 * @throws `UnsealError` · `conflict` it has a fault · `storage_unavailable`
 */
export async function stageBackup(database: string, backup: string, password: string | null): Promise<void> {
  const staged = stagedPath(database);
  refuse(isRegularFile(backup) ? null : 'foreign');
  // The copy alone would lack the content of the log.
  refuse(hasLogBeside(backup) ? 'incomplete' : null);
  dropStaged(database);
  try {
    if (password === null) copyFileSync(backup, staged, constants.COPYFILE_EXCL);
    else await unseal(backup, password, staged);
    // The content of an encrypted backup can only be checked after decryption.
    refuse(inspectBackup(staged, () => null).fault);
    openStaged(database).close();
  } catch (error) {
    dropStaged(database);
    throw explainDiskError(error);
  }
}

function refuse(fault: BackupFault | null): void {
  if (fault !== null) throw new HearthError('conflict', FAULT_SENTENCES[fault], { reason: FAULT_REASONS[fault] });
}

/** Opens it, mode 0600, and migrates it to this version's schema. The caller closes it. @throws `conflict` */
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
