/** The text for an error of a passkey: of the relay, or of the browser. */
import commonTexts from 'texts:common';
import { useTexts } from '../texts/texts.ts';
import { useErrorText } from '../ui/error-text.ts';

export function usePasskeyErrorText(): (error: unknown) => string {
  const { passkeys, reasons } = useTexts(commonTexts);
  const errorText = useErrorText();
  return (error) => {
    if (!(error instanceof DOMException)) return errorText(error);
    return error.name === 'InvalidStateError' ? reasons.passkey_exists : passkeys.failed;
  };
}
