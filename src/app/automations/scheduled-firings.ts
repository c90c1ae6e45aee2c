/**
 * ScheduledFirings: the wall-clock times ("slots") at which watches are due. Each slot fires once, even if the clock
 * changes or the daemon restarts. The firing and the next due time are stored in the same transaction as the run that
 * the slot starts. So a restart knows the slots that became due meanwhile. The watcher computes the due times
 * (`plan`); this class knows nothing about calendars.
 * - A slot that became due while the daemon was down or the computer slept fires once and at once, within the grace
 *   period. The number of slots that passed does not matter. After the grace period, the newest of them is reported as
 *   missed.
 * - If the clock was set back, all watches are planned again, except for slots that have already fired.
 */
import { messageOf } from '../../kernel/errors.ts';
import { type Logger, silentLogger } from '../../kernel/logger.ts';
import type { WallTimers } from '../../kernel/wall-timers.ts';
import type { Database } from '../../storage/database.ts';
import { FIRED_COUNTS_FOR_MS, isFired, newestSlot, type Plan } from './slot-plan.ts';
import { NO_SLOT, type SlotRecord, SlotStore } from './slot-store.ts';

/** The retry interval after a storage error prevented a firing. */
const RETRY_AFTER_MS = 5_000;

/**
 * The number of unwatched slots that have fired, such as waits of runs, that are kept; each only as long as it is
 * relevant.
 */
const KEPT_ENDED = 100;

export interface SlotWatch {
  readonly plan: Plan;
  /**
   * The slot is due. Called in the transaction that marks the slot as fired: its writes are part of it. Throws to
   * request a retry.
   */
  fire(slotAt: number): void;
  /** The slot was due longer ago than the grace period. */
  missed(slotAt: number): void;
}

export interface ScheduledFiringsDeps {
  /** `null`: kept in memory only, as in a dry run. */
  readonly database: Database | null;
  readonly timers: WallTimers;
  readonly graceMs: () => number;
  readonly logger?: Logger;
}

interface Watched {
  readonly key: string;
  readonly watch: SlotWatch;
  cancel: (() => void) | undefined;
}

export class ScheduledFirings {
  readonly #store: SlotStore | null;
  readonly #timers: WallTimers;
  readonly #graceMs: () => number;
  readonly #logger: Logger;
  readonly #watched = new Map<string, Watched>();
  /** By key; read once. */
  #records: Map<string, SlotRecord> | undefined;
  /** Keys whose rows differ from memory. */
  readonly #unsaved = new Set<string>();
  #isFlushScheduled = false;
  /** Set while the disk fails. */
  #cancelRetry: (() => void) | undefined;
  #unsubscribe: (() => void) | undefined;

  constructor({ database, timers, graceMs, logger = silentLogger }: ScheduledFiringsDeps) {
    this.#store = database && new SlotStore(database);
    this.#timers = timers;
    this.#graceMs = graceMs;
    this.#logger = logger;
  }

  /**
   * Watches until the returned function is called. A slot that was due under this key before, and has not fired, still
   * fires. Never fires before it has returned.
   * @returns the function that ends the watch and drops the planned slot, unless its key is watched again in the same
   * turn of the event loop. Fired slots stay known.
   */
  watch(key: string, watch: SlotWatch): () => void {
    this.#watched.get(key)?.cancel?.();
    const watched: Watched = { key, watch, cancel: undefined };
    this.#watched.set(key, watched);
    this.#unsubscribe ??= this.#timers.onJump((byMs) => {
      if (byMs < 0) this.#planAll();
    });
    this.#plan(watched, this.#timers.now());
    return () => {
      if (this.#watched.get(key) !== watched) return;
      this.#drop(watched);
      this.#touch(key);
    };
  }

  /** Plans everything again: a home's time zone or location has changed. */
  replan(): void {
    this.#timers.look();
    for (const watched of this.#watched.values()) this.#remember(watched.key, { nextAt: null });
    this.#planAll();
  }

  /** Deletes unwatched records with other keys than these. */
  retain(keys: ReadonlySet<string>): void {
    for (const key of [...this.#all().keys()]) {
      if (keys.has(key) || this.#watched.has(key)) continue;
      this.#all().delete(key);
      this.#touch(key);
    }
  }

  /** Ends every watch, but keeps the planned slots for the next start. Watches that end later change nothing. */
  stop(): void {
    this.#flush();
    for (const watched of [...this.#watched.values()]) this.#drop(watched);
    this.#cancelRetry?.();
    this.#unsaved.clear();
    this.#records = undefined;
  }

  #drop(watched: Watched): void {
    watched.cancel?.();
    this.#watched.delete(watched.key);
    if (this.#watched.size > 0) return;
    this.#unsubscribe?.();
    this.#unsubscribe = undefined;
  }

  #planAll(): void {
    const now = this.#timers.now();
    for (const watched of this.#watched.values()) this.#plan(watched, now);
  }

  /** Sets the next due time: at once, if the slot is already due and has not fired. */
  #plan(watched: Watched, now: number): void {
    const { nextAt } = this.#record(watched.key);
    this.#set(watched, nextAt !== null && nextAt <= now ? nextAt : this.#next(watched, now));
  }

  #set(watched: Watched, nextAt: number | null): void {
    watched.cancel?.();
    watched.cancel = nextAt === null ? undefined : this.#timers.set(nextAt, { due: (now) => this.#fireDue(now) });
    this.#remember(watched.key, { nextAt });
  }

  /** The first slot after `after` that has not fired. */
  #next({ key, watch }: Watched, after: number): number | null {
    const { lastAt, highestAt } = this.#record(key);
    let next = this.#ask(watch, after);
    // In this order: the highest slot is never before the last one.
    for (const fired of [lastAt, highestAt]) {
      if (next !== null && fired !== null && isFired(next, fired)) next = this.#ask(watch, fired);
    }
    return next;
  }

  #ask(watch: SlotWatch, after: number): number | null {
    try {
      return watch.plan(after);
    } catch (error) {
      this.#logger.error({ error: messageOf(error) }, 'Could not schedule an automation');
      return null;
    }
  }

  /** Fires all due slots, the earliest first, in one commit: at sunset many may be due. */
  #fireDue(now: number): void {
    const due = [...this.#watched.values()]
      .map((watched) => ({ watched, dueAt: this.#record(watched.key).nextAt ?? Number.POSITIVE_INFINITY }))
      .filter(({ dueAt }) => dueAt <= now)
      .sort((a, b) => a.dueAt - b.dueAt);
    // None of them may be called again until they are settled.
    for (const { watched } of due) watched.cancel?.();
    let isBegun = false;
    try {
      this.#transaction((step) => {
        isBegun = true;
        for (const { watched, dueAt } of due) {
          if (this.#watched.get(watched.key) === watched) this.#settle(watched, { dueAt, now, step });
        }
      });
    } catch (error) {
      this.#logger.warn({ error: messageOf(error) }, 'Could not save the last firings of automations');
      if (isBegun) this.#flushLater();
      else for (const { watched } of due) this.#retry(watched, now);
    }
  }

  #settle(watched: Watched, { dueAt, now, step }: { dueAt: number; now: number; step: Step }): void {
    const { key, watch } = watched;
    const before = this.#record(key);
    const slotAt = newestSlot((after) => this.#ask(watch, after), dueAt, now);
    if ([before.lastAt, before.highestAt].some((fired) => fired !== null && isFired(slotAt, fired))) {
      this.#set(watched, this.#next(watched, now));
      return;
    }
    if (now - slotAt > this.#graceMs()) {
      this.#set(watched, this.#next(watched, now));
      this.#guarded('Could not report a missed automation', () => watch.missed(slotAt));
      return;
    }
    // Marked as fired before it fires, so that a new watch under its key does not find it due.
    this.#remember(key, { lastAt: slotAt, highestAt: Math.max(slotAt, before.highestAt ?? slotAt) });
    this.#set(watched, this.#next(watched, now));
    if (!this.#guarded('Could not start a scheduled automation', () => step(() => watch.fire(slotAt)))) {
      this.#all().set(key, before);
      this.#retry(watched, now);
    }
  }

  /** The slot stays due, and fires if it is still within the grace period by then. */
  #retry(watched: Watched, now: number): void {
    watched.cancel?.();
    if (this.#watched.get(watched.key) !== watched) return;
    watched.cancel = this.#timers.set(now + RETRY_AFTER_MS, { due: (at) => this.#fireDue(at) });
  }

  #record(key: string): SlotRecord {
    return this.#all().get(key) ?? NO_SLOT;
  }

  #remember(key: string, change: Partial<SlotRecord>): void {
    const before = this.#all().get(key);
    const after = { ...NO_SLOT, ...before, ...change };
    const isSame = before && (['nextAt', 'lastAt', 'highestAt'] as const).every((name) => before[name] === after[name]);
    if (isSame) return;
    this.#all().set(key, after);
    this.#touch(key);
  }

  #all(): Map<string, SlotRecord> {
    this.#records ??= this.#store?.load() ?? new Map();
    return this.#records;
  }

  /** Stores changes before this turn of the event loop ends, all changes of one turn in one commit. */
  #touch(key: string): void {
    this.#unsaved.add(key);
    if (this.#isFlushScheduled) return;
    this.#isFlushScheduled = true;
    setImmediate(() => {
      this.#isFlushScheduled = false;
      this.#flush();
    });
  }

  #flush(): void {
    if (this.#unsaved.size === 0) return;
    const failure = 'Could not save the schedule of automations';
    if (!this.#guarded(failure, () => this.#transaction(() => {}))) this.#flushLater();
  }

  #flushLater(): void {
    this.#cancelRetry?.();
    this.#cancelRetry = this.#timers.set(this.#timers.now() + RETRY_AFTER_MS, { due: () => this.#flush() });
  }

  /**
   * Pending changes are stored in the same transaction. @throws what the database throws; all changes stay pending
   * then
   */
  #transaction(write: (step: Step) => void): void {
    const all = (step: Step): void => {
      write(step);
      this.#forgetEnded();
      for (const key of this.#unsaved) this.#store?.put(key, this.#all().get(key));
    };
    if (this.#store) this.#store.transaction(all);
    else all((act) => act());
    this.#unsaved.clear();
  }

  /** Unwatched keys have no due slot. Deletes records that never fired, or fired long ago. */
  #forgetEnded(): void {
    for (const key of this.#unsaved) {
      const record = this.#all().get(key);
      if (!record || this.#watched.has(key)) continue;
      if (record.highestAt === null) this.#all().delete(key);
      else this.#all().set(key, { ...record, nextAt: null });
    }
    if (this.#all().size <= this.#watched.size + KEPT_ENDED) return;
    const now = this.#timers.now();
    for (const [key, { nextAt, highestAt }] of this.#all()) {
      const isOld = nextAt === null && (highestAt === null || highestAt < now - FIRED_COUNTS_FOR_MS);
      if (!isOld || this.#watched.has(key)) continue;
      this.#all().delete(key);
      this.#unsaved.add(key);
    }
  }

  /** @returns whether it succeeded */
  #guarded(failure: string, act: () => void): boolean {
    try {
      act();
      return true;
    } catch (error) {
      this.#logger.error({ error: messageOf(error) }, failure);
      return false;
    }
  }
}

type Step = (act: () => void) => void;
