/** Errors in a flow: the path of the invalid field is in the message and in `details.field`, with advice. */
import { type ErrorCode, HearthError } from '../../../kernel/errors.ts';

export function fault(code: ErrorCode, field: string, sentence: string): HearthError {
  return new HearthError(code, `${field}: ${sentence}`, { field });
}

/** The value of the field is invalid. */
export function invalid(field: string, sentence: string): HearthError {
  return fault('invalid_value', field, sentence);
}

export function missing(field: string, what: string): HearthError {
  return new HearthError('invalid_request', `"${field}" is missing: it must be ${what}.`, { field });
}

/** Adds the field's path to errors that `parse` throws. @throws as `parse`, with that path */
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
