/**
 * Where a page goes on to when it has done its work. The wish comes in the address, so anybody may have written it: only our own
 * pages are taken, written in the plainest way, and everything else is as if nothing had been wished for.
 */

const MAX_LENGTH = 2_048;
/** No scheme, no host, no backslash, nothing that a browser would fold or a header could break at. */
const PLAIN_PATH = /^\/[\w.~%-][\w.~%/-]*(?:\?[\w.~%&=+:/-]*)?$/;
const OWN_PAGES = ['/oauth/interaction/', '/s/', '/invite/', '/account'] as const;

/** @returns the path, if it is one of ours; `undefined` for anything else. */
export function parseReturnTo(wish: string | null | undefined): string | undefined {
  if (wish === null || wish === undefined || wish.length > MAX_LENGTH || !PLAIN_PATH.test(wish)) return undefined;
  const [path = ''] = wish.split('?');
  if (path.includes('//') || path.split('/').some((segment) => isDots(segment))) return undefined;
  const isOwn = OWN_PAGES.some((page) =>
    page.endsWith('/') ? path.startsWith(page) && path !== page : path === page || path.startsWith(`${page}/`),
  );
  return isOwn ? wish : undefined;
}

/** The path of the sign-in page that goes on to `path` afterwards. */
export function loginPath(path: string | undefined): string {
  return path === undefined ? '/login' : `/login?return_to=${encodeURIComponent(path)}`;
}

/** `..` in any spelling: browsers resolve the encoded ones too. */
function isDots(segment: string): boolean {
  return /^(?:\.|%2e){1,2}$/i.test(segment);
}
