/** The people of a home and their presence. */
import { Hono } from 'hono';
import { z } from 'zod';
import type { People } from '../../app/presence/people.ts';
import type { Person } from '../../app/presence/person.ts';
import type { ApiEnv } from '../env.ts';
import { presentTime } from '../present/time.ts';
import { readBody } from '../read-body.ts';
import { queryId } from '../read-query.ts';
import { answerJson } from '../respond.ts';

export const NewPerson = z.strictObject({ homeId: z.string(), name: z.string() });
export const PersonChanges = z.strictObject({ name: z.string().optional(), userId: z.string().nullable().optional() });
export const PresenceReport = z.strictObject({
  atHome: z.boolean().optional(),
  latitude: z.number().optional(),
  longitude: z.number().optional(),
  accuracy: z.number().optional(),
});

export function personRoutes({ people }: { readonly people: People }): Hono<ApiEnv> {
  return new Hono<ApiEnv>()
    .get('/', (c) => answerJson(people.list(c.get('caller'), queryId(c, 'home')).map(presentPerson)))
    .post('/', async (c) => answerJson(presentPerson(people.create(c.get('caller'), await readBody(c, NewPerson)))))
    .get('/:id', (c) => answerJson(presentPerson(people.get(c.get('caller'), c.req.param('id')))))
    .patch('/:id', async (c) => {
      const changes = await readBody(c, PersonChanges);
      return answerJson(presentPerson(people.update(c.get('caller'), c.req.param('id'), changes)));
    })
    .delete('/:id', (c) => {
      const caller = c.get('caller');
      const { id } = people.get(caller, c.req.param('id'));
      people.delete(caller, id);
      return answerJson({ success: true, personId: id });
    })
    .post('/:id/presence', async (c) => {
      const report = await readBody(c, PresenceReport);
      return answerJson(presentPerson(people.setPresence(c.get('caller'), c.req.param('id'), report)));
    });
}

function presentPerson({ id, name, homeId, userId, atHome, changedAt, fix }: Person): object {
  return {
    id,
    name,
    homeId,
    userId,
    atHome,
    changedAt: presentTime(changedAt),
    latitude: fix?.latitude ?? null,
    longitude: fix?.longitude ?? null,
    accuracy: fix?.accuracyM ?? null,
    locatedAt: presentTime(fix?.at ?? null),
  };
}
