/**
 * Describes triggers, conditions and actions in one line, in the page's language. Things appear by their custom names;
 * deleted and missing ones are described too. It never throws, because a draft is described during editing.
 */
import { describeBlock } from './condition-kinds.ts';
import { type FlowNode, isBlock, textOf } from './flow-record.ts';
import { findKind } from './registry.ts';
import type { SentenceContext } from './sentence-context.ts';
import type { NodeRole } from './structure.ts';

const UNKNOWN = { trigger: 'unknownTrigger', condition: 'unknownCondition', action: 'unknownAction' } as const;

export function describeTrigger(node: FlowNode, context: SentenceContext): string {
  return describe('trigger', node, context);
}

/** A condition, or a block of them. */
export function describeCondition(node: FlowNode, context: SentenceContext): string {
  return isBlock(node) ? describeBlock(node, context, describeCondition) : describe('condition', node, context);
}

export function describeAction(node: FlowNode, context: SentenceContext): string {
  return describe('action', node, context);
}

function describe(role: NodeRole, node: FlowNode, context: SentenceContext): string {
  const type = textOf(node, 'type');
  const describers = { condition: describeCondition, trigger: describeTrigger };
  return findKind(role, type)?.sentence(node, context, describers) ?? context.texts[UNKNOWN[role]]({ type });
}
