/** Collections: sets of accessories across homes, for a screen or for sharing. */
import type { Collection } from '../../app/groups/collections.ts';
import { presentTime } from '../present/time.ts';
import { given } from './arguments.ts';
import { builder, LIST } from './builder.ts';

const PAYLOAD =
  '`{groups: [{id, name}], items: [{home_id, home_name?, accessory_id? or service_group_id?, group_id?}]}`, or a text that holds it in JSON.';

const PlatformCollection = builder.objectRef<Collection>('Collection').implement({
  description: 'A named set of accessories and service groups, of any homes.',
  fields: (t) => ({
    id: t.exposeString('id', { nullable: false, description: 'A UUID.' }),
    name: t.exposeString('name', { nullable: false, description: 'Its name.' }),
    payload: t.string({
      nullable: false,
      description: 'What is in it, as a text that holds a JSON object with `groups` and `items`.',
      resolve: ({ payload }) => JSON.stringify(payload),
    }),
    content: t.expose('payload', {
      type: 'JSON',
      nullable: false,
      description: 'The same as an object. Items of homes that the caller can’t see are left out.',
    }),
    createdAt: t.string({
      nullable: false,
      description: 'When it was made, ISO 8601.',
      resolve: ({ createdAt }) => presentTime(createdAt),
    }),
  }),
});

builder.queryFields((t) => ({
  collections: t.field({
    type: [PlatformCollection],
    nullable: LIST,
    description: 'The caller’s collections, by name.',
    resolve: (_, __, { caller, deps, request }) => request.once('collections', () => deps.collections.list(caller)),
  }),
}));

builder.mutationFields((t) => ({
  createCollection: t.field({
    type: PlatformCollection,
    description: 'Makes a collection, empty unless a payload is given.',
    args: { name: t.arg.string({ required: true }), payload: t.arg({ type: 'JSON', description: PAYLOAD }) },
    resolve: (_, { name, payload }, { caller, deps }) =>
      deps.collections.create(caller, { name, ...given({ payload }) }),
  }),
  updateCollection: t.field({
    type: PlatformCollection,
    description: 'Changes what is given. NOT_FOUND if it is not the caller’s.',
    args: {
      collectionId: t.arg.string({ required: true }),
      name: t.arg.string(),
      payload: t.arg({ type: 'JSON', description: `${PAYLOAD} It replaces what was in it.` }),
    },
    resolve: (_, { collectionId, name, payload }, { caller, deps }) =>
      deps.collections.update(caller, collectionId, given({ name, payload })),
  }),
  deleteCollection: t.boolean({
    nullable: true,
    description: 'Deletes a collection; what was in it stays. NOT_FOUND if it is not the caller’s.',
    args: { collectionId: t.arg.string({ required: true }) },
    resolve: (_, { collectionId }, { caller, deps }) => {
      deps.collections.delete(caller, collectionId);
      return true;
    },
  }),
}));
