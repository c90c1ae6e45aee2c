/** What the relay refuses, as its error bodies and mutation results say it: a code for programs and a sentence for people. */

export class ApiError extends Error {
  /** The word that REST gives in `code`: `invalid_value`, `accessory_unreachable` …; `offline` where no answer came at all. */
  readonly code: string;
  readonly status: number;
  /** Which of the code's causes it was, where it has several: `wrong_code`, `name_taken` … */
  readonly reason: string | undefined;
  /** The argument that was wrong, where the relay says which. */
  readonly field: string | undefined;
  /** When to try again, in seconds. */
  readonly retryAfterS: number | undefined;

  constructor(
    code: string,
    sentence: string,
    more: {
      status?: number;
      reason?: string | undefined;
      field?: string | undefined;
      retryAfterS?: number | undefined;
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
  }
}

/** The relay did not answer: it is off, or this device has lost its network. */
export function isOffline(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'offline';
}

/** What was asked for is not there, or no longer: `not_found`, `accessory_not_found` … */
export function isNotFound(error: unknown): boolean {
  return error instanceof ApiError && error.code.endsWith('not_found');
}
