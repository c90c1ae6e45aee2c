/**
 * Limits that protect the home from its automations: too many runs, and automations that trigger each other (decisions
 * §10).
 */
import type { Clock } from '../../../kernel/clock.ts';
import type { BlockedReason, Cause } from '../program.ts';

const MINUTE_MS = 60_000;
/** The maximum length of a chain of automations that trigger each other. */
export const DEEPEST = 5;
/** Iterations of a repeat (wire-facts §6.2). */
export const MAX_ROUNDS = 1_000;
/** A delay (wire-facts §6.2). */
export const MAX_DELAY_MS = 24 * 60 * MINUTE_MS;
/** Steps of a run, including all iterations and branches. */
export const MAX_STEPS = 10_000;
/** The approximate maximum of data that a run collects, in bytes: mainly HTTP responses. */
export const MAX_COLLECTED_BYTES = 16 * 1024 * 1024;
/** The maximum working time of a run. Delays and waits do not count. */
export const MAX_WORK_MS = 5 * 60_000;

/** Counts events per id within the last minute. */
export class MinuteCount {
  readonly #clock: Clock;
  readonly #most: () => number;
  readonly #times = new Map<string, number[]>();

  /** @param most the maximum within a minute; read each time, since it is a setting. */
  constructor(clock: Clock, most: () => number) {
    this.#clock = clock;
    this.#most = most;
  }

  isFull(id: string): boolean {
    const times = this.#times.get(id);
    const most = this.#most();
    if (!times || times.length < most) return false;
    const since = this.#clock.monotonic() - MINUTE_MS;
    while (times.length > 0 && (times[0] as number) <= since) times.shift();
    return times.length >= most;
  }

  /** @returns whether the limit allowed it */
  take(id: string): boolean {
    if (this.isFull(id)) return false;
    const times = this.#times.get(id) ?? [];
    times.push(this.#clock.monotonic());
    this.#times.set(id, times);
    return true;
  }

  forget(id: string): void {
    this.#times.delete(id);
  }
}

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
    const sentence = `Automations set each other off without end: ${loop.join(' → ')}. Change one of them.`;
    return { reason: 'loop', sentence, chain: loop };
  }
  const names = chain.map(({ name }) => name);
  const sentence = `Automations set each other off more than ${DEEPEST} deep: ${names.join(' → ')}.`;
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
