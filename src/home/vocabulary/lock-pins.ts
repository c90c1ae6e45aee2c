/** The rules of the PIN that a Matter publication asks for at locks. */

/** Digits. */
export const MIN_LOCK_PIN = 4;
export const MAX_LOCK_PIN = 8;

/** Wrong PINs after which none is taken for a while. */
export const LOCK_PIN_TRIES = 5;
/** The first such while; each further wrong PIN doubles it. */
export const LOCK_PIN_PAUSE_S = 60;
