/**
 * The request limits of one device, learned from failures and stored. A device that can't process a request ignores it
 * without an error (49 ids, or 1,024 bytes, are known limits of real products), and answers only smaller ones. So a
 * request without a response halves the size of the next ones. When a smaller request succeeds, the new limits are
 * saved.
 */

export interface Limits {
  /** Characteristics in one request. */
  readonly maxIds: number;
  /** Bytes of one whole request, including the head. */
  readonly maxBytes: number;
  /** The device rejects writes and subscriptions for several accessories in one request, which iOS never sends. */
  readonly oneAccessory: boolean;
  /** The device closes the connection when it is polled. */
  readonly noPolling: boolean;
}

/** Storage for limits across restarts. */
export interface LimitsMemory {
  load(): Limits | undefined;
  save(limits: Limits): void;
}

/** 49 ids: Honeywell T9. 900 bytes: devices drop requests of 1,024 bytes and more. */
export const DEFAULT_LIMITS: Limits = { maxIds: 49, maxBytes: 900, oneAccessory: false, noPolling: false };
/**
 * Room for the head and one characteristic with ids of 20 digits: a single characteristic is never rejected for its
 * size.
 */
const MIN_BYTES = 256;
/** A silent peer indicates an oversized request. A hang-up has many causes, so two in a row are necessary. */
const STRIKES = { silence: 2, hang_up: 1 } as const;
const STRIKES_TO_SHRINK = 2;

export class RequestLimits {
  readonly #memory: LimitsMemory;
  #limits: Limits;
  /** The previous limits, while the current limits are an assumption. */
  #assumedFrom: Limits | undefined;
  #strikes = 0;

  constructor(memory: LimitsMemory) {
    this.#memory = memory;
    this.#limits = memory.load() ?? DEFAULT_LIMITS;
  }

  get current(): Limits {
    return this.#limits;
  }

  /** A request with this many ids got no response, though the device was connected. */
  unanswered(ids: number, why: keyof typeof STRIKES): void {
    if (ids <= 1) return;
    this.#strikes += STRIKES[why];
    if (this.#strikes < STRIKES_TO_SHRINK) return;
    this.#strikes = 0;
    this.#assumedFrom ??= this.#limits;
    this.#limits = {
      ...this.#limits,
      maxIds: Math.max(1, Math.floor(Math.min(ids, this.#limits.maxIds) / 2)),
      maxBytes: Math.max(MIN_BYTES, Math.floor(this.#limits.maxBytes / 2)),
    };
  }

  /** The device was unreachable right afterwards, so the request size was not the cause. */
  acquit(): void {
    this.#limits = this.#assumedFrom ?? this.#limits;
    this.#assumedFrom = undefined;
    this.#strikes = 0;
  }

  /**
   * A request with this many ids got a response. It proves the limits only if it has several ids, or if the limit is
   * one id.
   */
  answered(ids: number): void {
    if (ids <= 1 && this.#limits.maxIds > 1) return;
    this.#strikes = 0;
    if (!this.#assumedFrom) return;
    this.#assumedFrom = undefined;
    this.#memory.save(this.#limits);
  }

  /** The device accepts requests for one accessory, and rejects those for several. */
  requireOneAccessory(): void {
    this.#learn({ oneAccessory: true });
  }

  /** Polling repeatedly caused hang-ups. */
  forbidPolling(): void {
    this.#learn({ noPolling: true });
  }

  /** Saves a proven limit immediately; assumed sizes stay assumed. */
  #learn(lesson: Partial<Limits>): void {
    this.#limits = { ...this.#limits, ...lesson };
    if (this.#assumedFrom) this.#assumedFrom = { ...this.#assumedFrom, ...lesson };
    this.#memory.save(this.#assumedFrom ?? this.#limits);
  }
}
