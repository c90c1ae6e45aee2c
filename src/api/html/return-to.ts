/**
 * Where a page redirects after its action. The URL contains the target, so an attacker may have written it: only the
 * relay's own pages in a plain spelling are accepted, and anything else is ignored.
 */

const MAX_LENGTH = 2_048;
/** No scheme, no host, no backslash, nothing that a browser would normalise or that could break a header. */
const PLAIN_PATH = /^\/[\w.~%-][\w.~%/-]*(?:\?[\w.~%&=+:/-]*)?$/;
const OWN_PAGES = ['/oauth/interaction/', '/s/', '/invite/', '/account'] as const;

/** @returns the path, if it is one of the relay's pages; `undefined` for anything else. */
export function parseReturnTo(target: string | null | undefined): string | undefined {
  if (target === null || target === undefined || target.length > MAX_LENGTH || !PLAIN_PATH.test(target))
    return undefined;
  const [path = ''] = target.split('?');
  if (path.includes('//') || path.split('/').some((segment) => isDots(segment))) return undefined;
  const isOwn = OWN_PAGES.some((page) =>
    page.endsWith('/') ? path.startsWith(page) && path !== page : path === page || path.startsWith(`${page}/`),
  );
  return isOwn ? target : undefined;
}

/** The path of the sign-in page that redirects to `path` afterwards. */
export function loginPath(path: string | undefined): string {
  return path === undefined ? '/login' : `/login?return_to=${encodeURIComponent(path)}`;
}

/** The path of the page that sets a second step up, and redirects to `path` afterwards. */
export function secondStepPath(path: string | undefined): string {
  return path === undefined ? '/account/second-step' : `/account/second-step?return_to=${encodeURIComponent(path)}`;
}

/** `..` in any spelling: browsers resolve the encoded ones too. */
function isDots(segment: string): boolean {
  return /^(?:\.|%2e){1,2}$/i.test(segment);
}
