/**
 * Reads and writes every cookie of this relay, under one rule: HttpOnly, SameSite=Lax, for the whole host, and under
 * https Secure with the prefix `__Host-` (RFC 6265bis §4.1.3.2). A cookie has one name under http and another under
 * https: neither replaces the other, and https never reads a cookie that http could have planted.
 *
 * A browser sends cookies to every port of a host. So the value of a cookie opens only the pages that it was made for.
 */
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import type { CookieOptions } from 'hono/utils/cookie';
import type { ApiContext } from './env.ts';
import { type GuardOptions, requestOrigin } from './guards.ts';

/** No cookie of the relay is longer: a JWT has about 350 characters. */
const MAX_COOKIE_LENGTH = 4_096;
const KEY = /^[\w-]+$/;
/** The limit on keys for one cookie name. Their headers must stay far below the 16 kB that Node reads. */
const MAX_KEYS = 8;

export class Cookies {
  readonly #originOf: (c: ApiContext) => string;

  constructor(guards: GuardOptions) {
    this.#originOf = requestOrigin(guards);
  }

  /** @param key distinguishes cookies of one name, such as those of several shares: characters of base64url. */
  get(c: ApiContext, name: string, key?: string): string | undefined {
    // A key may come from a URL.
    if (key !== undefined && !KEY.test(key)) return undefined;
    const value = getCookie(c, this.#nameOf(c, name, key));
    return value === undefined || value === '' || value.length > MAX_COOKIE_LENGTH ? undefined : value;
  }

  /** @param maxAge in seconds; a session cookie if left out. */
  set(c: ApiContext, name: string, value: string, { key, maxAge }: { key?: string; maxAge?: number } = {}): void {
    if (key !== undefined) this.#makeRoom(c, name, key);
    setCookie(c, this.#nameOf(c, name, key), value, {
      ...this.#attributes(c),
      ...(maxAge !== undefined && { maxAge }),
    });
  }

  delete(c: ApiContext, name: string, key?: string): void {
    deleteCookie(c, this.#nameOf(c, name, key), this.#attributes(c));
  }

  /** Deletes the oldest cookies, which browsers send first (RFC 6265 §5.4). */
  #makeRoom(c: ApiContext, name: string, key: string): void {
    const others = Object.keys(getCookie(c)).filter(
      (one) => one.startsWith(this.#nameOf(c, name, '')) && one !== this.#nameOf(c, name, key),
    );
    for (const one of others.slice(0, Math.max(0, others.length - MAX_KEYS + 1)))
      deleteCookie(c, one, this.#attributes(c));
  }

  #nameOf(c: ApiContext, name: string, key: string | undefined): string {
    const whole = key === undefined ? name : `${name}_${key}`;
    return this.#isSecure(c) ? `__Host-${whole}` : whole;
  }

  /** Lax, not Strict: a person stays signed in when they come from an app's site to authorize it. */
  #attributes(c: ApiContext): CookieOptions {
    return { path: '/', httpOnly: true, sameSite: 'Lax', secure: this.#isSecure(c) };
  }

  #isSecure(c: ApiContext): boolean {
    return this.#originOf(c).startsWith('https:');
  }
}
