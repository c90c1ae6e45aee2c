/**
 * The clock is injected, so that tests can control time. Wall time (`now`) may jump; `monotonic` never runs backwards
 * and measures deadlines, back-off and durations.
 */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  now(): number;
  /** Milliseconds since a fixed point in this process. */
  monotonic(): number;
  /** Calls `callback` once after `delayMs`. @returns the function that cancels it. */
  after(delayMs: number, callback: () => void): () => void;
}

/**
 * Node's timers hold 32 bits: a longer delay would fire at once (setTimeout(30 days) fires after a few milliseconds).
 */
const MAX_TIMEOUT_MS = 2 ** 31 - 1;

/** The system clock. Its timers do not keep the process alive. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after(delayMs, callback) {
    let remaining = Math.max(0, delayMs);
    let timer: NodeJS.Timeout;
    const arm = (): void => {
      const step = Math.min(remaining, MAX_TIMEOUT_MS);
      remaining -= step;
      timer = setTimeout(() => (remaining > 0 ? arm() : callback()), step);
      timer.unref();
    };
    arm();
    return () => clearTimeout(timer);
  },
};

/** Resolves after `delayMs` by the given clock. */
export function sleep(clock: Clock, delayMs: number): Promise<void> {
  return new Promise((resolve) => {
    clock.after(delayMs, resolve);
  });
}

/**
 * Waits for the work, but at most `delayMs`; after that the work continues on its own. @throws the error of the work,
 * if it fails within that time
 */
export async function waitAtMost(clock: Clock, delayMs: number, work: Promise<unknown>): Promise<void> {
  let cancel = (): void => {};
  const over = new Promise<void>((resolve) => {
    cancel = clock.after(delayMs, resolve);
  });
  try {
    await Promise.race([work, over]);
  } finally {
    cancel();
  }
}

/**
 * Parses an ISO 8601 text to milliseconds since the epoch; `NaN` for any other text and for dates that do not exist:
 * `Date.parse` alone reads the 31st of February as the 3rd of March.
 */
export function parseIsoTime(text: string): number {
  const day = /^\d{4}-\d{2}-\d{2}/.exec(text)?.[0];
  const start = new Date(`${day}T00:00:00Z`);
  const exists = !Number.isNaN(start.getTime()) && start.toISOString().slice(0, 10) === day;
  return exists ? Date.parse(text) : Number.NaN;
}
