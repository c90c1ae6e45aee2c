import { Hono } from 'hono';
import { z } from 'zod';
import type { Collection, Collections } from '../../app/groups/collections.ts';
import type { ApiEnv } from '../env.ts';
import { presentTime } from '../present/time.ts';
import { readBody } from '../read-body.ts';
import { answerJson } from '../respond.ts';

/** `payload` is an object, or a JSON string of one, as GraphQL's clients store it. */
export const NewCollection = z.strictObject({ name: z.string(), payload: z.unknown().optional() });
export const CollectionChanges = z.strictObject({ name: z.string().optional(), payload: z.unknown().optional() });

export function collectionRoutes({ collections }: { readonly collections: Collections }): Hono<ApiEnv> {
  return new Hono<ApiEnv>()
    .get('/', (c) => answerJson(collections.list(c.get('caller')).map(presentCollection)))
    .post('/', async (c) =>
      answerJson(presentCollection(collections.create(c.get('caller'), await readBody(c, NewCollection)))),
    )
    .get('/:id', (c) => answerJson(presentCollection(collections.get(c.get('caller'), c.req.param('id')))))
    .patch('/:id', async (c) => {
      const changes = await readBody(c, CollectionChanges);
      return answerJson(presentCollection(collections.update(c.get('caller'), c.req.param('id'), changes)));
    })
    .delete('/:id', (c) => {
      const caller = c.get('caller');
      const { id } = collections.get(caller, c.req.param('id'));
      collections.delete(caller, id);
      return answerJson({ success: true, collectionId: id });
    });
}

function presentCollection({ id, name, payload, createdAt }: Collection): object {
  return { id, name, payload, createdAt: presentTime(createdAt) };
}
