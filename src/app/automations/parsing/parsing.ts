/**
 * The shared state of the parsers of one flow: its home, its earlier references, the ids in use. One `Parsing` per
 * flow; it enforces the limits of the whole flow.
 */
import type { HomeState } from '../../../home/home-state.ts';
import type { Presence } from '../../../home/presence.ts';
import type { Json } from '../../../kernel/json.ts';
import type { SlicedWork } from '../../../kernel/slices.ts';
import type { VirtualAccessories } from '../../virtual-accessories/virtual-accessories.ts';
import { type Expressions, isVariableName } from '../expressions/expressions.ts';
import { bareExpression } from '../expressions/source.ts';
import { at, invalid } from './faults.ts';
import type { Fields } from './fields.ts';
import { parseJson } from './json.ts';

/** The parts of a stored flow, whose references are read without knowing their kinds. */
export interface FlowParts {
  readonly triggers: readonly object[];
  readonly conditions: object;
  readonly actions: readonly object[];
}

interface NamedFlow extends FlowParts {
  readonly homeId: string;
}

/** The flow's surroundings. A check is skipped if its optional field is omitted. */
export interface ParseContext {
  readonly homeId: string;
  readonly state: HomeState;
  readonly expressions: Pick<Expressions, 'check' | 'checkTemplates'>;
  readonly flows: (id: string) => NamedFlow | undefined;
  /** The id of the flow; `null` for a flow that has no id yet. */
  readonly flowId: string | null;
  /**
   * An earlier definition whose accessories may be missing. The flow's own current accessories may always be missing.
   */
  readonly formerly?: FlowParts;
  /** Native automations, for `toggle_automation`. */
  readonly natives?: (id: string) => { readonly homeId: string } | undefined;
  readonly people?: Pick<Presence, 'people'>;
  readonly virtuals?: Pick<VirtualAccessories, 'describe'>;
  readonly hasScene?: (sceneId: string, homeId: string) => boolean;
  /** The flow that owns this webhook. */
  readonly webhookOwner?: (webhookId: string) => string | undefined;
}

const MAX_ACTIONS = 500;
const MAX_NESTING = 20;

/** Names of nodes in expressions; excludes names that JavaScript objects inherit. */
const NODE_ID = /^[A-Za-z0-9][\w.:-]{0,63}$/;
const UUID_IN_TEXT = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi;

export class Parsing {
  readonly context: ParseContext;
  /** All node ids in the input, so that a generated id does not collide with a later one. */
  readonly #given: ReadonlySet<string>;
  readonly #triggerIds = new Set<string>();
  readonly #actions = new Map<string, string>();
  readonly #before: FlowParts | undefined;
  readonly #formerUses: ReadonlySet<string>;
  readonly #webhookIds = new Set<string>();
  readonly #afterwards: (() => void)[] = [];
  readonly #made = new Map<string, number>();
  #namedNow: ReadonlySet<string> | undefined;
  #actionCount = 0;
  #nesting = 0;

  /** @param input the whole input. */
  constructor(input: unknown, context: ParseContext) {
    this.context = context;
    this.#given = givenIds(input);
    this.#before = context.flowId === null ? undefined : context.flows(context.flowId);
    this.#formerUses = new Set([this.#before, context.formerly].flatMap((one) => (one ? [...usesOf(one)] : [])));
  }

  // — ids of nodes —

  triggerId(fields: Fields, type: string): string {
    const id = this.#nodeId(fields, type, (one) => this.#triggerIds.has(one));
    this.#triggerIds.add(id);
    return id;
  }

  /** @throws `invalid_value` also if the flow has too many actions */
  actionId(fields: Fields, type: string): string {
    this.#actionCount += 1;
    if (this.#actionCount > MAX_ACTIONS) throw invalid(fields.path, `an automation has at most ${MAX_ACTIONS} actions`);
    const id = this.#nodeId(fields, type, (one) => this.#actions.has(one));
    this.#actions.set(id, type);
    return id;
  }

  hasTrigger(id: string): boolean {
    return this.#triggerIds.has(id);
  }

  /** Available once all nodes are parsed: see `afterwards`. */
  actionType(id: string): string | undefined {
    return this.#actions.get(id);
  }

  /** Runs a check after all nodes are known. */
  afterwards(check: () => void): void {
    this.#afterwards.push(check);
  }

  finish(): void {
    for (const check of this.#afterwards) check();
  }

  // — bounds —

  /** @throws `invalid_value` too many levels of nested actions or conditions */
  nested<T>(path: string, parse: () => T): T {
    if (this.#nesting >= MAX_NESTING) throw invalid(path, `it is nested more than ${MAX_NESTING} deep`);
    this.#nesting += 1;
    try {
      return parse();
    } finally {
      this.#nesting -= 1;
    }
  }

  /** The same for parsers that may pause. @throws `invalid_value` */
  *nestedSteps<T>(path: string, parse: () => SlicedWork<T>): SlicedWork<T> {
    if (this.#nesting >= MAX_NESTING) throw invalid(path, `it is nested more than ${MAX_NESTING} deep`);
    this.#nesting += 1;
    try {
      return yield* parse();
    } finally {
      this.#nesting -= 1;
    }
  }

  // — earlier references —

  /**
   * Whether the flow already referred to this accessory or group; with a characteristic: to that characteristic of it.
   */
  usedBefore(id: string, characteristicType?: string): boolean {
    if (this.#isElsewhere(id)) return false;
    return this.#formerUses.has(characteristicType === undefined ? id : useOf(id, characteristicType));
  }

  /**
   * Whether the current flow names this scene, automation or person. A reference to a deleted object may stay until a
   * user removes it.
   */
  isNamedNow(id: string): boolean {
    this.#namedNow ??= uuidsIn([this.#before?.triggers, this.#before?.conditions, this.#before?.actions]);
    return this.#namedNow.has(id) && !this.#isElsewhere(id);
  }

  /** @throws `invalid_value` another trigger or flow has it */
  claimWebhook(webhookId: string, path: string): void {
    const isRepeated = this.#webhookIds.has(webhookId);
    this.#webhookIds.add(webhookId);
    // Deferred to the end: another flow may claim it while this one pauses.
    this.afterwards(() => {
      const { webhookOwner, flowId } = this.context;
      const owner = webhookOwner?.(webhookId);
      if (!isRepeated && (owner === undefined || owner === flowId)) return;
      throw invalid(path, 'this webhook is used already; leave it out to get one of its own');
    });
  }

  // — expressions —

  /**
   * An expression, with or without `{{ }}`. @returns it without them. @throws `invalid_value` with the position of the
   * error
   */
  expression(text: string, path: string): string {
    at(path, () => this.context.expressions.check(text, path));
    return bareExpression(text).text;
  }

  /** A JSON value in which texts may be templates. @throws `invalid_value` with the path and position of the error */
  templates(input: unknown, path: string): Json {
    const value = parseJson(input, path);
    at(path, () => this.context.expressions.checkTemplates(value, path));
    return value;
  }

  template(text: string, path: string): string {
    at(path, () => this.context.expressions.checkTemplates(text, path));
    return text;
  }

  optionalTemplate(fields: Fields, name: string): string | undefined {
    const text = fields.optionalText(name);
    return text === undefined ? undefined : this.template(text, fields.at(name));
  }

  /** @param areTemplates whether texts in the values are rendered at run time */
  variables(fields: Fields, name: string, areTemplates: boolean): Readonly<Record<string, Json>> | undefined {
    const input = fields.object(name);
    if (!input) return undefined;
    const entries = Object.entries(fields.raw(name) as object).map(([key, value]) => {
      const path = input.at(key);
      requireVariableName(key, path);
      return [key, areTemplates ? this.templates(value, path) : parseJson(value, path)] as const;
    });
    return Object.fromEntries(entries);
  }

  /** The object belongs to another home: it is not missing, but out of reach of this flow. */
  #isElsewhere(id: string): boolean {
    const { state, flows, natives, homeId } = this.context;
    const things = [state.accessory(id), state.serviceGroups.find(id), state.scenes.find(id), flows(id), natives?.(id)];
    return things.some((thing) => thing !== undefined && thing.homeId !== homeId);
  }

  #nodeId(fields: Fields, type: string, isTaken: (id: string) => boolean): string {
    const id = fields.optionalText('id') ?? '';
    if (id === '') return this.#makeId(type);
    const path = fields.at('id');
    if (!NODE_ID.test(id) || id in {}) {
      throw invalid(
        path,
        'an id has 1 to 64 letters, digits, dots, colons, dashes or underscores, a letter or digit first',
      );
    }
    if (isTaken(id)) throw invalid(path, `there is another one with the id "${id}"; each needs its own`);
    return id;
  }

  #makeId(type: string): string {
    for (let n = (this.#made.get(type) ?? 0) + 1; ; n += 1) {
      const id = `${type}_${n}`;
      if (this.#given.has(id)) continue;
      this.#made.set(type, n);
      return id;
    }
  }
}

/** Whether any text in the value is a template. */
export function hasTemplate(input: unknown): boolean {
  if (typeof input === 'string') return input.includes('{{');
  return typeof input === 'object' && input !== null && Object.values(input).some(hasTemplate);
}

/** Checks a name that expressions use. @throws `invalid_value` */
export function requireVariableName(name: string, path: string): void {
  if (isVariableName(name) && !(name in {})) return;
  throw invalid(
    path,
    'a variable has a name of letters, digits and underscores that means nothing else, no digit first',
  );
}

/** Every UUID in any text of a value, in lower case: all possible references, including those in expressions. */
export function uuidsIn(value: unknown, found = new Set<string>()): ReadonlySet<string> {
  if (typeof value === 'string') {
    for (const [id] of value.matchAll(UUID_IN_TEXT)) found.add(id.toLowerCase());
  } else if (typeof value === 'object' && value !== null) {
    for (const item of Object.values(value)) uuidsIn(item, found);
  }
  return found;
}

/** A text with its UUIDs replaced. */
export function replaceUuids(text: string, ids: ReadonlyMap<string, string>): string {
  return text.replace(UUID_IN_TEXT, (id) => ids.get(id.toLowerCase()) ?? id);
}

function givenIds(input: unknown, found = new Set<string>()): ReadonlySet<string> {
  if (typeof input !== 'object' || input === null) return found;
  if ('id' in input && typeof input.id === 'string') found.add(input.id);
  for (const value of Object.values(input)) givenIds(value, found);
  return found;
}

/** The accessories and groups that nodes refer to, alone and with their characteristics. */
function* usesOf(node: unknown): Iterable<string> {
  if (typeof node !== 'object' || node === null) return;
  const { accessoryId, serviceGroupId, groupId, characteristicType } = node as Readonly<Record<string, unknown>>;
  for (const id of [accessoryId, serviceGroupId, groupId]) {
    if (typeof id !== 'string') continue;
    yield id;
    if (typeof characteristicType === 'string') yield useOf(id, characteristicType);
  }
  for (const value of Object.values(node)) yield* usesOf(value);
}

function useOf(id: string, characteristicType: string): string {
  return `${id} ${characteristicType}`;
}
