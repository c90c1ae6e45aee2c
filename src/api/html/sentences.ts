/** Presents an error in the language of its page. Programs get the same in English. */
import { type ErrorCode, type ErrorDetails, HearthError } from '../../kernel/errors.ts';
import type { ErrorReason } from '../../kernel/reasons.ts';
import type { Language } from '../../texts/languages.ts';
import { type Place, REFUSALS } from './texts/refusals.ts';

/** An error of a page itself: its message is among the page's texts. */
export class PageError extends HearthError {
  readonly sentenceIn: (language: Language) => string;

  constructor(
    code: ErrorCode,
    sentenceIn: (language: Language) => string,
    details?: ErrorDetails,
    options?: ErrorOptions,
  ) {
    super(code, sentenceIn('en'), details, options);
    this.sentenceIn = sentenceIn;
  }
}

/** @param place where the error occurs, if that is more specific than the code. */
export function sentenceOf(error: HearthError, language: Language, place?: Place): string {
  if (error instanceof PageError) return error.sentenceIn(language);
  if (language === 'en') return error.message;
  const { reasons, places, codes, wait } = REFUSALS[language];
  const { code, details } = error;
  if (code === 'rate_limited' && details.retryAfterSeconds !== undefined) return wait(details.retryAfterSeconds);
  const byReason: Readonly<Partial<Record<ErrorReason, string>>> = reasons;
  const given = details.reason && byReason[details.reason];
  return given ?? (place && places[place][code]) ?? codes[code] ?? inItsWords(error.message, language);
}

/** A message of the relay that exists only in English. */
export function inItsWords(sentence: string, language: Language): string {
  return language === 'en' ? sentence : REFUSALS[language].inItsWords(sentence);
}
