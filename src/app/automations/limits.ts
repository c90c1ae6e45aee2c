/** Limits of single actions, which their parsers and their execution share. */

/** Iterations of a repeat (wire-facts §6.2). */
export const MAX_ROUNDS = 1_000;
/** A delay (wire-facts §6.2). */
export const MAX_DELAY_MS = 24 * 60 * 60_000;
/** The pause before a retry. */
export const MAX_RETRY_PAUSE_MS = 30_000;
