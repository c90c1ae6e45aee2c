/**
 * Authenticates a request, from the Authorization header or from the socket it came through, and creates its `Caller`.
 * It decides nothing else: `authorize`, inside each operation, decides what a caller may do.
 */
import type { AccessTokens } from '../app/access/access-tokens.ts';
import type { Caller, Principal } from '../app/access/caller.ts';
import type { ApiEntry } from '../app/access/credentials.ts';
import { HearthError } from '../kernel/errors.ts';
import { newId } from '../kernel/ids.ts';
import { type ApiContext, type ApiMiddleware, type GuardedRequest, headerOf } from './env.ts';
import { refuseStranger } from './strangers.ts';

/** RFC 6750 §2.1; schemes ignore case (RFC 9110 §11.1). The token's own format is checked where tokens are created. */
const BEARER = /^bearer +(?=\S)/i;
const BASIC = /^basic +([A-Za-z0-9+/]+={0,2})$/i;

/**
 * Checks credentials: `Credentials` checks all kinds, its members one kind each. Access tokens, the most frequent kind,
 * are checked synchronously.
 */
export interface Authenticator {
  authenticate(text: string, entry: ApiEntry): Principal | Promise<Principal>;
}

/** @throws `invalid_token` no credentials, malformed, unknown, expired or revoked ones */
export function authenticate(credentials: Authenticator, entry: ApiEntry = 'api'): ApiMiddleware {
  return (c, next) => {
    const principal = judgedPrincipal(c, credentials, entry);
    if (principal instanceof Promise) return principal.then((known) => proceed(c, known, next));
    return proceed(c, principal, next);
  };
}

/** As `authenticate`. @throws `invalid_token` */
export function judgedPrincipal(
  c: GuardedRequest,
  credentials: Authenticator,
  entry: ApiEntry = 'api',
): Principal | Promise<Principal> {
  return judged(c, () => principalOf(c, credentials, entry));
}

/** Counts a caller with wrong credentials as a stranger. @throws `invalid_token` · `rate_limited` */
export function judged<T>(c: GuardedRequest, judge: () => T | Promise<T>): T | Promise<T> {
  try {
    const judgement = judge();
    return judgement instanceof Promise ? judgement.catch((error: unknown) => refuseStranger(c, error)) : judgement;
  } catch (error) {
    return refuseStranger(c, error);
  }
}

/** Like `authenticate`, but a request without the header is `anonymous`. @throws `invalid_token` wrong credentials */
export function authenticateIfGiven(credentials: Authenticator, entry: ApiEntry = 'api'): ApiMiddleware {
  const required = authenticate(credentials, entry);
  return (c, next) => {
    if (c.env?.viaSocket || headerOf(c, 'authorization') !== undefined) return required(c, next);
    return proceed(c, { kind: 'anonymous' }, next);
  };
}

/** For APIs that identify the caller by other means, such as the cookie of the server-rendered pages. */
export function callerOf(c: GuardedRequest, principal: Principal): Caller {
  return { principal, requestId: newId(), address: c.get('address'), depth: 0 };
}

function proceed(c: ApiContext, principal: Principal, next: () => Promise<void>): Promise<void> {
  c.set('caller', callerOf(c, principal));
  return next();
}

/**
 * Like `authenticate`, for clients that support only HTTP Basic authentication (RFC 7617). The password is the token;
 * the user name has no effect on rights. @throws `invalid_token`
 */
export function authenticateBasic(tokens: Pick<AccessTokens, 'authenticate'>): ApiMiddleware {
  return (c, next) => {
    const password = c.env?.viaSocket ? undefined : basicCredentials(c)?.password;
    if (password !== undefined) {
      const principal = judged(c, () => tokens.authenticate(password));
      return principal instanceof Promise
        ? principal.then((known) => proceed(c, known, next))
        : proceed(c, principal, next);
    }
    return authenticate(tokens)(c, next);
  };
}

/** The user name of Basic authentication, if the request has one. */
export function basicUserName(c: ApiContext): string | undefined {
  return basicCredentials(c)?.userName;
}

function basicCredentials(c: ApiContext): { readonly userName: string; readonly password: string } | undefined {
  const encoded = BASIC.exec(headerOf(c, 'authorization') ?? '')?.[1];
  if (encoded === undefined) return undefined;
  const [userName = '', ...rest] = Buffer.from(encoded, 'base64').toString('utf8').split(':');
  return { userName, password: rest.join(':') };
}

function principalOf(c: GuardedRequest, credentials: Authenticator, entry: ApiEntry): Principal | Promise<Principal> {
  if (c.env?.viaSocket) return { kind: 'system' };
  const header = headerOf(c, 'authorization');
  if (header === undefined) {
    throw new HearthError('invalid_token', 'This needs an access token, in the header Authorization: Bearer <token>.');
  }
  const scheme = BEARER.exec(header)?.[0];
  if (scheme === undefined) {
    throw new HearthError('invalid_token', 'The Authorization header must read "Bearer", one space and a token.');
  }
  return credentials.authenticate(header.slice(scheme.length), entry);
}
