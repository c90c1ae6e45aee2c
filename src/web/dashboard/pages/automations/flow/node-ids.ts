/** Ids of nodes: triggers and actions have one each, and other nodes refer to them by it. */
import { type FlowNode, type FlowRecord, isList, isObject, type Json, textOf } from './flow-record.ts';
import { walkFlow } from './structure.ts';

/** `delay_2`: the first free id. */
export function freshId(type: string, taken: ReadonlySet<string>): string {
  for (let number = 1; ; number += 1) {
    const id = `${type}_${number}`;
    if (!taken.has(id)) return id;
  }
}

export function idsIn(flow: FlowRecord): ReadonlySet<string> {
  return new Set([...walkFlow(flow)].map(({ node }) => textOf(node, 'id')).filter((id) => id !== ''));
}

/** Adds missing ids to triggers and actions, so that the editor can identify them. */
export function withIds(flow: FlowRecord): FlowRecord {
  const taken = new Set(idsIn(flow));
  const named = (value: Json, isNode: boolean): Json => {
    if (isList(value)) return value.map((item) => named(item, isNode));
    if (!isObject(value)) return value;
    const entries = Object.entries(value).map(([key, child]) => [key, namedChild(key, child)] as const);
    const node = Object.fromEntries(entries) as FlowNode;
    if (!isNode || textOf(node, 'id') !== '' || typeof node.type !== 'string') return node;
    const id = freshId(node.type, taken);
    taken.add(id);
    return { id, ...node };
  };
  const namedChild = (key: string, child: Json | undefined): Json | undefined => {
    if (child === undefined || !NODE_LISTS.has(key)) return child;
    return named(child, key !== 'choices');
  };
  return Object.fromEntries(Object.entries(flow).map(([key, child]) => [key, namedChild(key, child)])) as FlowRecord;
}

/** Fields that hold triggers or actions, directly or, as `choices`, one level down. */
const NODE_LISTS: ReadonlySet<string> = new Set([
  ...['triggers', 'until', 'actions', 'then', 'else', 'sequence', 'branches', 'default', 'choices'],
]);

/** A copy whose triggers and actions have new ids; references inside the copy are updated. */
export function withFreshIds(node: FlowNode, flow: FlowRecord): FlowNode {
  const taken = new Set(idsIn(flow));
  const renamed = new Map<string, string>();
  collect(node, (one) => {
    const id = textOf(one, 'id');
    if (id === '' || typeof one.type !== 'string') return;
    const fresh = freshId(one.type, taken);
    taken.add(fresh);
    renamed.set(id, fresh);
  });
  return rename(node, renamed) as FlowNode;
}

/** Fields whose strings are node ids. */
const REFERENCES: ReadonlySet<string> = new Set(['id', 'nodeId', 'triggerId', 'inputIds']);

function rename(value: Json, names: ReadonlyMap<string, string>, isName = false): Json {
  if (typeof value === 'string') return isName ? (names.get(value) ?? value) : value;
  if (isList(value)) return value.map((item) => rename(item, names, isName));
  if (!isObject(value)) return value;
  const entries = Object.entries(value).map(
    ([key, child]) => [key, child === undefined ? child : rename(child, names, REFERENCES.has(key))] as const,
  );
  return Object.fromEntries(entries);
}

function collect(value: Json, visit: (node: FlowNode) => void): void {
  if (isList(value)) for (const item of value) collect(item, visit);
  if (!isObject(value)) return;
  visit(value);
  for (const child of Object.values(value)) if (child !== undefined) collect(child, visit);
}
