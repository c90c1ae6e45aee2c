import type { JsonSchema } from '../../../contract/json-schema.ts';
import { AutomationChanges, NewAutomation } from '../../rest/automations.ts';
import {
  anyValue,
  arrayOf,
  flag,
  id,
  integer,
  number,
  object,
  oneOf,
  orNull,
  ref,
  success,
  text,
  time,
} from '../json-schema.ts';
import type { Resource } from '../operation.ts';
import { ACCESSORY_ID } from './accessories.ts';
import { HOME_ID } from './homes.ts';

const AUTOMATION_ID = '5d1f0c7e-2b64-4f0a-9a55-3c8b7e6d1f20';

const MOTION = {
  type: 'characteristic',
  accessoryId: ACCESSORY_ID,
  characteristicType: 'motion_detected',
  triggerValue: true,
};
const TURN_ON = { accessoryId: ACCESSORY_ID, characteristicType: 'power_state', targetValue: true };
const TRIGGER = { type: 'event', events: [MOTION], endEvents: [{ type: 'duration', durationSeconds: 300 }] };

const AUTOMATION = {
  id: AUTOMATION_ID,
  name: 'Hall Light',
  homeId: HOME_ID,
  isEnabled: true,
  trigger: {
    type: 'event',
    events: [{ ...MOTION, accessoryName: 'Hall Sensor' }],
    endEvents: [{ type: 'duration', durationSeconds: 300 }],
    conditions: [{ type: 'significantEvent', afterEvent: 'sunset' }],
    recurrences: [{ weekday: 2 }],
    executeOnce: false,
    activationState: 'enabled',
  },
  actions: [{ ...TURN_ON, accessoryName: 'Hall Light' }],
  sceneId: '1f0a3c58-7d62-4c0e-8a41-6b9f2d7e5c33',
  lastFireDate: null,
};

const NAME = 'Ends with a letter or a number; others may have the same.';
const ACTIONS = arrayOf(ref('NewAutomationAction'), 'At least one. They are kept as a scene of the automation’s own.');

/** Whose presence, in events and conditions. */
const WHO = {
  presenceType: oneOf(['currentUser', 'allUsers', 'customUsers'], 'That of all people, or of those in `personIds`.'),
  personIds: arrayOf(id(), 'The people that count.'),
};
const PLACE = {
  accessoryId: id('Of a characteristic: the accessory that has it.'),
  accessoryName: text('What it is called.'),
  characteristicType: text('In snake_case, `power_state_2` for the second of an accessory; on input in any spelling.'),
};

const EVENT = {
  ...PLACE,
  triggerValue: anyValue('The value that it must come to; any change if left out.'),
  thresholdMin: number('Instead of a value: it must come to this or more.'),
  thresholdMax: number('Instead of a value: it must come to this or less.'),
  significantEvent: oneOf(['sunrise', 'sunset']),
  offsetMinutes: integer('Minutes after it; negative: before.'),
  calendarComponents: ref('DateComponents'),
  durationSeconds: number('For end events: this long after its last start.'),
  latitude: number('Degrees, north positive.'),
  longitude: number('Degrees, east positive.'),
  radius: number('Metres.'),
  notifyOnEntry: flag('When a person enters the circle.'),
  notifyOnExit: flag('When a person leaves it.'),
  ...WHO,
  presenceEvent: oneOf(['atHome', 'notAtHome', 'firstArrival', 'lastDeparture']),
};

const CONDITION = {
  ...PLACE,
  operator: oneOf(
    ['equalTo', 'notEqualTo', 'lessThan', 'greaterThan', 'lessThanOrEqualTo', 'greaterThanOrEqualTo'],
    '`equalTo` if left out.',
  ),
  value: anyValue('What it is compared with.'),
  afterTime: ref('DateComponents'),
  beforeTime: ref('DateComponents'),
  afterEvent: oneOf(['sunrise', 'sunset']),
  beforeEvent: oneOf(['sunrise', 'sunset']),
  ...WHO,
  presenceEvent: oneOf(['atHome', 'notAtHome'], 'At least one person is at home, or no one is.'),
};

const TRIGGER_TYPE = oneOf(['timer', 'event'], 'Which of the other fields there are.');
const TRIGGER_FIELDS = {
  fireDate: time('Of a timer: when it fires first.'),
  recurrence: orNull(ref('DateComponents')),
  timeZone: orNull(text('Of a timer: the IANA time zone by whose clocks it recurs; `null` for the home’s.')),
  events: arrayOf(ref('AutomationEvent'), 'Any of them triggers it.'),
  endEvents: arrayOf(ref('AutomationEvent'), 'Any of them puts back what the actions had changed.'),
  conditions: arrayOf(ref('AutomationCondition'), 'All of them must hold when it is triggered.'),
  recurrences: arrayOf(ref('DateComponents'), 'The weekdays on which it acts; every day if empty.'),
  executeOnce: flag('Whether it is disabled once it has acted.'),
};
const TIMER_INPUT = {
  hour: integer('Of a timer, instead of `fireDate`: the next time that clocks show this hour and minute.'),
  minute: integer(),
  recurrenceType: oneOf(['daily', 'weekly', 'once'], 'Of a timer, instead of `recurrence`.'),
  activationState: text('As it was shown; not looked at.'),
};

/** All fields are optional except the type. */
function typed(type: JsonSchema, fields: Readonly<Record<string, JsonSchema>>): JsonSchema {
  return object({ type, ...fields }, Object.keys(fields));
}

const EVENT_TYPE = oneOf(
  ['characteristic', 'significantTime', 'calendar', 'duration', 'location', 'presence'],
  'Which of the other fields there are.',
);
const CONDITION_TYPE = oneOf(
  ['characteristic', 'time', 'significantEvent', 'presence'],
  'Which of the other fields there are.',
);

export const automations: Resource = {
  tag: 'Native automations',
  description:
    'The home platform’s kind of automations: a trigger and what it sets. The relay runs them itself. In GraphQL some of this is JSON in texts; here it is JSON.',
  schemas: {
    Automation: object({
      id: id('It stays when the trigger changes.'),
      name: text(NAME),
      homeId: id(),
      isEnabled: flag(),
      trigger: ref('AutomationTrigger'),
      actions: arrayOf(ref('AutomationAction')),
      sceneId: id('The scene that holds its actions. It is in no list of scenes, and goes with the automation.'),
      lastFireDate: orNull(time('When it acted last.')),
    }),
    AutomationTrigger: object(
      {
        type: TRIGGER_TYPE,
        ...TRIGGER_FIELDS,
        activationState: oneOf(
          ['enabled', 'disabled', 'disabledNoLocation'],
          '`disabledNoLocation` while it needs the location of the home, which is not set.',
        ),
      },
      Object.keys(TRIGGER_FIELDS).filter((name) => name !== 'executeOnce'),
    ),
    NewAutomationTrigger: typed(TRIGGER_TYPE, { ...TRIGGER_FIELDS, ...TIMER_INPUT }),
    AutomationEvent: typed(EVENT_TYPE, EVENT),
    AutomationCondition: typed(CONDITION_TYPE, CONDITION),
    AutomationAction: object({
      accessoryId: id(),
      accessoryName: text(),
      characteristicType: text('In snake_case, `power_state_2` for the second of an accessory.'),
      targetValue: anyValue('The value to set.'),
    }),
    NewAutomationAction: object(
      {
        accessoryId: id('An accessory of the same home.'),
        characteristicType: text('`power_state`; other spellings and simple properties are understood too.'),
        targetValue: anyValue('The value to set; within the range of the characteristic.'),
        serviceId: text('Which of several services that have the characteristic; the plain one if left out.'),
        accessoryName: text('As it was shown; not looked at.'),
      },
      ['serviceId', 'accessoryName'],
    ),
  },
  operations: [
    {
      method: 'get',
      path: '/rest/automations',
      id: 'listAutomations',
      summary: 'The native automations of a home, or of all homes',
      audience: 'token',
      query: [{ name: 'home', description: 'The id of a home; all that the token may see if left out.', schema: id() }],
      answer: { description: 'The automations, by name.', schema: arrayOf(ref('Automation')), example: [AUTOMATION] },
      errors: [400, 404],
    },
    {
      method: 'post',
      path: '/rest/automations',
      id: 'createAutomation',
      summary: 'Make a native automation',
      description: 'It is enabled from now on. If anything of it is not valid nothing is made.',
      audience: 'admin',
      body: {
        schema: NewAutomation,
        fields: { homeId: 'The home it is for.', name: NAME, trigger: ref('NewAutomationTrigger'), actions: ACTIONS },
        examples: {
          'A light with a motion sensor': { homeId: HOME_ID, name: 'Hall Light', trigger: TRIGGER, actions: [TURN_ON] },
          'Every morning': {
            homeId: HOME_ID,
            name: 'Morning',
            trigger: { type: 'timer', hour: 7, minute: 0, recurrenceType: 'daily' },
            actions: [TURN_ON],
          },
        },
      },
      answer: { description: 'The automation.', schema: ref('Automation'), example: AUTOMATION },
      errors: [404],
    },
    {
      method: 'get',
      path: '/rest/automations/:id',
      id: 'getAutomation',
      summary: 'One native automation',
      audience: 'view',
      answer: { description: 'The automation.', schema: ref('Automation'), example: AUTOMATION },
    },
    {
      method: 'patch',
      path: '/rest/automations/:id',
      id: 'updateAutomation',
      summary: 'Change a native automation',
      description: 'What is given is changed, all of it or nothing. Its trigger can be sent back as it is shown.',
      audience: 'admin',
      body: {
        schema: AutomationChanges,
        fields: { name: NAME, trigger: ref('NewAutomationTrigger'), actions: ACTIONS, enabled: 'Whether it acts.' },
        examples: { 'Disable it': { enabled: false }, 'Replace its actions': { actions: [TURN_ON] } },
      },
      answer: { description: 'The automation as it is now.', schema: ref('Automation'), example: AUTOMATION },
    },
    {
      method: 'delete',
      path: '/rest/automations/:id',
      id: 'deleteAutomation',
      summary: 'Delete a native automation',
      description: 'With the scene of its own; what it has set stays.',
      audience: 'admin',
      answer: {
        description: 'It is gone.',
        schema: success({ automationId: id() }),
        example: { success: true, automationId: AUTOMATION_ID },
      },
    },
  ],
};
