import { shorten } from '../../../home/vocabulary/values.ts';
import type { Json } from '../../../kernel/json.ts';
import { fieldOf, isObject } from '../expressions/values.ts';
import { optional } from '../parsing/field.ts';
import { automationId, notificationTag, text } from '../parsing/field-kinds.ts';
import { triggerKind } from './trigger-kind.ts';

/** The event of a button that was pressed, with `{notificationId, buttonId, buttonTitle, automationId, tag, by}`. */
export const NOTIFICATION_ACTION = 'notification_action';

/** A person pressed a button of a notification. What is left out may be any. */
export const notificationAction = triggerKind({
  type: NOTIFICATION_ACTION,
  fields: {
    buttonId: optional(text('The button, by its id.')),
    tag: optional(notificationTag('Only of notifications with this tag.')),
    automationId: optional(automationId('Only of notifications of this automation.', false)),
  },
  summarize: ({ buttonId }) =>
    buttonId === undefined
      ? 'When a button of a notification is pressed'
      : `When the button ${shorten(buttonId)} of a notification is pressed`,
  watch(wanted, { homeId, triggerDeps, fire }) {
    return triggerDeps.events.on(homeId, NOTIFICATION_ACTION, ({ eventType, eventData, cause }) => {
      const isMeant = (['buttonId', 'tag', 'automationId'] as const).every(
        (name) => wanted[name] === undefined || dataAt(eventData, name) === wanted[name],
      );
      if (isMeant) fire({ event_type: eventType, event_data: eventData }, { cause });
    });
  },
});

function dataAt(data: Json, name: string): unknown {
  return isObject(data) ? fieldOf(data, name) : undefined;
}
