/**
 * Who asks: from the Authorization header, or from the socket that the request came through, to a `Caller`. It decides
 * nothing else: what a caller may do is decided by `authorize`, inside each operation.
 */
import type { AccessTokens } from '../app/access/access-tokens.ts';
import type { Principal } from '../app/access/caller.ts';
import { HearthError } from '../kernel/errors.ts';
import { newId } from '../kernel/ids.ts';
import type { FaceContext, FaceMiddleware } from './env.ts';

/** RFC 6750 §2.1: the scheme ignoring case, then a token68. Longer ones are nothing of ours. */
const BEARER = /^Bearer +([A-Za-z0-9._~+/-]{1,4096}=*)$/i;

/** @throws `invalid_token` no credentials, malformed, unknown, expired or revoked ones */
export function authenticate(tokens: Pick<AccessTokens, 'authenticate'>): FaceMiddleware {
  return async (c, next) => {
    c.set('caller', { principal: principalOf(c, tokens), requestId: newId(), depth: 0 });
    await next();
  };
}

function principalOf(c: FaceContext, tokens: Pick<AccessTokens, 'authenticate'>): Principal {
  if (c.env?.viaSocket) return { kind: 'system' };
  const header = c.req.header('authorization');
  if (header === undefined) {
    throw new HearthError('invalid_token', 'This needs an access token, in the header Authorization: Bearer <token>.');
  }
  const token = BEARER.exec(header)?.[1];
  if (token === undefined) {
    throw new HearthError('invalid_token', 'The Authorization header must read "Bearer", one space and a token.');
  }
  return tokens.authenticate(token);
}
