/**
 * A database that may be lost without losing anything else: history.db (decisions §1). Damaged, at the start or while it runs, it
 * is set aside and begun empty, with a line in the log; where it can't be opened at all (disk full, held by another program) the
 * daemon runs on without it and it is tried again later. Nothing that it does ever stops the daemon.
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
  // Whoever holds the file must not hold up the house: what can't be done now is done later. First, for it holds for what follows.
  'busy_timeout = 20',
  // Gives pages back to the disk in small slices. Before everything that writes: it can't be changed once there is a table.
  'auto_vacuum = INCREMENTAL',
  'journal_mode = WAL',
  // A power cut may lose the last seconds, never the file; and the disk is waited for only when the log is folded in.
  'synchronous = NORMAL',
  'foreign_keys = OFF',
  // What people purge is overwritten where that costs no further writes.
  'secure_delete = FAST',
  // In KiB. Samples are appended and read in order; more would only take memory from a small computer.
  'cache_size = -4096',
  // Bytes. After a purge the log would keep its greatest size for ever.
  'journal_size_limit = 8388608',
  'trusted_schema = OFF',
];

/** A larger file is not read through at the opening: damage in it shows when it is met. */
const LARGEST_CHECKED_BYTES = 32 * 1024 * 1024;
/** How long after an opening that failed the next one is tried, and how often at most it is seen whether the file is still there. */
const RETRY_MS = 10_000;

export class DisposableDatabase implements Startable {
  readonly #path: string;
  readonly #clock: Clock;
  readonly #logger: Logger;
  #database: Database | undefined;
  #isDamaged = false;
  #isClosed = false;
  #failure: { readonly error: unknown; readonly at: number } | undefined;
  /** Which file is open, and when it was last seen to be the one of that name. */
  #file: { readonly inode: number | undefined; seenAt: number } | undefined;

  /** @param path a file, or `:memory:`. */
  constructor(parts: { path: string; clock: Clock; logger: Logger }) {
    this.#path = parts.path;
    this.#clock = parts.clock;
    this.#logger = parts.logger;
  }

  start(): void {
    this.#isClosed = false;
    try {
      this.#open();
    } catch (error) {
      this.#logger.error({ error: messageOf(error) }, 'History can’t be opened. It is tried again; all else goes on');
    }
  }

  stop(): void {
    this.#isClosed = true;
    this.#database?.close();
    this.#database = undefined;
  }

  /**
   * The database as it is now: another object after the file was set aside, so keep none across ticks.
   * @throws `storage_unavailable` it can't be opened
   */
  get current(): Database {
    return this.#database && !this.#isDamaged && !this.#isGone() ? this.#database : this.#tryAgain();
  }

  /** Somebody deleted or replaced the file: what is written to it now is lost when the daemon stops. */
  #isGone(): boolean {
    const now = this.#clock.monotonic();
    if (this.#path === ':memory:' || !this.#file || now - this.#file.seenAt < RETRY_MS) return false;
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
    const checked = (lstatSync(this.#path, { throwIfNoEntry: false })?.size ?? 0) <= LARGEST_CHECKED_BYTES;
    const migrations = listMigrations('history');
    const open = (): Database =>
      openAs(this.#path, { migrations, pragmas: PRAGMAS, checked, backedUp: false }, () => {
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

  /** Closes a file that has no name any more, before another one is opened under it. */
  #letGo(): void {
    const gone = this.#database;
    this.#database = undefined;
    this.#logger.warn(
      { path: this.#path },
      'The file of the history is gone. The one in its place is used from now on',
    );
    gone?.close();
  }

  /** Closes the file, if it is open, and gives it another name; where that fails, it is still damaged. */
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
    this.#logger.error({ fault, setAside: aside }, 'The history was damaged. It is set aside and begun anew');
  }
}

function unavailable(error: unknown): HearthError {
  if (error instanceof HearthError && error.code === 'storage_unavailable') return error;
  return new HearthError('storage_unavailable', `There is no history now: ${messageOf(error)}`, {}, { cause: error });
}
