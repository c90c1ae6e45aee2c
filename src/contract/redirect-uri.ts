/**
 * Redirect URIs of apps (RFC 8252, RFC 9700 §2.1): https, http on this computer itself, or the app's own scheme. Never
 * a URI that a browser would execute or read as a file. The relay never fetches one.
 */
import { parseUrl } from '../kernel/parse-url.ts';

/** No usable redirect URI is longer. */
export const MAX_URI_LENGTH = 2_000;

const LOOPBACK_NAMES: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * Schemes without a dot of widely used programs. Any other scheme of an app has a dot, since it is the app's domain
 * reversed (RFC 8252 §7.1). A scheme without a dot belongs to the system or to a browser, such as `javascript:`, `tel:`
 * or `ms-settings:`.
 */
const KNOWN_SCHEMES: ReadonlySet<string> = new Set([
  'cursor:',
  'homeassistant:',
  'raycast:',
  'vscode:',
  'vscode-insiders:',
  'windsurf:',
]);

/** No blanks, no control characters, only ASCII (RFC 3986 §2); no backslash, which browsers read as a slash. */
const PLAIN = /^[a-z][a-z0-9+.-]*:[!#-[\]^_a-z0-9|~%]+$/i;

/** `web`: https. `loopback`: http on this computer, with any port. `app`: the app's own scheme. */
export type RedirectKind = 'web' | 'loopback' | 'app';

/** The kind of a redirect URI; `undefined` if an app may not use it. */
export function kindOfRedirect(uri: string): RedirectKind | undefined {
  if (uri.length > MAX_URI_LENGTH || !PLAIN.test(uri) || uri.includes('#')) return undefined;
  const url = parseUrl(uri);
  if (url?.username !== '' || url.password !== '') return undefined;
  // Only browsers accept "http:host" and "https:/host".
  const isWeb = url.protocol === 'https:' || url.protocol === 'http:';
  if (isWeb && !/^https?:\/\/[^/]/i.test(uri)) return undefined;
  // The parsed URL does not show an empty user name.
  if (/^[a-z][a-z0-9+.-]*:\/\/[^/?]*@/i.test(uri)) return undefined;
  if (url.protocol === 'https:') return 'web';
  if (url.protocol === 'http:') return isLoopbackHost(url.hostname) ? 'loopback' : undefined;
  return url.protocol.includes('.') || KNOWN_SCHEMES.has(url.protocol) ? 'app' : undefined;
}

/** The redirect target as shown to people: the full host, or the scheme. */
export function redirectDomain(uri: string): string {
  const url = new URL(uri);
  return url.protocol === 'https:' || url.protocol === 'http:' ? url.host : `${url.protocol}//`;
}

export function isLoopbackHost(hostname: string): boolean {
  return LOOPBACK_NAMES.has(hostname);
}

/** Whether it is a native app on a user's computer or phone (RFC 8252): any program there can impersonate it. */
export function isNative(redirectUris: readonly string[]): boolean {
  return redirectUris.some((uri) => kindOfRedirect(uri) !== 'web');
}
