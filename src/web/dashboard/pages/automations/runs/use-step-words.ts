/** Sentences for the steps of a flow's run, from the flow as it is now; for what is not in it (any more) there are none. */
import { useMemo } from 'react';
import type { FlowNode, FlowRecord } from '../flow/flow-record.ts';
import { useSentences } from '../flow/use-sentences.ts';
import { nodesById } from './flow-nodes.ts';
import type { Step } from './runs-document.ts';

export function useStepWords(flow: FlowRecord | undefined): (step: Step) => string | undefined {
  const say = useSentences(flow?.triggers);
  const nodes = useMemo(() => (flow ? nodesById(flow) : new Map<string, FlowNode>()), [flow]);
  return ({ type, nodeId, nodeType, parentNodeId }) => {
    if (type === 'condition' && flow && !parentNodeId) return say.condition(flow.conditions);
    const node = nodeId ? nodes.get(nodeId) : undefined;
    if (!node || node.type !== nodeType) return undefined;
    return type === 'trigger' ? say.trigger(node) : type === 'action' ? say.action(node) : undefined;
  };
}
