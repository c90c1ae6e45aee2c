/** What happened in homes, and who did it. */
import { z } from 'zod';
import { ACTIVITY_KINDS, ACTOR_KINDS, MAX_ACTIVITY } from '../home/vocabulary/activity-words.ts';
import { id, limit, text, time, word } from './fields.ts';
import type { InMilliseconds, Input, Output } from './parse.ts';

export const ActivitySubject = z
  .object({
    type: word(['accessory', 'scene', 'automation', 'person', 'notification'], 'What it is.'),
    id: text('Its id.', '3e1f2a9c-7d54-4b86-9c0e-51a2b3c4d5e6'),
    name: text('Its name at that time.', 'Front Door'),
  })
  .meta({ id: 'ActivitySubject' });
export type ActivitySubject = Output<typeof ActivitySubject>;

export const ActivityActor = z
  .object({
    kind: word(ACTOR_KINDS, 'What it is.'),
    id: text('Its id; null where there is only one of its kind.').nullable(),
    name: text('Its name at that time; null if unknown.', 'Anna').nullable(),
  })
  .meta({ id: 'ActivityActor' });
export type ActivityActor = Output<typeof ActivityActor>;

export const ActivityEntry = z
  .object({
    id: text('For `before`. The latest change of an accessory whose home records no history has the id 0.', '4711'),
    at: time('When it happened.'),
    homeId: id('The home.'),
    kind: word(ACTIVITY_KINDS, 'What it is about.'),
    subject: ActivitySubject,
    roomId: id('The room of the accessory at that time.').nullable(),
    roomName: text('The name of that room.', 'Hall').nullable(),
    characteristic: text('Of an accessory, in snake_case.', 'lock_current_state').nullable(),
    value: text(
      'The new value as a word or a number: `on`, `unlocked`, `21.5`. Of an automation `ran` or `failed`; of a notification, the button that was pressed.',
      'unlocked',
    ).nullable(),
    actor: ActivityActor,
    runId: id(
      'The run of the automation that it is about or that caused it; null if there is none. The trace with this id has the trigger and the steps, while it is kept.',
    ).nullable(),
  })
  .meta({ id: 'ActivityEntry' });
export type ActivityReport = Output<typeof ActivityEntry>;
/** As the operation returns it. */
export type ActivityRecord = InMilliseconds<ActivityReport, 'at'>;

const FILTER = {
  homeId: text('Only of this home.').optional(),
  roomId: text('Only of accessories that were in this room.').optional(),
  accessoryId: text('Only of this accessory.').optional(),
  actorKind: word(ACTOR_KINDS, 'Only by actors of this kind.').optional(),
  actorId: text('Only by the actor with this id.').optional(),
  kind: word(ACTIVITY_KINDS, 'Only entries about this.').optional(),
};
export const ActivityFilter = z.strictObject(FILTER);
export type ActivityFilter = Input<typeof ActivityFilter>;

export const ActivityQuery = z.strictObject({
  ...FILTER,
  before: text('Only entries older than the one with this id.').optional(),
  limit: limit(MAX_ACTIVITY).default(50),
});
export type ActivityQuery = Input<typeof ActivityQuery>;
