/**
 * Keeps idle connections for a short time so that a sender can reuse them: one per sender and origin, never shared
 * between senders. An idle connection closes by itself after seconds (`pinned-connection.ts`). A connection is reused
 * for at most a minute, so that a DNS change takes effect.
 */
import type { Clock } from '../../kernel/clock.ts';
import type { PinnedConnection } from './pinned-connection.ts';

const MAX_USE_MS = 60_000;
/** The maximum number of webhooks that are sent at the same time. */
const MAX_KEPT = 100;

export interface KeptConnection {
  readonly connection: PinnedConnection;
  /** Monotonic time. */
  readonly openedAt: number;
}

export class KeptConnections {
  readonly #clock: Clock;
  /** By sender and origin, the longest idle first. Closed connections stay here until they are requested. */
  readonly #idle = new Map<string, KeptConnection>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Removes the connection from the pool. @param mayLeadTo checks the address that it is connected to */
  take(key: string, mayLeadTo: (address: string) => boolean): KeptConnection | undefined {
    const kept = this.#idle.get(key);
    if (!kept) return undefined;
    this.#idle.delete(key);
    const address = kept.connection.idleTo;
    const isFresh = this.#clock.monotonic() - kept.openedAt < MAX_USE_MS;
    if (address !== undefined && isFresh && mayLeadTo(address)) return kept;
    kept.connection.close();
    return undefined;
  }

  put(key: string, kept: KeptConnection): void {
    this.#close(key);
    if (kept.connection.idleTo === undefined) {
      kept.connection.close();
      return;
    }
    this.#idle.set(key, kept);
    const [longestIdle] = this.#idle.keys();
    if (this.#idle.size > MAX_KEPT && longestIdle !== undefined) this.#close(longestIdle);
  }

  closeAll(): void {
    for (const key of [...this.#idle.keys()]) this.#close(key);
  }

  #close(key: string): void {
    this.#idle.get(key)?.connection.close();
    this.#idle.delete(key);
  }
}
