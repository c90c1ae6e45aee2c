/**
 * Makes a snapshot each night, for automatic repair and for the recovery of deleted data. It checks again and
 * again, so that a computer that is off at night gets its snapshot in the morning.
 */
import type { Clock } from '../../kernel/clock.ts';
import { messageOf } from '../../kernel/errors.ts';
import type { Startable } from '../../kernel/lifecycle.ts';
import type { Logger } from '../../kernel/logger.ts';
import type { Database } from '../database.ts';
import type { BackupFile, BackupFolder } from './backup-folder.ts';

/** decisions §13. */
const NIGHTLIES_KEPT = 7;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Delays the first check, because the start is busy enough. */
const FIRST_LOOK_MS = 10 * 60_000;

interface NightlySnapshotsDeps {
  readonly database: Database;
  readonly folder: BackupFolder;
  readonly clock: Clock;
  readonly logger: Logger;
  /** The time of day in UTC when the snapshot of the night is due. */
  readonly dueMs: number;
  readonly checkMs: number;
}

export class NightlySnapshots implements Startable {
  readonly #database: Database;
  readonly #folder: BackupFolder;
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #dueMs: number;
  readonly #checkMs: number;
  #cancel: (() => void) | undefined;

  constructor(deps: NightlySnapshotsDeps) {
    this.#database = deps.database;
    this.#folder = deps.folder;
    this.#clock = deps.clock;
    this.#logger = deps.logger;
    this.#dueMs = deps.dueMs;
    this.#checkMs = deps.checkMs;
  }

  start(): void {
    this.#schedule(FIRST_LOOK_MS);
  }

  stop(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }

  /** Makes one now, and deletes the oldest of eight. @throws any error; existing snapshots stay */
  make(): BackupFile {
    const made = this.#folder.snapshot(this.#database, 'nightly', this.#clock.now());
    this.#folder.prune('nightly', NIGHTLIES_KEPT);
    return made;
  }

  #schedule(delayMs: number): void {
    this.#cancel = this.#clock.after(delayMs, () => {
      this.#schedule(this.#checkMs);
      this.#makeIfDue();
    });
  }

  #makeIfDue(): void {
    try {
      if (this.#isDue()) this.make();
    } catch (error) {
      this.#logger.warn({ error: messageOf(error) }, 'Could not make the nightly snapshot of the database');
    }
  }

  /**
   * Ignores snapshots from the future, which were made while the clock was wrong. After a restore the other snapshots
   * contain the previous home: an automatic repair must not undo the restore.
   */
  #isDue(): boolean {
    const now = this.#clock.now();
    const lastNight = Math.floor((now - this.#dueMs) / DAY_MS) * DAY_MS + this.#dueMs;
    const backups = this.#folder.list().filter(({ madeAt }) => madeAt <= now + HOUR_MS);
    const newest = backups.find(({ kind }) => kind === 'nightly');
    const restore = backups.find(({ kind }) => kind === 'before-restore');
    return newest === undefined || newest.madeAt < Math.max(lastNight, restore?.madeAt ?? 0);
  }
}
