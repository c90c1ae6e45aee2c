/** What the log is told of requests that fail: only what is not the client's doing, and nothing of their content. */
import type { Clock } from '../kernel/clock.ts';
import { HearthError, messageOf } from '../kernel/errors.ts';
import { type Logger, LogThrottle } from '../kernel/logger.ts';

interface RequestFacts {
  readonly requestId: string;
  readonly method: string;
  readonly path: string;
}

export class FailureLog {
  readonly #logger: Logger;
  readonly #throttle: LogThrottle;

  constructor(parts: { logger: Logger; clock: Clock }) {
    this.#logger = parts.logger;
    this.#throttle = new LogThrottle(parts.clock);
  }

  /** Expected failures pass in silence, but for a disk that fails: its owner must hear of it, though not a thousand times. */
  note(error: unknown, facts: RequestFacts): void {
    if (!isExpected(error)) {
      const stack = error instanceof Error ? error.stack : undefined;
      this.#logger.error({ ...facts, error: messageOf(error), stack }, 'A request failed');
    } else if (error.code === 'storage_unavailable') {
      this.#throttle.once('storage', (suppressed) =>
        this.#logger.warn(
          { error: error.message, cause: messageOf(error.cause), suppressed },
          'A change could not be saved',
        ),
      );
    }
  }
}

/** Whether its message is meant for the client. */
export function isExpected(error: unknown): error is HearthError {
  return error instanceof HearthError && error.code !== 'internal';
}
