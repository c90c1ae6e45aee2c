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
const BASIC = /^basic +([A-Za-z0-9+/]+={0,2})$/i;

/** @throws `invalid_token` no credentials, malformed, unknown, expired or revoked ones */
export function authenticate(tokens: Pick<AccessTokens, 'authenticate'>): FaceMiddleware {
  return (c, next) => {
    c.set('caller', { principal: principalOf(c, tokens), requestId: newId(), depth: 0 });
    return next();
  };
}

/**
 * The same for a client that knows no other way in than HTTP's Basic authentication (RFC 7617): the password is the token, the user
 * name says nothing about rights. @throws `invalid_token`
 */
export function authenticateBasic(tokens: Pick<AccessTokens, 'authenticate'>): FaceMiddleware {
  return (c, next) => {
    const password = c.env?.viaSocket ? undefined : basicCredentials(c)?.password;
    const principal = password === undefined ? principalOf(c, tokens) : tokens.authenticate(password);
    c.set('caller', { principal, requestId: newId(), depth: 0 });
    return next();
  };
}

/** The user name of Basic authentication, if the request has one. */
export function basicUserName(c: FaceContext): string | undefined {
  return basicCredentials(c)?.userName;
}

function basicCredentials(c: FaceContext): { readonly userName: string; readonly password: string } | undefined {
  const encoded = BASIC.exec(headerOf(c, 'authorization') ?? '')?.[1];
  if (encoded === undefined) return undefined;
  const [userName = '', ...rest] = Buffer.from(encoded, 'base64').toString('utf8').split(':');
  return { userName, password: rest.join(':') };
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
