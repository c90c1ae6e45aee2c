/** When a device was heard last, how quickly it answers, and what went wrong last: for people who look after the house. */
import type { ConnectionTrouble } from '../../home/pairing-driver.ts';
import type { Clock } from '../../kernel/clock.ts';

/** How much the newest answer counts: after some ten the old ones are forgotten. */
const NEWEST_WEIGHT = 0.2;

export interface Heartbeat {
  /** Milliseconds since the epoch. */
  readonly lastHeardAt: number | null;
  /** A moving mean. */
  readonly latencyMs: number | null;
  /** A sentence. */
  readonly lastFault: { readonly sentence: string; readonly reason: ConnectionTrouble; readonly at: number } | null;
}

export class Pulse {
  readonly #clock: Clock;
  #lastHeardAt: number | null = null;
  #latencyMs: number | null = null;
  #lastFault: Heartbeat['lastFault'] = null;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  answered(elapsedMs: number): void {
    this.heard();
    this.#latencyMs ??= elapsedMs;
    this.#latencyMs += (elapsedMs - this.#latencyMs) * NEWEST_WEIGHT;
  }

  heard(): void {
    this.#lastHeardAt = this.#clock.now();
  }

  failed(sentence: string, reason: ConnectionTrouble): void {
    this.#lastFault = { sentence, reason, at: this.#clock.now() };
  }

  read(): Heartbeat {
    return { lastHeardAt: this.#lastHeardAt, latencyMs: this.#latencyMs, lastFault: this.#lastFault };
  }
}
