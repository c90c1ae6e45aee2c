import { z } from 'zod';
import { Collection, CollectionChanges, DeletedCollection, NewCollection } from '../../../contract/collections.ts';
import type { Resource } from '../operation.ts';
import { ACCESSORY_ID } from './accessories.ts';
import { HOME_ID } from './homes.ts';

export const collections: Resource = {
  tag: 'Collections',
  description:
    'Picks of accessories and service groups across homes, made for a screen or for sharing. Each belongs to its creator; those made by the CLI and its tokens belong to everyone who may manage a home.',
  operations: [
    {
      method: 'get',
      path: '/rest/collections',
      id: 'listCollections',
      summary: 'The caller’s collections',
      audience: 'token',
      answer: { description: 'The collections.', schema: z.array(Collection) },
    },
    {
      method: 'post',
      path: '/rest/collections',
      id: 'createCollection',
      summary: 'Make a collection',
      audience: 'admin of any home',
      body: {
        schema: NewCollection,
        examples: {
          Favourites: { name: 'Favourites', payload: { items: [{ home_id: HOME_ID, accessory_id: ACCESSORY_ID }] } },
        },
      },
      answer: { description: 'The collection.', schema: Collection },
    },
    {
      method: 'get',
      path: '/rest/collections/:id',
      id: 'getCollection',
      summary: 'One of the caller’s collections',
      audience: 'token',
      answer: { description: 'The collection.', schema: Collection },
    },
    {
      method: 'patch',
      path: '/rest/collections/:id',
      id: 'updateCollection',
      summary: 'Rename a collection, or give it another payload',
      audience: 'admin of any home',
      body: { schema: CollectionChanges, examples: { 'Rename it': { name: 'Evening' } } },
      answer: { description: 'The collection as it is now.', schema: Collection },
    },
    {
      method: 'delete',
      path: '/rest/collections/:id',
      id: 'deleteCollection',
      summary: 'Delete a collection',
      audience: 'admin of any home',
      answer: { description: 'It is gone.', schema: DeletedCollection },
    },
  ],
};
