/**
 * How long a test waits for what must come, in milliseconds, before it says that it never came. It tells life from death and is no
 * measure of anything: a small machine that has other work to do may stand still for many seconds.
 */
export const PATIENCE_MS = 60_000;
