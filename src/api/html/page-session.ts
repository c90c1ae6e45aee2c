/**
 * How pages identify their user. A browser stores two cookies of the relay: the session, as a token that only pages
 * accept, and a random number that ties forms to this browser. The API never reads a cookie, so no site can use a
 * visitor's session against it. It also rejects the cookie's value as a bearer token: another server on the same host,
 * which gets the cookie too, opens nothing.
 */
import { createHmac } from 'node:crypto';
import type { Caller } from '../../app/access/caller.ts';
import type { SigningKeys } from '../../app/access/signing-keys.ts';
import type { Sessions } from '../../app/users/sessions.ts';
import type { SignedIn } from '../../app/users/user.ts';
import type { Clock } from '../../kernel/clock.ts';
import { HearthError } from '../../kernel/errors.ts';
import { equalSecrets, randomToken } from '../../kernel/secrets.ts';
import { callerOf } from '../authenticate.ts';
import { Cookies } from '../cookies.ts';
import type { ApiContext } from '../env.ts';
import type { GuardOptions } from '../guards.ts';
import { PageError } from './sentences.ts';
import { texts } from './texts.ts';

const SESSION_COOKIE = 'hearthd_session';
const CSRF_COOKIE = 'hearthd_csrf';
/** The field of every form that carries `csrfToken`. */
export const CSRF_FIELD = 'csrf';

const CSRF_COOKIE_BYTES = 32;

export interface PageSessionDeps {
  readonly sessions: Pick<Sessions, 'authenticate' | 'pageToken'>;
  readonly signingKeys: Pick<SigningKeys, 'key'>;
  readonly guards: GuardOptions;
  readonly clock: Clock;
}

export class PageSessions {
  readonly #deps: PageSessionDeps;
  readonly #cookies: Cookies;
  /** Numbers set in the current response: the request does not have them yet. */
  readonly #newNumbers = new WeakMap<ApiContext, string>();

  constructor(deps: PageSessionDeps) {
    this.#deps = deps;
    this.#cookies = new Cookies(deps.guards);
  }

  /** The user signed in at this browser, as a caller; `undefined` if there is none or the session has ended. */
  async userOf(c: ApiContext): Promise<Caller | undefined> {
    const person = await this.personOf(c);
    return person?.principal.kind === 'user' ? person : undefined;
  }

  /** As `userOf`, also a person who must set a second step up first. */
  async personOf(c: ApiContext): Promise<Caller | undefined> {
    const jwt = this.#cookies.get(c, SESSION_COOKIE);
    if (jwt === undefined) return undefined;
    try {
      return callerOf(c, await this.#deps.sessions.authenticate(jwt, 'pages'));
    } catch (error) {
      if (error instanceof HearthError && error.code === 'invalid_token') return undefined;
      throw error;
    }
  }

  /** The caller of a page: the signed-in user, or an anonymous caller. */
  async callerOf(c: ApiContext): Promise<Caller> {
    return (await this.personOf(c)) ?? callerOf(c, { kind: 'anonymous' });
  }

  /** Sets the session's cookie for its lifetime, and invalidates forms from before the sign-in. */
  async signIn(c: ApiContext, { sessionId, expiresAt }: Pick<SignedIn, 'sessionId' | 'expiresAt'>): Promise<void> {
    const token = await this.#deps.sessions.pageToken(sessionId);
    const maxAge = Math.max(0, Math.floor((expiresAt - this.#deps.clock.now()) / 1_000));
    this.#cookies.set(c, SESSION_COOKIE, token, { maxAge });
    this.#cookies.delete(c, CSRF_COOKIE);
  }

  /** Deletes both cookies. The operation `sessions.end` ends the session itself. */
  signOut(c: ApiContext): void {
    for (const name of [SESSION_COOKIE, CSRF_COOKIE]) this.#cookies.delete(c, name);
  }

  /**
   * The token that a form must send in the field `csrf`. Sets the browser's cookie that it is tied to, if there is
   * none.
   */
  csrfToken(c: ApiContext): string {
    const number = this.#cookies.get(c, CSRF_COOKIE) ?? this.#newNumbers.get(c) ?? this.#newNumber(c);
    return this.#sign(c, number);
  }

  /**
   * Rejects forms that another browser got, or that this one got before a sign-in or sign-out.
   * @throws `forbidden_origin`
   */
  requireCsrf(c: ApiContext, form: Pick<URLSearchParams, 'get'>): void {
    const number = this.#cookies.get(c, CSRF_COOKIE);
    const token = form.get(CSRF_FIELD);
    if (number !== undefined && token !== null && comesFromHere(c) && equalSecrets(token, this.#sign(c, number)))
      return;
    throw foreignForm();
  }

  #newNumber(c: ApiContext): string {
    const number = randomToken(CSRF_COOKIE_BYTES);
    this.#newNumbers.set(c, number);
    this.#cookies.set(c, CSRF_COOKIE, number);
    return number;
  }

  /**
   * Tied to the session too: a number that an attacker planted in a browser is worth nothing after its owner signs in.
   */
  #sign(c: ApiContext, number: string): string {
    return createHmac('sha256', this.#deps.signingKeys.key('csrf', { mayWait: true }))
      .update(`${number}\n${this.#cookies.get(c, SESSION_COOKIE) ?? ''}`)
      .digest('base64url');
  }
}

/** The error for a form that this browser did not get, or got for another user. */
export function foreignForm(): HearthError {
  return new PageError('forbidden_origin', (language) => texts[language].refused.foreignForm);
}

/** Browsers that send a form's origin must send the relay's. The guards check the Origin of the others. */
function comesFromHere(c: ApiContext): boolean {
  const site = c.req.header('sec-fetch-site');
  return site === undefined || site === 'same-origin' || site === 'none';
}
