/** Virtual accessories (API §2.3, wire-facts §7): their input, and what they add to an accessory. */
import { z } from 'zod';
import { type CharacteristicValue, VIRTUAL_TYPES } from '../home/model.ts';
import { VIRTUAL_OPERATIONS } from '../home/virtual-driver.ts';
import { anyObject, anyValue, flag, id, name, number, success, text, time } from './fields.ts';
import type { Output } from './parse.ts';

const oneOf = <const Words extends readonly string[]>(words: Words, description: string) =>
  z.enum(words).describe(description);
const CONTROLS = ['stepper', 'field'] as const;

/** The fields of every kind. The driver checks which of them a kind accepts, and their values. */
export const KIND_FIELDS = {
  icon: text()
    .nullable()
    .describe(
      'For clients to show. The dashboard shows a name in Lucide (`lamp-desk`), unless `icon` of the accessory is set.',
    ),
  controllable: flag('`false`: people only read it, automations may still write.'),
  initial: anyValue('counter: where it starts and what `reset` goes back to.'),
  initialValue: anyValue('All but counter and timer: what it starts with.'),
  options: z.array(z.string()).describe('input_select: two or more, no two alike.'),
  min: number().nullable().describe('counter, input_number.'),
  max: number().nullable().describe('counter, input_number.'),
  step: number('counter, input_number: what `increment` adds.'),
  unit: text().nullable().describe('input_number.'),
  control: text().meta({
    description: 'input_number: how clients should let people change it.',
    enum: CONTROLS,
  }),
  duration: z
    .union([
      z.number(),
      z.string(),
      z.strictObject({ hours: number().optional(), minutes: number().optional(), seconds: number().optional() }),
    ])
    .describe('timer: seconds, a text such as `90s` or `1:30:00`, or hours, minutes and seconds.'),
  durationMs: number('timer: the same in milliseconds.'),
  restoreOnRestart: flag('timer: kept for clients; timers always survive a restart.'),
  minLength: number('input_text.'),
  maxLength: number('input_text.'),
  pattern: text().nullable().describe('input_text: a regular expression that the whole text must match.'),
  hasDate: flag('input_datetime.'),
  hasTime: flag('input_datetime.'),
};

const NAME = name('Accessory name', { description: 'Unique in its room, ignoring case.' });
const FIELDS = {
  roomId: text('The room it is in; `null` is the default one.').nullish(),
  ...z.strictObject(KIND_FIELDS).partial().shape,
};

export const NewVirtualAccessory = z.strictObject({
  homeId: text('The home it is in.'),
  name: NAME,
  type: text(`One of ${VIRTUAL_TYPES.map((type) => `\`${type}\``).join(', ')}.`),
  ...FIELDS,
});

export const VirtualAccessoryChanges = z.strictObject({
  name: NAME.optional(),
  type: text('Its kind, which can’t change.').optional(),
  ...FIELDS,
});

/** The driver checks the operation: which there are depends on the kind. */
export const VirtualOperationRequest = z.strictObject({
  operation: text().meta({ enum: VIRTUAL_OPERATIONS }),
  value: anyValue(
    '`set`: the value. `increment`, `decrement`: by how much. `start`: how long, in seconds or as `90s`, `1:30:00`.',
  ).optional(),
});

/** A timer's state. */
export const TIMER_FIELDS = {
  virtualTimerState: oneOf(['idle', 'active', 'paused'], 'A timer’s state.'),
  virtualDurationMs: number(
    'How long this run takes in all; while idle, how long the next one would. In milliseconds.',
  ),
  virtualStartedAt: time('When it was started.').nullable(),
  virtualEndsAt: time('When it will end; null unless it runs.').nullable(),
  virtualRemainingMs: number('What is left, in milliseconds; null while it is idle.').nullable(),
  virtualFinishedAt: time('When it ended last.').nullable(),
};
const TimerFields = z.object(TIMER_FIELDS);
export type TimerFields = Output<typeof TimerFields>;

/** What every virtual accessory has beyond other accessories, and what some kinds have. */
export const VIRTUAL_FIELDS = {
  isVirtual: z.literal(true).describe('It has no device: it is kept by the relay.'),
  virtualType: oneOf(VIRTUAL_TYPES, 'What it was made as.'),
  isUserEditable: flag('Whether people may change its value; if not, automations still may.'),
  virtualIcon: text('How it is drawn, as its maker chose.').nullable(),
  virtualOperations: z.array(z.string()).describe('What can be done with it beside plain writing.'),
  virtualConfig: anyObject('How it was set up, by the fields of its kind.'),
};
const KINDS_ONLY = z
  .object({
    virtualOptions: z.array(z.string()).describe('input_select: its options.'),
    virtualHasDate: flag('input_datetime: whether its value has a date.'),
    virtualHasTime: flag('input_datetime: whether its value has a time of day.'),
    virtualControl: oneOf(CONTROLS, 'input_number: how its value is set.'),
    ...TIMER_FIELDS,
  })
  .partial();

export const VirtualFields = z.object({ ...VIRTUAL_FIELDS, ...KINDS_ONLY.shape });
export type VirtualFields = Output<typeof VirtualFields>;

export const DeletedVirtualAccessory = success({ accessoryId: id() });

/** Of a timer with its state. */
export const OperatedVirtualAccessory = success({
  accessoryId: id(),
  value: anyValue<CharacteristicValue>('Its value.', 'Away'),
  ...TimerFields.partial().shape,
});
export type OperatedVirtualAccessory = Output<typeof OperatedVirtualAccessory>;
