/** The operations on the picture of a home or a room. */
import type { z } from 'zod';
import type { Operation } from '../operation.ts';

interface Pictured {
  /** The route of the thing. */
  readonly path: string;
  /** In ids: `Home`. */
  readonly id: string;
  /** In sentences: `a home`. */
  readonly thing: string;
  readonly schema: z.ZodType;
  readonly summary: string;
  readonly about: { readonly read: string; readonly set: string };
}

const PICTURE = { type: 'string', format: 'binary' };

export function pictureOperations({ path, id, thing, schema, summary, about }: Pictured): readonly Operation[] {
  const noun = thing.replace(/^a /, '');
  return [
    {
      method: 'get',
      path: `${path}/picture`,
      id: `read${id}Picture`,
      summary,
      description: about.read,
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
      path: `${path}/picture`,
      id: `set${id}Picture`,
      summary: `Set the picture of ${thing}`,
      description: about.set,
      audience: 'admin',
      body: { type: 'image/*', schema: PICTURE, examples: {} },
      answer: { description: `The ${noun}, with the hash of its picture.`, schema },
    },
    {
      method: 'delete',
      path: `${path}/picture`,
      id: `remove${id}Picture`,
      summary: `Remove the picture of ${thing}`,
      audience: 'admin',
      answer: { description: `The ${noun} without a picture.`, schema },
    },
  ];
}
