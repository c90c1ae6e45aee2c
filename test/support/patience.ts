/**
 * How long a test waits for what must come, in milliseconds, before it reports that it never came. It is no measure of
 * speed: a small machine that has other work to do may stand still for many seconds.
 */
export const PATIENCE_MS = 60_000;
