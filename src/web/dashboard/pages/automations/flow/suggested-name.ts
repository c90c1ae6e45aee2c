/** A name for an automation without one: what starts it, and what it does first. */
import type { FlowRecord } from './flow-record.ts';
import type { BoundSentences } from './use-sentences.ts';

const MAX_LENGTH = 80;
const QUOTES = /[“”„]/g;

/** @returns ends with a letter or a number; empty while there is nothing to name it by */
export function suggestedName(
  { triggers, actions }: FlowRecord,
  sentences: Pick<BoundSentences, 'trigger' | 'action'>,
): string {
  const [trigger] = triggers;
  const [action] = actions;
  const parts = [trigger && sentences.trigger(trigger), action && sentences.action(action)];
  const text = parts
    .filter((part) => part !== undefined)
    .join(' – ')
    .replaceAll(QUOTES, '');
  return text.slice(0, MAX_LENGTH).replace(/[^\p{L}\p{N}]+$/u, '');
}
