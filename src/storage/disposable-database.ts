/**
 * A database whose loss affects nothing else: history.db (decisions §1). If it is damaged, at the start or later, it is
 * renamed and replaced by an empty one, with a log line. If it cannot be opened (disk full, held by another program),
 * the daemon runs without it and retries later. It never stops the daemon.
 */
import { lstatSync } from 'node:fs';
import type { Clock } from '../kernel/clock.ts';
import { HearthError, messageOf } from '../kernel/errors.ts';
import type { Startable } from '../kernel/lifecycle.ts';
import type { Logger } from '../kernel/logger.ts';
import { DamagedDatabaseError, type Database, openAs } from './database.ts';
import { listMigrations } from './migrate.ts';
import { setAside } from './recovery.ts';

const PRAGMAS = [
  // A program that holds the file must not block the home: work that fails now is retried later. This pragma is first
  // because it applies to the following ones.
  'busy_timeout = 20',
  // Returns pages to the disk in small slices. Before every pragma that writes: it cannot change once a table exists.
  'auto_vacuum = INCREMENTAL',
  'journal_mode = WAL',
  // A power cut may lose the last seconds, never the file; the database waits for the disk only at a checkpoint.
  'synchronous = NORMAL',
  'foreign_keys = OFF',
  // Overwrites purged data if that costs no further writes.
  'secure_delete = FAST',
  // In KiB. Samples are appended and read in order; more would only use memory on a small computer.
  'cache_size = -4096',
  // In bytes. Without it the log would keep its largest size after a purge.
  'journal_size_limit = 8388608',
  'trusted_schema = OFF',
];

/** A larger file is not checked when it is opened; damage shows when a statement reads it. */
const MAX_CHECKED_BYTES = 32 * 1024 * 1024;
/** The delay before the next attempt to open, and the minimum interval between checks that the file still exists. */
const RETRY_MS = 10_000;

export class DisposableDatabase implements Startable {
  readonly #path: string;
  readonly #image: Buffer | undefined;
  readonly #clock: Clock;
  readonly #logger: Logger;
  #database: Database | undefined;
  #isDamaged = false;
  #isClosed = false;
  #failure: { readonly error: unknown; readonly at: number } | undefined;
  /** The open file, and the time of the last check that it still has this name. */
  #file: { readonly inode: number | undefined; seenAt: number } | undefined;

  /**
   * @param path a file, or `:memory:`. @param image what `serialize` made of such a database: one in memory begins as a
   * copy of it
   */
  constructor(deps: { path: string; image?: Buffer | undefined; clock: Clock; logger: Logger }) {
    this.#path = deps.path;
    this.#image = deps.image;
    this.#clock = deps.clock;
    this.#logger = deps.logger;
  }

  start(): void {
    this.#isClosed = false;
    try {
      this.#open();
    } catch (error) {
      this.#logger.error(
        { error: messageOf(error) },
        'Cannot open the history. The relay retries; everything else works',
      );
    }
  }

  stop(): void {
    this.#isClosed = true;
    this.#database?.close();
    this.#database = undefined;
  }

  /**
   * The current database. It is another object after the file was replaced, so do not keep it across ticks.
   * @throws `storage_unavailable` it cannot be opened
   */
  get current(): Database {
    return this.#database && !this.#isDamaged && !this.#isGone() ? this.#database : this.#tryAgain();
  }

  /** Whether the file was deleted or replaced: data written to it now is lost when the daemon stops. */
  #isGone(): boolean {
    const now = this.#clock.monotonic();
    if (!this.#file || now - this.#file.seenAt < RETRY_MS) return false;
    this.#file.seenAt = now;
    return this.#inode() !== this.#file.inode;
  }

  #inode(): number | undefined {
    return lstatSync(this.#path, { throwIfNoEntry: false })?.ino;
  }

  #tryAgain(): Database {
    if (this.#isClosed) throw new HearthError('storage_unavailable', 'The daemon is stopping.');
    const now = this.#clock.monotonic();
    if (this.#failure && now - this.#failure.at < RETRY_MS) throw unavailable(this.#failure.error);
    try {
      return this.#open();
    } catch (error) {
      throw unavailable(error);
    }
  }

  #open(): Database {
    try {
      this.#database = this.#openSound();
      this.#failure = undefined;
      this.#file = { inode: this.#inode(), seenAt: this.#clock.monotonic() };
      return this.#database;
    } catch (error) {
      this.#failure = { error, at: this.#clock.monotonic() };
      throw error;
    }
  }

  #openSound(): Database {
    if (this.#isDamaged) this.#setAside('found while it was read or written');
    else if (this.#database) this.#letGo();
    const checked = (lstatSync(this.#path, { throwIfNoEntry: false })?.size ?? 0) <= MAX_CHECKED_BYTES;
    const migrations = listMigrations('history');
    const open = (): Database =>
      openAs(this.#image ?? this.#path, { migrations, pragmas: PRAGMAS, checked, backedUp: false }, () => {
        this.#isDamaged = true;
      });
    try {
      return open();
    } catch (error) {
      if (!(error instanceof DamagedDatabaseError)) throw error;
      this.#setAside(error.fault);
      return open();
    }
  }

  /** Closes a file that has lost its name, before another one is opened under it. */
  #letGo(): void {
    const gone = this.#database;
    this.#database = undefined;
    this.#logger.warn({ path: this.#path }, 'The history file was replaced. The relay uses the new file');
    gone?.close();
  }

  /** Closes the file, if it is open, and renames it; if that fails, it is still damaged. */
  #setAside(fault: string): void {
    try {
      this.#database?.close();
    } catch {
      // A file that rots may refuse even that; its name is what counts.
    }
    this.#database = undefined;
    const aside = this.#path === ':memory:' ? undefined : setAside(this.#path, this.#clock.now());
    this.#isDamaged = false;
    if (aside === undefined) return;
    this.#logger.error(
      { fault, setAside: aside },
      'The history was damaged. The relay moved it aside and started a new one',
    );
  }
}

function unavailable(error: unknown): HearthError {
  if (error instanceof HearthError && error.code === 'storage_unavailable') return error;
  return new HearthError('storage_unavailable', `There is no history now: ${messageOf(error)}`, {}, { cause: error });
}
