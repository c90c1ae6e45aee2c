import { Hono } from 'hono';
import type { Collections } from '../../app/groups/collections.ts';
import { CollectionChanges, NewCollection } from '../../contract/collections.ts';
import type { ApiEnv } from '../env.ts';
import { presentCollection } from '../present/collection.ts';
import { readInput } from '../read-body.ts';
import { answerJson } from '../respond.ts';

export function collectionRoutes({ collections }: { readonly collections: Collections }): Hono<ApiEnv> {
  return new Hono<ApiEnv>()
    .get('/', (c) => answerJson(collections.list(c.get('caller')).map(presentCollection)))
    .post('/', async (c) =>
      answerJson(presentCollection(collections.create(c.get('caller'), await readInput(c, NewCollection)))),
    )
    .get('/:id', (c) => answerJson(presentCollection(collections.get(c.get('caller'), c.req.param('id')))))
    .patch('/:id', async (c) => {
      const changes = await readInput(c, CollectionChanges);
      return answerJson(presentCollection(collections.update(c.get('caller'), c.req.param('id'), changes)));
    })
    .delete('/:id', (c) => {
      const caller = c.get('caller');
      const { id } = collections.get(caller, c.req.param('id'));
      collections.delete(caller, id);
      return answerJson({ success: true, collectionId: id });
    });
}
