/**
 * What brings the house back when the database is damaged: a copy of it from the last day or the day before, and the way back
 * to it. The pairings' own second copy then adds what was paired since. The damaged file is set aside, never deleted.
 */

import {
  chmodSync,
  copyFileSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Clock } from '../kernel/clock.ts';
import { messageOf } from '../kernel/errors.ts';
import type { Startable } from '../kernel/lifecycle.ts';
import type { Logger } from '../kernel/logger.ts';
import { BACKUPS_FOLDER, checkDatabase, DamagedDatabaseError, type Database, openDatabase } from './database.ts';

const HOUR_MS = 3_600_000;
const COPY_EVERY_MS = 24 * HOUR_MS;
/** A start is busy enough without it. */
const FIRST_LOOK_MS = 10 * 60_000;
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

/** Keeps a copy of the database that is no older than a day, and the one before it. */
export class DailyCopy implements Startable {
  readonly #database: Database;
  readonly #path: string;
  readonly #clock: Clock;
  readonly #logger: Logger;
  #cancel: (() => void) | undefined;

  constructor(parts: { database: Database; path: string; clock: Clock; logger: Logger }) {
    this.#database = parts.database;
    this.#path = parts.path;
    this.#clock = parts.clock;
    this.#logger = parts.logger;
  }

  start(): void {
    this.#schedule(FIRST_LOOK_MS);
  }

  stop(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }

  /** Makes the copy now: some megabytes at most, once a day. @throws what went wrong */
  copy(): void {
    const { latest, previous, unfinished } = copyPaths(this.#path);
    mkdirSync(dirname(latest), { recursive: true, mode: 0o700 });
    rmSync(unfinished, { force: true });
    this.#database.prepare('VACUUM INTO ?').run(unfinished);
    chmodSync(unfinished, 0o600);
    const fault = checkCopy(unfinished);
    if (fault) throw new Error(fault);
    const madeAt = this.#clock.now() / 1000;
    utimesSync(unfinished, madeAt, madeAt);
    if (statSync(latest, { throwIfNoEntry: false })) renameSync(latest, previous);
    renameSync(unfinished, latest);
  }

  #schedule(delayMs: number): void {
    this.#cancel = this.#clock.after(delayMs, () => {
      this.#schedule(HOUR_MS);
      if (this.#isDue()) this.#copyOrLog();
    });
  }

  #copyOrLog(): void {
    try {
      this.copy();
    } catch (error) {
      this.#logger.warn({ error: messageOf(error) }, 'The daily copy of the database could not be made');
    }
  }

  /** A copy from the future was made while the clock was wrong. */
  #isDue(): boolean {
    const madeAt = statSync(copyPaths(this.#path).latest, { throwIfNoEntry: false })?.mtimeMs;
    const now = this.#clock.now();
    return madeAt === undefined || now - madeAt >= COPY_EVERY_MS || madeAt > now + HOUR_MS;
  }
}

function copyPaths(path: string): { latest: string; previous: string; unfinished: string } {
  const stem = join(dirname(path), BACKUPS_FOLDER, basename(path, '.db'));
  return { latest: `${stem}-daily.db`, previous: `${stem}-daily-before.db`, unfinished: `${stem}-daily.db.unfinished` };
}

function isGone(path: string): boolean {
  return (lstatSync(path, { throwIfNoEntry: false })?.size ?? 0) === 0;
}

/** Renames a database with all that belongs to it. @returns the new name. */
export function setAside(path: string, now: number): string {
  const stamp = new Date(now).toISOString().replaceAll(/[-:]|\.\d+/g, '');
  const aside = `${path}.damaged-${stamp}`;
  for (const companion of COMPANIONS) {
    if (statSync(path + companion, { throwIfNoEntry: false })) renameSync(path + companion, aside + companion);
  }
  return aside;
}

function newestSoundCopy(path: string): string | undefined {
  const folder = join(dirname(path), BACKUPS_FOLDER);
  if (!statSync(folder, { throwIfNoEntry: false })) return undefined;
  return readdirSync(folder)
    .filter((name) => name.startsWith(`${basename(path, '.db')}-`) && name.endsWith('.db'))
    .map((name) => join(folder, name))
    .sort((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs)
    .find((copy) => checkCopy(copy) === undefined);
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
