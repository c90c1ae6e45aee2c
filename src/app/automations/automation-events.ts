import type { Json } from './flow.ts';
import type { Cause } from './program.ts';

/** An event that only automations see. */
export interface AutomationsEvent {
  readonly homeId: string;
  /** `automation.error`, `timer.finished`, `system.relay_connected`, `webhook.<id>`, `notification_action`, or what a flow fires. */
  readonly eventType: string;
  readonly eventData: Json;
  readonly cause: Cause;
}

export declare class AutomationEvents {
  emit(event: AutomationsEvent): void;
  /** @returns the function that ends it */
  on(homeId: string, eventType: string, listener: (event: AutomationsEvent) => void): () => void;
}
