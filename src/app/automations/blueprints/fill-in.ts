/** Fills in the inputs of a blueprint: its automation with values in place of references. Pure. */
import { HearthError } from '../../../kernel/errors.ts';
import type { Json, JsonObject } from '../../../kernel/json.ts';
import { MAX_VALUES } from '../flows/parse-flow.ts';
import { isJsonObject, isList, MARKERS, replaceReferences, splitReference, wholeReference } from './references.ts';

/** Of all texts; the size of a flow is checked when it is parsed. */
const MAX_CHARACTERS = 512 * 1024;

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

/** @throws `invalid_value` it would be larger than a flow may be, as by an input within another */
export function fillIn(automation: JsonObject, inputs: FilledInputs): JsonObject {
  return new Filling().object(automation, inputs);
}

class Filling {
  #values = 0;
  #characters = 0;

  object(value: JsonObject, inputs: FilledInputs): JsonObject {
    const entries = Object.entries(value).flatMap(([name, member]) => {
      if (member === undefined || MARKERS.some((marker) => marker === name)) return [];
      const filled = this.#fill(member, inputs);
      return filled === NOTHING ? [] : [[name, filled] as const];
    });
    return Object.fromEntries(entries);
  }

  #fill(value: Json, inputs: FilledInputs): Filled {
    this.#values += 1;
    if (this.#values > MAX_VALUES) throw tooLarge();
    if (typeof value === 'string') return this.#text(value, inputs);
    if (isList(value)) return value.flatMap((item) => this.#item(item, inputs));
    return isJsonObject(value) ? this.object(value, inputs) : value;
  }

  /** An item of a list: none, one, or one for each accessory of an input. */
  #item(item: Json, inputs: FilledInputs): readonly Json[] {
    if (!isJsonObject(item)) return withoutNothing(this.#fill(item, inputs));
    const { $each: each, $has: has, $if: condition, $unless: exception } = item;
    if (typeof condition === 'string' && !isGiven(inputs.get(condition))) return [];
    if (typeof exception === 'string' && isGiven(inputs.get(exception))) return [];
    if (typeof each !== 'string') return withoutNothing(this.#fill(item, inputs));
    return [inputs.get(each) ?? []]
      .flat()
      .map((one, index) => ({ ...one, parts: { ...one.parts, index } }))
      .filter((one) => typeof has !== 'string' || one.has(has))
      .flatMap((one) => withoutNothing(this.#fill(item, new Map([...inputs, [each, one]]))));
  }

  #text(text: string, inputs: FilledInputs): Filled {
    const whole = wholeReference(text);
    if (whole !== undefined) {
      const value = inputValue(whole, inputs);
      if (value !== NOTHING) this.#spend(textOf(value));
      return value;
    }
    this.#spend(text);
    return replaceReferences(text, (reference) => {
      const value = inputValue(reference, inputs);
      return value === NOTHING ? '' : this.#spend(textOf(value));
    });
  }

  #spend(text: string): string {
    this.#characters += text.length;
    if (this.#characters > MAX_CHARACTERS) throw tooLarge();
    return text;
  }
}

function textOf(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function tooLarge(): HearthError {
  return new HearthError('invalid_value', 'With these inputs, the automation would be too large.', {
    field: 'blueprint',
  });
}

function withoutNothing(value: Filled): readonly Json[] {
  return value === NOTHING ? [] : [value];
}

function isGiven(input: readonly FilledItem[] | FilledItem | undefined): boolean {
  const items = [input ?? []].flat();
  return items.some(({ value }) => value !== false);
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
