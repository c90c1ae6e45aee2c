import { shorten } from '../../../home/vocabulary/values.ts';
import type { Json } from '../../../kernel/json.ts';
import { fieldOf, hasField, isList, isObject, looseEqual } from '../expressions/values.ts';
import type { TriggerKind } from './trigger-kind.ts';

/** An event of the automations (`../automation-events.ts`) whose data contains at least the required data. */
export const event: TriggerKind<'event'> = {
  type: 'event',
  summarize: ({ eventType }) => `On the event ${shorten(eventType)}`,
  watch({ eventType, eventData = {} }, { homeId, triggerDeps, fire }) {
    return triggerDeps.events.on(homeId, eventType, (happened) => {
      if (!holds(happened.eventData, eventData)) return;
      fire({ event_type: happened.eventType, event_data: happened.eventData }, { cause: happened.cause });
    });
  },
};

/**
 * Objects may have more fields than required; lists and all other values must be equal. Visits no deeper levels than
 * the required data.
 */
function holds(data: Json, wanted: Json): boolean {
  if (!isObject(wanted)) return isList(wanted) === isList(data) && looseEqual(data, wanted);
  const keys = Object.keys(wanted);
  // An event without data matches if no data is required.
  if (keys.length === 0) return true;
  return isObject(data) && keys.every((key) => hasField(data, key) && holds(fieldOf(data, key), fieldOf(wanted, key)));
}
