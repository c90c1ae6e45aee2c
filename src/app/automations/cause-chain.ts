/** The chain of automations that trigger each other: its maximum length, and loops in it (decisions §10). */
import type { BlockedReason } from '../../contract/automation-runs.ts';
import type { Cause } from './scope.ts';

/** The maximum length of a chain. */
const DEEPEST = 5;

export interface Nesting {
  readonly reason: Extract<BlockedReason, 'depth' | 'loop'>;
  readonly sentence: string;
  /** The names of the automations, in the order in which each triggered the next. */
  readonly chain: readonly string[];
}

/**
 * Whether one more automation may follow this chain.
 * @returns the reason why not; names a loop: `A → B → A`
 */
export function nestingFault(cause: Cause, next: Cause['chain'][number]): Nesting | undefined {
  const chain = [...cause.chain, next];
  if (chain.length <= DEEPEST) return undefined;
  const loop = loopOf(chain);
  if (loop) {
    const sentence = `Automations trigger each other without end: ${loop.join(' → ')}. Change one of them.`;
    return { reason: 'loop', sentence, chain: loop };
  }
  const names = chain.map(({ name }) => name);
  const sentence = `Automations trigger each other more than ${DEEPEST} deep: ${names.join(' → ')}.`;
  return { reason: 'depth', sentence, chain: names };
}

function loopOf(chain: Cause['chain']): readonly string[] | undefined {
  const last = chain.findLastIndex(({ automationId }, at) =>
    chain.some((other, index) => index < at && other.automationId === automationId),
  );
  if (last < 0) return undefined;
  const id = chain[last]?.automationId;
  const before = chain.findLastIndex(({ automationId }, index) => index < last && automationId === id);
  return chain.slice(before, last + 1).map(({ name }) => name);
}
