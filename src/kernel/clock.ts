/**
 * Time is handed in, so that tests can move it. Wall time (`now`) may jump; `monotonic` never runs backwards and is what
 * deadlines, back-off and durations are measured with.
 */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  now(): number;
  /** Milliseconds since some fixed point in this process. */
  monotonic(): number;
  /** Calls `callback` once after `delayMs`. @returns the function that cancels it. */
  after(delayMs: number, callback: () => void): () => void;
}

/** Node's timers hold 32 bits: a longer delay would fire at once (setTimeout(30 days) fires after a few milliseconds). */
const LONGEST_TIMEOUT_MS = 2 ** 31 - 1;

/** The machine's own clock. Its timers never keep the process alive by themselves. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after(delayMs, callback) {
    let remaining = Math.max(0, delayMs);
    let timer: NodeJS.Timeout;
    const arm = (): void => {
      const step = Math.min(remaining, LONGEST_TIMEOUT_MS);
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

/** Waits until the work has ended, but no longer than that: then it goes on by itself. @throws what it fails with meanwhile */
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
 * The time that an ISO 8601 text says, in milliseconds since the epoch; `NaN` for any other text, and for days that no calendar
 * has: `Date.parse` alone takes the 31st of February for the 3rd of March.
 */
export function parseIsoTime(text: string): number {
  const day = /^\d{4}-\d{2}-\d{2}/.exec(text)?.[0];
  const start = new Date(`${day}T00:00:00Z`);
  const exists = !Number.isNaN(start.getTime()) && start.toISOString().slice(0, 10) === day;
  return exists ? Date.parse(text) : Number.NaN;
}
