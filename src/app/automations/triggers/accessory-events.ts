/**
 * What accessories do, by accessory: an event of the home finds the few triggers that watch its accessory with one look-up, however
 * many thousand others there are. One subscription of each kind to the bus while anybody listens, none otherwise.
 */
import type { HomeEvents } from '../../../home/events.ts';
import { messageOf } from '../../../kernel/errors.ts';
import type { EventBus } from '../../../kernel/event-bus.ts';
import { type Logger, silentLogger } from '../../../kernel/logger.ts';

export interface AccessoryListener {
  changed?(event: HomeEvents['state.changed']): void;
  pressed?(event: HomeEvents['button.pressed']): void;
  reachabilityChanged?(event: HomeEvents['accessory.reachability_changed']): void;
}

interface Entry {
  readonly listener: AccessoryListener;
  isOver: boolean;
}

export class AccessoryEvents {
  readonly #bus: EventBus<HomeEvents>;
  readonly #logger: Logger;
  /** Lists are replaced, never changed, so that an event goes through one without a copy of its own. */
  readonly #entries = new Map<string, readonly Entry[]>();
  #subscriptions: (() => void)[] = [];

  constructor(parts: { bus: EventBus<HomeEvents>; logger?: Logger }) {
    this.#bus = parts.bus;
    this.#logger = parts.logger ?? silentLogger;
  }

  /** Listeners are called in the order in which they came. @returns the function that ends it */
  on(accessoryId: string, listener: AccessoryListener): () => void {
    const id = accessoryId.toLowerCase();
    const entry: Entry = { listener, isOver: false };
    this.#entries.set(id, [...(this.#entries.get(id) ?? []), entry]);
    if (this.#subscriptions.length === 0) this.#subscriptions = this.#subscribe();
    return () => {
      if (entry.isOver) return;
      entry.isOver = true;
      const left = (this.#entries.get(id) ?? []).filter((one) => one !== entry);
      if (left.length > 0) this.#entries.set(id, left);
      else this.#entries.delete(id);
      if (this.#entries.size === 0) for (const end of this.#subscriptions.splice(0)) end();
    };
  }

  #subscribe(): (() => void)[] {
    return [
      this.#bus.on('state.changed', (event) => this.#tell('changed', event)),
      this.#bus.on('button.pressed', (event) => this.#tell('pressed', event)),
      this.#bus.on('accessory.reachability_changed', (event) => this.#tell('reachabilityChanged', event)),
    ];
  }

  #tell<K extends keyof AccessoryListener>(what: K, event: Parameters<Required<AccessoryListener>[K]>[0]): void {
    const entries = this.#entries.get(event.accessoryId);
    if (!entries) return;
    for (const { listener, isOver } of entries) {
      // What came before it in this very list may have ended it.
      if (isOver) continue;
      try {
        (listener[what] as ((event: unknown) => void) | undefined)?.call(listener, event);
      } catch (error) {
        this.#logger.error(
          { accessory: event.accessoryId, error: messageOf(error) },
          'A trigger could not take an event',
        );
      }
    }
  }
}
