/**
 * Events that only automations receive: events fired by flows, incoming webhooks, and the home's system events
 * (`system-events.ts`). Synchronous, like the home's event bus. Listeners are indexed by home and type.
 */
import { messageOf } from '../../kernel/errors.ts';
import type { Json } from '../../kernel/json.ts';
import { type Logger, silentLogger } from '../../kernel/logger.ts';
import type { Cause } from './scope.ts';

export interface AutomationsEvent {
  readonly homeId: string;
  /**
   * `automation.error`, `timer.finished`, `system.relay_connected`, `webhook.<id>`, `notification_action`, or an event
   * that a flow fires.
   */
  readonly eventType: string;
  readonly eventData: Json;
  readonly cause: Cause;
}

interface Entry {
  readonly listener: (event: AutomationsEvent) => void;
  isOver: boolean;
}

export class AutomationEvents {
  readonly #logger: Logger;
  /** home → event type → listeners. */
  readonly #homes = new Map<string, Map<string, Set<Entry>>>();

  constructor(logger: Logger = silentLogger) {
    this.#logger = logger;
  }

  /**
   * Logs an error that a listener throws, and continues with the others. Skips a listener that was removed meanwhile.
   */
  emit(event: AutomationsEvent): void {
    const entries = this.#homes.get(event.homeId)?.get(event.eventType);
    if (!entries) return;
    for (const entry of [...entries]) {
      if (entry.isOver) continue;
      try {
        entry.listener(event);
      } catch (error) {
        this.#logger.error(
          // A webhook's event carries the webhook's id, which is a secret.
          { event: event.eventType.split('.', 1)[0], error: messageOf(error) },
          'An automation failed to process an event',
        );
      }
    }
  }

  /** @returns the function that removes the listener */
  on(homeId: string, eventType: string, listener: (event: AutomationsEvent) => void): () => void {
    const types = this.#homes.get(homeId) ?? new Map<string, Set<Entry>>();
    const entries = types.get(eventType) ?? new Set<Entry>();
    this.#homes.set(homeId, types.set(eventType, entries));
    const entry = { listener, isOver: false };
    entries.add(entry);
    return () => {
      entry.isOver = true;
      entries.delete(entry);
      if (entries.size === 0 && types.get(eventType) === entries) types.delete(eventType);
      if (types.size === 0 && this.#homes.get(homeId) === types) this.#homes.delete(homeId);
    };
  }
}
