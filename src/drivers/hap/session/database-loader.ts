/**
 * Chooses the current attribute database: the cached one while the device advertises the same configuration number,
 * otherwise the device's own. Any change of `c#` counts, because numbers wrap. A failed read is retried until it
 * succeeds; meanwhile the last database is used.
 */
import { type Clock, sleep } from '../../../kernel/clock.ts';
import { CharacteristicIndex } from '../values/characteristic-index.ts';
import { type AttributeDatabase, DatabaseError, parseAccessories } from '../wire/accessory-database.ts';
import type { CharacteristicRequests } from '../wire/characteristic-requests.ts';
import { JsonError } from '../wire/exact-json.ts';
import { Signal } from './signal.ts';

const RETRY_MS = 5_000;
const RETRY_CAP_MS = 300_000;
/** How long the cache is used for a device whose `c#` is not advertised. Discovery takes seconds if it works at all. */
const UNKNOWN_CONFIG_MS = 60_000;
/**
 * The minimum time between database reads, however often `c#` changes (a bridge that starts, or a forged
 * advertisement).
 */
const RELOAD_GAP_MS = 2_000;

export interface DatabaseLoaderDeps {
  readonly clock: Clock;
  configNumber(): number | null;
  cachedDatabase(): { readonly configNumber: number | null; readonly database: AttributeDatabase } | undefined;
  /** A database was read from the device. */
  onDatabase(database: AttributeDatabase, raw: string, configNumber: number | null): void;
  /** A database could not be read, and an older one is used. */
  onFault(error: Error): void;
}

export class DatabaseLoader {
  readonly #deps: DatabaseLoaderDeps;
  /** The index of the current database; `undefined` before the first one. */
  #index: CharacteristicIndex | undefined;
  #aids: ReadonlySet<string> = new Set();
  /** The advertised `c#` at the last load or failed load; `undefined` before that. */
  #config: number | null | undefined;
  #mustRead = false;
  #retryMs = RETRY_MS;
  #cancelTimer: () => void = () => {};
  /** The database must be loaded again. */
  readonly #due: Signal;
  /** When it was loaded last, in monotonic time. */
  #loadedAt = Number.NEGATIVE_INFINITY;

  constructor(deps: DatabaseLoaderDeps) {
    this.#deps = deps;
    this.#due = new Signal(deps.clock);
  }

  /** The accessories of the current database. */
  get aids(): ReadonlySet<string> {
    return this.#aids;
  }

  /** The advertisement changed. */
  advertised(): void {
    if (this.#isOutdated) this.#due.raise();
  }

  /** Resolves when the database must be loaded again, and at once after `rest`. */
  async outdated(): Promise<void> {
    const { clock } = this.#deps;
    if (!this.#isOutdated) await this.#due.wait();
    const leftMs = this.#loadedAt + RELOAD_GAP_MS - clock.monotonic();
    if (leftMs > 0) await sleep(clock, leftMs);
  }

  /** Whether the device advertises another `c#` than the one that was loaded last. */
  get #isOutdated(): boolean {
    const config = this.#deps.configNumber();
    return config !== null && this.#config !== undefined && config !== this.#config;
  }

  /** @throws ConnectionError; DatabaseError and JsonError if there is no older database to use */
  async load(requests: CharacteristicRequests): Promise<CharacteristicIndex> {
    this.#due.lower();
    this.#loadedAt = this.#deps.clock.monotonic();
    this.#cancelTimer();
    const config = this.#deps.configNumber();
    const cached = this.#deps.cachedDatabase();
    const isCurrent = cached && cached.configNumber !== null && (config ?? cached.configNumber) === cached.configNumber;
    if (isCurrent && !this.#mustRead) {
      if (config === null) this.#readAfter(UNKNOWN_CONFIG_MS);
      const isInForce = this.#index !== undefined && this.#config === cached.configNumber;
      this.#config = cached.configNumber;
      return isInForce && this.#index ? this.#index : this.#adopt(cached.database);
    }
    return this.#read(requests, config);
  }

  /** The connection ended. The loaded database stays. */
  rest(): void {
    this.#cancelTimer();
    this.#due.pulse();
  }

  async #read(requests: CharacteristicRequests, config: number | null): Promise<CharacteristicIndex> {
    try {
      const raw = await requests.database();
      const database = parseAccessories(raw);
      this.#config = config;
      this.#mustRead = false;
      this.#retryMs = RETRY_MS;
      const index = this.#adopt(database);
      this.#deps.onDatabase(database, raw, config);
      return index;
    } catch (error) {
      if (!(error instanceof DatabaseError || error instanceof JsonError)) throw error;
      return this.#goOn(error, config);
    }
  }

  /** Uses the existing database until the device sends a valid one. */
  #goOn(error: Error, config: number | null): CharacteristicIndex {
    const cached = this.#deps.cachedDatabase();
    const index = this.#index ?? (cached && this.#adopt(cached.database));
    if (!index) throw error;
    this.#config = config;
    this.#deps.onFault(error);
    this.#readAfter(this.#retryMs);
    this.#retryMs = Math.min(RETRY_CAP_MS, this.#retryMs * 2);
    return index;
  }

  #adopt(database: AttributeDatabase): CharacteristicIndex {
    const index = new CharacteristicIndex(database, this.#index);
    this.#index = index;
    this.#aids = new Set(database.map(({ aid }) => aid));
    return index;
  }

  #readAfter(delayMs: number): void {
    this.#cancelTimer = this.#deps.clock.after(delayMs, () => {
      this.#mustRead = true;
      this.#due.raise();
    });
  }
}
