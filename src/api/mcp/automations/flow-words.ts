/**
 * A flow in the tools' format (wire-facts §11.2): keys for ids, properties for characteristics, and few kinds of parts
 * in place of many. Parts that the format cannot express are shown unchanged, marked `_unsupported`, and kept when the
 * rest changes.
 */
import { type Condition, type ConditionBlock, OPERATORS } from '../../../app/automations/conditions/index.ts';
import type { Flow } from '../../../app/automations/flow.ts';
import { presentDefinition } from '../../../app/automations/flows/present-flow.ts';
import { invalid } from '../../../app/automations/parsing/faults.ts';
import { type Fields, given } from '../../../app/automations/parsing/fields.ts';
import type { Trigger } from '../../../app/automations/triggers/index.ts';
import type { JsonObject } from '../../../kernel/json.ts';
import { presentTime } from '../../present/time.ts';
import { presentActions, readAction, type WireAction } from './actions.ts';
import { CONDITION_TYPES, CONDITIONS, isBlock, presentAny, presentConditions } from './conditions.ts';
import type { HomeWords } from './home-words.ts';
import { isSame, KeptParts } from './kept.ts';
import { Node, readType, requireShallow, toFields, UNSUPPORTED, type WireNode } from './node.ts';
import { SentPositions } from './sent-positions.ts';
import { presentTrigger, readTrigger } from './triggers.ts';

export interface WireFlow {
  readonly id: string;
  readonly name: string;
  readonly description: string | null;
  readonly enabled: boolean;
  readonly mode: Flow['mode'];
  readonly triggers: readonly WireNode[];
  readonly conditions: readonly WireNode[];
  readonly actions: readonly WireNode[];
  /** ISO 8601. */
  readonly last_triggered: string | null;
  readonly trigger_count: number;
  /** Whether the caller may change it, and the format can express all of it. */
  readonly editable_via_mcp: boolean;
}

export interface SentFlow {
  readonly name?: string | undefined;
  readonly description?: string | undefined;
  readonly enabled?: boolean | undefined;
  readonly mode?: string | undefined;
  readonly triggers?: readonly unknown[] | undefined;
  readonly conditions?: readonly unknown[] | undefined;
  readonly actions?: readonly unknown[] | undefined;
}

/** A longer list need not be walked: the record allows fewer. */
const MAX_PARTS = 500;
/** The limit of the record's parser, also applied to input that it does not parse. */
const MAX_LEVELS = 20;

export function presentFlow(flow: Flow, words: HomeWords, mayChange: boolean): WireFlow {
  const { id, name, description, enabled, mode, lastTriggeredAt, triggerCount } = flow;
  const triggers = flow.triggers.map((trigger) => presentTrigger(trigger, words));
  const conditions = presentConditions(flow.conditions, words);
  const actions = presentActions(flow.actions, words).map(({ wire }) => wire);
  return {
    id,
    name,
    description,
    enabled,
    mode,
    triggers,
    conditions,
    actions,
    last_triggered: presentTime(lastTriggeredAt),
    trigger_count: triggerCount,
    editable_via_mcp: mayChange && ![...triggers, ...conditions, ...actions].some(hasUnsupported),
  };
}

/**
 * The flow to save.
 * @param current the flow that is changed: omitted fields stay as they are
 * @param save takes the record; its errors name positions in the input
 * @throws HearthError naming the position of the error, and valid alternatives
 */
export function readFlow<T>(
  input: SentFlow,
  words: HomeWords,
  current: Flow | undefined,
  save: (data: JsonObject) => T,
): T {
  for (const list of ['triggers', 'conditions', 'actions'] as const) requireShallow(input[list], list);
  const reader = new FlowReader(words, current);
  const { name, description, enabled, mode } = input;
  const changes = given({
    name,
    description,
    enabled,
    mode,
    triggers: input.triggers && reader.triggers(input.triggers),
    conditions: input.conditions && reader.conditions(input.conditions),
    actions: input.actions && reader.actions(input.actions),
  });
  const before = current && { name: current.name, ...presentDefinition(current) };
  return reader.places.translate(() => save({ ...before, ...changes } as JsonObject));
}

class FlowReader {
  readonly places = new SentPositions();
  readonly #words: HomeWords;
  readonly #current: Flow | undefined;

  constructor(words: HomeWords, current: Flow | undefined) {
    this.#words = words;
    this.#current = current;
  }

  triggers(inputs: readonly unknown[]): readonly unknown[] {
    requireFew(inputs, 'triggers');
    const before = this.#current?.triggers ?? [];
    const kept = new KeptParts<Trigger>(
      before.map((one) => ({ wire: presentTrigger(one, this.#words), records: [one] })),
    );
    const triggers = inputs.flatMap((input, index): readonly unknown[] => {
      const path = `triggers[${index}]`;
      const fields = toFields(input, path, 'trigger');
      return kept.find(input as object, path) ?? [readTrigger(this.#node(fields, path))];
    });
    kept.requireAll('triggers');
    return triggers;
  }

  actions(inputs: readonly unknown[]): readonly unknown[] {
    requireFew(inputs, 'actions');
    const before: readonly WireAction[] = presentActions(this.#current?.actions ?? [], this.#words);
    const kept = new KeptParts(before);
    const freeId = idMaker(inputs);
    const actions: unknown[] = [];
    for (const [index, input] of inputs.entries()) {
      const path = `actions[${index}]`;
      const fields = toFields(input, path, 'action');
      const known = kept.find(input as object, path);
      for (const offset of known?.keys() ?? []) this.places.put(`actions[${actions.length + offset}]`, path);
      const nodeAt = (offset: number) => this.#node(fields, `actions[${actions.length + offset}]`);
      actions.push(...(known ?? readAction(input as object, nodeAt, freeId)));
    }
    kept.requireAll('actions');
    return actions;
  }

  conditions(inputs: readonly unknown[]): unknown {
    requireFew(inputs, 'conditions');
    const before = this.#current ? [...leavesOf(this.#current.conditions)] : [];
    const kept = new KeptParts<Condition>(
      before.map((one) => ({ wire: presentAny(one, this.#words), records: [one] })),
    );
    const [only] = inputs;
    const shown = this.#current && presentConditions(this.#current.conditions, this.#words);
    if (shown && isSame(inputs, shown)) return this.#current?.conditions;
    const block =
      inputs.length === 1 && isNest(only) && (only as WireNode).operator !== 'and'
        ? this.#block(toFields(only, 'conditions[0]', 'condition'), 'conditions', kept, 1)
        : this.#conditionList(inputs, 'conditions', 'conditions', kept, 1);
    kept.requireAll('conditions');
    return block;
  }

  #conditionList(inputs: readonly unknown[], path: string, record: string, kept: KeptParts<Condition>, level: number) {
    requireFew(inputs, path);
    if (level > MAX_LEVELS) throw invalid(path, `it is nested more than ${MAX_LEVELS} deep`);
    return inputs.flatMap((input, index): readonly unknown[] => {
      const place = `${path}[${index}]`;
      const there = `${record}[${index}]`;
      const fields = toFields(input, place, 'condition');
      this.places.put(there, place);
      if (isNest(input)) return [this.#block(fields, there, kept, level + 1)];
      return kept.find(input as object, place) ?? [this.#condition(this.#node(fields, there))];
    });
  }

  #block(fields: Fields, record: string, kept: KeptParts<Condition>, level: number): unknown {
    this.places.put(record, fields.path);
    fields.raw('type');
    const operator = fields.optionalOneOf('operator', OPERATORS) ?? 'and';
    const inputs = fields.list('conditions', 'conditions', MAX_PARTS);
    fields.done();
    const list = this.#conditionList(inputs, fields.at('conditions'), `${record}.conditions`, kept, level);
    return { operator, conditions: list };
  }

  #condition(node: Node): WireNode {
    const type = readType(node.fields, [...CONDITION_TYPES, 'nest'] as const, 'condition');
    // A block is recognised by its conditions.
    const condition =
      type === 'nest' ? { conditions: node.fields.list('conditions', 'conditions', 0) } : CONDITIONS[type].read(node);
    node.fields.done();
    return given(condition);
  }

  #node(fields: Fields, record: string): Node {
    return new Node(fields, record, this.#words, this.places);
  }
}

/** Whether any part of it is marked so. */
export function hasUnsupported(wire: WireNode): boolean {
  if (UNSUPPORTED in wire) return true;
  const { type, conditions } = wire;
  return type === 'nest' && Array.isArray(conditions) && conditions.some(hasUnsupported);
}

function isNest(input: unknown): boolean {
  if (typeof input !== 'object' || input === null || UNSUPPORTED in input) return false;
  const { type, conditions } = input as WireNode;
  return conditions !== undefined && (type === undefined || type === 'nest');
}

function* leavesOf({ conditions }: ConditionBlock): Iterable<Condition> {
  for (const one of conditions) {
    if (isBlock(one)) yield* leavesOf(one);
    else yield one;
  }
}

/** For each list before it is walked. */
function requireFew(inputs: readonly unknown[], path: string): void {
  if (inputs.length > MAX_PARTS) throw invalid(path, `there may be at most ${MAX_PARTS}; these are ${inputs.length}`);
}

/** Ids that no part of the input has or begins with. */
function idMaker(inputs: readonly unknown[]): () => string {
  const taken = inputs.flatMap((input) => {
    const id = (input as WireNode | null | undefined)?.id;
    return typeof id === 'string' ? [id] : [];
  });
  let count = 0;
  return () => {
    for (;;) {
      count += 1;
      const id = `device_${count}`;
      if (!taken.some((one) => one === id || one.startsWith(`${id}.`))) return id;
    }
  };
}
