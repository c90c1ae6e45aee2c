import { shorten } from '../../../home/vocabulary/values.ts';
import { optional } from '../parsing/field.ts';
import { eventType } from '../parsing/field-kinds.ts';
import { actionKind } from './action-kind.ts';
import { templates } from './fields.ts';

/**
 * Publishes an event to the home's automations. The event carries the run's cause, so that a loop of events is
 * detected and stopped.
 */
export const fireEvent = actionKind({
  type: 'fire_event',
  fields: {
    eventType: eventType('Triggers of the type `event` name it.'),
    eventData: optional(templates('Its data.')),
  },
  // The runs that the event starts are stored in the same transaction as its record: a kill loses neither.
  effect: 'atomic',
  summarize: (action) => `Fire event ${shorten(action.eventType)}`,
  execute(action, run) {
    const { eventType } = action;
    const eventData = run.render(action.eventData ?? {});
    run.ports.events.emit({ homeId: run.program.homeId, eventType, eventData, cause: run.cause });
    return { eventType, eventData };
  },
});
