import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { kindOfRedirect, redirectDomain } from '../../../src/contract/redirect-uri.ts';

describe('an address that people may be sent to', () => {
  it.each([
    ['https://app.example/callback', 'web', 'app.example'],
    ['https://app.example:8443/callback?tenant=1', 'web', 'app.example:8443'],
    ['https://xn--pple-43d.com/', 'web', 'xn--pple-43d.com'],
    ['http://localhost/callback', 'loopback', 'localhost'],
    ['http://[::1]:3000/callback', 'loopback', '[::1]:3000'],
    ['com.example.app:/callback', 'app', 'com.example.app://'],
  ])('%s is one: %s, shown as %s', (uri, kind, domain) => {
    expect(kindOfRedirect(uri)).toBe(kind);
    expect(redirectDomain(uri)).toBe(domain);
  });

  it('never is one that a browser would run or read, however it is written', () => {
    const scheme = fc.constantFrom(
      'javascript',
      'data',
      'vbscript',
      'file',
      'blob',
      'about',
      'view-source',
      'filesystem',
    );
    const spelled = fc
      .tuple(scheme, fc.infiniteStream(fc.boolean()))
      .map(([text, upper]) => [...text].map((letter) => (upper.next().value ? letter.toUpperCase() : letter)).join(''));
    const blank = fc.constantFrom('', ' ', '\t', '\n', '\u0000', '\u001f');
    fc.assert(
      fc.property(blank, spelled, blank, fc.string(), (before, name, between, rest) => {
        expect(kindOfRedirect(`${before}${name}${between}:${rest}`)).toBeUndefined();
      }),
    );
  });

  it('never has a fragment, a user name, a backslash or a blank in it', () => {
    fc.assert(
      fc.property(fc.constantFrom('#', '\\', ' ', '\n', 'é'), fc.string(), fc.string(), (sign, before, after) => {
        expect(kindOfRedirect(`https://app.example/${before}${sign}${after}`)).toBeUndefined();
      }),
    );
    for (const user of ['@', 'a@', 'a:b@', ':@', '%40@']) {
      expect(kindOfRedirect(`https://${user}app.example/`)).toBeUndefined();
      expect(kindOfRedirect(`http://${user}localhost/`)).toBeUndefined();
    }
  });
});
