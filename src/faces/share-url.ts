import type { FaceContext } from './env.ts';
import { type GuardOptions, requestOrigin } from './guards.ts';
import { isLoopbackHost } from './lan-origin.ts';

/**
 * @returns a function that gives the address of a share: where the relay is published, else where this request reached it, unless that
 *          was this very machine, which is no use to anybody who is sent a link. Over the Unix socket without a known address, a path.
 */
export function shareUrls(options: GuardOptions): (c: FaceContext) => (hash: string) => string {
  const originOf = linkOrigin(options);
  return (c) => shareUrlsAt(originOf(c));
}

/** @param origin under which the request reached us; empty if unknown. */
export function shareUrlsFrom(options: GuardOptions, origin: string): (hash: string) => string {
  return shareUrlsAt(originOfLinks(options, origin));
}

function shareUrlsAt(origin: string): (hash: string) => string {
  return (hash) => `${origin}/s/${hash}`;
}

/** @returns a function that gives the same for other links that people are sent: invitations, and the page to claim the relay on. */
export function linkOrigin(options: GuardOptions): (c: FaceContext) => string {
  const originOf = requestOrigin(options);
  return (c) => originOfLinks(options, c.env?.viaSocket ? '' : originOf(c));
}

/** Scheme and host of what is handed to people on other devices. @param origin under which the request reached us; empty if unknown. */
export function originOfLinks({ publicUrl, lanOrigin, ownUrl }: GuardOptions, origin: string): string {
  if (publicUrl !== null) return new URL(publicUrl).origin;
  const isOnlyHere = origin === '' || isLoopbackHost(new URL(origin).hostname);
  const inHouse = isOnlyHere ? lanOrigin?.() : undefined;
  if (inHouse !== undefined || origin !== '' || !ownUrl) return inHouse ?? origin;
  return new URL(ownUrl()).origin;
}
