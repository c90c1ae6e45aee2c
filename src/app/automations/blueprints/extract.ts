/**
 * Turns an automation into a blueprint: what belongs to its home becomes an input. Ids, names and secrets of the home
 * stay in the home: webhooks lose their ids, addresses and headers of requests, free texts that could hold a name or
 * an address, and places become inputs without a default. Pure.
 */
import { BLUEPRINT_VERSION, type BlueprintInput } from '../../../contract/blueprints.ts';
import { nameKey } from '../../../home/names.ts';
import { slugKey } from '../../../home/slug.ts';
import { deviceType } from '../../../home/vocabulary/device-types.ts';
import { HearthError } from '../../../kernel/errors.ts';
import type { Json, JsonObject } from '../../../kernel/json.ts';
import { type NameResolver, nameOfReference, type ReferenceKind } from '../flows/named-references.ts';
import { uuidsIn } from '../parsing/parsing.ts';
import type { Program } from '../program.ts';
import { InputNames, type InputWords } from './input-names.ts';
import type { ReadBlueprint } from './read-blueprint.ts';
import { escapeReferences, isJsonObject, isList } from './references.ts';

export interface ExtractOptions {
  readonly name: string;
  readonly description: string;
  readonly words: InputWords;
  readonly home: NameResolver;
  /** Names of the home that no blueprint may have: of rooms, people, the home itself … */
  readonly names: readonly string[];
}

/** Members that hold what people wrote. */
const FREE_TEXTS: ReadonlySet<string> = new Set([
  ...['message', 'title', 'reason', 'value', 'icon', 'data', 'eventType', 'eventData', 'buttonId', 'tag'],
]);
/** Members that hold a free text which only people read. */
const NOTES: ReadonlySet<string> = new Set(['alias', 'description', 'uiState', 'blueprintId', 'homeId']);

type Kind = BlueprintInput['kind'];

const KIND_OF_REFERENCE: Readonly<Record<ReferenceKind, Kind>> = {
  accessory: 'accessory',
  service_group: 'service_group',
  scene: 'scene',
  flow: 'automation',
  automation: 'automation',
  person: 'person',
};

/** Of ids whose thing is gone: by the member that has them. */
const KIND_OF_MEMBER: Readonly<Record<string, Kind>> = {
  accessoryId: 'accessory',
  serviceGroupId: 'service_group',
  groupId: 'service_group',
  sceneId: 'scene',
  personIds: 'person',
  who: 'person',
};

/** @throws `conflict` it refers to itself */
export function extractBlueprint(program: Program, options: ExtractOptions): ReadBlueprint {
  const extraction = new Extraction(options);
  const { id, mode, maxRunning, triggers, conditions, actions, variables } = program;
  const parts = { mode, maxRunning, triggers, conditions, actions } as unknown as JsonObject;
  if (uuidsIn([parts, variables]).has(id)) {
    throw new HearthError('conflict', 'An automation that names itself can’t become a blueprint.');
  }
  extraction.learn(parts);
  extraction.learnKeys(variables);
  const automation = { ...extraction.object(parts), variables: extraction.variables(variables) };
  const { name, description } = options;
  return { hearthd_blueprint: BLUEPRINT_VERSION, name, description, inputs: extraction.inputs(), automation };
}

class Extraction {
  readonly #options: ExtractOptions;
  readonly #names: InputNames;
  readonly #inputs: BlueprintInput[] = [];
  readonly #byId = new Map<string, string>();
  /** The characteristics that the automation uses, by accessory. */
  readonly #needs = new Map<string, Set<string>>();
  readonly #virtuals = new Set<string>();
  /** New ids for nodes whose own hold a name of the home. */
  readonly #nodeIds = new Map<string, string>();
  /** New names for variables and members of data whose own hold a name of the home, an address or an id. */
  readonly #keys = new Map<string, string>();
  /** Names of the home, folded, of at least three characters. */
  readonly #privateNames: readonly string[];

  constructor(options: ExtractOptions) {
    this.#options = options;
    this.#names = new InputNames(options.words);
    this.#privateNames = options.names.map(nameKey).filter((name) => name.length >= 3);
  }

  inputs(): readonly BlueprintInput[] {
    return this.#inputs;
  }

  /** Notes the ids of nodes, and which characteristics the automation needs of which accessory. */
  learn(node: Json | undefined): void {
    if (typeof node !== 'object' || node === null) return;
    if (isJsonObject(node)) {
      const { accessoryId, characteristicType, type, id } = node;
      if (typeof id === 'string' && this.#isPrivate(id)) this.#nodeIds.set(id, `node_${this.#nodeIds.size + 1}`);
      if (typeof accessoryId === 'string' && typeof characteristicType === 'string') {
        const needs = this.#needs.get(accessoryId) ?? new Set();
        this.#needs.set(accessoryId, needs.add(characteristicType));
      }
      if (typeof accessoryId === 'string' && type === 'virtual') this.#virtuals.add(accessoryId);
    }
    for (const [name, item] of Object.entries(node)) {
      if (HAS_OWN_KEYS.has(name)) this.learnKeys(item);
      this.learn(item);
    }
  }

  /** Notes the names that people gave to members. */
  learnKeys(data: Json | undefined): void {
    if (typeof data !== 'object' || data === null) return;
    for (const [name, item] of Object.entries(data)) {
      const isKey = isJsonObject(data) && !this.#keys.has(name);
      if (isKey && (this.#isPrivate(name) || uuidsIn(name).size > 0))
        this.#keys.set(name, `key_${this.#keys.size + 1}`);
      this.learnKeys(item);
    }
  }

  object(node: JsonObject): JsonObject {
    const { type } = node;
    if (type === 'webhook') return this.#members({ ...node, webhookId: undefined });
    if (type === 'location') return this.#place(node);
    if (type === 'fire_webhook') return this.#request(node);
    return this.#members(node);
  }

  /** People's own values: texts among them may be secrets. */
  variables(values: Json | undefined): Json {
    if (typeof values === 'string') return this.#ownText(values);
    if (isList(values)) return values.map((item) => this.variables(item));
    if (!isJsonObject(values)) return values ?? null;
    return Object.fromEntries(
      Object.entries(values).map(([name, value]) => [this.#keys.get(name) ?? name, this.variables(value)]),
    );
  }

  #members(node: JsonObject): JsonObject {
    const entries = Object.entries(node).flatMap(([name, value]) => {
      if (value === undefined || value === null || NOTES.has(name)) return [];
      return [[name, name === 'variables' ? this.variables(value) : this.#value(value, name)] as const];
    });
    return Object.fromEntries(entries);
  }

  #value(value: Json, member: string, isFree = FREE_TEXTS.has(member)): Json {
    if (typeof value === 'string') return this.#text(value, member, isFree);
    if (isList(value)) return value.map((item) => this.#value(item, member, isFree));
    if (!isJsonObject(value)) return value;
    if (!isFree) return this.object(value);
    return Object.fromEntries(
      Object.entries(value).flatMap(([name, one]) =>
        one === undefined ? [] : [[this.#keys.get(name) ?? name, this.#value(one, name, true)]],
      ),
    );
  }

  #text(text: string, member: string, isFree: boolean): Json {
    if (NODE_IDS.has(member)) return this.#nodeIds.get(text) ?? text;
    // Buttons have an id as nodes do; a trigger may name one of another automation.
    const buttonId = member === 'buttonId' ? this.#nodeIds.get(text) : undefined;
    if (buttonId !== undefined) return buttonId;
    const isExpression = member === 'expression' || text.includes('{{');
    if (isFree && this.#isPrivate(withoutIds(isExpression ? withoutExpressions(text) : text))) {
      return this.#add(this.#textInput(member));
    }
    if (isFree && (member === 'message' || member === 'title') && !isExpression) {
      return this.#add({ ...this.#textInput(member), default: text });
    }
    const escaped = escapeReferences(text);
    return this.#withoutIds(isExpression ? this.#withoutNames(escaped, member === 'expression') : escaped, member);
  }

  #ownText(text: string): Json {
    const ids = [...uuidsIn(text)];
    if (ids.length === 1 && text.length === ids[0]?.length) return this.#withoutIds(text, 'variables');
    return this.#add(this.#textInput('variables'));
  }

  /** The ids in a text as references. */
  #withoutIds(text: string, member: string): string {
    let result = text;
    for (const id of uuidsIn(text)) {
      result = result.replaceAll(new RegExp(id, 'gi'), this.#reference(id, member));
    }
    return result;
  }

  /** Replaces what is named in an expression: `states("Hall Sensor")`, `nodes.hall_lamp`. */
  #withoutNames(text: string, isBare: boolean): string {
    const replaced = (expression: string) =>
      expression
        .replace(QUOTED, (_all, quote: string, quoted: string) => `${quote}${this.#quoted(quoted)}${quote}`)
        .replace(NODE_IN_EXPRESSION, (all, id: string) => `nodes.${this.#nodeIds.get(id) ?? all.slice(6)}`)
        .replace(NAME_IN_EXPRESSION, (name) => this.#keys.get(name) ?? name);
    return isBare ? replaced(text) : text.replace(EXPRESSION, replaced);
  }

  #quoted(text: string): string {
    const own = this.#nodeIds.get(text) ?? this.#keys.get(text);
    if (own !== undefined) return own;
    const id = this.#thingNamed(text);
    if (id !== undefined) return this.#reference(id, 'accessoryId');
    return this.#isPrivate(withoutIds(text)) ? this.#add(this.#textInput('text')) : text;
  }

  #thingNamed(name: string): string | undefined {
    const { state, homeId } = this.#options.home;
    const key = nameKey(name);
    const things = [...state.accessories(homeId), ...state.serviceGroups.list(homeId)];
    return things.find((one) => nameKey(one.name) === key || nameKey(slugKey(one.name, one.id)) === key)?.id;
  }

  #reference(id: string, member: string): string {
    const known = this.#byId.get(id);
    if (known !== undefined) return known;
    const named = nameOfReference(id, this.#options.home);
    const kind = named ? KIND_OF_REFERENCE[named.kind] : (KIND_OF_MEMBER[member] ?? 'text');
    const reference = this.#add(kind === 'accessory' ? this.#accessoryInput(id) : { kind, word: kind });
    this.#byId.set(id, reference);
    return reference;
  }

  #accessoryInput(id: string): NewInput {
    const { state, homeId } = this.#options.home;
    const accessory = state.accessoryIn(homeId, id);
    const type = accessory ? deviceType(accessory) : 'other';
    const needs = [...(this.#needs.get(id) ?? [])];
    return {
      kind: 'accessory',
      word: type,
      ...(needs.length > 0 && { needs }),
      ...(this.#virtuals.has(id) && { types: [type] }),
    };
  }

  #textInput(member: string): NewInput {
    return { kind: 'text', word: member === 'title' || member === 'message' ? member : 'text' };
  }

  /** Where something is, is the home's own. */
  #place(node: JsonObject): JsonObject {
    const { latitude: _latitude, longitude: _longitude, ...others } = node;
    return {
      ...this.#members(others),
      latitude: this.#add({ kind: 'number', word: 'latitude', min: -90, max: 90 }),
      longitude: this.#add({ kind: 'number', word: 'longitude', min: -180, max: 180 }),
    };
  }

  /** An address, a header and a body may each hold a token or a topic. */
  #request(node: JsonObject): JsonObject {
    const { url: _url, headers, body, ...others } = node;
    // A header whose name is private can't have another.
    const names = isJsonObject(headers) ? Object.keys(headers).filter((name) => !this.#keys.has(name)) : [];
    return {
      ...this.#members(others),
      url: this.#add({ kind: 'text', word: 'address' }),
      ...(names.length > 0 && {
        headers: Object.fromEntries(names.map((name) => [name, this.#add({ kind: 'text', word: 'header' })])),
      }),
      ...(body !== undefined && body !== null && { body: this.variables(body) }),
    };
  }

  #add({ word, ...input }: NewInput): string {
    const { id, name } = this.#names.next(word);
    this.#inputs.push({ id, name, ...input });
    return `$(${id})`;
  }

  #isPrivate(text: string): boolean {
    if (/:\/\/|@/.test(text)) return true;
    const folded = nameKey(text);
    return this.#privateNames.some((name) => folded.includes(name));
  }
}

type NewInput = Omit<BlueprintInput, 'id' | 'name'> & { readonly word: string };

/** Members that hold objects whose members people named. */
const HAS_OWN_KEYS: ReadonlySet<string> = new Set(['variables', 'data', 'eventData', 'headers', 'body', 'value']);
const NODE_IDS: ReadonlySet<string> = new Set(['id', 'triggerId', 'nodeId']);
const NODE_IN_EXPRESSION = /\bnodes\.(\w+)/g;
const NAME_IN_EXPRESSION = /[\p{L}_]\w*/gu;
const EXPRESSION = /\{\{[\s\S]*?\}\}/g;
const QUOTED = /(["'])((?:\\.|(?!\1)[^\\])*)\1/g;

function withoutExpressions(text: string): string {
  return text.replace(EXPRESSION, ' ');
}

function withoutIds(text: string): string {
  let result = text;
  for (const id of uuidsIn(text)) result = result.replaceAll(new RegExp(id, 'gi'), ' ');
  return result;
}
