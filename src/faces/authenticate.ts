/**
 * Who asks: from the Authorization header, or from the socket that the request came through, to a `Caller`. It decides
 * nothing else: what a caller may do is decided by `authorize`, inside each operation.
 */
import type { AccessTokens } from '../app/access/access-tokens.ts';
import type { Principal } from '../app/access/caller.ts';
import { HearthError } from '../kernel/errors.ts';
import { newId } from '../kernel/ids.ts';
import { type FaceContext, type FaceMiddleware, headerOf } from './env.ts';

/** RFC 6750 §2.1; schemes ignore case (RFC 9110 §11.1). What the token itself must look like is known where it is made. */
const BEARER = /^bearer +(?=\S)/i;

/** @throws `invalid_token` no credentials, malformed, unknown, expired or revoked ones */
export function authenticate(tokens: Pick<AccessTokens, 'authenticate'>): FaceMiddleware {
  return (c, next) => {
    c.set('caller', { principal: principalOf(c, tokens), requestId: newId(), depth: 0 });
    return next();
  };
}

function principalOf(c: FaceContext, tokens: Pick<AccessTokens, 'authenticate'>): Principal {
  if (c.env?.viaSocket) return { kind: 'system' };
  const header = headerOf(c, 'authorization');
  if (header === undefined) {
    throw new HearthError('invalid_token', 'This needs an access token, in the header Authorization: Bearer <token>.');
  }
  const scheme = BEARER.exec(header)?.[0];
  if (scheme === undefined) {
    throw new HearthError('invalid_token', 'The Authorization header must read "Bearer", one space and a token.');
  }
  return tokens.authenticate(header.slice(scheme.length));
}
