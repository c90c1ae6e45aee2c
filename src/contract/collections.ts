/**
 * Collections (API §2.5) and their payload (wire-facts §4.4). The payload's field names are those of the wire, because
 * clients read and write it as a whole.
 */
import { z } from 'zod';
import { HearthError } from '../kernel/errors.ts';
import { checkedBy, EXAMPLE_ID, name, success, time, id as uuid } from './fields.ts';
import { type Input, invalidValue, type Output, parseInput } from './parse.ts';

const MAX_GROUPS = 50;
const MAX_ITEMS = 500;

function listOf<S extends z.ZodType>(item: S, max: number, description: string, example: object) {
  const error = invalidValue(`it takes a list of at most ${max}`);
  return z
    .array(item, { error })
    .max(max, { error })
    .nullish()
    .transform((given) => given ?? [])
    .meta({ description, examples: [[example]] });
}

const OBJECT = { error: invalidValue('it takes an object') };
const TWICE = { error: invalidValue('one is listed twice') };
const isDistinct = (ids: readonly string[]): boolean => new Set(ids).size === ids.length;

const GROUP_ID = { error: invalidValue('it takes up to 64 letters, digits, dashes and underscores') };
const Group = z.object(
  {
    id: z
      .string(GROUP_ID)
      .regex(/^[\w-]{1,64}$/, GROUP_ID)
      .describe('Chosen by the client.'),
    name: name('Group name', { example: 'Lamps' }),
  },
  OBJECT,
);

const ENTITY_ID = { error: invalidValue('it takes an id') };
const entityId = z.string(ENTITY_ID).min(1, ENTITY_ID).toLowerCase().meta({ format: 'uuid' });

type Item = {
  readonly home_id: string;
  readonly home_name?: string;
  readonly group_id?: string;
} & ({ readonly accessory_id: string } | { readonly service_group_id: string });

export const CollectionItem = z
  .object(
    {
      home_id: entityId.describe('The home that it is in.'),
      home_name: z.unknown().meta({ type: 'string', description: 'On output: the home’s name now.' }).optional(),
      group_id: z
        .string({ error: invalidValue('it takes the id of one of the groups') })
        .describe('One of `groups`; none if left out.')
        .nullish(),
      accessory_id: entityId.describe('Either this …').nullish(),
      service_group_id: entityId.describe('… or this.').nullish(),
    },
    OBJECT,
  )
  .refine(({ accessory_id, service_group_id }) => (accessory_id == null) !== (service_group_id == null), {
    error: invalidValue('it takes either accessory_id or service_group_id'),
  })
  .transform(({ home_id, accessory_id, service_group_id, group_id }): Item => {
    const target = accessory_id == null ? { service_group_id: service_group_id ?? '' } : { accessory_id };
    return { home_id, ...target, ...(group_id != null && { group_id }) };
  })
  .meta({ id: 'CollectionItem' });
export type CollectionItem = Output<typeof CollectionItem>;

/** The target of an item, regardless of its group. */
export function targetOf(item: CollectionItem): string {
  return `${item.home_id} ${'accessory_id' in item ? item.accessory_id : item.service_group_id}`;
}

const ITEM = { home_id: EXAMPLE_ID, accessory_id: EXAMPLE_ID, group_id: 'lamps' };

/** The operation looks up what the items refer to. */
export const CollectionPayload = z
  .object({
    groups: listOf(Group, MAX_GROUPS, 'Its own headings.', { id: 'lamps', name: 'Lamps' }).refine(
      (groups) => isDistinct(groups.map(({ id }) => id)),
      TWICE,
    ),
    items: listOf(
      CollectionItem,
      MAX_ITEMS,
      'Accessories and service groups of any home that the caller may see.',
      ITEM,
    ).refine((items) => isDistinct(items.map(targetOf)), TWICE),
  })
  .meta({ id: 'CollectionPayload' });
export type CollectionPayload = Output<typeof CollectionPayload>;

function parsePayload(input: unknown): CollectionPayload {
  const payload: unknown = typeof input === 'string' ? parseJson(input) : input;
  if (typeof payload === 'object' && payload !== null && !Array.isArray(payload)) {
    return parseInput(CollectionPayload, payload);
  }
  throw new HearthError('invalid_value', 'Invalid value for payload: it takes an object.', { field: 'payload' });
}

function parseJson(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    const sentence = 'Invalid value for payload: it takes an object, or a text that is one in JSON.';
    throw new HearthError('invalid_value', sentence, { field: 'payload' });
  }
}

const NAME = name('Collection name', { example: 'Favourites' });
const PAYLOAD = z.unknown().meta({
  description: 'What is in it; nothing if left out.',
  anyOf: [
    { $ref: 'CollectionPayload' },
    { type: 'string', description: 'The same object as JSON text, as clients of GraphQL store it.' },
  ],
});
const FIELDS = { name: NAME, payload: checkedBy(PAYLOAD, parsePayload).optional() };

export const NewCollection = z.strictObject(FIELDS);
export type NewCollection = Input<typeof NewCollection>;
export const CollectionChanges = z.strictObject({ ...FIELDS, name: NAME.optional() });
export type CollectionChanges = Input<typeof CollectionChanges>;

export const Collection = z
  .object({
    id: uuid(),
    name: NAME,
    payload: CollectionPayload,
    createdAt: time('When it was created.'),
  })
  .meta({ id: 'Collection' });
export type Collection = Output<typeof Collection>;

export const DeletedCollection = success({ collectionId: uuid() });
