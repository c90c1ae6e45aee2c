/** Sentences for the steps of a flow's run: from the flow, else from the step's own data. */

import runTexts from 'texts:automation-runs';
import { useMemo } from 'react';
import { useTexts } from '../../../texts/texts.ts';
import { type FlowNode, type FlowRecord, isList, isObject, type Json, textOf, toBlock } from '../flow/flow-record.ts';
import { useSentences } from '../flow/use-sentences.ts';
import { nodesById } from './flow-nodes.ts';
import type { RunStep } from './runs-document.ts';

/** Actions whose sentences describe their inner nodes, which the step does not have. */
const CONTAINERS: ReadonlySet<string> = new Set(['if_then_else', 'choose', 'repeat', 'parallel', 'wait_for_trigger']);

export function useStepWords(flow: FlowRecord | undefined): (step: RunStep) => string | undefined {
  const t = useTexts(runTexts);
  const describe = useSentences(flow?.triggers);
  const nodes = useMemo(() => (flow ? nodesById(flow) : new Map<string, FlowNode>()), [flow]);
  return ({ type, nodeId, nodeType, parentNodeId, input }) => {
    if (type === 'condition') {
      if (!flow) return undefined;
      if (!parentNodeId) return describe.condition(flow.conditions);
      const parent = nodes.get(parentNodeId);
      const block = parent && conditionsOf(parent);
      return block ? describe.condition(block) : t.ofACase;
    }
    const node = nodeId ? nodes.get(nodeId) : undefined;
    if (node?.type === nodeType) return type === 'trigger' ? describe.trigger(node) : describe.action(node);
    const isSummarized = type === 'action' && isObject(input) && !CONTAINERS.has(nodeType);
    return isSummarized ? describe.action({ ...(input as FlowNode), type: nodeType }) : undefined;
  };
}

/** The conditions of an action; a choice has several, and the step does not name the one used. */
function conditionsOf(node: FlowNode): FlowNode | undefined {
  const wanted: Json | undefined =
    node.type === 'if_then_else'
      ? node.condition
      : textOf(node, 'mode') === 'while'
        ? node.whileCondition
        : node.untilCondition;
  return isObject(wanted) || isList(wanted) ? toBlock(wanted) : undefined;
}
