/**
 * A flow in the words of the tools (wire-facts §11.2): keys for ids, properties for characteristics, a few kinds of parts for the many
 * that there are. What has no words here is shown as it is, marked `_unsupported`, and kept when the rest changes.
 */
import type { Condition, ConditionBlock, Flow, JsonObject, Trigger } from '../../../app/automations/flow.ts';
import { invalid } from '../../../app/automations/flows/faults.ts';
import { type Fields, given } from '../../../app/automations/flows/fields.ts';
import { presentDefinition } from '../../../app/automations/flows/present-flow.ts';
import { presentTime } from '../../rest/present-time.ts';
import { readAction, type SaidAction, sayActions } from './actions.ts';
import { CONDITION_TYPES, CONDITIONS, isBlock, sayAny, sayConditions } from './conditions.ts';
import type { HouseWords } from './house-words.ts';
import { isSame, Kept } from './kept.ts';
import { Node, readType, requireShallow, type Said, toFields, UNSUPPORTED } from './node.ts';
import { Places } from './places.ts';
import { readTrigger, sayTrigger } from './triggers.ts';

export interface SaidFlow {
  readonly id: string;
  readonly name: string;
  readonly description: string | null;
  readonly enabled: boolean;
  readonly mode: Flow['mode'];
  readonly triggers: readonly Said[];
  readonly conditions: readonly Said[];
  readonly actions: readonly Said[];
  /** ISO 8601. */
  readonly last_triggered: string | null;
  readonly trigger_count: number;
  /** Whether the caller may change it, and all of it can be said here. */
  readonly editable_via_mcp: boolean;
}

export interface FlowInput {
  readonly name?: string | undefined;
  readonly description?: string | undefined;
  readonly enabled?: boolean | undefined;
  readonly mode?: string | undefined;
  readonly triggers?: readonly unknown[] | undefined;
  readonly conditions?: readonly unknown[] | undefined;
  readonly actions?: readonly unknown[] | undefined;
}

/** More would be walked for nothing: the record has less. */
const MOST_PARTS = 500;
/** As the record's parser has it. Walked without it too. */
const MOST_LEVELS = 20;

export function sayFlow(flow: Flow, words: HouseWords, mayChange: boolean): SaidFlow {
  const { id, name, description, enabled, mode, lastTriggeredAt, triggerCount } = flow;
  const triggers = flow.triggers.map((trigger) => sayTrigger(trigger, words));
  const conditions = sayConditions(flow.conditions, words);
  const actions = sayActions(flow.actions, words).map(({ said }) => said);
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
 * What is to be saved.
 * @param current the flow that is changed: what is left out stays as it is
 * @param save takes the record; what it finds wrong is told in the places of what was sent
 * @throws HearthError naming the place of the fault, and what there is instead
 */
export function readFlow<T>(
  input: FlowInput,
  words: HouseWords,
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
  readonly places = new Places();
  readonly #words: HouseWords;
  readonly #current: Flow | undefined;

  constructor(words: HouseWords, current: Flow | undefined) {
    this.#words = words;
    this.#current = current;
  }

  triggers(inputs: readonly unknown[]): readonly unknown[] {
    requireFew(inputs, 'triggers');
    const before = this.#current?.triggers ?? [];
    const kept = new Kept<Trigger>(before.map((one) => ({ said: sayTrigger(one, this.#words), records: [one] })));
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
    const before: readonly SaidAction[] = sayActions(this.#current?.actions ?? [], this.#words);
    const kept = new Kept(before);
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
    const kept = new Kept<Condition>(before.map((one) => ({ said: sayAny(one, this.#words), records: [one] })));
    const [only] = inputs;
    const shown = this.#current && sayConditions(this.#current.conditions, this.#words);
    if (shown && isSame(inputs, shown)) return this.#current?.conditions;
    const block =
      inputs.length === 1 && isNest(only) && (only as Said).operator !== 'and'
        ? this.#block(toFields(only, 'conditions[0]', 'condition'), 'conditions', kept, 1)
        : this.#conditionList(inputs, 'conditions', 'conditions', kept, 1);
    kept.requireAll('conditions');
    return block;
  }

  #conditionList(inputs: readonly unknown[], path: string, record: string, kept: Kept<Condition>, level: number) {
    requireFew(inputs, path);
    if (level > MOST_LEVELS) throw invalid(path, `it is nested more than ${MOST_LEVELS} deep`);
    return inputs.flatMap((input, index): readonly unknown[] => {
      const place = `${path}[${index}]`;
      const there = `${record}[${index}]`;
      const fields = toFields(input, place, 'condition');
      this.places.put(there, place);
      if (isNest(input)) return [this.#block(fields, there, kept, level + 1)];
      return kept.find(input as object, place) ?? [this.#condition(this.#node(fields, there))];
    });
  }

  #block(fields: Fields, record: string, kept: Kept<Condition>, level: number): unknown {
    this.places.put(record, fields.path);
    fields.raw('type');
    const operator = fields.optionalOneOf('operator', ['and', 'or', 'not']) ?? 'and';
    const inputs = fields.list('conditions', 'conditions', MOST_PARTS);
    fields.done();
    const list = this.#conditionList(inputs, fields.at('conditions'), `${record}.conditions`, kept, level);
    return { operator, conditions: list };
  }

  #condition(node: Node): Said {
    const type = readType(node.fields, [...CONDITION_TYPES, 'nest'] as const, 'condition');
    // A block has been told from these by its conditions.
    const condition =
      type === 'nest' ? { conditions: node.fields.list('conditions', 'conditions', 0) } : CONDITIONS[type].read(node);
    node.fields.done();
    return given(condition);
  }

  #node(fields: Fields, record: string): Node {
    return new Node(fields, record, this.#words, this.places);
  }
}

/** Whether anything in it is marked so. */
export function hasUnsupported(said: Said): boolean {
  if (UNSUPPORTED in said) return true;
  const { type, conditions } = said;
  return type === 'nest' && Array.isArray(conditions) && conditions.some(hasUnsupported);
}

function isNest(input: unknown): boolean {
  if (typeof input !== 'object' || input === null || UNSUPPORTED in input) return false;
  const { type, conditions } = input as Said;
  return conditions !== undefined && (type === undefined || type === 'nest');
}

function* leavesOf({ conditions }: ConditionBlock): Iterable<Condition> {
  for (const one of conditions) {
    if (isBlock(one)) yield* leavesOf(one);
    else yield one;
  }
}

/** For each list before it is walked through. */
function requireFew(inputs: readonly unknown[], path: string): void {
  if (inputs.length > MOST_PARTS) throw invalid(path, `there may be at most ${MOST_PARTS}; these are ${inputs.length}`);
}

/** Ids that no part of the input has, nor begins with. */
function idMaker(inputs: readonly unknown[]): () => string {
  const taken = inputs.flatMap((input) => {
    const id = (input as Said | null | undefined)?.id;
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
