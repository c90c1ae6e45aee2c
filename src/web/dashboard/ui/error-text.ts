/** What a person is told of a failure: what to do, in their language where we know the code, else the relay's own sentence. */
import { ApiError } from '../api/api-error.ts';
import { commonTexts } from '../texts/common/common.ts';
import { textsNow, useTexts } from '../texts/texts.ts';

type Errors = ReturnType<typeof textsNow<(typeof commonTexts)['en']>>['errors'];

export function useErrorText(): (error: unknown) => string {
  const { errors } = useTexts(commonTexts);
  return (error) => textOfError(error, errors);
}

/** For what is said outside of components. */
export function errorText(error: unknown): string {
  return textOfError(error, textsNow(commonTexts).errors);
}

function textOfError(error: unknown, errors: Errors): string {
  if (!(error instanceof ApiError)) return errors.unknown;
  return (errors as Readonly<Record<string, string>>)[error.code] ?? error.message;
}
