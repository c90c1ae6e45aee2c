/** When to retry a failed delivery (decisions §9). */

/** The delay after the first failure; it doubles after each further one. */
const FIRST_WAIT_MS = 1_000;
const MAX_WAIT_MS = 3_600_000;
/** Random variation, so that receivers that failed together are not retried together. */
const JITTER = 0.1;
/** A longer `Retry-After` is a mistake: no webhook waits longer. */
const MAX_RETRY_AFTER_MS = 24 * 3_600_000;

/** RFC 9110 §10.2.3: seconds, or a date. */
const SECONDS = /^\d{1,15}$/;
/** RFC 9110 §5.6.7, including the obsolete forms; `Date.parse` alone accepts far more. */
const HTTP_DATE = /^(mon|tues?|wed(nes)?|thu(rs)?|fri|sat(ur)?|sun)(day)?,? [a-z0-9: -]+$/i;

/**
 * @param attempts attempts so far, at least one.
 * @param random as `Math.random`.
 */
export function waitAfter(attempts: number, random: () => number): number {
  const wait = FIRST_WAIT_MS * 2 ** (attempts - 1);
  return Math.min(Math.round(wait * (1 - JITTER + 2 * JITTER * random())), MAX_WAIT_MS);
}

/** The delay that a receiver requests. @returns milliseconds, at most a day; `null` if it requests none */
export function waitAskedFor(retryAfter: string | undefined, now: number): number | null {
  const text = retryAfter?.trim() ?? '';
  if (SECONDS.test(text)) return Math.min(Number(text) * 1_000, MAX_RETRY_AFTER_MS);
  if (!HTTP_DATE.test(text)) return null;
  // asctime's form has no zone: it is UTC, like the others.
  const at = Date.parse(/gmt$/i.test(text) ? text : `${text} GMT`);
  return Number.isNaN(at) ? null : Math.min(Math.max(0, at - now), MAX_RETRY_AFTER_MS);
}

/** The longer of the receiver's delay and the schedule's. */
export function nextWait(attempts: number, askedForMs: number | null, random: () => number): number {
  const asked = (askedForMs ?? 0) * (1 + JITTER * random());
  return Math.max(waitAfter(attempts, random), Math.round(asked));
}

/**
 * When a stored wait ends. A clock set back while the relay was stopped must not lengthen it: the wait then starts
 * again.
 * @param waitsFrom when it began, by the clock at that time.
 */
export function dueAfterRestart(dueAt: number, waitsFrom: number, now: number): number {
  return dueAt - Math.max(0, waitsFrom - now);
}
