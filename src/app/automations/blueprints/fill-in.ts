/** Fills in the inputs of a blueprint: its automation with values in place of references. Pure. */
import type { Json, JsonObject } from '../../../kernel/json.ts';
import { isJsonObject, isList, MARKERS, replaceReferences, splitReference, wholeReference } from './references.ts';

/** One chosen thing or value. */
export interface FilledItem {
  readonly value: Json;
  /** See `PARTS`. */
  readonly parts: Readonly<Record<string, Json>>;
  /** Of an accessory: whether it has a characteristic. */
  readonly has: (characteristic: string) => boolean;
}

/** The values of an input; several for an input that takes several, none if it is left out. */
export type FilledInputs = ReadonlyMap<string, readonly FilledItem[] | FilledItem | undefined>;

/** Leaves the member or the item out. */
const NOTHING = Symbol('nothing');
type Filled = Json | typeof NOTHING;

export function fillIn(automation: JsonObject, inputs: FilledInputs): JsonObject {
  return fillObject(automation, inputs);
}

function fill(value: Json, inputs: FilledInputs): Filled {
  if (typeof value === 'string') return fillText(value, inputs);
  if (isList(value)) return value.flatMap((item) => fillItem(item, inputs));
  return isJsonObject(value) ? fillObject(value, inputs) : value;
}

function fillObject(value: JsonObject, inputs: FilledInputs): JsonObject {
  const entries = Object.entries(value).flatMap(([name, member]) => {
    if (member === undefined || MARKERS.some((marker) => marker === name)) return [];
    const filled = fill(member, inputs);
    return filled === NOTHING ? [] : [[name, filled] as const];
  });
  return Object.fromEntries(entries);
}

/** An item of a list: none, one, or one for each accessory of an input. */
function fillItem(item: Json, inputs: FilledInputs): readonly Json[] {
  if (!isJsonObject(item)) return withoutNothing(fill(item, inputs));
  const { $each: each, $has: has, $if: condition, $unless: exception } = item;
  if (typeof condition === 'string' && !isGiven(inputs.get(condition))) return [];
  if (typeof exception === 'string' && isGiven(inputs.get(exception))) return [];
  if (typeof each !== 'string') return withoutNothing(fill(item, inputs));
  return [inputs.get(each) ?? []]
    .flat()
    .filter((one) => typeof has !== 'string' || one.has(has))
    .flatMap((one, index) => {
      const numbered = { ...one, parts: { ...one.parts, index } };
      return withoutNothing(fill(item, new Map([...inputs, [each, numbered]])));
    });
}

function withoutNothing(value: Filled): readonly Json[] {
  return value === NOTHING ? [] : [value];
}

function isGiven(input: readonly FilledItem[] | FilledItem | undefined): boolean {
  const items = [input ?? []].flat();
  return items.some(({ value }) => value !== false);
}

function fillText(text: string, inputs: FilledInputs): Filled {
  const whole = wholeReference(text);
  if (whole !== undefined) return inputValue(whole, inputs);
  return replaceReferences(text, (reference) => {
    const value = inputValue(reference, inputs);
    if (value === NOTHING) return '';
    return typeof value === 'string' ? value : JSON.stringify(value);
  });
}

function inputValue(reference: string, inputs: FilledInputs): Filled {
  const { id, part } = splitReference(reference);
  const input = inputs.get(id);
  if (input === undefined) return NOTHING;
  if (Array.isArray(input)) {
    const items: readonly FilledItem[] = input;
    return items.length === 0 ? NOTHING : items.map(({ value }) => value);
  }
  const { value, parts } = input as FilledItem;
  return part === undefined ? value : (parts[part] ?? NOTHING);
}
