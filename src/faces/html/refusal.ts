/** What an operation refused, for the form that asked: which field, what to say, and with which status. */
import { HearthError } from '../../kernel/errors.ts';
import { answerHead } from '../error-table.ts';
import type { Language } from '../language.ts';
import { sentenceOf } from './sentences.ts';
import type { Place } from './texts/refusals.ts';

export interface Refusal {
  readonly message: string;
  /** Beside which field to tell it, by the name that the operation uses, which is the form's own. */
  readonly field: string | undefined;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * An error that a person can do something about at the form. A wrong password is 422 here: 401 must come with a challenge, which
 * a browser would answer with a box of its own.
 * @param place where it is told, if that says more than the code.
 * @throws the error itself, where no other try at the form could mend it
 */
export function refusalOf(error: unknown, language: Language, place?: Place): Refusal {
  if (!(error instanceof HearthError)) throw error;
  const message = sentenceOf(error, language, place);
  switch (error.code) {
    case 'invalid_credentials':
      // Never a field: which of them was wrong is not told.
      return { message, field: undefined, status: 422, headers: {} };
    case 'invalid_value':
    case 'invalid_request':
    case 'conflict':
      return { message, field: error.details.field, status: 422, headers: {} };
    case 'rate_limited': {
      const { 'Retry-After': seconds = '' } = answerHead(error, '', '').headers;
      return { message, field: undefined, status: 429, headers: { 'Retry-After': seconds } };
    }
    default:
      throw error;
  }
}

/** The part of a refusal that belongs beside this field. */
export function problemOf(refusal: Refusal | undefined, field: string): string | undefined {
  return refusal?.field === field ? refusal.message : undefined;
}
