/**
 * The cookie that ties an app's sign-in to the browser that began it. The library sets two, both with the sign-in's id,
 * for two paths of the relay. The browser gets one, for the whole host and named after the sign-in, so that it can have
 * the prefix `__Host-` and several sign-ins can run at once. The library gets its two back.
 */
import type { Cookies } from '../cookies.ts';
import type { ApiContext } from '../env.ts';
import { INTERACTION_MS } from './interaction-store.ts';
import { INTERACTION_COOKIES } from './provider.ts';

const COOKIE = 'hearthd_app';
const MAX_AGE_S = INTERACTION_MS / 1_000;
const RESUME = new RegExp(`^${INTERACTION_COOKIES.resume}=([\\w-]*)(?:;|$)`);

/** Converts the library's cookies for the browser. @param uid the sign-in of the request, if it has one. */
export function keepInteraction(cookies: Cookies, c: ApiContext, set: readonly string[], uid?: string): void {
  for (const line of set) {
    const value = RESUME.exec(line)?.[1];
    if (value === undefined) continue;
    if (value !== '') cookies.set(c, COOKIE, value, { key: value, maxAge: MAX_AGE_S });
    else if (uid !== undefined) cookies.delete(c, COOKIE, uid);
  }
}

/** The Cookie header for the library; `undefined` if this browser did not begin the sign-in. */
export function interactionCookies(cookies: Cookies, c: ApiContext, uid: string): string | undefined {
  const value = cookies.get(c, COOKIE, uid);
  if (value === undefined || value !== uid) return undefined;
  return Object.values(INTERACTION_COOKIES)
    .map((name) => `${name}=${value}`)
    .join('; ');
}
