/**
 * Connections that lie idle for a moment, for whoever sends there again soon: one for each sender and origin, and never anybody
 * else's. They are closed after seconds by themselves (`pinned-connection.ts`), and are not used for longer than a minute, so that a
 * name that means another address now is followed.
 */
import type { Clock } from '../../kernel/clock.ts';
import type { PinnedConnection } from './pinned-connection.ts';

const LONGEST_USE_MS = 60_000;
/** As many as there may be webhooks that are sent to at the same time. */
const MOST_KEPT = 100;

export interface KeptConnection {
  readonly connection: PinnedConnection;
  /** By the monotonic clock. */
  readonly openedAt: number;
}

export class KeptConnections {
  readonly #clock: Clock;
  /** By sender and origin, the longest idle first. Those that were closed meanwhile lie among them until they are asked for. */
  readonly #idle = new Map<string, KeptConnection>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Takes it out. @param mayLeadTo is asked of the address that it leads to */
  take(key: string, mayLeadTo: (address: string) => boolean): KeptConnection | undefined {
    const kept = this.#idle.get(key);
    if (!kept) return undefined;
    this.#idle.delete(key);
    const address = kept.connection.idleTo;
    const isFresh = this.#clock.monotonic() - kept.openedAt < LONGEST_USE_MS;
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
    if (this.#idle.size > MOST_KEPT && longestIdle !== undefined) this.#close(longestIdle);
  }

  closeAll(): void {
    for (const key of [...this.#idle.keys()]) this.#close(key);
  }

  #close(key: string): void {
    this.#idle.get(key)?.connection.close();
    this.#idle.delete(key);
  }
}
