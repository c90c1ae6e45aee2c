/**
 * Who asks: from the Authorization header, or from the socket that the request came through, to a `Caller`. It decides
 * nothing else: what a caller may do is decided by `authorize`, inside each operation.
 */
import type { AccessTokens } from '../app/access/access-tokens.ts';
import type { Caller, Principal } from '../app/access/caller.ts';
import type { Door } from '../app/access/credentials.ts';
import { HearthError } from '../kernel/errors.ts';
import { newId } from '../kernel/ids.ts';
import { type FaceContext, type FaceMiddleware, headerOf } from './env.ts';

/** RFC 6750 §2.1; schemes ignore case (RFC 9110 §11.1). What the token itself must look like is known where it is made. */
const BEARER = /^bearer +(?=\S)/i;
const BASIC = /^basic +([A-Za-z0-9+/]+={0,2})$/i;

/** Whoever judges what was sent: `Credentials`, or those of one kind alone. At once for access tokens, which are most of them. */
export interface Authenticator {
  authenticate(text: string, door: Door): Principal | Promise<Principal>;
}

/** @throws `invalid_token` no credentials, malformed, unknown, expired or revoked ones */
export function authenticate(credentials: Authenticator, door: Door = 'api'): FaceMiddleware {
  return (c, next) => {
    const principal = principalOf(c, credentials, door);
    if (principal instanceof Promise) return principal.then((known) => proceed(c, known, next));
    return proceed(c, principal, next);
  };
}

/** The same where nobody needs to say who they are: without the header it is `anonymous`. @throws `invalid_token` wrong ones */
export function authenticateIfGiven(credentials: Authenticator, door: Door = 'api'): FaceMiddleware {
  const required = authenticate(credentials, door);
  return (c, next) => {
    if (c.env?.viaSocket || headerOf(c, 'authorization') !== undefined) return required(c, next);
    return proceed(c, { kind: 'anonymous' }, next);
  };
}

/** For faces that know whom they talk to by other means, such as the cookie of our own pages. */
export function callerOf(c: FaceContext, principal: Principal): Caller {
  return { principal, requestId: newId(), address: c.get('address'), depth: 0 };
}

function proceed(c: FaceContext, principal: Principal, next: () => Promise<void>): Promise<void> {
  c.set('caller', callerOf(c, principal));
  return next();
}

/**
 * The same for a client that knows no other way in than HTTP's Basic authentication (RFC 7617): the password is the token, the user
 * name says nothing about rights. @throws `invalid_token`
 */
export function authenticateBasic(tokens: Pick<AccessTokens, 'authenticate'>): FaceMiddleware {
  return (c, next) => {
    const password = c.env?.viaSocket ? undefined : basicCredentials(c)?.password;
    if (password !== undefined) return proceed(c, tokens.authenticate(password), next);
    return authenticate(tokens)(c, next);
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

function principalOf(c: FaceContext, credentials: Authenticator, door: Door): Principal | Promise<Principal> {
  if (c.env?.viaSocket) return { kind: 'system' };
  const header = headerOf(c, 'authorization');
  if (header === undefined) {
    throw new HearthError('invalid_token', 'This needs an access token, in the header Authorization: Bearer <token>.');
  }
  const scheme = BEARER.exec(header)?.[0];
  if (scheme === undefined) {
    throw new HearthError('invalid_token', 'The Authorization header must read "Bearer", one space and a token.');
  }
  return credentials.authenticate(header.slice(scheme.length), door);
}
