/**
 * How busy the relay was in the last day: a sample every five minutes, in memory. Nothing is written to disk for it, so
 * it begins again with each start; metrics serve long-term monitoring (`app/metrics`).
 */
import { loadavg } from 'node:os';
import type { Clock } from '../../kernel/clock.ts';
import type { Startable } from '../../kernel/lifecycle.ts';
import type { Database } from '../../storage/database.ts';
import { sizeOf } from '../../storage/database-size.ts';
import type { DisposableDatabase } from '../../storage/disposable-database.ts';

const EVERY_MS = 5 * 60_000;
const DAY_MS = 24 * 60 * 60_000;
const MAX_SAMPLES = DAY_MS / EVERY_MS;

export interface LoadSample {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly load: number;
  readonly memoryBytes: number;
  readonly databaseBytes: number;
}

interface Deps {
  readonly clock: Clock;
  readonly database: Database;
  readonly historyDatabase: DisposableDatabase;
}

export class LoadHistory implements Startable {
  readonly #deps: Deps;
  readonly #samples: LoadSample[] = [];
  #cancel: (() => void) | undefined;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  start(): void {
    this.#take();
  }

  stop(): void {
    this.#cancel?.();
  }

  /** The samples of the last day, oldest first. */
  recent(): readonly LoadSample[] {
    const since = this.#deps.clock.now() - DAY_MS;
    return this.#samples.filter(({ at }) => at >= since);
  }

  #take(): void {
    const { clock, database, historyDatabase } = this.#deps;
    this.#samples.push({
      at: clock.now(),
      load: loadavg()[0] ?? 0,
      memoryBytes: process.memoryUsage.rss(),
      databaseBytes: (bytesOf(() => database) ?? 0) + (bytesOf(() => historyDatabase.current) ?? 0),
    });
    if (this.#samples.length > MAX_SAMPLES) this.#samples.shift();
    this.#cancel = clock.after(EVERY_MS, () => this.#take());
  }
}

/** @returns `null` if it can't be opened */
export function bytesOf(open: () => Database): number | null {
  try {
    const { file, log } = sizeOf(open());
    return file + log;
  } catch {
    return null;
  }
}
