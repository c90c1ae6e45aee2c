import { messageOf } from './errors.ts';
import type { Logger } from './logger.ts';

type Listener<T> = (event: T) => void;

const NONE: readonly Listener<never>[] = [];

/**
 * A typed, synchronous event bus. `Events` maps each event's name (past tense) to its payload. Listeners run in
 * subscription order. An error in one listener is logged and does not affect the others.
 */
export class EventBus<Events extends object> {
  /** Replaced and never changed: an event reaches those who listen when it begins. */
  readonly #listeners = new Map<keyof Events, readonly Listener<never>[]>();
  readonly #logger: Logger | undefined;

  constructor(logger?: Logger) {
    this.#logger = logger;
  }

  /** @returns the function that ends this subscription. */
  on<K extends keyof Events>(name: K, listener: Listener<Events[K]>): () => void {
    // A separate wrapper lets the same function subscribe twice and end each subscription alone.
    const entry: Listener<Events[K]> = (event) => listener(event);
    this.#listeners.set(name, [...this.#of(name), entry]);
    return () => {
      this.#listeners.set(
        name,
        this.#of(name).filter((one) => one !== entry),
      );
    };
  }

  /** Whether there are listeners: callers can skip events that are expensive to build. */
  hasListener(name: keyof Events): boolean {
    return this.#of(name).length > 0;
  }

  emit<K extends keyof Events>(name: K, event: Events[K]): void {
    for (const listener of this.#of(name)) {
      try {
        (listener as Listener<Events[K]>)(event);
      } catch (error) {
        this.#logger?.error({ event: String(name), error: messageOf(error) }, 'An event listener failed');
      }
    }
  }

  #of(name: keyof Events): readonly Listener<never>[] {
    return this.#listeners.get(name) ?? NONE;
  }
}
