/**
 * Describes triggers, conditions and actions in one line, in the page's language. Things appear by their custom names;
 * deleted and missing ones are described too. It never throws, because a draft is described during editing.
 */
import { ACTION_SENTENCES } from './action-sentences.ts';
import { CONDITION_SENTENCES, describeBlock } from './condition-sentences.ts';
import { type FlowNode, isBlock, textOf } from './flow-record.ts';
import type { SentenceContext } from './sentence-context.ts';
import { TRIGGER_SENTENCES } from './trigger-sentences.ts';

export function describeTrigger(node: FlowNode, context: SentenceContext): string {
  const type = textOf(node, 'type');
  return find(TRIGGER_SENTENCES, type)?.(node, context) ?? context.texts.unknownTrigger({ type });
}

/** A condition, or a block of them. */
export function describeCondition(node: FlowNode, context: SentenceContext): string {
  if (isBlock(node)) return describeBlock(node, context, describeCondition);
  const type = textOf(node, 'type');
  if (type === 'trigger') return describeOrigin(node, context);
  return find(CONDITION_SENTENCES, type)?.(node, context) ?? context.texts.unknownCondition({ type });
}

export function describeAction(node: FlowNode, context: SentenceContext): string {
  const type = textOf(node, 'type');
  const describers = { condition: describeCondition, trigger: describeTrigger };
  return find(ACTION_SENTENCES, type)?.(node, context, describers) ?? context.texts.unknownAction({ type });
}

function find<T>(table: Readonly<Record<string, T>>, type: string): T | undefined {
  return Object.hasOwn(table, type) ? table[type] : undefined;
}

function describeOrigin(node: FlowNode, context: SentenceContext): string {
  const id = textOf(node, 'triggerId');
  const trigger = context.triggers?.find((one) => one.id === id);
  return context.texts.condition.trigger({ sentence: trigger ? describeTrigger(trigger, context) : id });
}
