import type { JsonSchema } from '../../../contract/json-schema.ts';
import { CollectionChanges, NewCollection } from '../../rest/collections.ts';
import { arrayOf, id, object, ref, success, text, time } from '../json-schema.ts';
import type { Resource } from '../operation.ts';
import { ACCESSORY_ID } from './accessories.ts';
import { HOME_ID } from './homes.ts';

const COLLECTION_ID = '7e5d4c3b-2a19-4f8e-8d7c-6b5a49382716';
const COLLECTION = {
  id: COLLECTION_ID,
  name: 'Favourites',
  payload: {
    groups: [{ id: 'lamps', name: 'Lamps' }],
    items: [{ home_id: HOME_ID, home_name: 'My Home', accessory_id: ACCESSORY_ID, group_id: 'lamps' }],
  },
  createdAt: '2030-01-31T12:00:00.000Z',
};

const PAYLOAD: JsonSchema = {
  anyOf: [ref('CollectionPayload'), text('The same object as JSON text.')],
  description: 'What is in it; nothing if left out.',
};

const FIELDS = { name: 'What it is called.', payload: PAYLOAD };

export const collections: Resource = {
  tag: 'Collections',
  description:
    'Picks of accessories and service groups across homes, made for a screen or for sharing. Each belongs to its creator; those made by the CLI and its tokens belong to everyone who may manage a home.',
  schemas: {
    Collection: object({
      id: id(),
      name: text(),
      payload: ref('CollectionPayload'),
      createdAt: time(),
    }),
    CollectionPayload: object(
      {
        groups: arrayOf(object({ id: text('Chosen by the client.'), name: text() }), 'Its own headings.'),
        items: arrayOf(ref('CollectionItem'), 'Accessories and service groups of any home that the caller may see.'),
      },
      ['groups', 'items'],
    ),
    CollectionItem: object(
      {
        home_id: id(),
        home_name: text('On output: the home’s name now.'),
        group_id: text('One of `groups`; none if left out.'),
        accessory_id: id('Either this …'),
        service_group_id: id('… or this.'),
      },
      ['home_name', 'group_id', 'accessory_id', 'service_group_id'],
    ),
  },
  operations: [
    {
      method: 'get',
      path: '/rest/collections',
      id: 'listCollections',
      summary: 'The caller’s collections',
      audience: 'token',
      answer: { description: 'The collections.', schema: arrayOf(ref('Collection')), example: [COLLECTION] },
    },
    {
      method: 'post',
      path: '/rest/collections',
      id: 'createCollection',
      summary: 'Make a collection',
      audience: 'admin of any home',
      body: {
        schema: NewCollection,
        fields: FIELDS,
        examples: {
          Favourites: { name: 'Favourites', payload: { items: [{ home_id: HOME_ID, accessory_id: ACCESSORY_ID }] } },
        },
      },
      answer: { description: 'The collection.', schema: ref('Collection'), example: COLLECTION },
    },
    {
      method: 'get',
      path: '/rest/collections/:id',
      id: 'getCollection',
      summary: 'One of the caller’s collections',
      audience: 'token',
      answer: { description: 'The collection.', schema: ref('Collection'), example: COLLECTION },
    },
    {
      method: 'patch',
      path: '/rest/collections/:id',
      id: 'updateCollection',
      summary: 'Rename a collection, or give it another payload',
      audience: 'admin of any home',
      body: { schema: CollectionChanges, fields: FIELDS, examples: { 'Rename it': { name: 'Evening' } } },
      answer: { description: 'The collection as it is now.', schema: ref('Collection'), example: COLLECTION },
    },
    {
      method: 'delete',
      path: '/rest/collections/:id',
      id: 'deleteCollection',
      summary: 'Delete a collection',
      audience: 'admin of any home',
      answer: {
        description: 'It is gone.',
        schema: success({ collectionId: id() }),
        example: { success: true, collectionId: COLLECTION_ID },
      },
    },
  ],
};
