/** Logs failed requests: only failures that the client did not cause, and nothing of the requests' content. */
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

  constructor(deps: { logger: Logger; clock: Clock }) {
    this.#logger = deps.logger;
    this.#throttle = new LogThrottle(deps.clock);
  }

  /** Does not log expected errors, except a failing disk. The log limits how often it reports that. */
  note(error: unknown, facts: RequestFacts): void {
    if (!isExpected(error)) {
      const stack = error instanceof Error ? error.stack : undefined;
      this.#logger.error({ ...facts, error: messageOf(error), stack }, 'A request failed');
    } else if (error.code === 'storage_unavailable') {
      this.#throttle.once('storage', (skipped) =>
        this.#logger.warn(
          { error: error.message, cause: messageOf(error.cause), ...skipped },
          'Could not save a change',
        ),
      );
    }
  }
}

/** Whether the error's message is meant for the client. */
export function isExpected(error: unknown): error is HearthError {
  return error instanceof HearthError && error.code !== 'internal';
}
