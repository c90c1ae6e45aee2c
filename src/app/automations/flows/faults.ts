/** How a fault in a flow is told: the path of the faulty field in the sentence and in `details.field`, and what to do. */
import { type ErrorCode, HearthError } from '../../../kernel/errors.ts';

export function fault(code: ErrorCode, field: string, sentence: string): HearthError {
  return new HearthError(code, `${field}: ${sentence}`, { field });
}

/** The value at that place is wrong. */
export function invalid(field: string, sentence: string): HearthError {
  return fault('invalid_value', field, sentence);
}

export function missing(field: string, what: string): HearthError {
  return new HearthError('invalid_request', `"${field}" is missing: it must be ${what}.`, { field });
}

/** What others find wrong with a value, told with its place in the flow. @throws as `parse`, with that place */
export function at<T>(field: string, parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    if (!(error instanceof HearthError)) throw error;
    const place = error.details.field?.startsWith(field) ? error.details.field : field;
    throw error.message.includes(place)
      ? new HearthError(error.code, error.message, { field: place })
      : fault(error.code, place, error.message);
  }
}
