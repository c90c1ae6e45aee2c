/** What one connection of a controller has: its identity, its subscriptions, a prepared write, what it wrote itself. */
import type { Clock } from '../../kernel/clock.ts';
import type { VerifyServer } from './pairing/verify-server.ts';

/** HAP specification §6.7.2.4 sets no limit; controllers send a few seconds. */
const MAX_PREPARED_MS = 60_000;

export class ControllerSession {
  readonly verify: VerifyServer;
  /** The controller's identifier, once verified. */
  identifier: string | undefined;
  /** `aid.iid` of the characteristics whose events it wants. */
  readonly subscriptions = new Set<string>();
  readonly #clock: Clock;
  readonly #ownWrites = new Map<string, string>();
  #prepared: { readonly pid: string; readonly until: number } | undefined;

  constructor(verify: VerifyServer, clock: Clock) {
    this.verify = verify;
    this.#clock = clock;
  }

  prepare(pid: string, ttlMs: number): void {
    this.#prepared = { pid, until: this.#clock.monotonic() + Math.min(ttlMs, MAX_PREPARED_MS) };
  }

  /** @returns whether a write with this pid was prepared and is in time. A prepared write is good once. */
  takePrepared(pid: string): boolean {
    const prepared = this.#prepared;
    if (prepared?.pid !== pid) return false;
    this.#prepared = undefined;
    return this.#clock.monotonic() <= prepared.until;
  }

  /** The controller writes this value: it gets no event for it. @param value JSON text, as in events */
  beginWrite(key: string, value: string): void {
    this.#ownWrites.set(key, value);
  }

  /** The write failed: an event about the value is news. */
  failWrite(key: string): void {
    this.#ownWrites.delete(key);
  }

  /** Whether the change comes from this controller's own write. Any other value ends that. */
  isOwnWrite(key: string, value: string): boolean {
    const written = this.#ownWrites.get(key);
    if (written === undefined) return false;
    this.#ownWrites.delete(key);
    return written === value;
  }
}
