/**
 * Dispatches accessory events by accessory: one look-up finds the few triggers that watch the accessory among
 * thousands. Subscribes to the bus once per event type, only while there are listeners.
 */
import type { HomeEvents } from '../../../home/events.ts';
import { messageOf } from '../../../kernel/errors.ts';
import type { EventBus } from '../../../kernel/event-bus.ts';
import { type Logger, silentLogger } from '../../../kernel/logger.ts';

export interface AccessoryListener {
  changed?(event: HomeEvents['state.changed']): void;
  pressed?(event: HomeEvents['button.pressed']): void;
  /**
   * Reachability changed, or is known for the first time since the start: listeners compare it with the stored value.
   */
  reachabilityChanged?(event: HomeEvents['accessory.reachability_changed']): void;
}

interface Entry {
  readonly listener: AccessoryListener;
  isOver: boolean;
}

export class AccessoryEvents {
  readonly #bus: EventBus<HomeEvents>;
  readonly #logger: Logger;
  /** Lists are replaced, never mutated, so that dispatch needs no copy. */
  readonly #entries = new Map<string, readonly Entry[]>();
  #subscriptions: (() => void)[] = [];

  constructor(deps: { bus: EventBus<HomeEvents>; logger?: Logger }) {
    this.#bus = deps.bus;
    this.#logger = deps.logger ?? silentLogger;
  }

  /** Calls listeners in order of registration. @returns the function that removes the listener */
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
      this.#bus.on('state.changed', (event) => this.#notify('changed', event)),
      this.#bus.on('button.pressed', (event) => this.#notify('pressed', event)),
      this.#bus.on('accessory.reachability_changed', (event) => this.#notify('reachabilityChanged', event)),
      this.#bus.on('accessory.reachability_settled', (event) => this.#notify('reachabilityChanged', event)),
    ];
  }

  #notify<K extends keyof AccessoryListener>(what: K, event: Parameters<Required<AccessoryListener>[K]>[0]): void {
    const entries = this.#entries.get(event.accessoryId);
    if (!entries) return;
    for (const { listener, isOver } of entries) {
      // An earlier listener of this list may have removed it.
      if (isOver) continue;
      try {
        (listener[what] as ((event: unknown) => void) | undefined)?.call(listener, event);
      } catch (error) {
        this.#logger.error(
          { accessory: event.accessoryId, error: messageOf(error) },
          'A trigger failed to process an event',
        );
      }
    }
  }
}
