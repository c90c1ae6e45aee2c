/**
 * How pages know who is there. A browser keeps two cookies of ours: the session, which is the same JWT that programs send as a bearer
 * token, and a random number that ties forms to the browser that was given them. Both are read by pages only; the API never looks at
 * a cookie, so no site can use a visitor's sign-in against it.
 */
import { createHmac } from 'node:crypto';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import type { CookieOptions } from 'hono/utils/cookie';
import type { Caller } from '../../app/access/caller.ts';
import type { SigningKeys } from '../../app/access/signing-keys.ts';
import type { Sessions } from '../../app/users/sessions.ts';
import type { Clock } from '../../kernel/clock.ts';
import { HearthError } from '../../kernel/errors.ts';
import { equalSecrets, randomToken } from '../../kernel/secrets.ts';
import { callerOf } from '../authenticate.ts';
import type { FaceContext } from '../env.ts';
import { type GuardOptions, requestOrigin } from '../guards.ts';
import { PageError } from './sentences.ts';
import { texts } from './texts/texts.ts';

export const SESSION_COOKIE = 'hearthd_session';
export const CSRF_COOKIE = 'hearthd_csrf';
/** The field of every form that carries `csrfToken`. */
export const CSRF_FIELD = 'csrf';

const CSRF_COOKIE_BYTES = 32;
/** No cookie of ours is longer: a JWT has about 250 characters. */
const MAX_COOKIE_LENGTH = 4_096;

export interface PageSessionDeps {
  readonly sessions: Pick<Sessions, 'authenticate'>;
  readonly signingKeys: Pick<SigningKeys, 'key'>;
  readonly guards: GuardOptions;
  readonly clock: Clock;
}

export class PageSessions {
  readonly #deps: PageSessionDeps;
  readonly #originOf: (c: FaceContext) => string;
  /** Numbers given out in the answer that is being made: the request does not have them yet. */
  readonly #newNumbers = new WeakMap<FaceContext, string>();

  constructor(deps: PageSessionDeps) {
    this.#deps = deps;
    this.#originOf = requestOrigin(deps.guards);
  }

  /** The person who is signed in at this browser, as a caller; `undefined` for nobody, and where the session has ended. */
  async userOf(c: FaceContext): Promise<Caller | undefined> {
    const jwt = cookieOf(c, SESSION_COOKIE);
    if (jwt === undefined) return undefined;
    try {
      return callerOf(c, await this.#deps.sessions.authenticate(jwt));
    } catch (error) {
      if (error instanceof HearthError && error.code === 'invalid_token') return undefined;
      throw error;
    }
  }

  /** Who asks for a page: the person who is signed in, or nobody known. */
  async callerOf(c: FaceContext): Promise<Caller> {
    return (await this.userOf(c)) ?? callerOf(c, { kind: 'anonymous' });
  }

  /** The answer lets the browser keep this session, as long as it lasts, and ends what forms were tied to before. */
  signIn(c: FaceContext, { token, expiresAt }: { readonly token: string; readonly expiresAt: number }): void {
    const maxAge = Math.max(0, Math.floor((expiresAt - this.#deps.clock.now()) / 1_000));
    setCookie(c, SESSION_COOKIE, token, { ...this.#attributes(c), maxAge });
    deleteCookie(c, CSRF_COOKIE, this.#attributes(c));
  }

  /** The answer takes both cookies away. Ending the session itself is the operation `sessions.end`. */
  signOut(c: FaceContext): void {
    for (const name of [SESSION_COOKIE, CSRF_COOKIE]) deleteCookie(c, name, this.#attributes(c));
  }

  /** What a form must bring back, in the field `csrf`. Gives the browser the cookie that it is tied to, if it has none. */
  csrfToken(c: FaceContext): string {
    const number = cookieOf(c, CSRF_COOKIE) ?? this.#newNumbers.get(c) ?? this.#newNumber(c);
    return this.#sign(c, number);
  }

  /**
   * Refuses forms that this browser was not given, or was given before somebody signed in or out.
   * @throws `forbidden_origin`
   */
  requireCsrf(c: FaceContext, form: Pick<URLSearchParams, 'get'>): void {
    const number = cookieOf(c, CSRF_COOKIE);
    const token = form.get(CSRF_FIELD);
    if (number !== undefined && token !== null && comesFromHere(c) && equalSecrets(token, this.#sign(c, number)))
      return;
    throw foreignForm();
  }

  #newNumber(c: FaceContext): string {
    const number = randomToken(CSRF_COOKIE_BYTES);
    this.#newNumbers.set(c, number);
    setCookie(c, CSRF_COOKIE, number, this.#attributes(c));
    return number;
  }

  /** Tied to the session too: a number that somebody planted in a browser is worth nothing once its owner signs in. */
  #sign(c: FaceContext, number: string): string {
    return createHmac('sha256', this.#deps.signingKeys.key('csrf'))
      .update(`${number}\n${cookieOf(c, SESSION_COOKIE) ?? ''}`)
      .digest('base64url');
  }

  /** Lax and not Strict: whoever comes from an app's site to allow it something is still signed in. */
  #attributes(c: FaceContext): CookieOptions {
    return { path: '/', httpOnly: true, sameSite: 'Lax', secure: this.#originOf(c).startsWith('https:') };
  }
}

/** A form that this browser was not given, or was given for somebody else. */
export function foreignForm(): HearthError {
  return new PageError('forbidden_origin', (language) => texts[language].refused.foreignForm);
}

function cookieOf(c: FaceContext, name: string): string | undefined {
  const value = getCookie(c, name);
  return value === undefined || value === '' || value.length > MAX_COOKIE_LENGTH ? undefined : value;
}

/** Browsers that say where a form comes from must say that it comes from here. Those that don't are told by their Origin, in the guards. */
function comesFromHere(c: FaceContext): boolean {
  const site = c.req.header('sec-fetch-site');
  return site === undefined || site === 'same-origin' || site === 'none';
}
