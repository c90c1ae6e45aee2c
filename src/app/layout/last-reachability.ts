/**
 * Keeps across restarts which accessories are unreachable. A start is not a change: only a difference from the last
 * known status is an event. Changes are written at once, batched per moment, so that a kill loses a moment at most.
 */
import type { HomeDeps } from '../../home/home-deps.ts';
import { messageOf } from '../../kernel/errors.ts';
import type { Startable } from '../../kernel/lifecycle.ts';
import { LogThrottle } from '../../kernel/logger.ts';
import type { LastReachabilityStore } from './last-reachability-store.ts';

/** A bridge and all its accessories change together, so they are written together. */
const BATCH_MS = 100;
/** Drivers report within 15 s of a start. An accessory without a report by then has no driver any more. */
const SETTLE_MS = 60_000;
/** Delay after a failed write. */
const RETRY_MS = 30_000;

export class LastReachability implements Startable {
  readonly #deps: Deps;
  readonly #throttle: LogThrottle;
  #unreachable = new Set<string>();
  #subscriptions: (() => void)[] = [];
  #cancel: (() => void) | undefined;
  #cancelSettling: (() => void) | undefined;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#throttle = new LogThrottle(deps.clock);
  }

  /** Call before the layout loads the accessories. */
  start(): void {
    const { bus, clock, state, store } = this.#deps;
    this.#unreachable = new Set(store.load());
    this.#subscriptions = [
      bus.on('accessory.reachability_changed', ({ accessoryId, reachable }) => this.#note(accessoryId, reachable)),
      bus.on('accessory.removed', ({ accessoryId }) => this.#note(accessoryId, true)),
    ];
    this.#cancelSettling = clock.after(SETTLE_MS, () => state.settleReachability());
  }

  stop(): void {
    this.#cancelSettling?.();
    for (const unsubscribe of this.#subscriptions.splice(0)) unsubscribe();
    if (this.#cancel) this.#save();
  }

  /** The last known status, for accessories that were in a home then. */
  wasReachable(accessoryId: string): boolean {
    return !this.#unreachable.has(accessoryId);
  }

  #note(accessoryId: string, reachable: boolean): void {
    if (reachable !== this.#unreachable.has(accessoryId)) return;
    if (reachable) this.#unreachable.delete(accessoryId);
    else this.#unreachable.add(accessoryId);
    this.#saveIn(BATCH_MS);
  }

  #saveIn(delayMs: number): void {
    this.#cancel ??= this.#deps.clock.after(delayMs, () => this.#save());
  }

  #save(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    try {
      this.#deps.store.save([...this.#unreachable]);
    } catch (error) {
      this.#throttle.once('save', () =>
        this.#deps.logger.warn({ error: messageOf(error) }, 'Could not save which accessories are reachable'),
      );
      if (this.#subscriptions.length > 0) this.#saveIn(RETRY_MS);
    }
  }
}

interface Deps extends HomeDeps<'state' | 'bus' | 'clock' | 'logger'> {
  readonly store: LastReachabilityStore;
}
