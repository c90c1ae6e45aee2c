/** Which nodes contain others, and where: one table to traverse and render flows and to assign ids. */
import { type FlowNode, type FlowRecord, isBlock, isList, isObject, nodesOf, textOf } from './flow-record.ts';
import type { Path } from './paths.ts';

export type NodeRole = 'trigger' | 'condition' | 'action';

/** A list of nodes within a node, or a block of conditions. */
export interface Slot {
  readonly role: NodeRole;
  /** The path from the node: to the block, or to the list. */
  readonly path: Path;
  readonly isBlock: boolean;
  /** Its label: a key of the editor's texts. */
  readonly label: SlotLabel;
  /** The number among equal slots, from 1. */
  readonly number?: number;
}

export type SlotLabel =
  | 'waitFor'
  | 'if'
  | 'thenDo'
  | 'else'
  | 'choice'
  | 'choiceActions'
  | 'otherwise'
  | 'while'
  | 'until'
  | 'sequence'
  | 'branch';

function list(role: NodeRole, label: SlotLabel, ...path: Path): Slot {
  return { role, label, path, isBlock: false };
}

function block(label: SlotLabel, ...path: Path): Slot {
  return { role: 'condition', label, path, isBlock: true };
}

const SLOTS: Readonly<Record<string, (node: FlowNode) => readonly Slot[]>> = {
  wait_for_trigger: () => [list('trigger', 'waitFor', 'triggers')],
  if_then_else: () => [block('if', 'condition'), list('action', 'thenDo', 'then'), list('action', 'else', 'else')],
  choose: (node) => [
    ...nodesOf(node.choices).flatMap((_, index) => [
      { ...block('choice', 'choices', index, 'conditions'), number: index + 1 },
      { ...list('action', 'choiceActions', 'choices', index, 'actions'), number: index + 1 },
    ]),
    list('action', 'otherwise', 'default'),
  ],
  repeat: (node) => [
    ...(node.mode === 'while' ? [block('while', 'whileCondition')] : []),
    ...(node.mode === 'until' ? [block('until', 'untilCondition')] : []),
    list('action', 'sequence', 'sequence'),
  ],
  parallel: (node) =>
    (isList(node.branches) ? node.branches : []).map((_, index) => ({
      ...list('action', 'branch', 'branches', index),
      number: index + 1,
    })),
};

export function slotsOf(node: FlowNode): readonly Slot[] {
  const type = textOf(node, 'type');
  return Object.hasOwn(SLOTS, type) ? (SLOTS[type]?.(node) ?? []) : [];
}

export interface Placed {
  readonly role: NodeRole;
  readonly node: FlowNode;
  readonly path: Path;
}

/** Every trigger, condition and action in reading order, and the blocks of conditions themselves. */
export function* walkFlow(flow: FlowRecord): Iterable<Placed> {
  yield* walkList(flow.triggers, ['triggers'], 'trigger');
  yield* walkBlock(flow.conditions, ['conditions']);
  yield* walkList(flow.actions, ['actions'], 'action');
  yield* walkList(flow.until, ['until'], 'trigger');
}

function* walkList(value: FlowNode[string], path: Path, role: NodeRole): Iterable<Placed> {
  if (!isList(value)) return;
  for (const [index, node] of value.entries()) {
    if (!isObject(node)) continue;
    const place = [...path, index];
    if (role === 'condition' && isBlock(node)) yield* walkBlock(node, place);
    else yield* walkNode({ role, node, path: place });
  }
}

function* walkBlock(value: FlowNode[string], path: Path): Iterable<Placed> {
  if (!isObject(value)) return;
  yield { role: 'condition', node: value, path };
  yield* walkList(value.conditions, [...path, 'conditions'], 'condition');
}

function* walkNode(placed: Placed): Iterable<Placed> {
  yield placed;
  for (const slot of slotsOf(placed.node)) {
    const value = valueAt(placed.node, slot.path);
    const path = [...placed.path, ...slot.path];
    yield* slot.isBlock ? walkBlock(value, path) : walkList(value, path, slot.role);
  }
}

function valueAt(node: FlowNode, path: Path): FlowNode[string] {
  let value: FlowNode[string] = node;
  for (const part of path) {
    if (isList(value)) value = value[Number(part)];
    else value = isObject(value) ? value[String(part)] : undefined;
  }
  return value;
}
