/** Compares two versions of a flow: nodes by id at every depth, everything else by name. */
import type { FlowNode, FlowRecord, JsonObject } from '../flow/flow-record.ts';
import { nodesById } from '../runs/flow-nodes.ts';

export type Difference =
  | { readonly kind: 'added' | 'removed'; readonly node: FlowNode; readonly isTrigger: boolean }
  | { readonly kind: 'changed'; readonly before: FlowNode; readonly after: FlowNode; readonly isTrigger: boolean }
  | { readonly kind: 'conditions' }
  | { readonly kind: 'setting'; readonly name: string };

const SETTINGS = ['mode', 'maxRunning', 'variables', 'description'] as const;

export function differencesOf(before: FlowRecord, after: FlowRecord): readonly Difference[] {
  const [old, now] = [nodesById(before), nodesById(after)];
  const triggerIds = new Set([...before.triggers, ...after.triggers].map(({ id }) => id));
  const isTrigger = (id: string) => triggerIds.has(id);
  const differences: Difference[] = [];
  for (const [id, node] of now) {
    const earlier = old.get(id);
    if (!earlier) differences.push({ kind: 'added', node, isTrigger: isTrigger(id) });
    else if (ownText(earlier) !== ownText(node)) {
      differences.push({ kind: 'changed', before: earlier, after: node, isTrigger: isTrigger(id) });
    }
  }
  for (const [id, node] of old) if (!now.has(id)) differences.push({ kind: 'removed', node, isTrigger: isTrigger(id) });
  if (textOf(before.conditions) !== textOf(after.conditions)) differences.push({ kind: 'conditions' });
  for (const name of SETTINGS) {
    if (textOf(before[name] ?? null) !== textOf(after[name] ?? null)) differences.push({ kind: 'setting', name });
  }
  return differences;
}

/** Without the inner nodes, which are compared separately. */
function ownText(node: FlowNode): string {
  const own = Object.entries(node).map(([name, value]) => [name, withoutNodes(value)] as const);
  return textOf(Object.fromEntries(own));
}

function withoutNodes(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNodes);
  if (typeof value !== 'object' || value === null) return value;
  const members = value as JsonObject;
  if (typeof members.id === 'string' && typeof members.type === 'string') return members.id;
  return Object.fromEntries(Object.entries(members).map(([name, each]) => [name, withoutNodes(each)]));
}

/** The order of object members has no meaning. */
function textOf(value: unknown): string {
  return JSON.stringify(value, (_, each: unknown) =>
    typeof each === 'object' && each !== null && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1)))
      : each,
  );
}
