/**
 * One daemon per data directory. The lock is an exclusive transaction held open on an empty SQLite file: a lock of the
 * operating system, gone with the process however it dies, so that none is ever stale. The pid file beside it serves messages
 * only; nothing is decided by it.
 */

import { chmodSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Database, openSqlite, SqliteError } from './sqlite.ts';

export const LOCK_FILE = 'hearthd.lock';
export const PID_FILE = 'hearthd.pid';

/** Long enough for a `doctor` that looks at the lock to be gone again. */
const WAIT_MS = 500;
const JUST_LOOKING_MS = 0;

export interface DirectoryLock {
  release(): void;
}

/** @returns `undefined` if another process (or this one) holds it. @throws if the file can't be opened or created. */
export function takeLock(directory: string): DirectoryLock | undefined {
  const lock = tryLock(join(directory, LOCK_FILE), WAIT_MS);
  if (!lock) return undefined;
  chmodSync(join(directory, LOCK_FILE), 0o600);
  const pidFile = join(directory, PID_FILE);
  writePid(pidFile);
  return {
    release() {
      if (!lock.open) return;
      // Still locked: nobody else has written a pid of his own yet.
      rmSync(pidFile, { force: true });
      lock.close();
    },
  };
}

/** Whether somebody holds the lock, found out without taking it for longer than the look. */
export function isLocked(directory: string): boolean {
  const path = join(directory, LOCK_FILE);
  // Looking must not leave a file behind: it could belong to the wrong user.
  if (!existsSync(path)) return false;
  const lock = tryLock(path, JUST_LOOKING_MS);
  lock?.close();
  return lock === undefined;
}

/** The pid of whoever holds the lock; `undefined` if it is not known (yet), or known to be of a process that is gone. */
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
    // SQLite prepares to write the first page: with the journal in memory nothing reaches the disk, which may be full.
    database.pragma('journal_mode = MEMORY');
    // The file stays empty and is never deleted: a second process could otherwise hold the lock of one that is gone.
    database.exec('BEGIN EXCLUSIVE');
    return database;
  } catch (error) {
    database.close();
    if (error instanceof SqliteError && error.code.startsWith('SQLITE_BUSY')) return undefined;
    throw error;
  }
}

/** Only for messages: a full disk does not keep the daemon from starting. */
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
    // EPERM: it is there, but another user's.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
