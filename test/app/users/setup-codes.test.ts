import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTestHome, systemCaller, type TestHome, tokenCaller } from '../../support/test-home.ts';
import { anonymousCaller, CountingHasher, createUser } from '../../support/test-users.ts';

const MINUTE_MS = 60_000;
const ACCOUNT = { email: 'ann@example.org', password: 'correct horse' };

describe('the setup code', () => {
  let test: TestHome;

  beforeEach(() => {
    test = createTestHome({ passwordHasher: new CountingHasher() });
  });

  afterEach(() => test.close());

  const claim = (setupCode: unknown) => test.users.claim(anonymousCaller(), { ...ACCOUNT, setupCode });
  const refused = expect.objectContaining({ code: 'invalid_credentials', details: { field: 'setupCode' } });

  it('has eight unambiguous symbols, and is another one each time', () => {
    const codes = Array.from({ length: 200 }, () => test.setupCodes.renew(systemCaller).code);
    for (const code of codes) expect(code).toMatch(/^[A-HJKMNP-Z2-9]{4}-[A-HJKMNP-Z2-9]{4}$/);
    expect(new Set(codes).size).toBe(200);
  });

  it('is created by the command line only', async () => {
    for (const caller of [tokenCaller(), anonymousCaller()]) {
      expect(() => test.setupCodes.renew(caller)).toThrow(
        expect.objectContaining({ code: 'insufficient_permissions' }),
      );
    }
    await createUser(test, { founder: true });
    expect(() => test.setupCodes.renew(systemCaller)).toThrow(expect.objectContaining({ code: 'conflict' }));
  });

  it('is asked for: without one, with a wrong one and with an old one the answer is the same', async () => {
    await expect(claim(undefined)).rejects.toThrow(refused);
    const before = test.setupCodes.renew(systemCaller).code;
    const { code } = test.setupCodes.renew(systemCaller);
    const messages = new Set<string>();
    for (const wrong of [undefined, '', before, {}]) {
      await claim(wrong).catch((error: Error) => messages.add(error.message));
    }
    expect(messages.size).toBe(1);
    await expect(claim(code.toLowerCase().replace('-', ' '))).resolves.toMatchObject({ user: { isFounder: true } });
  });

  it('is void after five wrong tries, the right one too', async () => {
    const { code } = test.setupCodes.renew(systemCaller);
    for (let n = 0; n < 5; n += 1) await expect(claim('AAAA-AAAA')).rejects.toThrow(refused);
    await expect(claim(code)).rejects.toThrow(refused);
    await expect(claim(test.setupCodes.renew(systemCaller).code)).resolves.toBeDefined();
  });

  it('lives for ten minutes, which no clock set back extends', async () => {
    const { code, expiresAt } = test.setupCodes.renew(systemCaller);
    expect(expiresAt).toBe(test.clock.now() + 10 * MINUTE_MS);
    await test.clock.advance(10 * MINUTE_MS);
    test.clock.jumpWallClock(-60 * MINUTE_MS);
    await expect(claim(code)).rejects.toThrow(refused);
  });

  it('is spent by no claim that was refused for another reason', async () => {
    const { code } = test.setupCodes.renew(systemCaller);
    await expect(
      test.users.claim(anonymousCaller(), { email: 'ann', password: 'correct horse', setupCode: code }),
    ).rejects.toThrow(expect.objectContaining({ code: 'invalid_value' }));
    await expect(claim(code)).resolves.toBeDefined();
  });

  it('is in no table', () => {
    const { code } = test.setupCodes.renew(systemCaller);
    const tables = test.database
      .prepare<[], { name: string }>("SELECT name FROM sqlite_master WHERE type = 'table'")
      .all();
    const contents = tables.map(({ name }) => JSON.stringify(test.database.prepare(`SELECT * FROM "${name}"`).all()));
    for (const part of [code, ...code.split('-')]) expect(contents.join()).not.toContain(`"${part}`);
  });
});

describe('the first claim', () => {
  it('makes one founder of a hundred who come at the same moment', async () => {
    const test = createTestHome();
    const { code } = test.setupCodes.renew(systemCaller);
    const outcomes = await Promise.all(
      Array.from({ length: 100 }, (_, n) =>
        test.users
          .claim(anonymousCaller(`192.0.2.${n}`), { ...ACCOUNT, email: `user${n}@example.org`, setupCode: code })
          .then(({ user }) => user.id)
          .catch((error: { code: string }) => error.code),
      ),
    );
    const founders = outcomes.filter((outcome) => !['conflict', 'rate_limited'].includes(outcome));
    expect(founders).toHaveLength(1);
    expect(test.users.list(systemCaller).map(({ id }) => id)).toEqual(founders);
    expect(test.members.list(systemCaller, test.home.id)).toMatchObject([{ userId: founders[0], role: 'owner' }]);
    test.close();
  });

  it('is refused once the relay has an owner, for every code', async () => {
    const test = createTestHome({ passwordHasher: new CountingHasher() });
    const { code } = test.setupCodes.renew(systemCaller);
    expect(test.users.isClaimed()).toBe(false);
    await test.users.claim(anonymousCaller(), { ...ACCOUNT, setupCode: code });
    expect(test.users.isClaimed()).toBe(true);
    for (const setupCode of [code, 'AAAA-AAAA']) {
      await expect(test.users.claim(anonymousCaller(), { ...ACCOUNT, setupCode })).rejects.toThrow(
        expect.objectContaining({ code: 'conflict', message: expect.stringContaining('already has an owner') }),
      );
    }
    test.close();
  });

  it('happens whole or not at all: there is no founder of homes that they do not own', async () => {
    const test = createTestHome({ passwordHasher: new CountingHasher() });
    const { code } = test.setupCodes.renew(systemCaller);
    test.database.exec(
      "CREATE TRIGGER stop BEFORE INSERT ON home_members BEGIN SELECT RAISE(ABORT, 'the process was killed'); END",
    );
    const claim = () => test.users.claim(anonymousCaller(), { ...ACCOUNT, setupCode: code });
    await expect(claim()).rejects.toThrow('the process was killed');
    expect(test.users.isClaimed()).toBe(false);
    expect(test.sessions.list(systemCaller)).toEqual([]);
    test.database.exec('DROP TRIGGER stop');
    await expect(claim()).resolves.toMatchObject({ user: { isFounder: true } });
    test.close();
  });

  it('gives the founder every home there is, and each that is created without an owner later', async () => {
    const test = createTestHome({ passwordHasher: new CountingHasher() });
    const before = test.homes.create(systemCaller, { name: 'Cottage' });
    const { caller } = await createUser(test, { founder: true });
    const after = test.homes.create(systemCaller, { name: 'Boat' });
    for (const { id } of [test.home, before, after]) expect(test.access.roleIn(caller, id)).toBe('owner');
    test.close();
  });
});
