/**
 * One daemon per data directory. The lock is an exclusive transaction held open on an empty SQLite file. It is a lock
 * of the operating system that ends with the process in any case, so it is never stale. The pid file beside it is for
 * messages only; no decision depends on it.
 */

import { chmodSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Database, openSqlite, SqliteError } from './sqlite.ts';

export const LOCK_FILE = 'hearthd.lock';
export const PID_FILE = 'hearthd.pid';

/** Long enough for a `doctor` check of the lock to finish. */
const WAIT_MS = 500;
const JUST_LOOKING_MS = 0;

export interface DirectoryLock {
  release(): void;
}

/** @returns `undefined` if another process (or this one) holds it. @throws if the file cannot be opened or created. */
export function takeLock(directory: string): DirectoryLock | undefined {
  const lock = tryLock(join(directory, LOCK_FILE), WAIT_MS);
  if (!lock) return undefined;
  chmodSync(join(directory, LOCK_FILE), 0o600);
  const pidFile = join(directory, PID_FILE);
  writePid(pidFile);
  return {
    release() {
      if (!lock.open) return;
      // The lock is still held: no other process has written its own pid yet.
      rmSync(pidFile, { force: true });
      lock.close();
    },
  };
}

/** Whether a process holds the lock. The check itself holds the lock only briefly. */
export function isLocked(directory: string): boolean {
  const path = join(directory, LOCK_FILE);
  // The check must not create a file: it could belong to the wrong user.
  if (!existsSync(path)) return false;
  const lock = tryLock(path, JUST_LOOKING_MS);
  lock?.close();
  return lock === undefined;
}

/** The pid of the lock holder; `undefined` if it is not known (yet), or if that process is gone. */
export function pidOfHolder(directory: string): number | undefined {
  try {
    const pid = Number(readFileSync(join(directory, PID_FILE), 'utf8').trim());
    if (Number.isInteger(pid) && pid > 0 && isAlive(pid)) return pid;
  } catch {
    // No pid file: the holder is just starting, or stopping.
  }
  return undefined;
}

function tryLock(path: string, timeoutMs: number): Database | undefined {
  const database = openSqlite(path, { timeout: timeoutMs });
  try {
    // SQLite prepares to write the first page: with the journal in memory it writes nothing to the disk, which may be
    // full.
    database.pragma('journal_mode = MEMORY');
    // The file stays empty and is never deleted: otherwise a second process could lock a new file while the first one
    // holds the deleted one.
    database.exec('BEGIN EXCLUSIVE');
    return database;
  } catch (error) {
    database.close();
    if (error instanceof SqliteError && error.code.startsWith('SQLITE_BUSY')) return undefined;
    throw error;
  }
}

/** Only for messages: a full disk does not prevent the daemon from starting. */
function writePid(path: string): void {
  try {
    writeFileSync(path, `${process.pid}\n`, { mode: 0o600 });
  } catch {
    rmSync(path, { force: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: the process exists, but belongs to another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
