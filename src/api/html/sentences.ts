/**
 * Presents an error in the language of its page. Programs get the same in English: the errors' own messages are, and
 * serve as fallback. The reason is the most specific key, then the code at its place, then the code alone.
 */
import { type ErrorCode, type ErrorDetails, HearthError } from '../../kernel/errors.ts';
import type { ErrorReason } from '../../kernel/reasons.ts';
import type { Language } from '../../texts/languages.ts';
import { type TextsOf, textsIn } from '../page-texts.ts';

const REFUSALS = textsIn('refusals');

/** Where one code has only one meaning. */
export type RefusalPlace = keyof TextsOf<'refusals'>['places'];

type InLanguage = (language: Language) => string;

interface PageErrorOptions extends ErrorOptions {
  /** What the page is titled, if that is more specific than the code. */
  readonly titleIn?: InLanguage;
}

/** An error of a page itself: its message is among the page's texts. */
export class PageError extends HearthError {
  readonly sentenceIn: InLanguage;
  readonly titleIn: InLanguage | undefined;

  constructor(
    code: ErrorCode,
    sentenceIn: InLanguage,
    details?: ErrorDetails,
    { titleIn, ...options }: PageErrorOptions = {},
  ) {
    super(code, sentenceIn('en'), details, options);
    this.sentenceIn = sentenceIn;
    this.titleIn = titleIn;
  }
}

/** @param place where the error occurs, if that is more specific than the code. */
export function sentenceOf(error: HearthError, language: Language, place?: RefusalPlace): string {
  if (error instanceof PageError) return error.sentenceIn(language);
  if (language === 'en') return error.message;
  const { reasons, places, codes } = REFUSALS[language];
  const { code, details } = error;
  if (code === 'rate_limited' && details.retryAfterSeconds !== undefined)
    return waitFor(details.retryAfterSeconds, language);
  if (details.clockDifferenceSeconds !== undefined) return clocksIn(details.clockDifferenceSeconds, language);
  const byReason: Readonly<Partial<Record<ErrorReason, string>>> = reasons;
  const given = details.reason && byReason[details.reason];
  const atPlace: ByCode = place ? places[place] : {};
  const byCode: ByCode = codes;
  return given ?? atPlace[code] ?? byCode[code] ?? inItsWords(error.message, language);
}

type ByCode = Readonly<Partial<Record<ErrorCode, string>>>;

function waitFor(seconds: number, language: Language): string {
  const { wait } = REFUSALS[language];
  if (seconds < 60) return wait.seconds({ count: Math.max(1, Math.ceil(seconds)) });
  return wait.minutes({ count: Math.ceil(seconds / 60) });
}

function clocksIn(aheadSeconds: number, language: Language): string {
  const { ahead, behind } = REFUSALS[language].clocks;
  const minutes = Math.round(Math.abs(aheadSeconds) / 60);
  return aheadSeconds > 0 ? ahead({ minutes }) : behind({ minutes });
}

/** A message of the relay that exists only in English. */
export function inItsWords(sentence: string, language: Language): string {
  return language === 'en' ? sentence : REFUSALS[language].inItsWords({ sentence });
}
