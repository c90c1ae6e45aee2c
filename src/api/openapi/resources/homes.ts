import { z } from 'zod';
import { DeletedHome, Home, HomeChanges, NewHome } from '../../../contract/homes.ts';
import type { Resource } from '../operation.ts';
import { pictureOperations } from './picture.ts';

export const HOME_ID = 'b3a1c1f2-0c8e-4d55-9d0a-6f1f7b2c1a2b';

export const homes: Resource = {
  tag: 'Homes',
  description: 'A relay holds one or more homes; a home has rooms.',
  operations: [
    {
      method: 'get',
      path: '/rest/homes',
      id: 'listHomes',
      summary: 'The homes that the caller may see',
      audience: 'token',
      answer: { description: 'The homes.', schema: z.array(Home), headers: { ETag: 'For If-None-Match.' } },
      errors: [304],
    },
    {
      method: 'post',
      path: '/rest/homes',
      id: 'createHome',
      summary: 'Make a home',
      audience: 'owner',
      body: {
        schema: NewHome,
        examples: { 'A home': { name: 'Cabin' } },
      },
      answer: { description: 'The home, with its default room in it.', schema: Home },
    },
    {
      method: 'patch',
      path: '/rest/homes/:id',
      id: 'updateHome',
      summary: 'Rename, pause or resume a home',
      audience: 'admin',
      body: {
        schema: HomeChanges,
        examples: {
          'Pause it': { paused: true },
          'Rename it': { name: 'Cottage' },
          'Set its location': { timeZone: 'Europe/Berlin', location: { latitude: 52.52, longitude: 13.405 } },
        },
      },
      answer: { description: 'The home as it is now.', schema: Home },
    },
    ...pictureOperations({
      ...{ path: '/rest/homes/:id', id: 'Home', thing: 'a home', schema: Home },
      summary: 'The picture behind the tiles of a home',
      about: { read: '404 if it has none.', set: 'As the picture of a room. It counts before the background.' },
    }),
    {
      method: 'delete',
      path: '/rest/homes/:id',
      id: 'deleteHome',
      summary: 'Delete a home',
      description: 'Refused while accessories are paired into it, and for the last one.',
      audience: 'owner',
      answer: { description: 'It is gone.', schema: DeletedHome },
      errors: [422],
    },
  ],
};
