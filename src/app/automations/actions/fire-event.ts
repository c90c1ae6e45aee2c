import { shorten } from '../../../home/vocabulary/values.ts';
import type { ActionKind } from './action-kind.ts';

/**
 * Publishes an event to the home's automations. The event carries the run's cause, so that a loop of events is
 * detected and stopped.
 */
export const fireEvent: ActionKind<'fire_event'> = {
  type: 'fire_event',
  // The runs that the event starts are stored in the same transaction as its record: a kill loses neither.
  effect: 'atomic',
  summarize: ({ eventType }) => `Fire event ${shorten(eventType)}`,
  execute({ eventType, eventData: template }, run) {
    const eventData = run.render(template ?? {});
    run.ports.events.emit({ homeId: run.program.homeId, eventType, eventData, cause: run.cause });
    return { eventType, eventData };
  },
};
