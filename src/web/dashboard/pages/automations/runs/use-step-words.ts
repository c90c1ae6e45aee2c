/** Sentences for the steps of a flow's run, from the flow as it is now; for what is not in it (any more) there are none. */
import { useMemo } from 'react';
import { type FlowNode, type FlowRecord, isList, isObject, type Json } from '../flow/flow-record.ts';
import { useSentences } from '../flow/use-sentences.ts';
import type { Step } from './runs-document.ts';

export function useStepWords(flow: FlowRecord | undefined): (step: Step) => string | undefined {
  const say = useSentences(flow?.triggers);
  const nodes = useMemo(() => (flow ? nodesById(flow) : new Map<string, FlowNode>()), [flow]);
  return ({ type, nodeId, nodeType }) => {
    const node = nodeId ? nodes.get(nodeId) : undefined;
    if (!node || node.type !== nodeType) return undefined;
    return type === 'trigger' ? say.trigger(node) : type === 'action' ? say.action(node) : undefined;
  };
}

/** Everything of a flow that has an id and a type, however deep. */
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
