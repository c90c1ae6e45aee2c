import { messageOf } from './errors.ts';
import type { Logger } from './logger.ts';

type Listener<T> = (event: T) => void;

/**
 * A typed, synchronous event bus. `Events` maps each event's name (past tense) to its payload. Listeners run in
 * subscription order. An error in one listener is logged and does not affect the others.
 */
export class EventBus<Events extends object> {
  readonly #listeners = new Map<keyof Events, Set<Listener<never>>>();
  readonly #logger: Logger | undefined;

  constructor(logger?: Logger) {
    this.#logger = logger;
  }

  /** @returns the function that ends this subscription. */
  on<K extends keyof Events>(name: K, listener: Listener<Events[K]>): () => void {
    let listeners = this.#listeners.get(name);
    if (!listeners) {
      listeners = new Set();
      this.#listeners.set(name, listeners);
    }
    // A separate wrapper lets the same function subscribe twice and end each subscription alone.
    const entry: Listener<Events[K]> = (event) => listener(event);
    listeners.add(entry);
    return () => listeners.delete(entry);
  }

  /** Whether there are listeners: callers can skip events that are expensive to build. */
  hasListener(name: keyof Events): boolean {
    return (this.#listeners.get(name)?.size ?? 0) > 0;
  }

  emit<K extends keyof Events>(name: K, event: Events[K]): void {
    const listeners = this.#listeners.get(name);
    if (!listeners) return;
    for (const listener of [...listeners]) {
      try {
        (listener as Listener<Events[K]>)(event);
      } catch (error) {
        this.#logger?.error({ event: String(name), error: messageOf(error) }, 'An event listener failed');
      }
    }
  }
}
