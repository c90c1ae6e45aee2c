import { shorten } from '../../../home/vocabulary/values.ts';
import { fieldOf, hasField, isList, isObject, looseEqual } from '../expressions/values.ts';
import type { Json } from '../flow.ts';
import type { TriggerKind } from './trigger-kind.ts';

/** An event of the automations' own (`../automation-events.ts`) whose data holds at least what is wanted. */
export const event: TriggerKind<'event'> = {
  type: 'event',
  summarize: ({ eventType }) => `On the event ${shorten(eventType)}`,
  watch({ eventType, eventData = {} }, { homeId, ground, fire }) {
    return ground.events.on(homeId, eventType, (happened) => {
      if (!holds(happened.eventData, eventData)) return;
      fire({ event_type: happened.eventType, event_data: happened.eventData }, { cause: happened.cause });
    });
  },
};

/** Objects may hold more than is wanted of them; lists and everything else must be equal. Goes no deeper than what is wanted. */
function holds(data: Json, wanted: Json): boolean {
  if (!isObject(wanted)) return isList(wanted) === isList(data) && looseEqual(data, wanted);
  const keys = Object.keys(wanted);
  // Events without data are taken by those that want none.
  if (keys.length === 0) return true;
  return isObject(data) && keys.every((key) => hasField(data, key) && holds(fieldOf(data, key), fieldOf(wanted, key)));
}
