import { describe, expect, it } from 'vitest';
import { codeOf, generateSecret, looksLikeCode, setupUri, stepAt, stepOf } from '../../../src/app/users/totp.ts';

/** The secret of both RFCs, `12345678901234567890`, in Base32. */
const SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';

describe('codes by time', () => {
  it.each([
    [0, '755224'],
    [1, '287082'],
    [2, '359152'],
    [3, '969429'],
    [4, '338314'],
    [5, '254676'],
    [6, '287922'],
    [7, '162583'],
    [8, '399871'],
    [9, '520489'],
  ])('are those of RFC 4226, appendix D, at counter %i', (counter, code) => {
    expect(codeOf(SECRET, counter)).toBe(code);
  });

  // The RFC's codes have eight digits; ours are their last six.
  it.each([
    [59, '94287082'],
    [1_111_111_109, '07081804'],
    [1_111_111_111, '14050471'],
    [1_234_567_890, '89005924'],
    [2_000_000_000, '69279037'],
    [20_000_000_000, '65353130'],
  ])('are those of RFC 6238, appendix B, at %i s', (seconds, code) => {
    expect(codeOf(SECRET, stepAt(seconds * 1000))).toBe(code.slice(-6));
  });

  it('are found one step before and after, and no further', () => {
    const found = [-2, -1, 0, 1, 2].map((off) => stepOf(SECRET, codeOf(SECRET, 1000 + off), 1000, 1));
    expect(found).toEqual([undefined, 999, 1000, 1001, undefined]);
  });

  it('are taken with spaces, and are six digits', () => {
    expect(stepOf(SECRET, ' 287 082', 1, 0)).toBe(1);
    expect(['287082', '287 082', '28708', '2870820', '28708a', '٢٨٧٠٨٢'].map(looksLikeCode)).toEqual([
      true,
      true,
      false,
      false,
      false,
      false,
    ]);
  });

  it('begin with a secret of 160 random bits', () => {
    const [one, two] = [generateSecret(), generateSecret()];
    expect(one).toMatch(/^[A-Z2-7]{32}$/);
    expect(one).not.toBe(two);
  });

  it('have an address that apps read, also for names with other characters', () => {
    const uri = new URL(setupUri(SECRET, 'Ann & Bob@example.org'));
    expect([uri.protocol, uri.host, decodeURIComponent(uri.pathname)]).toEqual([
      'otpauth:',
      'totp',
      '/hearthd:Ann & Bob@example.org',
    ]);
    expect(Object.fromEntries(uri.searchParams)).toEqual({
      secret: SECRET,
      issuer: 'hearthd',
      algorithm: 'SHA1',
      digits: '6',
      period: '30',
    });
  });
});
