/**
 * How much one device takes, learned the hard way and remembered. Devices that choke on a request say nothing: they ignore it (49 ids,
 * or 1,024 bytes, are known limits of real products), and only smaller ones are answered. So a request that got no answer makes the
 * next ones half as large, and once a smaller one has been answered, that is remembered.
 */

export interface Limits {
  /** Characteristics in one request. */
  readonly maxIds: number;
  /** Bytes of one whole request, head included. */
  readonly maxBytes: number;
  /** It refuses writes and subscriptions for more than one accessory in a request, as iOS never sends. */
  readonly oneAccessory: boolean;
  /** It hangs up when it is read by plan. */
  readonly noPolling: boolean;
}

/** Where limits outlive the process. */
export interface LimitsMemory {
  load(): Limits | undefined;
  save(limits: Limits): void;
}

/** 49 ids: Honeywell T9. 900 bytes: devices drop requests of 1,024 bytes and more. */
export const DEFAULT_LIMITS: Limits = { maxIds: 49, maxBytes: 900, oneAccessory: false, noPolling: false };
/** Room for the head and one characteristic with ids of 20 digits; a single one is never refused for its size. */
const MIN_BYTES = 256;
/** A silent peer is the sign of choking; a hang-up has many causes, so it takes two in a row. */
const STRIKES = { silence: 2, hang_up: 1 } as const;
const STRIKES_TO_SHRINK = 2;

export class RequestLimits {
  readonly #memory: LimitsMemory;
  #limits: Limits;
  /** Set while the limits are an assumption: what they were before. */
  #assumedFrom: Limits | undefined;
  #strikes = 0;

  constructor(memory: LimitsMemory) {
    this.#memory = memory;
    this.#limits = memory.load() ?? DEFAULT_LIMITS;
  }

  get current(): Limits {
    return this.#limits;
  }

  /** A request with this many ids got no answer, though the device was connected. */
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

  /** It could not be reached right afterwards: it was away, not choking. */
  acquit(): void {
    this.#limits = this.#assumedFrom ?? this.#limits;
    this.#assumedFrom = undefined;
    this.#strikes = 0;
  }

  /** A request with this many ids was answered. Only one of several ids proves anything, or one where no more are sent. */
  answered(ids: number): void {
    if (ids <= 1 && this.#limits.maxIds > 1) return;
    this.#strikes = 0;
    if (!this.#assumedFrom) return;
    this.#assumedFrom = undefined;
    this.#memory.save(this.#limits);
  }

  /** One accessory in a request is accepted where several were refused. */
  requireOneAccessory(): void {
    this.#learn({ oneAccessory: true });
  }

  /** Reading by plan did harm, time and again. */
  forbidPolling(): void {
    this.#learn({ noPolling: true });
  }

  /** What is certain at once; sizes that are an assumption stay one. */
  #learn(lesson: Partial<Limits>): void {
    this.#limits = { ...this.#limits, ...lesson };
    if (this.#assumedFrom) this.#assumedFrom = { ...this.#assumedFrom, ...lesson };
    this.#memory.save(this.#assumedFrom ?? this.#limits);
  }
}
