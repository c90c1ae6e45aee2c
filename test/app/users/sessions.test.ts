import { createHmac, generateKeyPairSync, sign } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { HomeEvents } from '../../../src/home/events.ts';
import { createTempDirectory } from '../../support/temp-directory.ts';
import { createTestHome, systemCaller, type TestHome, tokenCaller } from '../../support/test-home.ts';
import { anonymousCaller, CountingHasher, createUser, type TestUser } from '../../support/test-users.ts';

const DAY_MS = 24 * 60 * 60_000;
const MINUTE_MS = 60_000;

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const partsOf = (jwt: string) => jwt.split('.') as [header: string, payload: string, signature: string];
const claimsOf = (jwt: string) => JSON.parse(Buffer.from(partsOf(jwt)[1], 'base64url').toString());

/** What came of it, for comparing. */
async function attempt<T>(act: () => Promise<T>): Promise<{ principal: T } | { error: unknown }> {
  try {
    return { principal: await act() };
  } catch (error) {
    return { error };
  }
}

describe('sessions', () => {
  let test: TestHome;
  let ann: TestUser;
  let ended: HomeEvents['session.ended'][];

  beforeEach(async () => {
    test = createTestHome({ passwordHasher: new CountingHasher() });
    ann = await createUser(test, { founder: true });
    ended = [];
    test.bus.on('session.ended', (event) => ended.push(event));
  });

  afterEach(() => test.close());

  const invalid = (message = 'Invalid token') => expect.objectContaining({ code: 'invalid_token', message });
  const logIn = (device?: string, address?: string) =>
    test.users.logIn(anonymousCaller(address), { email: ann.user.email, password: ann.password, device });
  /** Asks twice: the second time the signature is known, and everything else counts as before. */
  async function authenticate(...asked: Parameters<TestHome['sessions']['authenticate']>) {
    const first = await attempt(() => test.sessions.authenticate(...asked));
    const again = await attempt(async () => test.sessions.known(...asked) ?? test.sessions.authenticate(...asked));
    expect(again).toEqual(first);
    if ('error' in first) throw first.error;
    return first.principal;
  }
  const sign256 = (input: string, key: string | Uint8Array) =>
    createHmac('sha256', key).update(input).digest('base64url');
  /** Signed as ours are, with any content. */
  function forge(header: object, claims: object): string {
    const input = `${encode(header)}.${encode(claims)}`;
    return `${input}.${sign256(input, test.signingKeys.key('sessions'))}`;
  }

  it('are JWTs, signed HS256, of seven days', async () => {
    const { token, expiresAt } = await logIn();
    expect(JSON.parse(Buffer.from(partsOf(token)[0], 'base64url').toString())).toEqual({ alg: 'HS256', typ: 'JWT' });
    expect(expiresAt).toBe(test.clock.now() + 7 * DAY_MS);
    const { sub, exp, iat } = claimsOf(token);
    expect({ sub, exp: exp * 1_000, days: (exp - iat) / 86_400 }).toEqual({
      sub: ann.user.id,
      exp: expiresAt,
      days: 7,
    });
    const [header, payload, signature] = partsOf(token);
    expect(sign256(`${header}.${payload}`, test.signingKeys.key('sessions'))).toBe(signature);
  });

  it('are refused for every fault of the JWT, in one sentence', async () => {
    const { token } = await logIn();
    const [header, payload, signature] = partsOf(token);
    const claims = claimsOf(token);
    const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const rsInput = `${encode({ alg: 'RS256', typ: 'JWT' })}.${payload}`;
    const hsInput = `${encode({ alg: 'HS256' })}.${payload}`;
    const publicPem = publicKey.export({ type: 'spki', format: 'pem' }).toString();
    const wrong: Record<string, string> = {
      'no signature': `${encode({ alg: 'none' })}.${payload}.`,
      'alg none with the signature': `${encode({ alg: 'none' })}.${payload}.${signature}`,
      'alg NONE': `${encode({ alg: 'NoNe', typ: 'JWT' })}.${payload}.`,
      'a key pair of their own': `${rsInput}.${sign('sha256', Buffer.from(rsInput), privateKey).toString('base64url')}`,
      'a public key as secret': `${hsInput}.${sign256(hsInput, publicPem)}`,
      'a key in the header': (() => {
        const input = `${encode({ alg: 'HS256', jwk: { kty: 'oct', k: 'AAAA' } })}.${payload}`;
        return `${input}.${sign256(input, Buffer.from('AAAA', 'base64url'))}`;
      })(),
      'an empty key': `${hsInput}.${sign256(hsInput, '')}`,
      'another algorithm': forge({ alg: 'HS512', typ: 'JWT' }, claims),
      'a critical extension': forge({ alg: 'HS256', crit: ['exp'], exp: 1 }, claims),
      'another person': `${header}.${encode({ ...claims, sub: 'ben' })}.${signature}`,
      'another session': `${header}.${encode({ ...claims, sid: 'x' })}.${signature}`,
      'a later end': `${header}.${encode({ ...claims, exp: claims.exp + 1 })}.${signature}`,
      'half a signature': `${header}.${payload}.${signature.slice(0, 20)}`,
      'no claims': forge({ alg: 'HS256' }, {}),
      'somebody else’s session': forge({ alg: 'HS256' }, { ...claims, sub: 'ben' }),
      'a session that never was': forge({ alg: 'HS256' }, { ...claims, sid: '00000000-0000-4000-8000-000000000000' }),
      'another issuer': forge({ alg: 'HS256' }, { ...claims, iss: 'somebody' }),
      'claims that are no object': forge({ alg: 'HS256' }, [1]),
      'a novel': `${header}.${'A'.repeat(5_000)}.${signature}`,
    };
    for (const [what, jwt] of Object.entries(wrong)) {
      await expect(async () => test.credentials.authenticate(jwt), what).rejects.toThrow(invalid());
    }
    await expect(test.credentials.authenticate(token)).resolves.toMatchObject({ kind: 'user' });
  });

  it('are refused if a single bit of them is another one', async () => {
    const { token } = await logIn();
    for (let at = 0; at < token.length; at += 1) {
      const other = token[at] === 'A' ? 'B' : 'A';
      const altered = token.slice(0, at) + other + token.slice(at + 1);
      // The last character of the signature has two bits without meaning.
      const isSame = partsOf(altered).every((part, n) =>
        Buffer.from(part, 'base64url').equals(Buffer.from(partsOf(token)[n] ?? '', 'base64url')),
      );
      if (isSame || token[at] === '.') continue;
      await expect(authenticate(altered)).rejects.toThrow(invalid());
    }
  });

  it('of another relay are refused', async () => {
    const other = createTestHome({ passwordHasher: new CountingHasher() });
    const stranger = await createUser(other, { founder: true });
    await expect(authenticate(stranger.token)).rejects.toThrow(invalid());
    other.close();
  });

  it('end after seven days, and no clock set back brings them back', async () => {
    const { token } = await logIn();
    const principal = await authenticate(token);
    test.clock.jumpWallClock(-300 * DAY_MS);
    await test.clock.advance(7 * DAY_MS - 1);
    expect(test.sessions.isLive(principal)).toBe(true);
    await test.clock.advance(1);
    expect(test.sessions.isLive(principal)).toBe(false);
    test.clock.jumpWallClock(-300 * DAY_MS);
    await expect(authenticate(token)).rejects.toThrow(invalid('Token expired'));
    expect(ended).toContainEqual({ sessionId: principal.sessionId, userId: ann.user.id, hasExpired: true });
    test.sessions.prune();
    await expect(authenticate(token)).rejects.toThrow(invalid());
  });

  it('that were past once stay so after a restart with an older clock', async () => {
    const directory = createTempDirectory();
    const path = directory.file('relay.db');
    const first = createTestHome({ path, passwordHasher: new CountingHasher() });
    const { token } = await createUser(first, { founder: true });
    const fresh = await createUser(first, { name: 'Ben' });
    const { sessionId } = await first.sessions.authenticate(token);
    first.database.prepare('UPDATE sessions SET expires_at = 1 WHERE id = ?').run(sessionId);
    first.close();
    const second = createTestHome({ path });
    await expect(second.sessions.authenticate(token)).rejects.toThrow(invalid('Token expired'));
    await expect(second.sessions.authenticate(fresh.token)).resolves.toMatchObject({ userId: fresh.user.id });
    second.close();
    const third = createTestHome({ path });
    third.clock.jumpWallClock(-third.clock.now());
    await expect(third.sessions.authenticate(token)).rejects.toThrow(invalid('Token expired'));
    third.close();
    directory.remove();
  });

  it('are listed for their person, newest first, with what they were made with', async () => {
    await test.clock.advance(1_000);
    await logIn('Firefox\u0007 on\nLinux\u202e'.padEnd(500, '!'), '192.0.2.9');
    const ben = await createUser(test, { name: 'Ben' });
    const [newest, current] = test.sessions.list(ann.caller);
    expect(newest).toMatchObject({ address: '192.0.2.9', isCurrent: false, userId: ann.user.id });
    expect(newest?.device).toMatch(/^Firefox onLinux!+$/);
    expect(newest?.device).toHaveLength(200);
    expect(current).toMatchObject({ isCurrent: true, device: null });
    expect(test.sessions.list(ben.caller)).toHaveLength(1);
    // Ann's first two sign-ins and hers of this test, and Ben's.
    expect(new Set(test.sessions.list(systemCaller).map(({ userId }) => userId)).size).toBe(2);
  });

  it('can’t be used by tokens or apps of their person, or by others', async () => {
    const ben = await createUser(test, { name: 'Ben' });
    const [session] = test.sessions.list(ann.caller);
    expect(session).toBeDefined();
    for (const act of [test.sessions.get, test.sessions.end]) {
      expect(() => act.call(test.sessions, ben.caller, session?.id ?? '')).toThrow(
        expect.objectContaining({ code: 'not_found' }),
      );
      expect(() => act.call(test.sessions, tokenCaller(), session?.id ?? '')).toThrow(
        expect.objectContaining({ code: 'insufficient_permissions' }),
      );
    }
    const { token } = test.tokens.create(systemCaller, { name: 'T' });
    const principal = test.tokens.authenticate(token);
    for (const caller of [tokenCaller(), anonymousCaller(), { ...ann.caller, principal }]) {
      expect(() => test.sessions.list(caller)).toThrow(expect.objectContaining({ code: 'insufficient_permissions' }));
    }
  });

  it('end at once when their person ends them: one, all others, or all', async () => {
    const [one, two, three] = [await logIn(), await logIn(), await logIn()];
    const idOf = async (jwt: string) => (await authenticate(jwt)).sessionId;
    const id = await idOf(one.token);
    expect(test.sessions.end(ann.caller, id.toUpperCase())).toMatchObject({ id });
    await expect(authenticate(one.token)).rejects.toThrow(invalid());
    expect(ended.at(-1)).toEqual({ sessionId: id, userId: ann.user.id, hasExpired: false });
    const count = test.sessions.list(ann.caller).length;
    expect(test.sessions.endAll(ann.caller, { exceptCurrent: true })).toBe(count - 1);
    for (const { token } of [two, three]) await expect(authenticate(token)).rejects.toThrow(invalid());
    await expect(authenticate(ann.token)).resolves.toBeDefined();
    expect(test.sessions.endAll(ann.caller)).toBe(1);
    await expect(authenticate(ann.token)).rejects.toThrow(invalid());
  });

  it('are ended by the system, whosever they are', async () => {
    const ben = await createUser(test, { name: 'Ben' });
    expect(test.sessions.endAll(systemCaller, { userId: ben.user.id })).toBe(1);
    await expect(authenticate(ben.token)).rejects.toThrow(invalid());
    await expect(authenticate(ann.token)).resolves.toBeDefined();
  });

  it('outlive a restart', async () => {
    const directory = createTempDirectory();
    const path = directory.file('relay.db');
    const first = createTestHome({ path, passwordHasher: new CountingHasher() });
    const { token, user } = await createUser(first, { founder: true });
    first.database.close();
    const second = createTestHome({ path });
    await expect(second.sessions.authenticate(token)).resolves.toMatchObject({ userId: user.id });
    second.close();
    directory.remove();
  });

  it('note their use at most once a minute', async () => {
    const { token } = await logIn();
    const { sessionId } = await authenticate(token);
    const lastUsedAt = () =>
      test.database
        .prepare<[string], { at: number }>('SELECT last_used_at AS at FROM sessions WHERE id = ?')
        .get(sessionId)?.at;
    const first = lastUsedAt();
    await test.clock.advance(MINUTE_MS - 1);
    await authenticate(token);
    expect(lastUsedAt()).toBe(first);
    await test.clock.advance(1);
    await authenticate(token);
    expect(lastUsedAt()).toBe((first ?? 0) + MINUTE_MS);
  });

  it('are fifty a person at most: the oldest makes room', async () => {
    const { token } = await logIn();
    for (let n = 0; n < 50; n += 1) await logIn();
    await expect(authenticate(token)).rejects.toThrow(invalid());
    expect(test.sessions.list(systemCaller)).toHaveLength(50);
  });

  it('are distinguished from access tokens and from what apps send', async () => {
    const { token } = test.tokens.create(systemCaller, { name: 'Script' });
    expect(test.credentials.authenticate(token)).toMatchObject({ kind: 'access_token' });
    expect(test.credentials.isLive(test.tokens.authenticate(token))).toBe(true);
    expect(() => test.credentials.authenticate('opaque')).toThrow(invalid());
    expect(await test.credentials.authenticate(ann.token)).toMatchObject({ kind: 'user' });
  });

  describe('whose signature is known', () => {
    it('are answered in the same turn', async () => {
      const { token } = await logIn();
      expect(test.sessions.known(token)).toBeUndefined();
      await test.sessions.authenticate(token);
      expect(test.sessions.known(token)).toMatchObject({ kind: 'user', userId: ann.user.id });
    });

    it('are refused at once when their account is deleted', async () => {
      const ben = await createUser(test, { name: 'Ben' });
      await authenticate(ben.token);
      await test.users.delete(systemCaller, ben.user.id);
      await expect(authenticate(ben.token)).rejects.toThrow(invalid());
    });

    it('are refused at once after a new password', async () => {
      const { token } = await logIn();
      await authenticate(token);
      await test.users.setPassword(systemCaller, ann.user.id, 'a new password 1');
      await expect(authenticate(token)).rejects.toThrow(invalid());
    });

    it('are known for one use only', async () => {
      await authenticate(ann.pageToken, 'pages');
      await authenticate(ann.token);
      await expect(authenticate(ann.pageToken)).rejects.toThrow(invalid());
      await expect(authenticate(ann.token, 'pages')).rejects.toThrow(invalid());
    });
  });

  describe('renewed', () => {
    it('go on for seven days from then, as the same one, and over a restart', async () => {
      const { sessionId } = await authenticate(ann.token);
      await test.clock.advance(5 * DAY_MS);
      const { token, expiresAt, user } = await test.users.renewSession(ann.caller);
      expect(user.id).toBe(ann.user.id);
      expect(expiresAt).toBe(test.clock.now() + 7 * DAY_MS);
      await test.clock.advance(6 * DAY_MS);
      test.sessions.savepoint()();
      await expect(authenticate(token)).resolves.toMatchObject({ sessionId });
      expect(test.sessions.list(ann.caller)).toMatchObject([{ id: sessionId, expiresAt }]);
      await test.clock.advance(2 * DAY_MS);
      await expect(authenticate(token)).rejects.toThrow(invalid('Token expired'));
    });

    it('leave the JWT from before good until its own end, for every setting of the clock', async () => {
      await test.clock.advance(6 * DAY_MS);
      const { token } = await test.users.renewSession(ann.caller);
      await expect(authenticate(ann.token)).resolves.toMatchObject({ userId: ann.user.id });
      await test.clock.advance(DAY_MS);
      await expect(authenticate(ann.token)).rejects.toThrow(invalid('Token expired'));
      test.clock.jumpWallClock(-3 * DAY_MS);
      await expect(authenticate(ann.token)).rejects.toThrow(invalid('Token expired'));
      await expect(authenticate(token)).resolves.toMatchObject({ userId: ann.user.id });
    });

    it('end all together', async () => {
      await test.clock.advance(DAY_MS);
      const { token } = await test.users.renewSession(ann.caller);
      const { sessionId } = await authenticate(ann.token);
      test.sessions.end(ann.caller, sessionId);
      for (const jwt of [token, ann.token]) await expect(authenticate(jwt)).rejects.toThrow(invalid());
      await expect(test.users.renewSession(ann.caller)).rejects.toThrow(invalid());
    });

    it('are so for the session that asks alone: nothing that acts for a person renews one, and no session that is over', async () => {
      const refused = expect.objectContaining({ code: 'insufficient_permissions' });
      for (const caller of [systemCaller, tokenCaller(), anonymousCaller()]) {
        await expect(test.users.renewSession(caller)).rejects.toThrow(refused);
      }
      await test.clock.advance(8 * DAY_MS);
      await expect(test.users.renewSession(ann.caller)).rejects.toThrow(invalid());
    });

    it('write no more than once a minute', async () => {
      await test.clock.advance(DAY_MS);
      const first = await test.users.renewSession(ann.caller);
      await test.clock.advance(MINUTE_MS - 1);
      expect((await test.users.renewSession(ann.caller)).expiresAt).toBe(first.expiresAt);
      await test.clock.advance(1);
      expect((await test.users.renewSession(ann.caller)).expiresAt).toBe(first.expiresAt + MINUTE_MS);
    });
  });
});
