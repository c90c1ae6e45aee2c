/**
 * The row shape in which some clients read room groups and virtual accessories (wire-facts §4.4): a kind, an id, and
 * the object itself as a JSON string. Types read in this way have these fields beside their own.
 */
import { builder } from './builder.ts';

export interface StoredEntity {
  readonly id: string;
  readonly homeId: string;
  readonly entityType: 'room_group' | 'virtual_accessory';
  /** The object for `dataJson`. */
  readonly data: object;
  readonly updatedAt: string | null;
}

export const StoredEntityFields = builder.interfaceRef<StoredEntity>('StoredEntity').implement({
  description:
    'A thing as a row: its kind, its id, and itself as a text in JSON. The typed fields beside it are easier to read.',
  fields: (t) => ({
    id: t.exposeString('id', { nullable: false, description: 'A UUID.' }),
    entityType: t.exposeString('entityType', { nullable: false, description: '`room_group` or `virtual_accessory`.' }),
    entityId: t.exposeString('id', { nullable: false, description: 'The same as `id`.' }),
    parentId: t.exposeString('homeId', { description: 'The home that it is in.' }),
    dataJson: t.string({
      nullable: false,
      description: 'The thing itself, as a text that holds a JSON object.',
      resolve: ({ data }) => JSON.stringify(data),
    }),
    layoutJson: t.string({
      description: 'Always null: the order of things on a screen is not kept here.',
      resolve: () => null,
    }),
    updatedAt: t.exposeString('updatedAt', { description: 'When it was made, ISO 8601; null where that is not kept.' }),
  }),
});
