/**
 * Which attribute database is in force: the cached one while the device advertises the same configuration number, the device's own
 * otherwise (any change of `c#` counts, for numbers wrap). Reading anew is repeated until it succeeds; meanwhile the last one serves.
 */
import type { Clock } from '../../kernel/clock.ts';
import { type AttributeDatabase, DatabaseError, parseAccessories } from './accessory-database.ts';
import { CharacteristicIndex } from './characteristic-index.ts';
import type { CharacteristicRequests } from './characteristic-requests.ts';
import { JsonError } from './exact-json.ts';

const RETRY_MS = 5_000;
const RETRY_CAP_MS = 300_000;
/** How long the cache serves a device whose `c#` is not advertised. Discovery tells within seconds if it tells at all. */
const UNKNOWN_CONFIG_MS = 60_000;

export interface DatabaseLoaderParts {
  readonly clock: Clock;
  configNumber(): number | null;
  cachedDatabase(): { readonly configNumber: number | null; readonly database: AttributeDatabase } | undefined;
  /** A database was read from the device. */
  onDatabase(database: AttributeDatabase, raw: string, configNumber: number | null): void;
  /** It is time to load again. */
  onDue(): void;
  /** A database could not be read, and an older one serves. */
  onFault(error: Error): void;
}

export class DatabaseLoader {
  readonly #parts: DatabaseLoaderParts;
  /** Of the database in force; `undefined` before the first one. */
  #index: CharacteristicIndex | undefined;
  #aids: ReadonlySet<string> = new Set();
  /** What was advertised when it was last loaded, or tried to be; `undefined` before that. */
  #config: number | null | undefined;
  #mustRead = false;
  #retryMs = RETRY_MS;
  #cancelTimer: () => void = () => {};

  constructor(parts: DatabaseLoaderParts) {
    this.#parts = parts;
  }

  /** The accessories of the database in force. */
  get aids(): ReadonlySet<string> {
    return this.#aids;
  }

  /** Whether the device advertises another `c#` than the one that was loaded last. */
  get isOutdated(): boolean {
    const config = this.#parts.configNumber();
    return config !== null && this.#config !== undefined && config !== this.#config;
  }

  /** @throws ConnectionError; DatabaseError and JsonError where there is no older database to go on with. */
  async load(requests: CharacteristicRequests): Promise<CharacteristicIndex> {
    this.#cancelTimer();
    const config = this.#parts.configNumber();
    const cached = this.#parts.cachedDatabase();
    const isCurrent = cached && cached.configNumber !== null && (config ?? cached.configNumber) === cached.configNumber;
    if (isCurrent && !this.#mustRead) {
      if (config === null) this.#readAfter(UNKNOWN_CONFIG_MS);
      const isInForce = this.#index !== undefined && this.#config === cached.configNumber;
      this.#config = cached.configNumber;
      return isInForce && this.#index ? this.#index : this.#adopt(cached.database);
    }
    return this.#read(requests, config);
  }

  /** Ends timers; what was loaded stays. */
  rest(): void {
    this.#cancelTimer();
  }

  async #read(requests: CharacteristicRequests, config: number | null): Promise<CharacteristicIndex> {
    try {
      const raw = await requests.database();
      const database = parseAccessories(raw);
      this.#config = config;
      this.#mustRead = false;
      this.#retryMs = RETRY_MS;
      const index = this.#adopt(database);
      this.#parts.onDatabase(database, raw, config);
      return index;
    } catch (error) {
      if (!(error instanceof DatabaseError || error instanceof JsonError)) throw error;
      return this.#goOn(error, config);
    }
  }

  /** With what there is, until the device describes itself properly. */
  #goOn(error: Error, config: number | null): CharacteristicIndex {
    const cached = this.#parts.cachedDatabase();
    const index = this.#index ?? (cached && this.#adopt(cached.database));
    if (!index) throw error;
    this.#config = config;
    this.#parts.onFault(error);
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
    this.#cancelTimer = this.#parts.clock.after(delayMs, () => {
      this.#mustRead = true;
      this.#parts.onDue();
    });
  }
}
