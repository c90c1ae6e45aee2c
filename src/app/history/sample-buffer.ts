/**
 * Buffer of recorded samples that are not written yet. It writes a hundred samples at a time or every ten seconds, to
 * spare SD cards. While the disk is full or the file is locked, samples wait here, within bounds, and no caller is
 * disturbed.
 */
import type { Clock } from '../../kernel/clock.ts';
import { messageOf } from '../../kernel/errors.ts';
import { type Logger, LogThrottle } from '../../kernel/logger.ts';
import type { HistoryStore, SeriesKey } from './history-store.ts';

const WRITE_INTERVAL_MS = 10_000;
const WRITE_AT = 100;
/** An hour of a busy home, and a few megabytes. */
const MAX_WAITING = 10_000;

/** A value before a text is replaced by its id. */
export interface RawReading {
  readonly at: number;
  readonly value: number | string;
}

interface Waiting extends RawReading {
  readonly series: SeriesKey;
}

export class SampleBuffer {
  readonly #store: HistoryStore;
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #throttle: LogThrottle;
  #waiting: Waiting[] = [];
  /** The last buffered reading of each series. */
  readonly #last = new Map<string, RawReading>();
  #isFailing = false;
  #lost = 0;
  #cancel: (() => void) | undefined;

  constructor(deps: { store: HistoryStore; clock: Clock; logger: Logger }) {
    this.#store = deps.store;
    this.#clock = deps.clock;
    this.#logger = deps.logger;
    this.#throttle = new LogThrottle(deps.clock);
  }

  /** Number of buffered readings. */
  get size(): number {
    return this.#waiting.length;
  }

  add(series: SeriesKey, { at, value }: RawReading): void {
    if (this.#waiting.length >= MAX_WAITING) {
      this.#waiting.shift();
      this.#lost += 1;
    }
    this.#waiting.push({ series, at, value });
    this.#last.set(keyOf(series), { at, value });
    // While writes fail, one attempt per ten seconds is enough.
    if (this.#waiting.length >= WRITE_AT && !this.#isFailing) this.flush();
    else this.#cancel ??= this.#clock.after(WRITE_INTERVAL_MS, () => this.flush());
  }

  /** The last buffered reading of a series. */
  lastOf(series: SeriesKey): RawReading | undefined {
    return this.#last.get(keyOf(series));
  }

  /** Writes the whole buffer in one transaction. On an error it retries later; never throws. */
  flush(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    if (this.#waiting.length === 0) return;
    try {
      this.#write();
    } catch (error) {
      this.#isFailing = true;
      this.#cancel = this.#clock.after(WRITE_INTERVAL_MS, () => this.flush());
      const waiting = this.#waiting.length;
      this.#throttle.once('write', () =>
        this.#logger.warn(
          { error: messageOf(error), waiting },
          'Cannot write the history. Samples wait in memory; everything else works',
        ),
      );
    }
  }

  /** Discards buffered readings that match. @returns how many */
  discard(unwanted: (series: SeriesKey, at: number) => boolean): number {
    const kept = this.#waiting.filter(({ series, at }) => !unwanted(series, at));
    const count = this.#waiting.length - kept.length;
    this.#waiting = kept;
    this.#last.clear();
    for (const { series, at, value } of kept) this.#last.set(keyOf(series), { at, value });
    return count;
  }

  /** Writes one last time. */
  stop(): void {
    this.flush();
    this.#cancel?.();
    this.#cancel = undefined;
  }

  #write(): void {
    // Series and texts are created before the transaction: the store caches them, and a rollback would make the cache
    // wrong.
    const samples = this.#waiting.map(({ series, at, value }) => ({
      seriesId: this.#store.openSeries(series),
      at,
      value: typeof value === 'string' ? this.#store.textId(value) : value,
    }));
    this.#store.insert(samples);
    this.#waiting = [];
    this.#last.clear();
    if (this.#isFailing) this.#logger.info({ lost: this.#lost }, 'Writing the history works again');
    this.#isFailing = false;
    this.#lost = 0;
  }
}

function keyOf({ homeId, accessoryId, characteristic }: SeriesKey): string {
  return `${homeId} ${accessoryId} ${characteristic}`;
}
