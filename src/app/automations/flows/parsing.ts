/**
 * What every parser of a part of a flow may ask: the home that the flow is of, what it referred to before, which ids are taken. One
 * `Parsing` a flow; it counts what is bounded over the flow as a whole.
 */
import type { HomeState } from '../../../home/home-state.ts';
import type { Presence } from '../../../home/presence.ts';
import type { VirtualAccessories } from '../../virtual-accessories/virtual-accessories.ts';
import { type Expressions, isVariableName } from '../expressions/expressions.ts';
import { bareExpression } from '../expressions/source.ts';
import type { ActionType, Flow, FlowDefinition, Json } from '../flow.ts';
import { at, invalid } from './faults.ts';
import type { Fields } from './fields.ts';
import { parseJson } from './json.ts';

/** Where a flow is parsed, and what is around it. What may be left out is then not checked. */
export interface ParseContext {
  readonly homeId: string;
  readonly state: HomeState;
  readonly expressions: Pick<Expressions, 'check' | 'checkTemplates'>;
  readonly flows: (id: string) => Flow | undefined;
  /** The flow that it will be; `null` for one that has no id yet. */
  readonly flowId: string | null;
  /** An earlier definition whose accessories may be gone; those of the flow itself may be anyway. */
  readonly formerly?: Pick<FlowDefinition, 'triggers' | 'conditions' | 'actions'>;
  /** Native automations, for `toggle_automation`. */
  readonly natives?: (id: string) => { readonly homeId: string } | undefined;
  readonly people?: Pick<Presence, 'people'>;
  readonly virtuals?: Pick<VirtualAccessories, 'describe'>;
  readonly hasScene?: (sceneId: string, homeId: string) => boolean;
  /** The flow that has this webhook. */
  readonly webhookOwner?: (webhookId: string) => string | undefined;
}

const MAX_ACTIONS = 500;
const MAX_NESTING = 20;

/** Names in which expressions find nodes; those of every object's own members would find something else. */
const NODE_ID = /^[A-Za-z0-9][\w.:-]{0,63}$/;
const UUID_IN_TEXT = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi;

export class Parsing {
  readonly context: ParseContext;
  /** Ids that the input gives to any node, so that none that is made clashes with one further down. */
  readonly #given: ReadonlySet<string>;
  readonly #triggerIds = new Set<string>();
  readonly #actions = new Map<string, ActionType>();
  readonly #before: Flow | undefined;
  readonly #formerUses: ReadonlySet<string>;
  readonly #webhookIds = new Set<string>();
  readonly #afterwards: (() => void)[] = [];
  readonly #made = new Map<string, number>();
  #namedNow: ReadonlySet<string> | undefined;
  #actionCount = 0;
  #nesting = 0;

  /** @param input all of it. */
  constructor(input: unknown, context: ParseContext) {
    this.context = context;
    this.#given = new Set(givenIds(input));
    this.#before = context.flowId === null ? undefined : context.flows(context.flowId);
    this.#formerUses = new Set([this.#before, context.formerly].flatMap((one) => (one ? [...usesOf(one)] : [])));
  }

  // — ids of nodes —

  triggerId(fields: Fields, type: string): string {
    const id = this.#nodeId(fields, type, (one) => this.#triggerIds.has(one));
    this.#triggerIds.add(id);
    return id;
  }

  /** @throws `invalid_value` also where the flow has too many actions */
  actionId(fields: Fields, type: ActionType): string {
    this.#actionCount += 1;
    if (this.#actionCount > MAX_ACTIONS) throw invalid(fields.path, `an automation has at most ${MAX_ACTIONS} actions`);
    const id = this.#nodeId(fields, type, (one) => this.#actions.has(one));
    this.#actions.set(id, type);
    return id;
  }

  hasTrigger(id: string): boolean {
    return this.#triggerIds.has(id);
  }

  /** Once all are parsed: see `afterwards`. */
  actionType(id: string): ActionType | undefined {
    return this.#actions.get(id);
  }

  /** What can only be checked when all nodes are known. */
  afterwards(check: () => void): void {
    this.#afterwards.push(check);
  }

  finish(): void {
    for (const check of this.#afterwards) check();
  }

  // — bounds —

  /** @throws `invalid_value` too many levels of actions or conditions within each other */
  nested<T>(path: string, parse: () => T): T {
    if (this.#nesting >= MAX_NESTING) throw invalid(path, `it is nested more than ${MAX_NESTING} deep`);
    this.#nesting += 1;
    try {
      return parse();
    } finally {
      this.#nesting -= 1;
    }
  }

  // — what was there before —

  /** Whether the flow referred to this accessory or group already; with a characteristic: to that of it. */
  usedBefore(id: string, characteristicType?: string): boolean {
    if (this.#isElsewhere(id)) return false;
    return this.#formerUses.has(characteristicType === undefined ? id : useOf(id, characteristicType));
  }

  /** Whether the flow names this scene, automation or person as it is now. What is gone since may stay until somebody takes it out. */
  isNamedNow(id: string): boolean {
    this.#namedNow ??= uuidsIn([this.#before?.triggers, this.#before?.conditions, this.#before?.actions]);
    return this.#namedNow.has(id) && !this.#isElsewhere(id);
  }

  /** @throws `invalid_value` another trigger or flow has it */
  claimWebhook(webhookId: string, path: string): void {
    const { webhookOwner, flowId } = this.context;
    const owner = webhookOwner?.(webhookId);
    if (this.#webhookIds.has(webhookId) || (owner !== undefined && owner !== flowId)) {
      throw invalid(path, 'this webhook is used already; leave it out to get one of its own');
    }
    this.#webhookIds.add(webhookId);
  }

  // — expressions —

  /** An expression, in `{{ }}` or not. @returns it without them. @throws `invalid_value` with the place of the fault */
  expression(fields: Fields, name: string): string {
    const text = fields.text(name, 'an expression');
    const path = fields.at(name);
    at(path, () => this.context.expressions.check(text, path));
    return bareExpression(text).text.trim();
  }

  /** A JSON value in which texts may be templates. @throws `invalid_value` with the path and place of the fault */
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

  /** @param areTemplates whether texts in the values are replaced when it runs */
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

  /** Another home has it: whatever the flow says of it, it is not gone but none of its business. */
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

/** Whether any text in it is a template. */
export function hasTemplate(input: unknown): boolean {
  if (typeof input === 'string') return input.includes('{{');
  return typeof input === 'object' && input !== null && Object.values(input).some(hasTemplate);
}

/** The name of something that expressions will say by it. @throws `invalid_value` */
export function requireVariableName(name: string, path: string): void {
  if (isVariableName(name) && !(name in {})) return;
  throw invalid(
    path,
    'a variable has a name of letters, digits and underscores that means nothing else, no digit first',
  );
}

/** Every UUID in any text of a value, in lower case: what it may refer to, in expressions too. */
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

function* givenIds(input: unknown): Iterable<string> {
  if (typeof input !== 'object' || input === null) return;
  for (const [key, value] of Object.entries(input)) {
    if (key === 'id' && typeof value === 'string') yield value;
    else yield* givenIds(value);
  }
}

/** The accessories and groups that nodes name, alone and with their characteristics. */
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
