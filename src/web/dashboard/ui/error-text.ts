/**
 * The text for an error: the remedy in the user's language for a known reason or code, else the relay's own message.
 */
import { ApiError, isNotFound } from '../api/api-error.ts';
import { commonTexts } from '../texts/common/common.ts';
import { textsNow, useTexts } from '../texts/texts.ts';

type Common = ReturnType<typeof textsNow<(typeof commonTexts)['en']>>;

export function useErrorText(): (error: unknown) => string {
  const texts = useTexts(commonTexts);
  return (error) => textOfError(error, texts);
}

/** For use outside of components. */
export function errorText(error: unknown): string {
  return textOfError(error, textsNow(commonTexts));
}

function textOfError(error: unknown, { errors, reasons, inItsWords }: Common): string {
  if (!(error instanceof ApiError)) return errors.unknown;
  const { reason, code, message } = error;
  return known(reasons, reason) ?? known(errors, code) ?? (isNotFound(error) ? errors.gone : inItsWords(message));
}

function known(texts: Readonly<Record<string, string>>, word: string | undefined): string | undefined {
  return word !== undefined && Object.hasOwn(texts, word) ? texts[word] : undefined;
}
