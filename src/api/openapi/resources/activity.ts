import { z } from 'zod';
import { ActivityActor, ActivityEntry, ActivityQuery } from '../../../contract/activity.ts';
import { ACTIVITY_KINDS, ACTOR_KINDS } from '../../../home/vocabulary/activity-words.ts';
import { id } from '../json-schema.ts';
import { type Parameter, parametersOf, type Resource } from '../operation.ts';
import { ANY_HOME } from '../parameters.ts';

const FILTER: readonly Parameter[] = [
  ANY_HOME,
  { name: 'room', description: 'Only of accessories that were in the room with this id.', schema: id() },
  { name: 'accessory', description: 'Only of the accessory with this id.', schema: id() },
  { name: 'actor', description: 'Only by the actor with this id.' },
  { name: 'actor_kind', description: `Only by actors of this kind: ${ACTOR_KINDS.join(', ')}.` },
  { name: 'kind', description: `Only about this: ${ACTIVITY_KINDS.join(', ')}.` },
];

export const activity: Resource = {
  tag: 'Activity',
  description:
    'Who did what in a home, and when: people, apps, tokens, share links, automations, other ecosystems, and the devices themselves. Recorded while the home’s history is on, and kept for 90 days.',
  operations: [
    {
      method: 'get',
      path: '/rest/activity',
      id: 'listActivity',
      summary: 'What happened in the homes that the caller may view',
      description:
        'To go on, ask with `before` and the id of the last entry. With `format=csv` everything that matches is streamed as CSV.',
      audience: 'token',
      query: [
        ...FILTER,
        ...parametersOf(ActivityQuery.pick({ before: true, limit: true })),
        { name: 'format', description: '`json`, or `csv`.' },
      ],
      answer: { description: 'Newest first.', schema: z.array(ActivityEntry) },
      errors: [400, 404, 422],
    },
    {
      method: 'get',
      path: '/rest/activity/actors',
      id: 'listActivityActors',
      summary: 'Who appears in the activity log',
      audience: 'token',
      query: [ANY_HOME],
      answer: { description: 'Each once, with its last name.', schema: z.array(ActivityActor) },
      errors: [400, 404],
    },
  ],
};
