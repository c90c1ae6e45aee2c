import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Caller } from '../../../src/app/access/caller.ts';
import { HearthError } from '../../../src/kernel/errors.ts';
import { createTestHome, systemCaller, type TestHome } from '../../support/test-home.ts';
import { anonymousCaller, CountingHasher, createUser, type TestUser } from '../../support/test-users.ts';

const MINUTE_MS = 60_000;

describe('signing in', () => {
  let hasher: CountingHasher;
  let test: TestHome;
  let ann: TestUser;

  beforeEach(async () => {
    hasher = new CountingHasher();
    test = createTestHome({ passwordHasher: hasher });
    ann = await createUser(test, { founder: true });
    test.sessions.endAll(systemCaller);
    hasher.verified.length = 0;
  });

  afterEach(() => test.close());

  const logIn = (email: unknown, password: unknown, caller: Caller = anonymousCaller()) =>
    test.users.logIn(caller, { email, password });

  /** The code of the refusal, or `in`. */
  const tryTo = (email: string, password: string, caller?: Caller): Promise<string> =>
    logIn(email, password, caller).then(
      () => 'in',
      (error: HearthError) => error.code,
    );

  it('works with the address in any case and spaces around it', async () => {
    const { user, token } = await logIn(' ANN@Example.ORG ', ann.password);
    expect(user).toEqual({ ...ann.user, lastLoginAt: test.clock.now() });
    await expect(test.sessions.authenticate(token)).resolves.toMatchObject({ userId: user.id });
  });

  it('reports a wrong password, an unknown address and nonsense in one sentence, after the same work', async () => {
    const answers = new Set<string>();
    const odd = [
      [ann.user.email, 'wrong password'],
      ['nobody@example.org', 'wrong password'],
      ['nobody@example.org', ann.password],
      ['', ''],
      [undefined, undefined],
      [{ $ne: null }, ['x']],
      ['x'.repeat(100_000), 'y'.repeat(100_000)],
    ];
    for (const [n, [email, password]] of odd.entries()) {
      hasher.verified.length = 0;
      const error = await logIn(email, password, anonymousCaller(`192.0.2.${n}`)).catch(
        (thrown: HearthError) => thrown,
      );
      if (!(error instanceof HearthError)) throw new Error('It let them in');
      answers.add(JSON.stringify([error.code, error.message, error.details]));
      expect(hasher.verified, `hashes for ${JSON.stringify(email)?.slice(0, 30)}`).toHaveLength(1);
    }
    expect([...answers]).toEqual([JSON.stringify(['invalid_credentials', 'Wrong e-mail address or password.', {}])]);
  });

  it('computes as much for unknown accounts: the hash has the same parameters', async () => {
    await tryTo('nobody@example.org', 'wrong password');
    expect(hasher.verified[0]?.hash).toMatch(
      /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/,
    );
  });

  it('waits longer after each failure, the right password too, and computes nothing meanwhile', async () => {
    for (const address of ['ann@example.org', 'nobody@example.org']) {
      const outcomes: unknown[] = [];
      for (let n = 0; n < 6; n += 1) {
        const error = await logIn(address, 'wrong password').catch((thrown: HearthError) => thrown);
        if (!(error instanceof HearthError)) throw new Error('It let them in');
        outcomes.push(error.details.retryAfterSeconds ?? error.code);
        await test.clock.advance((error.details.retryAfterSeconds ?? 0) * 1_000);
      }
      // Refused at once with the time to wait, allowed after that: the same with and without an account.
      expect(outcomes).toEqual([
        'invalid_credentials',
        'invalid_credentials',
        1,
        'invalid_credentials',
        2,
        'invalid_credentials',
      ]);
    }
    hasher.verified.length = 0;
    expect(await tryTo(ann.user.email, ann.password)).toBe('rate_limited');
    expect(hasher.verified).toEqual([]);
    await test.clock.advance(4_000);
    expect(await tryTo(ann.user.email, ann.password)).toBe('in');
  });

  it('forgets the failures of an address that gets it right', async () => {
    for (let n = 0; n < 8; n += 1) {
      expect(await tryTo(ann.user.email, 'wrong password')).toBe('invalid_credentials');
      expect(await tryTo(ann.user.email, ann.password)).toBe('in');
    }
  });

  it('is stopped at a thousand tries from one address, for all accounts', async () => {
    const outcomes: string[] = [];
    for (let n = 0; n < 1_000; n += 1) outcomes.push(await tryTo(`user${n}@example.org`, 'wrong password'));
    expect(outcomes.filter((outcome) => outcome === 'invalid_credentials')).toHaveLength(30);
    expect(hasher.verified).toHaveLength(30);
    await test.clock.advance(15 * MINUTE_MS);
    expect(await tryTo('user@example.org', 'wrong password')).toBe('invalid_credentials');
  });

  it('is stopped at a thousand tries from fifty addresses, while the owner comes in on the relay’s own computer', async () => {
    const outcomes: string[] = [];
    for (let n = 0; n < 1_000; n += 1) {
      outcomes.push(await tryTo(ann.user.email, `guess ${n}`, anonymousCaller(`192.0.2.${n % 50}`)));
    }
    expect(outcomes.filter((outcome) => outcome === 'invalid_credentials')).toHaveLength(20);
    expect(await tryTo(ann.user.email, ann.password, anonymousCaller('192.0.2.200'))).toBe('rate_limited');
    expect(await tryTo(ann.user.email, ann.password, anonymousCaller('127.0.0.1'))).toBe('in');
    expect(await tryTo(ann.user.email, ann.password, anonymousCaller('::1'))).toBe('in');
    expect(await tryTo(ann.user.email, ann.password, systemCaller)).toBe('in');
  });

  it('locks out no signed-in sessions', async () => {
    const phone = anonymousCaller('192.0.2.77');
    expect(await tryTo(ann.user.email, ann.password, phone)).toBe('in');
    for (let n = 0; n < 100; n += 1) await tryTo(ann.user.email, 'guess', anonymousCaller(`198.51.100.${n}`));
    expect(await tryTo(ann.user.email, ann.password, anonymousCaller('192.0.2.78'))).toBe('rate_limited');
    expect(await tryTo(ann.user.email, ann.password, phone)).toBe('in');
  });

  it('counts all addresses of an IPv6 network as one', async () => {
    const outcomes: string[] = [];
    for (let n = 0; n < 40; n += 1) {
      outcomes.push(await tryTo(ann.user.email, 'guess', anonymousCaller(`2001:db8:1:2::${n.toString(16)}`)));
    }
    expect(outcomes.filter((outcome) => outcome === 'invalid_credentials')).toHaveLength(2);
  });

  it('counts tries that come at the same moment, before any is computed', async () => {
    const outcomes = await Promise.all(Array.from({ length: 200 }, (_, n) => tryTo(ann.user.email, `guess ${n}`)));
    expect(outcomes.filter((outcome) => outcome === 'invalid_credentials')).toHaveLength(2);
    expect(hasher.verified).toHaveLength(2);
  });

  it('counts what is tried after signing in, too: changing the password and approving', async () => {
    const { token } = await logIn(ann.user.email, ann.password);
    const caller = { ...anonymousCaller(), principal: await test.sessions.authenticate(token) };
    expect(await test.users.verifyPassword(caller, ann.password)).toBe(true);
    expect(await test.users.verifyPassword(caller, 'wrong')).toBe(false);
    await expect(
      test.users.changePassword(caller, { currentPassword: 'wrong', newPassword: 'correct horse' }),
    ).rejects.toThrow(expect.objectContaining({ code: 'invalid_credentials' }));
    await expect(test.users.verifyPassword(caller, ann.password)).rejects.toThrow(
      expect.objectContaining({ code: 'rate_limited' }),
    );
  });

  it('does not sign in a user who was removed, or whose password was changed, while the hash was computed', async () => {
    const ben = await createUser(test, { name: 'Ben' });
    const slow = createSlowVerify(hasher);
    const removed = tryTo(ben.user.email, ben.password);
    await slow.asked;
    test.users.delete(systemCaller, ben.user.id);
    slow.answer();
    expect(await removed).toBe('invalid_credentials');
    const slower = createSlowVerify(hasher);
    const changed = tryTo(ann.user.email, ann.password, anonymousCaller('192.0.2.5'));
    await slower.asked;
    await test.users.setPassword(systemCaller, ann.user.id, 'another password');
    slower.answer();
    expect(await changed).toBe('invalid_credentials');
    expect(test.sessions.list(systemCaller)).toEqual([]);
  });
});

/** The next hash to be verified waits for the test. */
function createSlowVerify(hasher: CountingHasher): { asked: Promise<void>; answer(): void } {
  const verify = hasher.verify.bind(hasher);
  let answer = (): void => {};
  const asked = new Promise<void>((notify) => {
    hasher.verify = (hash, password) => {
      hasher.verify = verify;
      notify();
      return new Promise((resolve, reject) => {
        answer = () => verify(hash, password).then(resolve, reject);
      });
    };
  });
  return { asked, answer: () => answer() };
}
