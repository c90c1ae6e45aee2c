/** The activity log: who did what in homes, and when. */
import {
  ActivityActor,
  ActivityEntry,
  ActivityQuery,
  type ActivityReport,
  ActivitySubject,
} from '../../contract/activity.ts';
import { presentActivity } from '../present/activity.ts';
import { given } from './arguments.ts';
import { builder, LIST } from './builder.ts';
import { argumentsOf, fieldsOf } from './contract-fields.ts';

const Subject = builder.objectRef<ActivitySubject>('ActivitySubject').implement({
  description: 'What an entry of the activity log is about.',
  fields: (t) => fieldsOf(t, ActivitySubject),
});

export const Actor = builder.objectRef<ActivityActor>('ActivityActor').implement({
  description: 'Who or what caused an entry of the activity log.',
  fields: (t) => fieldsOf(t, ActivityActor),
});

const Entry = builder.objectRef<ActivityReport>('ActivityEntry').implement({
  description: 'Something that happened in a home. Kept for 90 days.',
  fields: (t) => ({
    ...fieldsOf(t, ActivityEntry),
    subject: t.expose('subject', { type: Subject, nullable: false, description: 'What it is about.' }),
    actor: t.expose('actor', { type: Actor, nullable: false, description: 'Who or what caused it.' }),
  }),
});

builder.queryFields((t) => ({
  activity: t.field({
    type: [Entry],
    nullable: LIST,
    description:
      'Who did what in the homes that the caller may view, newest first. With `accessoryId` and a `limit` of 1: the latest change of an accessory, also where no history is recorded.',
    args: argumentsOf(t.arg, ActivityQuery),
    resolve: async (_, query, { caller, deps }) =>
      (await deps.activity.list(caller, given(query))).map(presentActivity),
  }),
  activityActors: t.field({
    type: [Actor],
    nullable: LIST,
    description: 'Who appears in the activity log of a home, or of all homes that the caller may view.',
    args: { homeId: t.arg.string({ description: 'Only of this home.' }) },
    resolve: (_, { homeId }, { caller, deps }) => deps.activity.actors(caller, homeId ?? undefined),
  }),
}));
