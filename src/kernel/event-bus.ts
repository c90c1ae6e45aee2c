import { messageOf } from './errors.ts';
import type { Logger } from './logger.ts';

type Listener<T> = (event: T) => void;

interface Entry<T> {
  readonly listener: Listener<T>;
}

/**
 * A typed, synchronous event bus. `Events` maps each event's name (past tense) to its payload. Listeners run in
 * subscription order. An error in one listener is logged and does not affect the others.
 */
export class EventBus<Events extends object> {
  /** Lists are replaced, never changed, so that `emit` needs no copy. */
  readonly #listeners = new Map<keyof Events, readonly Entry<never>[]>();
  readonly #logger: Logger | undefined;

  constructor(logger?: Logger) {
    this.#logger = logger;
  }

  /** @returns the function that ends this subscription. */
  on<K extends keyof Events>(name: K, listener: Listener<Events[K]>): () => void {
    // An entry of its own lets the same function subscribe twice and end each subscription alone.
    const entry: Entry<Events[K]> = { listener };
    this.#listeners.set(name, [...(this.#listeners.get(name) ?? []), entry]);
    return () => {
      const left = (this.#listeners.get(name) ?? []).filter((one) => one !== entry);
      if (left.length > 0) this.#listeners.set(name, left);
      else this.#listeners.delete(name);
    };
  }

  /** Whether there are listeners: callers can skip events that are expensive to build. */
  hasListener(name: keyof Events): boolean {
    return this.#listeners.has(name);
  }

  emit<K extends keyof Events>(name: K, event: Events[K]): void {
    const listeners = this.#listeners.get(name);
    if (!listeners) return;
    for (const { listener } of listeners) {
      try {
        (listener as Listener<Events[K]>)(event);
      } catch (error) {
        this.#logger?.error({ event: String(name), error: messageOf(error) }, 'An event listener failed');
      }
    }
  }
}
