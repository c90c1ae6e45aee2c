/** When a delivery that failed is tried again (decisions §9). */

/** After the first failure; twice as long after each next one. */
const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 3_600_000;
/** So much longer or shorter, by chance: receivers that came down together need not be knocked at together. */
const JITTER = 0.1;
/** What a receiver asks for beyond this is a mistake: nobody is silenced for longer. */
const LONGEST_ASKED_FOR_MS = 24 * 3_600_000;

/** RFC 9110 §10.2.3: seconds, or a date. */
const SECONDS = /^\d{1,15}$/;
/** RFC 9110 §5.6.7, the obsolete forms among them; `Date.parse` alone takes far more for a date. */
const HTTP_DATE = /^(mon|tues?|wed(nes)?|thu(rs)?|fri|sat(ur)?|sun)(day)?,? [a-z0-9: -]+$/i;

/**
 * @param attempts made so far, at least one.
 * @param random as `Math.random`.
 */
export function waitAfter(attempts: number, random: () => number): number {
  const wait = FIRST_WAIT_MS * 2 ** (attempts - 1);
  return Math.min(Math.round(wait * (1 - JITTER + 2 * JITTER * random())), LONGEST_WAIT_MS);
}

/** For how long a receiver asks to be left alone. @returns milliseconds, at most a day; `null` where it does not say */
export function waitAskedFor(retryAfter: string | undefined, now: number): number | null {
  const text = retryAfter?.trim() ?? '';
  if (SECONDS.test(text)) return Math.min(Number(text) * 1_000, LONGEST_ASKED_FOR_MS);
  if (!HTTP_DATE.test(text)) return null;
  // asctime's form says no zone: it is UTC, like the others.
  const at = Date.parse(/gmt$/i.test(text) ? text : `${text} GMT`);
  return Number.isNaN(at) ? null : Math.min(Math.max(0, at - now), LONGEST_ASKED_FOR_MS);
}

/** Never sooner than the receiver asked for, nor than the schedule says. */
export function nextWait(attempts: number, askedForMs: number | null, random: () => number): number {
  const asked = (askedForMs ?? 0) * (1 + JITTER * random());
  return Math.max(waitAfter(attempts, random), Math.round(asked));
}

/**
 * When a wait that was written down ends. A clock that was set back while nobody looked must not lengthen it: then it begins anew.
 * @param waitsFrom when it began, by the clock of then.
 */
export function dueAfterRestart(dueAt: number, waitsFrom: number, now: number): number {
  return now < waitsFrom ? now + (dueAt - waitsFrom) : dueAt;
}
