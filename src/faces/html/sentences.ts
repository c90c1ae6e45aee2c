/** What went wrong, in the language of the page that tells it. Programs are told the same in English. */
import { type ErrorCode, type ErrorDetails, HearthError } from '../../kernel/errors.ts';
import type { ErrorReason } from '../../kernel/reasons.ts';
import type { Language } from '../language.ts';
import { type Place, REFUSALS } from './texts/refusals.ts';

/** What a page refuses itself: its sentence is among its texts. */
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

/** @param place where it is told, if that says more than the code. */
export function sentenceOf(error: HearthError, language: Language, place?: Place): string {
  if (error instanceof PageError) return error.sentenceIn(language);
  if (language === 'en') return error.message;
  const { reasons, places, codes, wait } = REFUSALS[language];
  const { code, details } = error;
  if (code === 'rate_limited' && details.retryAfterSeconds !== undefined) return wait(details.retryAfterSeconds);
  const byReason: Readonly<Partial<Record<ErrorReason, string>>> = reasons;
  const said = details.reason && byReason[details.reason];
  return said ?? (place && places[place][code]) ?? codes[code] ?? inItsWords(error.message, language);
}

/** A sentence of the relay that is English alone. */
export function inItsWords(sentence: string, language: Language): string {
  return language === 'en' ? sentence : REFUSALS[language].inItsWords(sentence);
}
