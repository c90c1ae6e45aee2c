/** Presents an operation's error in the form that caused it: field, message and status. */
import { HearthError } from '../../kernel/errors.ts';
import type { Language } from '../../texts/languages.ts';
import { answerHead } from '../error-table.ts';
import { type RefusalPlace, sentenceOf } from './sentences.ts';

export interface PageRefusal {
  readonly message: string;
  /** The field that shows the error, by the operation's name, which is the form's own. */
  readonly field: string | undefined;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * An error that a person can correct in the form. A wrong password is 422 here: 401 must come with a challenge, which a
 * browser would answer with a dialog of its own.
 * @param place where the error occurs, if that is more specific than the code.
 * @throws the error itself, if another attempt at the form could not succeed
 */
export function refusalOf(error: unknown, language: Language, place?: RefusalPlace): PageRefusal {
  if (!(error instanceof HearthError)) throw error;
  const message = sentenceOf(error, language, place);
  switch (error.code) {
    case 'invalid_credentials':
      // Never a field: the error does not reveal which one was wrong.
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
export function problemOf(refusal: PageRefusal | undefined, field: string): string | undefined {
  return refusal?.field === field ? refusal.message : undefined;
}
