/** Collections: sets of accessories across homes, for a screen or for sharing. */
import { Collection, CollectionChanges, NewCollection } from '../../contract/collections.ts';
import { presentCollection } from '../present/collection.ts';
import { given } from './arguments.ts';
import { builder, LIST } from './builder.ts';
import { argumentsOf, fieldsOf } from './contract-fields.ts';

const PAYLOAD =
  '`{groups: [{id, name}], items: [{home_id, home_name?, accessory_id? or service_group_id?, group_id?}]}`, or a text that holds it in JSON.';

const PlatformCollection = builder.objectRef<Collection>('Collection').implement({
  description: 'A named set of accessories and service groups, of any homes.',
  fields: (t) => ({
    ...fieldsOf(t, Collection),
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
  }),
});

builder.queryFields((t) => ({
  collections: t.field({
    type: [PlatformCollection],
    nullable: LIST,
    description: 'The caller’s collections, by name.',
    resolve: (_, __, { caller, deps, request }) =>
      request.once('collections', () => deps.collections.list(caller).map(presentCollection)),
  }),
}));

builder.mutationFields((t) => ({
  createCollection: t.field({
    type: PlatformCollection,
    description: 'Makes a collection, empty unless a payload is given.',
    args: {
      ...argumentsOf(t.arg, NewCollection.omit({ payload: true })),
      payload: t.arg({ type: 'JSON', description: PAYLOAD }),
    },
    resolve: (_, { name, payload }, { caller, deps }) =>
      presentCollection(deps.collections.create(caller, { name, ...given({ payload }) })),
  }),
  updateCollection: t.field({
    type: PlatformCollection,
    description: 'Changes what is given. NOT_FOUND if it is not the caller’s.',
    args: {
      collectionId: t.arg.string({ required: true }),
      ...argumentsOf(t.arg, CollectionChanges.omit({ payload: true })),
      payload: t.arg({ type: 'JSON', description: `${PAYLOAD} It replaces what was in it.` }),
    },
    resolve: (_, { collectionId, name, payload }, { caller, deps }) =>
      presentCollection(deps.collections.update(caller, collectionId, given({ name, payload }))),
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
