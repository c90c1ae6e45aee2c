import type { ApiContext } from './env.ts';
import { type GuardOptions, requestOrigin } from './guards.ts';
import { isLoopbackHost } from './lan-origin.ts';

/**
 * @returns a function that returns the URL of a share: under the public URL, else under the origin of this request. The
 * relay does not use an origin of this machine itself, which no other device reaches. Over the Unix socket without a
 * known address, the result is a path.
 */
export function shareUrls(options: GuardOptions): (c: ApiContext) => (hash: string) => string {
  const originOf = linkOrigin(options);
  return (c) => shareUrlsAt(originOf(c));
}

/** @param origin the origin of the request; empty if unknown. */
export function shareUrlsFrom(options: GuardOptions, origin: string): (hash: string) => string {
  return shareUrlsAt(originOfLinks(options, origin));
}

function shareUrlsAt(origin: string): (hash: string) => string {
  return (hash) => `${origin}/s/${hash}`;
}

/**
 * @returns a function that returns the origin for other links sent to people: invitations, and the page to claim the
 * relay on.
 */
export function linkOrigin(options: GuardOptions): (c: ApiContext) => string {
  const originOf = requestOrigin(options);
  return (c) => originOfLinks(options, c.env?.viaSocket ? '' : originOf(c));
}

/** Scheme and host of links for people on other devices. @param origin the origin of the request; empty if unknown. */
export function originOfLinks({ publicUrl, lanOrigin, ownUrl }: GuardOptions, origin: string): string {
  if (publicUrl !== null) return new URL(publicUrl).origin;
  const isOnlyHere = origin === '' || isLoopbackHost(new URL(origin).hostname);
  const inHome = isOnlyHere ? lanOrigin?.() : undefined;
  if (inHome !== undefined || origin !== '' || !ownUrl) return inHome ?? origin;
  return new URL(ownUrl()).origin;
}
