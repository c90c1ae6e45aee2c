/**
 * Merges the outputs of other actions. `append`: one list of all outputs; lists of earlier merges are flattened.
 * `combine`: merges objects, grouped by equal `combineKey`. `wait_all`: the outputs unchanged. Actions that did not
 * run are not inputs.
 */

import { z } from 'zod';
import { HearthError } from '../../../kernel/errors.ts';
import type { Json, JsonObject } from '../../../kernel/json.ts';
import { isObject } from '../expressions/values.ts';
import { invalid } from '../parsing/faults.ts';
import { type Field, withDefault } from '../parsing/field.ts';
import { listOf, oneOf, text } from '../parsing/field-kinds.ts';
import { countWords } from '../words.ts';
import { actionKind } from './action-kind.ts';
import { MAX_LIST } from './fields.ts';

/** The same limit as for any expression value; without it, each merge of merges would double the size. */
const MAX_BYTES = 64 * 1_024;

type Mode = 'append' | 'combine' | 'wait_all';
type Merge = (inputs: readonly JsonObject[], combineKey: string | undefined) => Json;

const MODES: Readonly<Record<Mode, Merge>> = {
  wait_all: (inputs) => inputs,
  append: (inputs) => inputs.flatMap(itemsOf),
  combine: (inputs, key) => {
    const objects = inputs.flatMap(itemsOf).filter(isObject);
    return key === undefined ? layOver(objects) : combine(objects, key);
  },
};

const COMBINE_KEY: Field<string | undefined> = {
  schema: text('Of the mode `combine`: the member by whose value objects are merged.').schema,
  read: ({ fields }, name) => fields.optionalText(name) || undefined,
};

const INPUT_IDS = listOf(
  'ids of other actions',
  MAX_LIST,
  z.array(z.string()).meta({ description: 'Ids of other actions.' }),
  (list, path, { parsing }): readonly string[] => {
    const ids = list.map((id, index) => {
      const place = `${path}[${index}]`;
      if (typeof id !== 'string') throw invalid(place, "it must be an action's id");
      parsing.afterwards(() => {
        if (parsing.actionType(id) === undefined) throw invalid(place, 'the automation has no action with this id');
      });
      return id;
    });
    return [...new Set(ids)];
  },
);

export const merge = actionKind({
  type: 'merge',
  fields: {
    mode: withDefault(oneOf(['append', 'combine', 'wait_all'], '`append` if left out.'), 'append'),
    combineKey: COMBINE_KEY,
    inputIds: INPUT_IDS,
  },
  effect: 'none',
  summarize: ({ inputIds }) => `Merge ${countWords(inputIds.length, 'input')}`,
  execute({ inputIds, mode, combineKey }, { scope: { nodes } }) {
    const ids = [...new Set(inputIds)];
    const ran = (id: string): boolean => Object.hasOwn(nodes, id);
    const inputs = ids.filter(ran).map((id): JsonObject => nodes[id]?.data ?? {});
    const merged = requireSmall(MODES[mode](inputs, combineKey));
    return { merged, inputCount: inputs.length, skipped: ids.filter((id) => !ran(id)) };
  },
});

/** What an input contributes: the items of an earlier merge, or itself. */
function itemsOf(data: JsonObject): readonly Json[] {
  return Array.isArray(data.merged) ? data.merged : [data];
}

/** The later object wins. Copies own properties only, under any name. */
function layOver(objects: readonly JsonObject[]): JsonObject {
  return Object.fromEntries(objects.flatMap((object) => Object.entries(object)));
}

/** Objects without the key stay separate. */
function combine(objects: readonly JsonObject[], key: string): readonly JsonObject[] {
  const groups = new Map<string, JsonObject[]>();
  objects.forEach((object, index) => {
    const value = Object.hasOwn(object, key) ? object[key] : undefined;
    const name = value === undefined ? `alone ${index}` : `with ${JSON.stringify(value)}`;
    groups.set(name, [...(groups.get(name) ?? []), object]);
  });
  return [...groups.values()].map(layOver);
}

function requireSmall(merged: Json): Json {
  if (Buffer.byteLength(JSON.stringify(merged)) <= MAX_BYTES) return merged;
  throw new HearthError('invalid_value', `The inputs are too large to merge: ${MAX_BYTES / 1_024} KiB at most`);
}
