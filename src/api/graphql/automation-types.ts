/** Triggers and actions of native automations as GraphQL types. Their fields that are no scalars are JSON in texts. */
import * as contract from '../../contract/automations.ts';
import { builder } from './builder.ts';
import { fieldsOf } from './contract-fields.ts';

const AutomationEvent = builder.objectRef<contract.AutomationEvent>('AutomationEvent').implement({
  description: 'One thing that triggers an automation, or ends it.',
  fields: (t) => ({
    ...fieldsOf(t, contract.AutomationEvent),
    triggerValue: t.string({
      description: 'The value that it must come to, JSON-encoded; null for any change.',
      resolve: ({ triggerValue }) => encode(triggerValue),
    }),
    calendarComponents: t.string({
      description: 'The parts of a date that a moment must have, JSON-encoded: `{"hour":7,"minute":30,"weekday":2}`.',
      resolve: ({ calendarComponents }) => encode(calendarComponents),
    }),
  }),
});

const AutomationCondition = builder.objectRef<contract.AutomationCondition>('AutomationCondition').implement({
  description: 'What must hold when an automation is triggered.',
  fields: (t) => ({
    ...fieldsOf(t, contract.AutomationCondition),
    value: t.string({
      description: 'What it is compared with, JSON-encoded.',
      resolve: ({ value }) => encode(value),
    }),
    afterTime: t.string({
      description: 'From this time of day on, JSON-encoded: `{"hour":22,"minute":0}`.',
      resolve: ({ afterTime }) => encode(afterTime),
    }),
    beforeTime: t.string({
      description: 'Until before this time of day, JSON-encoded; the next day’s if it is the earlier one.',
      resolve: ({ beforeTime }) => encode(beforeTime),
    }),
    predicateFormat: t.string({
      description: 'Always null: predicates of the home platform are not understood.',
      resolve: () => null,
    }),
  }),
});

export const AutomationTrigger = builder.objectRef<contract.AutomationTrigger>('AutomationTrigger').implement({
  description: 'When an automation acts.',
  fields: (t) => ({
    ...fieldsOf(t, contract.AutomationTrigger, ['executeOnce', 'activationState']),
    recurrence: t.string({
      description:
        'When a timer fires again, JSON-encoded: `{"day":1}` is every day, `{"weekday":2}` every Monday; null for once.',
      resolve: ({ recurrence }) => encode(recurrence),
    }),
    events: t.field({
      type: [AutomationEvent],
      description: 'Any of them triggers it.',
      resolve: ({ events }) => events ?? null,
    }),
    endEvents: t.field({
      type: [AutomationEvent],
      description: 'Any of them puts back what the actions had changed.',
      resolve: ({ endEvents }) => endEvents ?? null,
    }),
    conditions: t.field({
      type: [AutomationCondition],
      description: 'All of them must hold when it is triggered.',
      resolve: ({ conditions }) => conditions ?? null,
    }),
    recurrences: t.string({
      description:
        'The days on which it acts, a JSON-encoded list: `[{"weekday":2}]`, 1 = Sunday … 7 = Saturday; empty for every day.',
      resolve: ({ recurrences }) => encode(recurrences),
    }),
  }),
});

export const AutomationAction = builder.objectRef<contract.AutomationAction>('AutomationAction').implement({
  description: 'What an automation does to one characteristic.',
  fields: (t) => ({
    ...fieldsOf(t, contract.AutomationAction),
    targetValue: t.string({
      description: 'The value that it gets, JSON-encoded.',
      resolve: ({ targetValue }) => encode(targetValue),
    }),
  }),
});

/** A JSON string; `null` and `undefined` become `null`. */
function encode(value: unknown): string | null {
  return value === undefined || value === null ? null : JSON.stringify(value);
}
