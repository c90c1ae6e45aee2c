/** When a device last answered, its latency, and its last error: diagnostics for the home's admins. */
import type { ConnectionTrouble } from '../../../home/pairing-driver.ts';
import type { Clock } from '../../../kernel/clock.ts';

/** The weight of the newest response: after about ten, older ones no longer count. */
const NEWEST_WEIGHT = 0.2;

export interface HealthReport {
  /** Milliseconds since the epoch. */
  readonly lastReceivedAt: number | null;
  /** An exponential moving average. */
  readonly latencyMs: number | null;
  /** `sentence` is the error as a sentence. */
  readonly lastFault: { readonly sentence: string; readonly reason: ConnectionTrouble; readonly at: number } | null;
}

export class ConnectionHealth {
  readonly #clock: Clock;
  #lastReceivedAt: number | null = null;
  #latencyMs: number | null = null;
  #lastFault: HealthReport['lastFault'] = null;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  answered(elapsedMs: number): void {
    this.noteReceived();
    this.#latencyMs ??= elapsedMs;
    this.#latencyMs += (elapsedMs - this.#latencyMs) * NEWEST_WEIGHT;
  }

  noteReceived(): void {
    this.#lastReceivedAt = this.#clock.now();
  }

  failed(sentence: string, reason: ConnectionTrouble): void {
    this.#lastFault = { sentence, reason, at: this.#clock.now() };
  }

  read(): HealthReport {
    return { lastReceivedAt: this.#lastReceivedAt, latencyMs: this.#latencyMs, lastFault: this.#lastFault };
  }
}
