/**
 * Replaces a database that no process has open. After a power cut at any time, the file is either the old or the new
 * database, complete.
 */
import { copyFileSync, linkSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { openSqlite } from '../sqlite.ts';
import { syncToDisk, UNFINISHED } from './backup-folder.ts';

/**
 * @param path of the database to replace. It may be missing.
 * @param staged the replacement, on the same file system; it is moved.
 * @param former the path that keeps the replaced database. Must not exist.
 */
export function swapDatabase(path: string, staged: string, former: string): void {
  if (statSync(path, { throwIfNoEntry: false })) {
    foldLog(path);
    linkOrCopy(path, former);
  }
  putInPlace(staged, path);
}

/**
 * Undoes `swapDatabase`: puts the kept database back.
 * @param near a free name beside the database, for a folder on another file system.
 */
export function swapBack(path: string, former: string, near: string): void {
  try {
    putInPlace(former, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error;
    copyFileSync(former, near);
    putInPlace(near, path);
    rmSync(former);
  }
}

/** SQLite would apply a log left from another database to this one. */
function putInPlace(from: string, path: string): void {
  syncToDisk(from);
  for (const companion of ['-wal', '-shm', '-journal']) rmSync(path + companion, { force: true });
  renameSync(from, path);
  syncToDisk(dirname(path));
}

/** Merges the log into the database file and removes it. @throws if a process has the database open */
function foldLog(path: string): void {
  const database = openSqlite(path);
  try {
    database.pragma('journal_mode = DELETE');
  } finally {
    database.close();
  }
}

function linkOrCopy(path: string, former: string): void {
  try {
    linkSync(path, former);
  } catch {
    // The folder is on another file system, or on one without hard links.
    copyWhole(path, former);
  }
  syncToDisk(dirname(former));
}

/** Uses a temporary name until the copy is complete. */
function copyWhole(path: string, to: string): void {
  const part = to + UNFINISHED;
  try {
    copyFileSync(path, part);
    syncToDisk(part);
    renameSync(part, to);
  } catch (error) {
    rmSync(part, { force: true });
    throw error;
  }
}
