/**
 * What brings the house back when the database is damaged: the newest sound backup of it. The pairings' own second copy then adds
 * what was paired since. The damaged file is set aside, never deleted.
 */

import { chmodSync, copyFileSync, lstatSync, renameSync, rmSync, statSync } from 'node:fs';
import type { Logger } from '../kernel/logger.ts';
import { BackupFolder } from './backups/backup-folder.ts';
import { type BackupKind, timeStamp } from './backups/backup-names.ts';
import { checkDatabase, DamagedDatabaseError, type Database, openDatabase } from './database.ts';

/** What belongs to a database besides its own file. */
const COMPANIONS = ['', '-wal', '-shm', '-journal'];

/**
 * Opens the database; if it is damaged, sets it aside and opens the newest sound copy in its place, or an empty one if there is
 * none. One that is gone or empty though there is a copy of it, as file systems leave it after a power cut, counts as damaged.
 * Everything else that keeps it from opening is thrown as by `openDatabase`.
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
        ? 'The database was damaged. It is set aside, and the last copy of it is in use'
        : 'The database was damaged and there is no copy of it. It is set aside, and the home begins anew',
    );
    return openDatabase(path);
  }
}

function isGone(path: string): boolean {
  return (lstatSync(path, { throwIfNoEntry: false })?.size ?? 0) === 0;
}

/** Renames a database with all that belongs to it. @returns the new name. */
export function setAside(path: string, now: number): string {
  const aside = `${path}.damaged-${timeStamp(now)}`;
  for (const companion of COMPANIONS) {
    if (statSync(path + companion, { throwIfNoEntry: false })) renameSync(path + companion, aside + companion);
  }
  return aside;
}

/**
 * The house as it was last. One from before a restore is the house that somebody left on purpose: it serves where there is no other.
 * What was uploaded may be of another house.
 */
function newestSoundCopy(path: string): string | undefined {
  const backups = new BackupFolder(path).list();
  const ofKinds = (kinds: readonly BackupKind[]) => backups.filter(({ kind }) => kinds.includes(kind));
  return [...ofKinds(['nightly', 'manual', 'before-upgrade']), ...ofKinds(['before-restore'])].find(
    (backup) => checkCopy(backup.path) === undefined,
  )?.path;
}

/** A copy is whole without companions: those that reading it leaves behind go again. */
function checkCopy(path: string): string | undefined {
  const fault = checkDatabase(path);
  for (const companion of ['-wal', '-shm']) rmSync(path + companion, { force: true });
  return fault;
}

/** Under another name first: half a database would be found damaged at the next start, and set aside in its turn. */
function restore(copy: string, path: string): void {
  const unfinished = `${path}.unfinished`;
  copyFileSync(copy, unfinished);
  chmodSync(unfinished, 0o600);
  renameSync(unfinished, path);
}
