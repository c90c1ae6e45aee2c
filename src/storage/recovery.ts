/**
 * Restores a damaged database from its newest sound backup. The separate copy of the pairings then adds later pairings.
 * The damaged file is renamed, never deleted.
 */
import { chmodSync, copyFileSync, lstatSync, renameSync, statSync } from 'node:fs';
import type { Logger } from '../kernel/logger.ts';
import { BackupFolder } from './backups/backup-folder.ts';
import { type BackupKind, timeStamp } from './backups/backup-names.ts';
import { type BackupFault, inspectBackup } from './backups/inspect-backup.ts';
import { DamagedDatabaseError, type Database, openDatabase } from './database.ts';

/** The suffixes of a database's files. */
const COMPANIONS = ['', '-wal', '-shm', '-journal'];

/**
 * Opens the database. If it is damaged, this renames it and opens the newest sound copy in its place, or an empty
 * database if there is none. A missing or empty file counts as damaged if a copy exists: file systems may leave it so
 * after a power cut. Every other error is thrown as by `openDatabase`.
 */
export function openOrRestore(path: string, logger: Logger, now = Date.now()): Database {
  try {
    if (isGone(path) && newestSoundCopy(path)) throw new DamagedDatabaseError(path, 'nothing is in it');
    return openDatabase(path);
  } catch (error) {
    if (!(error instanceof DamagedDatabaseError)) throw error;
    const aside = setAside(path, now);
    const copy = newestSoundCopy(path);
    if (copy) restore(copy, path);
    logger.error(
      { fault: error.fault, setAside: aside, restoredFrom: copy ?? null },
      copy
        ? 'The database was damaged. The relay moved it aside and restored the last copy'
        : 'The database was damaged and has no copy. The relay moved it aside and starts with an empty database',
    );
    return openDatabase(path);
  }
}

function isGone(path: string): boolean {
  return (lstatSync(path, { throwIfNoEntry: false })?.size ?? 0) === 0;
}

/** Renames a database and its companion files. @returns the new name. */
export function setAside(path: string, now: number): string {
  const aside = `${path}.damaged-${timeStamp(now)}`;
  for (const companion of COMPANIONS) {
    if (statSync(path + companion, { throwIfNoEntry: false })) renameSync(path + companion, aside + companion);
  }
  return aside;
}

/**
 * The latest sound copy of the home. A copy from before a restore contains a home that the user replaced on purpose, so
 * it is the last choice. An uploaded copy is excluded, because it may contain another home.
 */
function newestSoundCopy(path: string): string | undefined {
  const backups = new BackupFolder(path).list();
  const ofKinds = (kinds: readonly BackupKind[]) => backups.filter(({ kind }) => kinds.includes(kind));
  return [...ofKinds(['nightly', 'manual', 'before-upgrade']), ...ofKinds(['before-restore'])].find((backup) =>
    USABLE.includes(inspectBackup(backup.path, () => null).fault),
  )?.path;
}

/**
 * A copy of a newer version is also valid. Opening it reports that this version needs an update, while an older copy
 * would lose later data.
 */
const USABLE: readonly (BackupFault | null)[] = [null, 'newer'];

/** Uses a temporary name first: the next start would find a partial database damaged and rename it in turn. */
function restore(copy: string, path: string): void {
  const unfinished = `${path}.unfinished`;
  copyFileSync(copy, unfinished);
  chmodSync(unfinished, 0o600);
  renameSync(unfinished, path);
}
