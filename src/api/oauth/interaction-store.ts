/**
 * Sign-ins in progress, from an app's first request to the person's response. In memory: any client can begin one, so
 * none is worth a write to the disk, and after a restart the app begins again. The oldest is evicted.
 */
import type { AdapterPayload } from 'oidc-provider';
import { Expiry } from '../../app/access/expiry.ts';
import type { Clock } from '../../kernel/clock.ts';

/** Time enough to find a password, or to have it reset. */
export const INTERACTION_MS = 30 * 60_000;
const MAX_SIGN_INS = 1_000;

export class InteractionStore {
  readonly #clock: Clock;
  readonly #expiry: Expiry;
  readonly #kept = new Map<string, { readonly payload: AdapterPayload; readonly expiresAt: number }>();

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#expiry = new Expiry(clock);
  }

  save(id: string, payload: AdapterPayload): void {
    const expiresAt = this.#kept.get(id)?.expiresAt ?? this.#clock.now() + INTERACTION_MS;
    this.#kept.set(id, { payload, expiresAt });
    this.#expiry.track(id, expiresAt);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > MAX_SIGN_INS && oldest !== undefined) this.delete(oldest);
  }

  find(id: string): AdapterPayload | undefined {
    const kept = this.#kept.get(id);
    if (!kept) return undefined;
    if (!this.#expiry.isPast(id, kept.expiresAt)) return { ...kept.payload, exp: endAsSeenBy(Date.now()) };
    this.delete(id);
    return undefined;
  }

  delete(id: string): void {
    this.#kept.delete(id);
    this.#expiry.forget(id);
  }
}

/** The library's own check, by the machine's clock, never fails before the relay's. */
function endAsSeenBy(now: number): number {
  return Math.floor((now + INTERACTION_MS) / 1_000);
}
