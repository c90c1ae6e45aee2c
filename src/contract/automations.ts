/**
 * Native automations (API §2.4): a trigger and the values that it sets. In GraphQL some of this is JSON in texts. The
 * operation parses triggers and actions: its errors name the position.
 */
import { z } from 'zod';
import type { CharacteristicValue } from '../home/model.ts';
import { anyObject, anyValue, flag, id, integer, number, success, text, time, word } from './fields.ts';
import type { Output } from './parse.ts';

export const SIGNIFICANT_EVENTS = ['sunrise', 'sunset'] as const;
export const PRESENCE_TYPES = ['currentUser', 'allUsers', 'customUsers'] as const;
/** For any person, or for the first arrival and the last departure (wire-facts §6.1). */
export const PRESENCE_EVENTS = ['atHome', 'notAtHome', 'firstArrival', 'lastDeparture'] as const;
export const CONDITION_OPERATORS = [
  'equalTo',
  'notEqualTo',
  'lessThan',
  'greaterThan',
  'lessThanOrEqualTo',
  'greaterThanOrEqualTo',
] as const;

const WHICH = 'Which of the other fields there are.';
const NAME = text('Ends with a letter or a number; others may have the same.', 'Hall Light');

/** Parts of a date in the Gregorian calendar, of native automations and of flows. */
export const DateComponents = z
  .object({
    year: z.int(),
    month: integer('1 to 12; of a recurrence: so many months.'),
    day: integer('1 to 31; of a recurrence: so many days.'),
    weekday: integer('1 = Sunday … 7 = Saturday.'),
    hour: z.int(),
    minute: z.int(),
    second: z.int(),
  })
  .partial()
  .meta({ id: 'DateComponents' });
export type DateComponents = Output<typeof DateComponents>;

const PLACE = {
  accessoryId: id('Of a characteristic: the accessory that has it.'),
  accessoryName: text('What it is called.', 'Hall Sensor'),
  characteristicType: text(
    'In snake_case, `power_state_2` for the second of an accessory; on input in any spelling.',
    'motion_detected',
  ),
};
const WHO = {
  presenceType: word(PRESENCE_TYPES, 'That of all people, or of those in `personIds`.'),
  personIds: z.array(id()).describe('The people that count.'),
};

export const AutomationEvent = z
  .object({
    ...PLACE,
    triggerValue: anyValue<CharacteristicValue>('The value that it must come to; any change if left out.', true),
    thresholdMin: number('Instead of a value: it must come to this or more, from less.'),
    thresholdMax: number('Instead of a value: it must come to this or less, from more.'),
    significantEvent: word(SIGNIFICANT_EVENTS),
    offsetMinutes: integer('Minutes after it; negative: before.'),
    calendarComponents: DateComponents,
    durationSeconds: number('Of end events: this long after its last start.'),
    latitude: number('Degrees, north positive.'),
    longitude: number('Degrees, east positive.'),
    radius: number('Metres.'),
    notifyOnEntry: flag('When a person enters the circle.'),
    notifyOnExit: flag('When a person leaves it.'),
    ...WHO,
    presenceEvent: word(PRESENCE_EVENTS),
  })
  .partial()
  .extend({
    type: word(['characteristic', 'significantTime', 'calendar', 'duration', 'location', 'presence'], WHICH),
  })
  .meta({ id: 'AutomationEvent' });
export type AutomationEvent = Output<typeof AutomationEvent>;

export const AutomationCondition = z
  .object({
    ...PLACE,
    operator: word(CONDITION_OPERATORS, '`equalTo` if left out.'),
    value: anyValue<CharacteristicValue>('What it is compared with.', true),
    afterTime: DateComponents,
    beforeTime: DateComponents,
    afterEvent: word(SIGNIFICANT_EVENTS, 'From it on.'),
    beforeEvent: word(SIGNIFICANT_EVENTS, 'Until before it.'),
    ...WHO,
    presenceEvent: word(['atHome', 'notAtHome'], 'At least one person is at home, or no one is.'),
  })
  .partial()
  .extend({ type: word(['characteristic', 'time', 'significantEvent', 'presence'], WHICH) })
  .meta({ id: 'AutomationCondition' });
export type AutomationCondition = Output<typeof AutomationCondition>;

const TRIGGER = z
  .object({
    fireDate: time('Of a timer: when it fires first.'),
    recurrence: DateComponents.nullable(),
    timeZone: text('Of a timer: the IANA time zone by whose clocks it recurs; `null` for the home’s.').nullable(),
    events: z.array(AutomationEvent).describe('Any of them triggers it.'),
    endEvents: z.array(AutomationEvent).describe('Any of them puts back what the actions had changed.'),
    conditions: z.array(AutomationCondition).describe('All of them must hold when it is triggered.'),
    recurrences: z.array(DateComponents).describe('The weekdays on which it acts; every day if empty.'),
    executeOnce: flag('Whether it is disabled once it has acted.'),
  })
  .partial();
export const TRIGGER_TYPES = ['timer', 'event'] as const;
export const RECURRENCE_TYPES = ['daily', 'weekly', 'once'] as const;
const TRIGGER_TYPE = { type: word(TRIGGER_TYPES, WHICH) };

export const AutomationTrigger = TRIGGER.required({ executeOnce: true })
  .extend({
    ...TRIGGER_TYPE,
    activationState: word(
      ['enabled', 'disabled', 'disabledNoLocation'],
      '`disabledNoLocation` while it needs the location of the home, which is not set.',
    ),
  })
  .meta({ id: 'AutomationTrigger' });
export type AutomationTrigger = Output<typeof AutomationTrigger>;

export const NewAutomationTrigger = TRIGGER.extend({
  hour: integer('Of a timer, instead of `fireDate`: the next time that clocks show this hour and minute.'),
  minute: z.int(),
  recurrenceType: word(RECURRENCE_TYPES, 'Of a timer, instead of `recurrence`.'),
  activationState: text('As it was shown; ignored.'),
})
  .partial()
  .extend(TRIGGER_TYPE)
  .meta({ id: 'NewAutomationTrigger' });

export const AutomationAction = z
  .object({
    accessoryId: id('The accessory.'),
    accessoryName: text('Its name.', 'Hall Light'),
    characteristicType: text('In snake_case, `power_state_2` for the second of an accessory.', 'power_state'),
    targetValue: anyValue<CharacteristicValue>('The value to set.', true),
  })
  .meta({ id: 'AutomationAction' });
export type AutomationAction = Output<typeof AutomationAction>;

export const NewAutomationActions = z
  .array(
    z
      .object({
        accessoryId: id('An accessory of the same home.'),
        characteristicType: text('`power_state`; other spellings and simple properties are understood too.'),
        targetValue: anyValue('The value to set; within the range of the characteristic.'),
        serviceId: text(
          'Which of several services that have the characteristic; the plain one if left out.',
        ).optional(),
        accessoryName: text('As it was shown; ignored.').optional(),
      })
      .meta({ id: 'NewAutomationAction' }),
  )
  .describe('At least one. They are kept as a scene of the automation’s own.');

const FIELDS = {
  name: NAME,
  trigger: anyObject('When it acts.'),
  actions: z.array(z.unknown()).describe('What it does; at least one.'),
};
export const NewAutomation = z.strictObject({ homeId: text('The home it is for.'), ...FIELDS });
export const AutomationChanges = z.strictObject({ ...FIELDS, enabled: flag('Whether it acts.') }).partial();

export const Automation = z
  .object({
    id: id('It stays when the trigger changes.'),
    name: NAME,
    homeId: id('The home that it is in.'),
    isEnabled: flag('Whether its triggers start it.', true),
    trigger: AutomationTrigger,
    actions: z.array(AutomationAction),
    sceneId: id('The scene that holds its actions. It is in no list of scenes, and goes with the automation.'),
    lastFireDate: time('When it acted last.').nullable(),
  })
  .meta({ id: 'Automation' });
export type Automation = Output<typeof Automation>;

export const DeletedAutomation = success({ automationId: id() });
