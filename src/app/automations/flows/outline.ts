/**
 * Checks that a stored value has the outline of a flow: every node has a known kind and the lists that traversal
 * needs. The flow was parsed before it was stored; only disk corruption or another version makes it invalid.
 */

import type { UnknownRecord } from '../../../kernel/json.ts';
import { ACTION_KINDS } from '../actions/index.ts';
import { CONDITION_KINDS } from '../conditions/index.ts';
import type { FlowDefinition } from '../flow.ts';
import { TRIGGER_KINDS } from '../triggers/index.ts';

export function hasOutline(value: unknown): value is Pick<FlowDefinition, 'triggers' | 'conditions' | 'actions'> {
  return (
    isObject(value) && isListOf(value.triggers, isTrigger) && isBlock(value.conditions) && areActions(value.actions)
  );
}

function isTrigger(value: unknown): boolean {
  return isNode(value, TRIGGER_KINDS);
}

function isBlock(value: unknown): boolean {
  return isObject(value) && isListOf(value.conditions, isCondition);
}

function isBlockIfAny(value: unknown): boolean {
  return value === undefined || isBlock(value);
}

function isCondition(value: unknown): boolean {
  if (!isObject(value)) return false;
  return 'conditions' in value ? isBlock(value) : isOf(value, CONDITION_KINDS);
}

function areActions(value: unknown): boolean {
  return isListOf(value, isAction);
}

function isAction(value: unknown): boolean {
  if (!isNode(value, ACTION_KINDS)) return false;
  switch (value.type) {
    case 'wait_for_trigger':
      return isListOf(value.triggers, isTrigger);
    case 'choose':
      return isListOf(value.choices, isChoice) && (value.default === undefined || areActions(value.default));
    case 'if_then_else':
      return isBlock(value.condition) && areActions(value.then) && areActions(value.else);
    case 'repeat':
      return areActions(value.sequence) && [value.whileCondition, value.untilCondition].every(isBlockIfAny);
    case 'parallel':
      return isListOf(value.branches, areActions);
    default:
      return true;
  }
}

function isChoice(value: unknown): boolean {
  return isObject(value) && isBlock(value.conditions) && areActions(value.actions);
}

/** A node with an id. */
function isNode(value: unknown, kinds: object): value is UnknownRecord {
  return isObject(value) && typeof value.id === 'string' && isOf(value, kinds);
}

function isOf({ type }: UnknownRecord, kinds: object): boolean {
  return typeof type === 'string' && Object.hasOwn(kinds, type);
}

function isListOf(value: unknown, isItem: (item: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(isItem);
}

function isObject(value: unknown): value is UnknownRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
