import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { loginPath, parseReturnTo } from '../../../src/api/html/return-to.ts';

describe('where a page may go on to', () => {
  it.each([
    '/account',
    '/account?done=password',
    '/account/sessions',
    '/invite/Zx-9_aBcDeFg',
    '/s/AbC-_123',
    '/s/AbC/toggle',
    '/oauth/interaction/0hT-x_9',
    '/oauth/interaction/0hT-x_9?again=1',
  ])('is a page of our own: %s', (path) => {
    expect(parseReturnTo(path)).toBe(path);
  });

  it.each([
    ['nothing', null],
    ['nothing', undefined],
    ['an empty text', ''],
    ['another site', 'https://evil.example/account'],
    ['another site without a scheme', '//evil.example/account'],
    ['three slashes', '///evil.example'],
    ['a backslash for a slash', '/\\evil.example'],
    ['a backslash further on', '/account\\..\\..\\evil'],
    ['a script', 'javascript:alert(1)'],
    ['data', 'data:text/html,x'],
    ['a path without a slash', 'account'],
    ['leading white space', ' /account'],
    ['a tab that browsers drop', '/\t/evil.example'],
    ['a line break', '/account\r\nSet-Cookie: a=b'],
    ['a zero byte', '/account\0'],
    ['dots', '/account/../login'],
    ['encoded dots', '/account/%2e%2e/login'],
    ['half encoded dots', '/s/.%2E/login'],
    ['one dot', '/s/./x'],
    ['two slashes inside', '/s//evil.example'],
    ['user information', '/@evil.example'],
    ['the API', '/rest/state'],
    ['the end of a session', '/logout'],
    ['the sign-in itself', '/login?return_to=/account'],
    ['a page whose name only begins alike', '/accounts'],
    ['the authorization endpoint', '/oauth/authorize?client_id=x'],
    ['a place without a name', '/s/'],
    ['an invitation without a code', '/invite/'],
    ['a fragment', '/account#x'],
    ['letters that fold to a slash', '/account／evil'],
    ['more than is ever needed', `/account?${'x'.repeat(3_000)}`],
  ])('is not %s', (_, target) => {
    expect(parseReturnTo(target)).toBeUndefined();
  });

  it('is on this origin and one of our pages, regardless of the request', () => {
    const near = fc.tuple(
      fc.constantFrom('/account', '/s/', '/invite/x', '/oauth/interaction/', '/', '//', 'https:'),
      fc.string({ unit: 'binary', maxLength: 20 }),
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.webUrl(),
          fc.string(),
          near.map(([a, b]) => a + b),
        ),
        (target) => {
          const path = parseReturnTo(target);
          if (path === undefined) return;
          const url = new URL(path, 'http://pi.local:5656');
          expect(url.origin).toBe('http://pi.local:5656');
          expect(url.pathname + url.search).toBe(path);
          expect(url.pathname).toMatch(/^\/(?:account(?:\/|$)|s\/.|invite\/.|oauth\/interaction\/.)/);
        },
      ),
      { numRuns: 500 },
    );
  });

  it('is carried by the address of the sign-in page, whole', () => {
    const path = '/oauth/interaction/x?a=1&b=2';
    expect(new URL(loginPath(path), 'http://x').searchParams.get('return_to')).toBe(path);
    expect(loginPath(undefined)).toBe('/login');
  });
});
