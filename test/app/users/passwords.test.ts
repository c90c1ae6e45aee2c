import { verify } from '@node-rs/argon2';
import { describe, expect, it } from 'vitest';
import { Passwords } from '../../../src/app/users/passwords.ts';
import { parsePassword } from '../../../src/contract/account-fields.ts';
import { CountingHasher } from '../../support/test-users.ts';

const OWASP = /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/;

describe('passwords', () => {
  it('are kept as Argon2id with the parameters that OWASP asks for, each with a salt of its own', async () => {
    const passwords = new Passwords();
    const [one, two] = await Promise.all([passwords.hash('correct horse'), passwords.hash('correct horse')]);
    expect(one).toMatch(OWASP);
    expect(one).not.toBe(two);
    expect(await verify(one, 'correct horse')).toBe(true);
    expect(await passwords.verify(one, 'correct horse')).toBe(true);
    expect(await passwords.verify(one, 'correct horsf')).toBe(false);
  });

  it('are compared with a decoy if there is none, at the same cost, and never found right', async () => {
    const hasher = new CountingHasher();
    const passwords = new Passwords(hasher);
    expect(await passwords.verify(undefined, 'correct horse')).toBe(false);
    expect(hasher.verified).toHaveLength(1);
    expect(hasher.verified[0]?.hash).toMatch(OWASP);
    // A real one of that form is computed like any other.
    expect(await new Passwords().verify(undefined, 'correct horse')).toBe(false);
  });

  it('are found wrong, after the same work, if they are no text or too long', async () => {
    const hasher = new CountingHasher();
    const passwords = new Passwords(hasher);
    for (const odd of [undefined, null, 7, {}, 'x'.repeat(3_000)]) {
      expect(await passwords.verify(`test:${'x'.repeat(2_048)}`, odd)).toBe(false);
    }
    expect(hasher.verified).toHaveLength(5);
    expect(Math.max(...hasher.verified.map(({ password }) => password.length))).toBeLessThanOrEqual(2_048);
  });

  it('are computed two at a time, in turn, and who would wait behind thirty-two is sent away', async () => {
    let running = 0;
    let most = 0;
    const release: (() => void)[] = [];
    const passwords = new Passwords({
      hash: async (password) => {
        running += 1;
        most = Math.max(most, running);
        await new Promise<void>((resolve) => release.push(resolve));
        running -= 1;
        return password;
      },
      verify: async () => true,
    });
    const asked = Array.from({ length: 40 }, (_, n) =>
      passwords.hash(`${n}`).catch((error: { code: string }) => error.code),
    );
    const drain = setInterval(() => release.shift()?.(), 1);
    const answers = await Promise.all(asked);
    clearInterval(drain);
    expect(most).toBe(2);
    expect(answers.slice(0, 34)).toEqual(Array.from({ length: 34 }, (_, n) => `${n}`));
    expect(answers.slice(34)).toEqual(Array(6).fill('rate_limited'));
    expect(await passwords.verify('x', 'y')).toBe(true);
  });

  it('have 8 to 1024 characters of any kind, composed the same way', () => {
    expect(parsePassword('pässword')).toBe(parsePassword('pa\u0308ssword'));
    expect(parsePassword('🐴'.repeat(8))).toBe('🐴'.repeat(8));
    expect(parsePassword('x'.repeat(1_024))).toHaveLength(1_024);
    for (const bad of ['seven77', 'x'.repeat(1_025), '🐴'.repeat(7), 'half\ud83d-pair', 12345678, null, undefined]) {
      expect(() => parsePassword(bad, 'newPassword')).toThrow(
        expect.objectContaining({
          code: 'invalid_value',
          details: { reason: 'password_length', field: 'newPassword' },
        }),
      );
    }
  });
});
