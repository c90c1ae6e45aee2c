import { type FlowNode, type FlowRecord, isList, isObject, type Json } from '../flow/flow-record.ts';

/** All nodes of a flow with an id and a type, at every depth. */
export function nodesById(flow: FlowRecord): ReadonlyMap<string, FlowNode> {
  const found = new Map<string, FlowNode>();
  const visit = (value: Json | undefined): void => {
    if (isList(value)) for (const each of value) visit(each);
    if (!isObject(value)) return;
    if (typeof value.id === 'string' && typeof value.type === 'string') found.set(value.id, value);
    for (const each of Object.values(value)) visit(each);
  };
  visit(flow.triggers);
  visit(flow.actions);
  return found;
}
