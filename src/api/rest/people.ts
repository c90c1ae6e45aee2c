/** The people of a home and their presence. */
import { Hono } from 'hono';
import type { People } from '../../app/presence/people.ts';
import { NewPerson, PersonChanges, PresenceReport } from '../../contract/people.ts';
import type { ApiEnv } from '../env.ts';
import { presentPerson } from '../present/person.ts';
import { readInput } from '../read-body.ts';
import { queryId } from '../read-query.ts';
import { answerJson } from '../respond.ts';

export function personRoutes({ people }: { readonly people: People }): Hono<ApiEnv> {
  return new Hono<ApiEnv>()
    .get('/', (c) => answerJson(people.list(c.get('caller'), queryId(c, 'home')).map(presentPerson)))
    .post('/', async (c) => answerJson(presentPerson(people.create(c.get('caller'), await readInput(c, NewPerson)))))
    .get('/:id', (c) => answerJson(presentPerson(people.get(c.get('caller'), c.req.param('id')))))
    .patch('/:id', async (c) => {
      const changes = await readInput(c, PersonChanges);
      return answerJson(presentPerson(people.update(c.get('caller'), c.req.param('id'), changes)));
    })
    .delete('/:id', (c) => {
      const caller = c.get('caller');
      const { id } = people.get(caller, c.req.param('id'));
      people.delete(caller, id);
      return answerJson({ success: true, personId: id });
    })
    .post('/:id/presence', async (c) => {
      const report = await readInput(c, PresenceReport);
      return answerJson(presentPerson(people.setPresence(c.get('caller'), c.req.param('id'), report)));
    });
}
