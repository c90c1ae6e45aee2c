import { shorten } from '../../../home/vocabulary/values.ts';
import type { ActionKind } from './action-kind.ts';

/** Tells the home's automations of an event. They get the run's cause with it, so that a circle of events is seen and ended. */
export const fireEvent: ActionKind<'fire_event'> = {
  type: 'fire_event',
  // The runs that it begins are stored with the note that it has happened: a kill loses neither.
  effect: 'atomic',
  summarize: ({ eventType }) => `Fire event ${shorten(eventType)}`,
  execute({ eventType, eventData: template }, run) {
    const eventData = run.render(template ?? {});
    run.ports.events.emit({ homeId: run.program.homeId, eventType, eventData, cause: run.cause });
    return { eventType, eventData };
  },
};
