import { oneOf } from '../parsing/field-kinds.ts';
import { triggerKind } from './trigger-kind.ts';

const SYSTEM_EVENTS = ['relay_connected', 'relay_disconnected', 'automation_reloaded'] as const;
export type SystemEvent = (typeof SYSTEM_EVENTS)[number];

const WORDS: Readonly<Record<SystemEvent, string>> = {
  relay_connected: 'When the home connects to its accessories',
  relay_disconnected: 'When the home is cut off from its accessories',
  automation_reloaded: 'When an automation of the home was saved',
};

/** The event type of a system event. */
export function systemEvent(event: SystemEvent): string {
  return `system.${event}`;
}

export const system = triggerKind({
  type: 'system',
  fields: { event: oneOf(SYSTEM_EVENTS, 'What happened to the relay.') },
  summarize: ({ event }) => WORDS[event],
  watch({ event }, { homeId, triggerDeps, fire }) {
    return triggerDeps.events.on(homeId, systemEvent(event), ({ eventType, eventData, cause }) => {
      fire({ event_type: eventType, event_data: eventData }, { cause });
    });
  },
});
