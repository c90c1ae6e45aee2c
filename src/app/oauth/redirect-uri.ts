/**
 * Where an app may be sent back to (RFC 8252, RFC 9700 §2.1): an https address, http on this computer itself, or a scheme of the app's
 * own. Never what a browser would run or read as a file. Nothing here is ever fetched.
 */

/** More is no address that anybody types or a browser keeps. */
export const MAX_URI_LENGTH = 2_000;

const LOOPBACK_NAMES: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

/** What a browser runs, reads or answers by itself instead of giving it to an app. */
const FORBIDDEN_SCHEMES: ReadonlySet<string> = new Set([
  'about:',
  'blob:',
  'chrome:',
  'data:',
  'file:',
  'filesystem:',
  'ftp:',
  'intent:',
  'javascript:',
  'mailto:',
  'resource:',
  'vbscript:',
  'view-source:',
  'ws:',
  'wss:',
]);

/** No blanks, no control characters, nothing beyond ASCII (RFC 3986 §2); no backslash, which browsers take for a slash. */
const PLAIN = /^[a-z][a-z0-9+.-]*:[!#-[\]^_a-z0-9|~%]+$/i;

/** `web`: https. `loopback`: http on this computer, whose port is free. `app`: a scheme of its own. */
export type RedirectKind = 'web' | 'loopback' | 'app';

/** What kind of address it is; `undefined` for one that no app may be sent to. */
export function kindOfRedirect(uri: string): RedirectKind | undefined {
  if (uri.length > MAX_URI_LENGTH || !PLAIN.test(uri) || uri.includes('#')) return undefined;
  const url = URL.canParse(uri) ? new URL(uri) : undefined;
  if (!url || FORBIDDEN_SCHEMES.has(url.protocol) || url.username !== '' || url.password !== '') return undefined;
  // "http:host" and "https:/host" are addresses to browsers only.
  const isWeb = url.protocol === 'https:' || url.protocol === 'http:';
  if (isWeb && !/^https?:\/\/[^/]/i.test(uri)) return undefined;
  // An empty user name leaves no trace in the parsed address.
  if (/^[a-z][a-z0-9+.-]*:\/\/[^/?]*@/i.test(uri)) return undefined;
  if (url.protocol === 'https:') return 'web';
  if (url.protocol === 'http:') return isLoopbackHost(url.hostname) ? 'loopback' : undefined;
  return 'app';
}

/** What people are shown of where it leads: the host in full, or the scheme. */
export function redirectDomain(uri: string): string {
  const url = new URL(uri);
  return url.protocol === 'https:' || url.protocol === 'http:' ? url.host : `${url.protocol}//`;
}

export function isLoopbackHost(hostname: string): boolean {
  return LOOPBACK_NAMES.has(hostname);
}

/** Whether it runs on somebody's own computer or phone (RFC 8252): then any program there may pass for it. */
export function isNative(redirectUris: readonly string[]): boolean {
  return redirectUris.some((uri) => kindOfRedirect(uri) !== 'web');
}
