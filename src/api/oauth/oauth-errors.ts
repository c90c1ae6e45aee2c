/** Errors of the OAuth endpoints for programs, in the shape of RFC 6749 §5.2. */
import { RegistrationError } from '../../contract/oauth-clients.ts';
import type { HearthError } from '../../kernel/errors.ts';
import { answerHead, internalError } from '../error-table.ts';
import { isExpected } from '../failure-log.ts';
import { answerJson } from '../respond.ts';

type Headers = Readonly<Record<string, string>>;

export function oauthError(error: string, description: string, status = 400, headers: Headers = {}): Response {
  return answerJson({ error, error_description: toAscii(description) }, status, headers);
}

/** For any error of a route. The caller logs it. */
export function presentOAuthError(error: unknown, requestId: string): Response {
  if (error instanceof RegistrationError) return oauthError(error.error, error.message);
  const expected = isExpected(error) ? error : internalError();
  const { status, headers } = answerHead(expected, requestId, '');
  const { 'WWW-Authenticate': _challenge, ...others } = headers;
  // RFC 6749 §5.2 has 400 for malformed requests, including a body of another type.
  return oauthError(wordOf(expected, status), expected.message, status === 415 ? 400 : status, others);
}

function wordOf({ code }: HearthError, status: number): string {
  if (code === 'internal') return 'server_error';
  // RFC 6749 has no code for it at the token endpoint; this one means the same at the authorization endpoint.
  return status === 429 || status === 503 ? 'temporarily_unavailable' : 'invalid_request';
}

/** The characters that `error_description` may contain (RFC 6749 §5.2). */
function toAscii(sentence: string): string {
  return sentence.replace(/[’‘"\\]/g, "'").replace(/[^\x20-\x7e]/g, '?');
}
