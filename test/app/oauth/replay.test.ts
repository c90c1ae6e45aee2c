import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openReplay, sealReplay } from '../../../src/app/oauth/replay.ts';

describe('an answer that is kept for a client that lost it', () => {
  it('is opened with the token that it was given for, and with nothing else', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), fc.string({ minLength: 1 }), fc.string(), (token, other, answer) => {
        const sealed = sealReplay(token, answer);
        expect(openReplay(token, sealed)).toBe(answer.replace(/[\uD800-\uDFFF]/g, '\uFFFD'));
        if (other !== token) expect(openReplay(other, sealed)).toBeUndefined();
      }),
    );
  });

  it('is nothing once a single bit of it has changed, or some of it is missing', () => {
    const sealed = sealReplay('token', '{"access_token":"x"}');
    for (let at = 0; at < sealed.length; at += 1) {
      const altered = Uint8Array.from(sealed);
      altered[at] = (altered[at] ?? 0) ^ 1;
      expect(openReplay('token', altered)).toBeUndefined();
      expect(openReplay('token', sealed.slice(0, at))).toBeUndefined();
    }
  });
});
