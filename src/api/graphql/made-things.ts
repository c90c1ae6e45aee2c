/** What an app or an access token created that outlives it. */
import { MadeThing as Made } from '../../contract/made-things.ts';
import { builder } from './builder.ts';
import { fieldsOf } from './contract-fields.ts';

export const MadeThing = builder.objectRef<Made>('MadeThing').implement({
  description: 'Something that an app or an access token made and that goes on without it.',
  fields: (t) => fieldsOf(t, Made),
});

/** For a list field: never null, and without null entries. */
export const ALL_OF_THEM = { list: false, items: false } as const;
