import { z } from 'zod';
import { DeletedHome, Home, HomeChanges, NewHome } from '../../../contract/homes.ts';
import type { Resource } from '../operation.ts';

const PICTURE = { type: 'string', format: 'binary' };

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
    {
      method: 'get',
      path: '/rest/homes/:id/picture',
      id: 'readHomePicture',
      summary: 'The picture behind the tiles of a home',
      description: '404 if it has none.',
      audience: 'view',
      answer: {
        description: 'The picture, as JPEG, PNG or WebP.',
        type: 'image/*',
        schema: PICTURE,
        headers: { ETag: 'Its `pictureHash` in quotes.' },
      },
      errors: [304],
    },
    {
      method: 'put',
      path: '/rest/homes/:id/picture',
      id: 'setHomePicture',
      summary: 'Set the picture of a home',
      description: 'As the picture of a room. It counts before the background.',
      audience: 'admin',
      body: { type: 'image/*', schema: PICTURE, examples: {} },
      answer: { description: 'The home, with the hash of its picture.', schema: Home },
    },
    {
      method: 'delete',
      path: '/rest/homes/:id/picture',
      id: 'removeHomePicture',
      summary: 'Remove the picture of a home',
      audience: 'admin',
      answer: { description: 'The home without a picture.', schema: Home },
    },
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
