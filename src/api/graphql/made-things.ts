/** What an app or an access token created that outlives it. */
import type { MadeThing as Made } from '../../app/access/makers.ts';
import { builder } from './builder.ts';

export const MadeThing = builder.objectRef<Made>('MadeThing').implement({
  description: 'Something that an app or an access token made and that goes on without it.',
  fields: (t) => ({
    kind: t.exposeString('kind', {
      nullable: false,
      description: '`share`, `flow` (with a webhook or a request), `mqtt_broker`, `webhook` or `access_token`.',
    }),
    id: t.exposeString('id', { nullable: false, description: 'Its id.' }),
    name: t.exposeString('name', { nullable: false, description: 'Its name, for people.' }),
    homeId: t.exposeString('homeId', { description: 'Its home; null for what belongs to none.' }),
  }),
});

/** For a list field: never null, and without null entries. */
export const ALL_OF_THEM = { list: false, items: false } as const;
