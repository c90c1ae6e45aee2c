/**
 * The text for an error: the remedy in the user's language for a known reason or code, else the relay's own message.
 */

import commonTexts from 'texts:common';
import type { Catalogues } from 'texts:types';
import { ApiError, isNotFound } from '../api/api-error.ts';
import { textOf, textsNow, useTexts } from '../texts/texts.ts';

type Common = Catalogues['common'];

export function useErrorText(): (error: unknown) => string {
  const texts = useTexts(commonTexts);
  return (error) => textOfError(error, texts);
}

/** For use outside of components. */
export function errorText(error: unknown): string {
  return textOfError(error, textsNow(commonTexts));
}

function textOfError(error: unknown, { errors, reasons, clocks, inItsWords }: Common): string {
  if (!(error instanceof ApiError)) return errors.unknown;
  const { reason, code, message, clockDifferenceS } = error;
  if (clockDifferenceS !== undefined) {
    const minutes = Math.round(Math.abs(clockDifferenceS) / 60);
    return clockDifferenceS > 0 ? clocks.ahead({ minutes }) : clocks.behind({ minutes });
  }
  return (
    textOf(reasons, reason) ??
    textOf(errors, code) ??
    (isNotFound(error) ? errors.gone : inItsWords({ sentence: message }))
  );
}
