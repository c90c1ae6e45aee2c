/** An error of the relay, from an error body or a mutation result: a code for programs and a sentence for people. */

export class ApiError extends Error {
  /** The `code` of REST: `invalid_value`, `accessory_unreachable` …; `offline` if no response arrived. */
  readonly code: string;
  readonly status: number;
  /** The cause, for codes that have several: `wrong_code`, `name_taken` … */
  readonly reason: string | undefined;
  /** The invalid argument, if the relay names it. */
  readonly field: string | undefined;
  /** When to try again, in seconds. */
  readonly retryAfterS: number | undefined;
  /** Seconds by which the phone's clock is ahead of the relay's. */
  readonly clockDifferenceS: number | undefined;

  constructor(
    code: string,
    sentence: string,
    more: {
      status?: number;
      reason?: string | undefined;
      field?: string | undefined;
      retryAfterS?: number | undefined;
      clockDifferenceS?: number | undefined;
      cause?: unknown;
    } = {},
  ) {
    super(sentence, { cause: more.cause });
    this.name = 'ApiError';
    this.code = code;
    this.status = more.status ?? 0;
    this.reason = more.reason;
    this.field = more.field;
    this.retryAfterS = more.retryAfterS;
    this.clockDifferenceS = more.clockDifferenceS;
  }
}

/** The relay did not answer: it is off, or this device has no network. */
export function isOffline(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'offline';
}

/** The requested object does not exist, or no longer: `not_found`, `accessory_not_found` … */
export function isNotFound(error: unknown): boolean {
  return error instanceof ApiError && error.code.endsWith('not_found');
}
