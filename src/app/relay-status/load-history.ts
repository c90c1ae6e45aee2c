/**
 * How busy the relay was in the last week: a sample every five minutes, and each start with its version. They are in
 * history.db, so that a restart or a kill loses no more than the last five minutes, and a backup of another computer
 * brings none of them. Each row is one small write, which waits for no disk. While history.db takes nothing, a day of
 * samples waits in memory. After a start, samples in memory alone fill the time until the next one that is stored.
 * `/metrics` is for monitoring over longer times.
 */
import { loadavg } from 'node:os';
import type { PairingDriver } from '../../home/pairing-driver.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Startable } from '../../kernel/lifecycle.ts';
import type { Database } from '../../storage/database.ts';
import { sizeOf } from '../../storage/database-size.ts';
import type { DisposableDatabase } from '../../storage/disposable-database.ts';
import { type LoadSample, LoadStore, type RelayStart } from './load-store.ts';

const EVERY_MS = 5 * 60_000;
const EARLY_EVERY_MS = 30_000;
const DAY_MS = 24 * 60 * 60_000;
const MAX_DAYS = 7;
const MAX_WAITING = DAY_MS / EVERY_MS;
const MAX_STORED = { samples: (MAX_DAYS * DAY_MS) / EVERY_MS, starts: 200 };
/** More than a day is shown by the half-hour: as much as a plot can show. */
const BUCKET_MS = 30 * 60_000;

interface Deps {
  readonly clock: Clock;
  readonly database: Database;
  readonly historyDatabase: DisposableDatabase;
  readonly drivers: { readonly hap: Pick<PairingDriver, 'listPaired'> };
  readonly version: string;
}

export interface RelayLoadReport {
  readonly from: number;
  readonly to: number;
  readonly everyMs: number;
  readonly samples: readonly LoadSample[];
  readonly starts: readonly RelayStart[];
}

export class LoadHistory implements Startable {
  readonly #deps: Deps;
  readonly #store: LoadStore;
  /** What history.db has not taken yet. */
  #waiting: LoadSample[] = [];
  #start: Omit<RelayStart, 'previousVersion'> | undefined;
  /** Never stored: restarts one after the other would push out the samples of the week. */
  readonly #early: LoadSample[] = [];
  readonly #processor: ProcessorMeter;
  readonly #earlyProcessor: ProcessorMeter;
  #cancel: (() => void) | undefined;
  #cancelEarly: (() => void) | undefined;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#processor = new ProcessorMeter(deps.clock);
    this.#earlyProcessor = new ProcessorMeter(deps.clock);
    this.#store = new LoadStore(deps.historyDatabase, MAX_STORED);
  }

  start(): void {
    const { clock, version } = this.#deps;
    const now = clock.now();
    this.#start = { at: now, version };
    this.#processor.restart();
    this.#earlyProcessor.restart();
    const newest = tryRead(() => this.#store.newestAt());
    // A daemon that restarts all the time does not push out the samples of the week.
    if (newest === undefined || newest > now || now - newest >= EVERY_MS) this.#take();
    else this.#next(newest + EVERY_MS - now);
    this.#nextEarly();
    this.#save();
  }

  stop(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    this.#cancelEarly?.();
    this.#cancelEarly = undefined;
  }

  /** The samples of the last day, oldest first. */
  recent(): readonly LoadSample[] {
    const now = this.#deps.clock.now();
    return this.#samples(now - DAY_MS, now);
  }

  /** Of the last day each sample; of more days one for each half-hour, with the peaks. Oldest first. */
  lastDays(days: number): RelayLoadReport {
    const to = this.#deps.clock.now();
    const from = to - days * DAY_MS;
    const samples = this.#samples(from, to);
    const starts = tryRead(() => this.#store.starts(from, to)) ?? [];
    return days === 1
      ? { from, to, everyMs: EVERY_MS, samples, starts }
      : { from, to, everyMs: BUCKET_MS, samples: byBucket(samples), starts };
  }

  #samples(from: number, to: number): readonly LoadSample[] {
    const stored = tryRead(() => this.#store.samples(from, to)) ?? [];
    const inMemory = [...this.#waiting, ...this.#early].filter(({ at }) => at >= from && at <= to);
    return inMemory.length === 0 ? stored : [...stored, ...inMemory].sort((a, b) => a.at - b.at);
  }

  #next(afterMs: number): void {
    this.#cancel = this.#deps.clock.after(afterMs, () => {
      this.#cancelEarly?.();
      this.#take();
      this.#save();
    });
  }

  #nextEarly(): void {
    this.#cancelEarly = this.#deps.clock.after(EARLY_EVERY_MS, () => {
      this.#early.push(this.#measure(this.#earlyProcessor));
      this.#nextEarly();
    });
  }

  #take(): void {
    this.#waiting.push(this.#measure(this.#processor));
    if (this.#waiting.length > MAX_WAITING) this.#waiting.shift();
    this.#next(EVERY_MS);
  }

  #measure(processor: ProcessorMeter): LoadSample {
    const { clock, database, historyDatabase, drivers } = this.#deps;
    return {
      at: clock.now(),
      load: loadavg()[0] ?? 0,
      processorPercent: processor.percent(),
      memoryBytes: process.memoryUsage.rss(),
      databaseBytes: (bytesOf(() => database) ?? 0) + (bytesOf(() => historyDatabase.current) ?? 0),
      connectedDevices: drivers.hap.listPaired().filter(({ status }) => status === 'connected').length,
    };
  }

  /** What fails waits for the next sample. */
  #save(): void {
    try {
      this.#store.add(this.#waiting, this.#start ? [this.#start] : []);
      this.#waiting = [];
      this.#start = undefined;
    } catch {
      // The status of the relay warns of a history that can't be opened, and of a full disk.
    }
  }
}

/** What the process uses of one processor. */
class ProcessorMeter {
  readonly #clock: Clock;
  #since = { at: 0, microseconds: 0 };

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  restart(): void {
    this.#since = { at: this.#clock.monotonic(), microseconds: processorTime() };
  }

  /** Since the last call, or since the restart. */
  percent(): number {
    const { at, microseconds } = this.#since;
    this.restart();
    const passedMs = this.#since.at - at;
    const usedMs = (this.#since.microseconds - microseconds) / 1000;
    return passedMs <= 0 ? 0 : Math.round((usedMs / passedMs) * 1000) / 10;
  }
}

function byBucket(samples: readonly LoadSample[]): readonly LoadSample[] {
  const buckets = new Map<number, LoadSample[]>();
  for (const sample of samples) {
    const start = Math.floor(sample.at / BUCKET_MS) * BUCKET_MS;
    const own = buckets.get(start);
    if (own) own.push(sample);
    else buckets.set(start, [sample]);
  }
  return [...buckets].map(([at, own]) => {
    const mean = (of: (sample: LoadSample) => number) => own.reduce((sum, one) => sum + of(one), 0) / own.length;
    return {
      at,
      load: Math.round(mean(({ load }) => load) * 100) / 100,
      processorPercent: Math.round(mean((one) => one.processorPercent) * 10) / 10,
      memoryBytes: Math.max(...own.map(({ memoryBytes }) => memoryBytes)),
      databaseBytes: Math.max(...own.map(({ databaseBytes }) => databaseBytes)),
      connectedDevices: Math.min(...own.map(({ connectedDevices }) => connectedDevices)),
    };
  });
}

function processorTime(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}

/** @returns `undefined` while history.db can't be read */
function tryRead<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
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
