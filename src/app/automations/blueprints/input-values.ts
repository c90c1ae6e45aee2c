/** The values of a blueprint's inputs: what a home has for each, and what a client chose, checked. */
import type { BlueprintInput, InputKind } from '../../../contract/blueprints.ts';
import type { Accessory } from '../../../home/model.ts';
import { durationMs } from '../../../home/schedule/duration.ts';
import { deviceType } from '../../../home/vocabulary/device-types.ts';
import { resolveCharacteristic } from '../../../home/vocabulary/settings.ts';
import { shorten } from '../../../home/vocabulary/values.ts';
import { HearthError } from '../../../kernel/errors.ts';
import type { Json } from '../../../kernel/json.ts';
import { listNamed, type NameResolver, type ReferenceKind } from '../flows/named-references.ts';
import { MAX_HOLD_MS, parseDuration } from '../parsing/durations.ts';
import { invalid } from '../parsing/faults.ts';
import { parseFlag, parseList, parseNumber, parseText } from '../parsing/fields.ts';
import { parseAt, parseWeekdays } from '../parsing/times.ts';
import type { FilledInputs, FilledItem } from './fill-in.ts';

/** The accessories or people of one input. */
const MAX_ITEMS = 100;

/** The kinds that are things of the home, with the lists that have them. */
const THINGS: Readonly<Partial<Record<InputKind, readonly ReferenceKind[]>>> = {
  accessory: ['accessory'],
  service_group: ['service_group'],
  scene: ['scene'],
  person: ['person'],
  automation: ['flow', 'automation'],
};

const THING_WORDS: Readonly<Partial<Record<InputKind, string>>> = {
  accessory: 'an accessory',
  service_group: 'a group',
  scene: 'a scene',
  person: 'a person',
  automation: 'an automation',
};

/** The ids that can be chosen for each input that is a thing of the home. */
export function choicesFor(inputs: readonly BlueprintInput[], home: NameResolver): Record<string, string[]> {
  return Object.fromEntries(
    inputs.flatMap((input) => (THINGS[input.kind] ? [[input.id, candidates(input, home)] as const] : [])),
  );
}

/** The required inputs for which there is no choice. */
export function missingIn(
  inputs: readonly BlueprintInput[],
  choices: Readonly<Record<string, readonly string[]>>,
): string[] {
  return inputs.filter(({ id, optional }) => !optional && choices[id]?.length === 0).map(({ id }) => id);
}

/**
 * @param given values by the ids of inputs; what is left out has its default.
 * @throws `invalid_request` one is missing or unknown · `invalid_value` one does not fit. Each names `inputs.<id>`.
 */
export function readInputs(
  inputs: readonly BlueprintInput[],
  given: Readonly<Record<string, unknown>>,
  home: NameResolver,
): FilledInputs {
  const unknown = Object.keys(given).find((name) => !inputs.some(({ id }) => id === name));
  if (unknown !== undefined) {
    const field = `inputs.${shorten(unknown)}`;
    throw new HearthError('invalid_request', `Unknown field "${field}": the blueprint has no such input.`, { field });
  }
  return new Map(inputs.map((input) => [input.id, readInput(input, given[input.id], home)]));
}

function readInput(input: BlueprintInput, given: unknown, home: NameResolver) {
  const value = withDefault(input, given, home);
  const path = `inputs.${input.id}`;
  if (isNothing(value)) {
    if (input.kind === 'flag') return item(false);
    if (input.optional) return undefined;
    throw new HearthError('invalid_request', `“${input.name}” is missing: choose ${expected(input)}.`, {
      field: path,
      reason: 'blueprint_input_missing',
    });
  }
  if (!input.multiple) return readItem(input, value, path, home);
  const list = parseList(Array.isArray(value) ? value : [value], path, 'ids', MAX_ITEMS);
  const items = list.map((one, index) => readItem(input, one, `${path}[${index}]`, home));
  return items.filter(({ value: id }, index) => items.findIndex((other) => other.value === id) === index);
}

function withDefault(input: BlueprintInput, given: unknown, home: NameResolver): unknown {
  if (given !== undefined && given !== null) return given;
  if (input.default !== undefined) return input.default;
  return input.all ? candidates(input, home) : undefined;
}

function isNothing(value: unknown): boolean {
  if (value === undefined || value === null) return true;
  return Array.isArray(value) ? value.length === 0 : typeof value === 'string' && value.trim() === '';
}

function expected({ kind, multiple }: BlueprintInput): string {
  if (multiple) return kind === 'person' ? 'people' : 'accessories';
  return THING_WORDS[kind] ?? 'a value';
}

function readItem(input: BlueprintInput, value: unknown, path: string, home: NameResolver): FilledItem {
  switch (input.kind) {
    case 'accessory':
      return readAccessory(input, value, path, home);
    case 'service_group':
    case 'scene':
    case 'person':
    case 'automation':
      return item(thingId(input, value, path, home));
    case 'number':
      return item(parseNumber(value, path, limitsOf(input)));
    case 'time':
      return item(parseAt(value, path));
    case 'duration': {
      const duration = parseDuration(value, path, { maxMs: MAX_HOLD_MS });
      return item({ ...duration }, { seconds: durationMs(duration) / 1_000 });
    }
    case 'weekdays':
      return item(parseWeekdays(value, path));
    case 'text':
      return item(parseText(value, path));
    case 'flag':
      return item(parseFlag(value, path));
  }
}

function limitsOf({ min, max }: BlueprintInput): { readonly min?: number; readonly max?: number } {
  return { ...(min !== undefined && { min }), ...(max !== undefined && { max }) };
}

function item(value: Json, parts: FilledItem['parts'] = {}): FilledItem {
  return { value, parts, has: () => false };
}

function thingId(input: BlueprintInput, value: unknown, path: string, home: NameResolver): string {
  const id = parseText(value, path).toLowerCase();
  if (things(input, home).includes(id)) return id;
  throw unfit(path, `the home has no such thing: choose ${THING_WORDS[input.kind] ?? 'one'}`);
}

function readAccessory(input: BlueprintInput, value: unknown, path: string, home: NameResolver): FilledItem {
  const id = thingId(input, value, path, home);
  const accessory = home.state.accessoryIn(home.homeId, id) as Accessory;
  const why = whyUnfit(input, accessory);
  if (why !== null) throw unfit(path, `${accessory.name} ${why}. Choose another accessory`);
  const property = (input.anyOf ?? input.needs ?? []).find((name) => hasProperty(accessory, name));
  return {
    value: id,
    parts: property === undefined ? {} : { property },
    has: (name) => hasProperty(accessory, name),
  };
}

/** Why an accessory can't be chosen, as the rest of a sentence; `null` if it can. */
function whyUnfit({ types, needs = [], anyOf = [] }: BlueprintInput, accessory: Accessory): string | null {
  if (types && types.length > 0 && !types.includes(deviceType(accessory))) return `is not of the type ${or(types)}`;
  const lacking = needs.find((name) => !hasProperty(accessory, name));
  if (lacking !== undefined) return `has no ${lacking}`;
  if (anyOf.length === 0 || anyOf.some((name) => hasProperty(accessory, name))) return null;
  return `has no ${or(anyOf)}`;
}

function or(words: readonly string[]): string {
  return words.map((word) => shorten(word)).join(' or ');
}

function hasProperty(accessory: Accessory, name: string): boolean {
  try {
    resolveCharacteristic(accessory, name);
    return true;
  } catch {
    return false;
  }
}

function things({ kind }: BlueprintInput, home: NameResolver): readonly string[] {
  return (THINGS[kind] ?? []).flatMap((list) => listNamed(list, home).map(({ id }) => id));
}

function candidates(input: BlueprintInput, home: NameResolver): string[] {
  return things(input, home).filter((id) => {
    if (input.kind !== 'accessory') return true;
    const accessory = home.state.accessoryIn(home.homeId, id);
    return accessory !== undefined && whyUnfit(input, accessory) === null;
  });
}

function unfit(path: string, sentence: string): HearthError {
  const { code, message, details } = invalid(path, sentence);
  return new HearthError(code, `${message}.`, { ...details, reason: 'blueprint_input_unfit' });
}
