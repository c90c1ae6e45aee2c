/** Triggers and actions of native automations as GraphQL types. */
import type { ShownAction, ShownCondition, ShownEvent, ShownTrigger } from '../present/automation.ts';
import { builder } from './builder.ts';

const AutomationEvent = builder.objectRef<ShownEvent>('AutomationEvent').implement({
  description: 'One thing that triggers an automation, or ends it.',
  fields: (t) => ({
    type: t.exposeString('type', {
      nullable: false,
      description:
        '`characteristic`, `significantTime`, `calendar`, `location`, `presence`; among end events also `duration`.',
    }),
    accessoryId: t.exposeString('accessoryId', { description: 'The accessory whose characteristic it is.' }),
    accessoryName: t.exposeString('accessoryName', { description: 'Its name.' }),
    characteristicType: t.exposeString('characteristicType', {
      description: 'In snake_case, `power_state_2` for the second of an accessory.',
    }),
    triggerValue: t.string({
      description: 'The value that it must come to, JSON-encoded; null for any change.',
      resolve: ({ triggerValue }) => encode(triggerValue),
    }),
    thresholdMin: t.exposeFloat('thresholdMin', {
      description: 'Instead of a value: it must come to this or more, from less.',
    }),
    thresholdMax: t.exposeFloat('thresholdMax', {
      description: 'Instead of a value: it must come to this or less, from more.',
    }),
    significantEvent: t.exposeString('significantEvent', { description: '`sunrise` or `sunset`.' }),
    offsetMinutes: t.exposeInt('offsetMinutes', { description: 'Minutes after it; negative: before.' }),
    calendarComponents: t.string({
      description: 'The parts of a date that a moment must have, JSON-encoded: `{"hour":7,"minute":30,"weekday":2}`.',
      resolve: ({ calendarComponents }) => encode(calendarComponents),
    }),
    durationSeconds: t.exposeFloat('durationSeconds', {
      description: 'How long after its last start, in seconds. Among end events only.',
    }),
    latitude: t.exposeFloat('latitude', { description: 'Degrees, north positive.' }),
    longitude: t.exposeFloat('longitude', { description: 'Degrees, east positive.' }),
    radius: t.exposeFloat('radius', { description: 'Metres.' }),
    notifyOnEntry: t.exposeBoolean('notifyOnEntry', { description: 'When a person enters the circle.' }),
    notifyOnExit: t.exposeBoolean('notifyOnExit', { description: 'When a person leaves it.' }),
    presenceType: t.exposeString('presenceType', {
      description: 'Whose: `currentUser`, `allUsers` or `customUsers`, who are in `personIds`.',
    }),
    presenceEvent: t.exposeString('presenceEvent', {
      description: '`atHome`, `notAtHome`, `firstArrival` or `lastDeparture`.',
    }),
    personIds: t.exposeStringList('personIds', { description: 'The people that count.' }),
  }),
});

const AutomationCondition = builder.objectRef<ShownCondition>('AutomationCondition').implement({
  description: 'What must hold when an automation is triggered.',
  fields: (t) => ({
    type: t.exposeString('type', {
      nullable: false,
      description: '`characteristic`, `time`, `significantEvent` or `presence`.',
    }),
    accessoryId: t.exposeString('accessoryId', { description: 'The accessory whose characteristic it is.' }),
    accessoryName: t.exposeString('accessoryName', { description: 'Its name.' }),
    characteristicType: t.exposeString('characteristicType', { description: 'In snake_case.' }),
    operator: t.exposeString('operator', {
      description: '`equalTo`, `notEqualTo`, `lessThan`, `greaterThan`, `lessThanOrEqualTo` or `greaterThanOrEqualTo`.',
    }),
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
    afterEvent: t.exposeString('afterEvent', { description: '`sunrise` or `sunset`: from it on.' }),
    beforeEvent: t.exposeString('beforeEvent', { description: '`sunrise` or `sunset`: until before it.' }),
    presenceType: t.exposeString('presenceType', { description: 'Whose presence, as for events.' }),
    presenceEvent: t.exposeString('presenceEvent', {
      description:
        '`atHome`: at least one person is at home; `notAtHome`: no one is. Only the people of `personIds`, if there are any.',
    }),
    personIds: t.exposeStringList('personIds', { description: 'The people that count.' }),
    predicateFormat: t.string({
      description: 'Always null: predicates of the home platform are not understood.',
      resolve: () => null,
    }),
  }),
});

export const AutomationTrigger = builder.objectRef<ShownTrigger>('AutomationTrigger').implement({
  description: 'When an automation acts.',
  fields: (t) => ({
    type: t.exposeString('type', { nullable: false, description: '`timer` or `event`.' }),
    fireDate: t.exposeString('fireDate', { description: 'When a timer fires first, ISO 8601.' }),
    recurrence: t.string({
      description:
        'When a timer fires again, JSON-encoded: `{"day":1}` is every day, `{"weekday":2}` every Monday; null for once.',
      resolve: ({ recurrence }) => encode(recurrence),
    }),
    timeZone: t.exposeString('timeZone', {
      description: 'IANA time zone by whose clocks a timer recurs; null for the home’s.',
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
    executeOnce: t.exposeBoolean('executeOnce', { description: 'Whether it is disabled once it has acted.' }),
    activationState: t.exposeString('activationState', {
      description:
        '`enabled`, `disabled`, or `disabledNoLocation` while it needs the location of the home, which is not set.',
    }),
  }),
});

export const AutomationAction = builder.objectRef<ShownAction>('AutomationAction').implement({
  description: 'What an automation does to one characteristic.',
  fields: (t) => ({
    accessoryId: t.exposeString('accessoryId', { nullable: false, description: 'The accessory.' }),
    accessoryName: t.exposeString('accessoryName', { nullable: false, description: 'Its name.' }),
    characteristicType: t.exposeString('characteristicType', {
      nullable: false,
      description: 'In snake_case, `power_state_2` for the second of an accessory.',
    }),
    targetValue: t.string({
      description: 'The value that it gets, JSON-encoded.',
      resolve: ({ targetValue }) => encode(targetValue),
    }),
  }),
});

/** A JSON string; `null` and `undefined` become `null`. */
export function encode(value: unknown): string | null {
  return value === undefined || value === null ? null : JSON.stringify(value);
}
