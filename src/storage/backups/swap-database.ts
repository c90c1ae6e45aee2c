/**
 * Puts another database in the place of one that nobody has open. Whenever the power fails, the file under the name is the one or the
 * other, whole.
 */
import { copyFileSync, linkSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { openSqlite } from '../sqlite.ts';
import { syncToDisk, UNFINISHED } from './backup-folder.ts';

/**
 * @param path of the database that is replaced. There may be none.
 * @param staged the one that takes its place; gone from there afterwards. On the same file system.
 * @param former where the replaced one is kept. Must not exist.
 */
export function swapDatabase(path: string, staged: string, former: string): void {
  if (statSync(path, { throwIfNoEntry: false })) {
    foldLog(path);
    linkOrCopy(path, former);
  }
  putInPlace(staged, path);
}

/**
 * Undoes `swapDatabase`: what was kept is in its place again.
 * @param near a free name beside the database, for a folder that is on another file system.
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

/** A log that was left beside another database would be taken for this one's. */
function putInPlace(from: string, path: string): void {
  syncToDisk(from);
  for (const companion of ['-wal', '-shm', '-journal']) rmSync(path + companion, { force: true });
  renameSync(from, path);
  syncToDisk(dirname(path));
}

/** Everything is in the one file then: its log is read back and gone. @throws if somebody has it open */
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
    // A folder on another file system, or one that knows no links.
    copyWhole(path, former);
  }
  syncToDisk(dirname(former));
}

/** Half a copy is none: until it is whole it has another name. */
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
