/**
 * Entries of the activity log that are not written yet. They are written together, every ten seconds or before a read,
 * to spare SD cards. While the file can't be written, they wait here, within bounds.
 */
import type { Clock } from '../../kernel/clock.ts';
import { messageOf } from '../../kernel/errors.ts';
import { type Logger, LogThrottle } from '../../kernel/logger.ts';
import type { ActivityStore, NewEntry } from './activity-store.ts';

const WRITE_INTERVAL_MS = 10_000;
const MAX_WAITING = 2_000;
/** About 45 MB in the file. */
const MAX_ROWS = 100_000;
/** A slider or a dial that is dragged gives one entry. */
const FOLD_MS = 5_000;

/** An entry whose names are looked up when it is written. */
export interface WaitingEntry extends Omit<NewEntry, 'actor'> {
  readonly actor: () => NewEntry['actor'];
  /** Later values within a few seconds replace this one. `null`: each counts. */
  readonly foldKey: string | null;
}

interface BufferDeps {
  readonly store: Pick<ActivityStore, 'insert'>;
  readonly clock: Clock;
  readonly logger: Logger;
  /** For tests, which cannot record as many. */
  readonly maxRows?: number | undefined;
}

export class ActivityBuffer {
  readonly #deps: BufferDeps;
  readonly #throttle: LogThrottle;
  #waiting: WaitingEntry[] = [];
  #cancel: (() => void) | undefined;

  constructor(deps: BufferDeps) {
    this.#deps = deps;
    this.#throttle = new LogThrottle(deps.clock);
  }

  add(entry: WaitingEntry): void {
    const { foldKey, at } = entry;
    const earlier = this.#waiting.findLastIndex((one) => foldKey !== null && one.foldKey === foldKey);
    const folded = this.#waiting[earlier];
    if (folded && at - folded.at < FOLD_MS) this.#waiting.splice(earlier, 1);
    if (this.#waiting.length >= MAX_WAITING) this.#waiting.shift();
    this.#waiting.push(entry);
    this.#cancel ??= this.#deps.clock.after(WRITE_INTERVAL_MS, () => this.flush());
  }

  /** Writes all. Never throws: on an error it retries later. */
  flush(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    if (this.#waiting.length === 0) return;
    const { store, clock, logger, maxRows = MAX_ROWS } = this.#deps;
    try {
      store.insert(
        this.#waiting.map(({ actor, foldKey: _, ...entry }) => ({ ...entry, actor: actor() })),
        maxRows,
      );
      this.#waiting = [];
    } catch (error) {
      this.#cancel = clock.after(WRITE_INTERVAL_MS, () => this.flush());
      this.#throttle.once('write', () =>
        logger.warn(
          { error: messageOf(error) },
          'Cannot write the activity. It waits in memory; everything else works',
        ),
      );
    }
  }

  /** Discards matching entries that are not written yet. */
  discard(unwanted: (entry: WaitingEntry) => boolean): void {
    this.#waiting = this.#waiting.filter((entry) => !unwanted(entry));
  }

  /** Writes one last time. */
  stop(): void {
    this.flush();
    this.#cancel?.();
    this.#cancel = undefined;
  }
}
