import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { RoleSource } from '../../../src/app/access/authorize.ts';
import type { Role } from '../../../src/app/access/caller.ts';
import { sha256Hex } from '../../../src/kernel/secrets.ts';
import { createTempDirectory } from '../../support/temp-directory.ts';
import { TestClock } from '../../support/test-clock.ts';
import {
  callerOf,
  createTestHome,
  systemCaller,
  type TestHome,
  tokenCaller,
  userCaller,
} from '../../support/test-home.ts';

const MINUTE_MS = 60_000;

describe('access tokens', () => {
  let role: Role | undefined;
  let test: TestHome;
  const roles: RoleSource = {
    roleOf: (userId) => (userId === 'ann' ? role : undefined),
    homesOf: (userId) => (userId === 'ann' ? test.state.homes().map(({ id }) => id) : []),
  };

  beforeEach(() => {
    role = 'admin';
    test = createTestHome({ roles });
  });

  afterEach(() => test.close());

  const invalid = (message: string) => expect.objectContaining({ code: 'invalid_token', message });

  it('are hc_ and 43 base64url characters, listed by their first eleven', () => {
    const { token, info } = test.tokens.create(systemCaller, { name: 'Script' });
    expect(token).toMatch(/^hc_[A-Za-z0-9_-]{43}$/);
    expect(info).toMatchObject({
      name: 'Script',
      tokenPrefix: token.slice(0, 11),
      homePermissions: null,
      revokedAt: null,
      made: [],
    });
    expect(test.tokens.list(systemCaller)).toEqual([info]);
  });

  it('are stored as SHA-256 and never whole, in no row and no listing', () => {
    const { token, info } = test.tokens.create(systemCaller, { name: 'Script' });
    const rows = JSON.stringify(test.database.prepare('SELECT * FROM access_tokens').all());
    expect(rows).toContain(sha256Hex(token));
    for (const text of [rows, JSON.stringify(info)]) expect(text).not.toContain(token.slice(11));
    expect(JSON.stringify(info)).not.toContain(sha256Hex(token));
  });

  it('stand for their permissions and their maker', () => {
    const homePermissions = { [test.home.id]: 'view' } as const;
    const { token, info } = test.tokens.create(userCaller('ann'), {
      name: 'Wall tablet',
      homePermissions: { [test.home.id.toUpperCase()]: 'view' },
    });
    expect(test.tokens.authenticate(token)).toEqual({
      kind: 'access_token',
      tokenId: info.id,
      homePermissions,
      makerId: 'ann',
      expiresAt: null,
    });
  });

  it('refuse everything that is not a token with one and the same answer', () => {
    const { token } = test.tokens.create(systemCaller, { name: 'Script' });
    const flipped = token.slice(0, -1) + (token.endsWith('A') ? 'B' : 'A');
    const wrong = [
      '',
      'hc_',
      token.slice(0, -1),
      `${token}A`,
      ` ${token}`,
      token.toUpperCase(),
      flipped,
      'x'.repeat(1e6),
    ];
    for (const text of wrong) expect(() => test.tokens.authenticate(text)).toThrow(invalid('Invalid token'));
  });

  it('leave what they made when they are revoked, until that is asked to end too', () => {
    const { info } = test.tokens.create(systemCaller, { name: 'Script' });
    const maker = callerOf({ kind: 'access_token', tokenId: info.id, homePermissions: null, makerId: null });
    const made = test.tokens.create(maker, { name: 'Made' });
    const madeMaker = callerOf({ kind: 'access_token', tokenId: made.info.id, homePermissions: null, makerId: null });
    const last = test.tokens.create(madeMaker, { name: 'Made by the made one' });
    const asListed = [{ kind: 'access_token', id: made.info.id, name: 'Made', homeId: null }];
    expect(test.tokens.revoke(systemCaller, info.id)).toMatchObject({ made: asListed, hasEndedWhatItMade: false });
    expect(test.tokens.authenticate(made.token)).toMatchObject({ tokenId: made.info.id });
    expect(test.tokens.revoke(systemCaller, info.id, { endWhatItMade: true })).toMatchObject({
      ...{ made: asListed, hasEndedWhatItMade: true },
    });
    for (const { token } of [made, last])
      expect(() => test.tokens.authenticate(token)).toThrow(invalid('Token revoked'));
  });

  it('end at once when revoked, and stay listed', () => {
    const { token, info } = test.tokens.create(systemCaller, { name: 'Script' });
    test.tokens.authenticate(token);
    const revoked = test.tokens.revoke(systemCaller, info.id.toUpperCase());
    expect(revoked.revokedAt).toBe(test.clock.now());
    expect(() => test.tokens.authenticate(token)).toThrow(invalid('Token revoked'));
    test.clock.jumpWallClock(1_000);
    expect(test.tokens.revoke(systemCaller, info.id)).toEqual(revoked);
    expect(test.tokens.list(systemCaller)).toEqual([expect.objectContaining({ revokedAt: revoked.revokedAt })]);
  });

  it('answer not_found for a token that is not there', () => {
    expect(() => test.tokens.revoke(systemCaller, 'nothing')).toThrow(expect.objectContaining({ code: 'not_found' }));
  });

  it('live no longer for a clock that is set back, used meanwhile or not', async () => {
    const make = (name: string) =>
      test.tokens.create(systemCaller, { name, expiresAt: test.clock.now() + 1_000 }).token;
    const [used, unused] = [make('Used'), make('Unused')];
    test.tokens.authenticate(used);
    test.clock.jumpWallClock(-365 * 24 * 60 * MINUTE_MS);
    await test.clock.advance(999);
    for (const token of [used, unused]) expect(test.tokens.authenticate(token)).toBeDefined();
    await test.clock.advance(1);
    for (const token of [used, unused]) expect(() => test.tokens.authenticate(token)).toThrow(invalid('Token expired'));
  });

  it('expire to the millisecond and report it', () => {
    const expiresAt = test.clock.now() + 1_000;
    const { token } = test.tokens.create(systemCaller, { name: 'Guest', expiresAt });
    test.clock.jumpWallClock(999);
    test.tokens.authenticate(token);
    test.clock.jumpWallClock(1);
    expect(() => test.tokens.authenticate(token)).toThrow(invalid('Token expired'));
  });

  it('are not revived by a clock set back once they were seen expired', () => {
    const { token } = test.tokens.create(systemCaller, { name: 'Guest', expiresAt: test.clock.now() + 1_000 });
    test.clock.jumpWallClock(5_000);
    expect(() => test.tokens.authenticate(token)).toThrow(invalid('Token expired'));
    test.clock.jumpWallClock(-3_600_000);
    expect(() => test.tokens.authenticate(token)).toThrow(invalid('Token expired'));
  });

  it('note their use at most once a minute', async () => {
    const { token, info } = test.tokens.create(systemCaller, { name: 'Script' });
    const stored = () => test.database.prepare('SELECT last_used_at FROM access_tokens').pluck().get();
    expect(info.lastUsedAt).toBeNull();
    test.tokens.authenticate(token);
    const first = test.clock.now();
    expect(stored()).toBe(first);
    await test.clock.advance(MINUTE_MS - 1);
    test.tokens.authenticate(token);
    expect(stored()).toBe(first);
    await test.clock.advance(1);
    test.tokens.authenticate(token);
    expect(stored()).toBe(first + MINUTE_MS);
    expect(test.tokens.list(systemCaller)[0]?.lastUsedAt).toBe(first + MINUTE_MS);
  });

  it('let their holder in even though the database can’t be written', () => {
    const { token } = test.tokens.create(systemCaller, { name: 'Script' });
    test.database.pragma('query_only = ON');
    expect(test.tokens.authenticate(token).kind).toBe('access_token');
    test.database.pragma('query_only = OFF');
  });

  it.each([
    ['text', 'view'],
    ['a list', ['control']],
    ['an empty object', {}],
    ['an unknown level', { HOME: 'admin' }],
    ['a home twice', { HOME: 'view', home: 'control' }],
  ])('refuse home permissions that are %s', (_, input) => {
    const homePermissions =
      typeof input === 'object' && !Array.isArray(input)
        ? Object.fromEntries(
            Object.entries(input).map(([key, level]) => [
              key === 'HOME' ? test.home.id.toUpperCase() : test.home.id,
              level,
            ]),
          )
        : input;
    expect(() => test.tokens.create(systemCaller, { name: 'Script', homePermissions })).toThrow(
      expect.objectContaining({ code: 'invalid_value', details: { field: 'homePermissions' } }),
    );
  });

  it('refuse permissions for a home that is not there or that the maker can’t see', () => {
    const foreign = () =>
      test.tokens.create(userCaller('ann'), { name: 'S', homePermissions: { [test.home.id]: 'view' } });
    const unknown = () => test.tokens.create(systemCaller, { name: 'S', homePermissions: { __proto__x: 'view' } });
    expect(unknown).toThrow(expect.objectContaining({ code: 'home_not_found' }));
    foreign();
    role = undefined;
    expect(foreign).toThrow(expect.objectContaining({ code: 'insufficient_permissions' }));
  });

  it.each([0, -1, Number.NaN, 1.5, '2030-01-01', true, Number.POSITIVE_INFINITY])(
    'refuse to expire at %s',
    (expiresAt) => {
      expect(() => test.tokens.create(systemCaller, { name: 'Script', expiresAt })).toThrow(
        expect.objectContaining({ code: 'invalid_value', details: { field: 'expiresAt' } }),
      );
    },
  );

  it.each(['', '   ', 7, null, 'x'.repeat(65)])('refuse the name %j', (name) => {
    expect(() => test.tokens.create(systemCaller, { name: name as string })).toThrow(
      expect.objectContaining({ code: 'invalid_value' }),
    );
  });

  it('are made, listed and revoked by admins only', () => {
    const { info } = test.tokens.create(systemCaller, { name: 'Script' });
    role = 'control';
    const weak = [
      userCaller('ann'),
      tokenCaller({ [test.home.id]: 'control' }),
      callerOf({ kind: 'automation', automationId: 'a', homeId: test.home.id }),
      callerOf({
        kind: 'share_link',
        shareHash: 'hash',
        homeIds: new Set([test.home.id]),
        role: 'control',
        accessoryIds: new Set(),
      }),
    ];
    for (const caller of weak) {
      for (const act of [
        () => test.tokens.list(caller),
        () => test.tokens.create(caller, { name: 'More' }),
        () => test.tokens.revoke(caller, info.id),
      ]) {
        expect(act).toThrow(expect.objectContaining({ code: 'insufficient_permissions' }));
      }
    }
  });

  it('show a user their own, and the system all', () => {
    const own = test.tokens.create(userCaller('ann'), { name: 'Mine' }).info;
    const other = test.tokens.create(systemCaller, { name: 'Script' }).info;
    expect(test.tokens.list(userCaller('ann'))).toEqual([own]);
    expect(test.tokens.list(systemCaller)).toHaveLength(2);
    expect(() => test.tokens.revoke(userCaller('ann'), other.id)).toThrow(
      expect.objectContaining({ code: 'not_found' }),
    );
  });

  it('never exceed their maker’s role, now or later', () => {
    const { token } = test.tokens.create(userCaller('ann'), {
      name: 'Mine',
      homePermissions: { [test.home.id]: 'control' },
    });
    const caller = callerOf(test.tokens.authenticate(token));
    expect(test.access.roleIn(caller, test.home.id)).toBe('control');
    role = 'view';
    expect(test.access.roleIn(caller, test.home.id)).toBe('view');
    role = undefined;
    expect(test.access.roleIn(caller, test.home.id)).toBeUndefined();
  });

  it('can’t outlive the token that made them', () => {
    const expiresAt = test.clock.now() + MINUTE_MS;
    const parent = callerOf(test.tokens.authenticate(test.tokens.create(systemCaller, { name: 'P', expiresAt }).token));
    expect(test.tokens.create(parent, { name: 'Child' }).info.expiresAt).toBe(expiresAt);
    expect(test.tokens.create(parent, { name: 'Child', expiresAt: expiresAt - 1 }).info.expiresAt).toBe(expiresAt - 1);
    expect(() => test.tokens.create(parent, { name: 'Child', expiresAt: expiresAt + 1 })).toThrow(
      expect.objectContaining({ code: 'invalid_value' }),
    );
  });

  it('outlive the daemon, revoked and expired ones as such', () => {
    using directory = createTempDirectory('tokens');
    const path = directory.file('relay.db');
    const clock = new TestClock();
    const first = createTestHome({ path, clock });
    const good = first.tokens.create(systemCaller, { name: 'Good', homePermissions: { [first.home.id]: 'view' } });
    const revoked = first.tokens.create(systemCaller, { name: 'Revoked' });
    const expired = first.tokens.create(systemCaller, { name: 'Expired', expiresAt: clock.now() + 1 });
    first.tokens.revoke(systemCaller, revoked.info.id);
    clock.jumpWallClock(1);
    expect(() => first.tokens.authenticate(expired.token)).toThrow();
    first.database.close();

    clock.jumpWallClock(-1_000);
    const second = createTestHome({ path, clock });
    expect(second.tokens.authenticate(good.token)).toMatchObject({ homePermissions: { [first.home.id]: 'view' } });
    expect(() => second.tokens.authenticate(revoked.token)).toThrow(invalid('Token revoked'));
    expect(() => second.tokens.authenticate(expired.token)).toThrow(invalid('Token expired'));
    second.close();
  });
});
