import { shorten } from '../../../home/vocabulary/values.ts';
import type { Json } from '../../../kernel/json.ts';
import { fieldOf, hasField, isList, isObject, looseEqual } from '../expressions/values.ts';
import { optional } from '../parsing/field.ts';
import { eventType, jsonObject } from '../parsing/field-kinds.ts';
import { triggerKind } from './trigger-kind.ts';

/** An event of the automations (`../automation-events.ts`) whose data contains at least the required data. */
export const event = triggerKind({
  type: 'event',
  fields: {
    eventType: eventType('As `fire_event` names it, or `automation.error`, `timer.finished` …'),
    eventData: optional(jsonObject('What its data must hold at least.')),
  },
  summarize: (trigger) => `On the event ${shorten(trigger.eventType)}`,
  watch({ eventType: wanted, eventData = {} }, { homeId, triggerDeps, fire }) {
    return triggerDeps.events.on(homeId, wanted, (happened) => {
      if (!holds(happened.eventData, eventData)) return;
      fire({ event_type: happened.eventType, event_data: happened.eventData }, { cause: happened.cause });
    });
  },
});

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
