import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Caller } from '../../../src/app/access/caller.ts';
import { createTempDirectory } from '../../support/temp-directory.ts';
import { callerOf, createTestHome, systemCaller, type TestHome, tokenCaller } from '../../support/test-home.ts';
import { anonymousCaller, CountingHasher, createUser, type TestUser } from '../../support/test-users.ts';

const code = (wanted: string) => expect.objectContaining({ code: wanted });

describe('accounts', () => {
  let test: TestHome;
  let ann: TestUser;

  beforeEach(async () => {
    test = createTestHome({ passwordHasher: new CountingHasher() });
    ann = await createUser(test, { founder: true });
  });

  afterEach(() => test.close());

  const tokenOf = (caller: Caller, name = 'Script') => test.tokens.create(caller, { name });
  const develop = (caller: Caller) => test.userSettings.update(caller, { developerMode: true });
  const logIn = ({ user }: TestUser, password: string) =>
    test.users.logIn(anonymousCaller('192.0.2.50'), { email: user.email, password });

  describe('that the command line or the founder makes', () => {
    it('come with a role in the homes that are named, or in all', async () => {
      const cottage = test.homes.create(systemCaller, { name: 'Cottage' });
      const account = { password: 'correct horse' };
      const one = await test.users.create(ann.caller, {
        ...account,
        email: 'b@x.org',
        role: 'view',
        homeIds: [cottage.id],
      });
      const all = await test.users.create(systemCaller, { ...account, email: 'c@x.org', role: 'admin' });
      const none = await test.users.create(systemCaller, { ...account, email: 'd@x.org' });
      const plain = await test.users.create(systemCaller, { ...account, email: 'e@x.org', homeIds: [cottage.id] });
      const rolesOf = ({ id }: { id: string }) => {
        const caller = callerOf({ kind: 'user', userId: id, sessionId: 's' });
        return [test.home, cottage].map((home) => test.access.roleIn(caller, home.id));
      };
      expect([one, all, none, plain].map(rolesOf)).toEqual([
        [undefined, 'view'],
        ['admin', 'admin'],
        [undefined, undefined],
        [undefined, 'control'],
      ]);
      expect(one).toMatchObject({ name: 'b', isFounder: false });
    });

    it('are the founder’s, owner of everything, if they are the first', async () => {
      const fresh = createTestHome({ passwordHasher: new CountingHasher() });
      const user = await fresh.users.create(systemCaller, { email: 'a@x.org', password: 'correct horse' });
      expect(user.isFounder).toBe(true);
      expect(fresh.members.ownerOf(fresh.home.id)).toMatchObject({ id: user.id });
      fresh.close();
    });

    it('are private: members, tokens and apps neither list nor make nor delete any', async () => {
      const ben = await createUser(test, { name: 'Ben', role: 'owner' });
      develop(ann.caller);
      const annsToken = callerOf(test.tokens.authenticate(tokenOf(ann.caller).token));
      const annsApp = callerOf({
        kind: 'oauth_client',
        clientId: 'c',
        userId: ann.user.id,
        scope: 'admin',
        homePermissions: null,
      });
      for (const caller of [ben.caller, annsToken, annsApp, tokenCaller(), anonymousCaller()]) {
        expect(() => test.users.list(caller)).toThrow(code('insufficient_permissions'));
        expect(() => test.users.delete(caller, ben.user.id)).toThrow(code('insufficient_permissions'));
        expect(() => test.users.rename(caller, ben.user.id, 'X')).toThrow(code('insufficient_permissions'));
        const account = { email: 'x@x.org', password: 'correct horse' };
        await expect(test.users.create(caller, account)).rejects.toThrow(code('insufficient_permissions'));
        await expect(test.users.setPassword(caller, ben.user.id, 'correct horse')).rejects.toThrow(
          code('insufficient_permissions'),
        );
      }
    });

    it('need an unused address in any case, a password, and homes that exist', async () => {
      const account = { email: 'x@x.org', password: 'correct horse' };
      const create = (changes: object) => test.users.create(systemCaller, { ...account, ...changes });
      await expect(create({ email: 'ANN@EXAMPLE.ORG' })).rejects.toThrow(code('conflict'));
      for (const email of [
        '',
        'ann',
        'a b@x.org',
        '@x.org',
        'a@',
        'a@b@c',
        `a\u0000@x.org`,
        `${'a'.repeat(250)}@x.org`,
        7,
      ]) {
        await expect(create({ email })).rejects.toThrow(code('invalid_value'));
      }
      await expect(create({ password: 'short' })).rejects.toThrow(code('invalid_value'));
      await expect(create({ role: 'king' })).rejects.toThrow(code('invalid_value'));
      await expect(create({ homeIds: ['nowhere'] })).rejects.toThrow(code('home_not_found'));
      await expect(create({ homeIds: [test.home.id, test.home.id] })).rejects.toThrow(code('invalid_value'));
      expect(test.users.list(systemCaller)).toHaveLength(1);
    });
  });

  describe('as their people see them', () => {
    it('are the person of a session, a token or an app', () => {
      develop(ann.caller);
      const token = callerOf(test.tokens.authenticate(tokenOf(ann.caller).token));
      for (const caller of [ann.caller, token]) expect(test.users.me(caller)).toEqual(ann.user);
      // The command line's own token acts for the whole relay, and so for its founder.
      expect(test.users.me(tokenCaller())).toMatchObject({ isFounder: true });
      const ofOneHome = tokenCaller({ [test.home.id]: 'control' });
      for (const caller of [systemCaller, ofOneHome, anonymousCaller()]) {
        expect(() => test.users.me(caller)).toThrow(code('insufficient_permissions'));
      }
      expect(JSON.stringify(test.users.me(ann.caller))).not.toContain('test:');
    });

    it('change their name; the address is the founder’s own to change, with the password', async () => {
      const ben = await createUser(test, { name: 'Ben' });
      expect(await test.users.update(ben.caller, { name: 'Benjamin' })).toMatchObject({ name: 'Benjamin' });
      expect(test.users.rename(ann.caller, ben.user.id, 'Benno')).toMatchObject({ name: 'Benno' });
      await expect(
        test.users.update(ben.caller, { email: 'boss@x.org', currentPassword: ben.password }),
      ).rejects.toThrow(code('insufficient_permissions'));
      await expect(test.users.update(ann.caller, { email: 'anna@x.org' })).rejects.toThrow(code('invalid_credentials'));
      await expect(
        test.users.update(ann.caller, { email: ben.user.email, currentPassword: ann.password }),
      ).rejects.toThrow(code('conflict'));
      await test.users.update(ann.caller, { email: 'anna@x.org', currentPassword: ann.password });
      await expect(
        test.users.logIn(systemCaller, { email: 'Anna@x.org', password: ann.password }),
      ).resolves.toBeDefined();
      await expect(test.users.update(tokenCaller(), { name: 'X' })).rejects.toThrow(code('insufficient_permissions'));
    });
  });

  it('keep the name that they got while the password for a new address was compared', async () => {
    const moving = test.users.update(ann.caller, { email: 'anna@x.org', currentPassword: ann.password });
    await test.users.update(ann.caller, { name: 'Anna' });
    expect(await moving).toMatchObject({ name: 'Anna', email: 'anna@x.org' });
    expect(test.users.me(ann.caller)).toMatchObject({ name: 'Anna', email: 'anna@x.org' });
  });

  describe('with a new password', () => {
    it('have one new session, and all others end; tokens go on, each has its own end', async () => {
      develop(ann.caller);
      const { token } = tokenOf(ann.caller);
      const other = await logIn(ann, ann.password);
      const signedIn = await test.users.changePassword(ann.caller, {
        currentPassword: ann.password,
        newPassword: 'another password',
      });
      for (const jwt of [ann.token, other.token]) {
        await expect(test.sessions.authenticate(jwt)).rejects.toThrow(code('invalid_token'));
      }
      await expect(test.sessions.authenticate(signedIn.token)).resolves.toMatchObject({ userId: ann.user.id });
      expect(test.tokens.authenticate(token)).toBeDefined();
      await expect(logIn(ann, ann.password)).rejects.toThrow(code('invalid_credentials'));
      await expect(logIn(ann, 'another password')).resolves.toBeDefined();
    });

    it('knew the old one, and of two who change it at once one is too late', async () => {
      const change = (currentPassword: string, newPassword = 'another password') =>
        test.users.changePassword(ann.caller, { currentPassword, newPassword });
      await expect(change('wrong password')).rejects.toThrow(code('invalid_credentials'));
      await expect(change(ann.password, 'short')).rejects.toThrow(code('invalid_value'));
      const outcomes = await Promise.allSettled([
        change(ann.password, 'password one'),
        change(ann.password, 'password two'),
      ]);
      expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
      expect(test.sessions.list(systemCaller)).toHaveLength(1);
    });

    it('that the founder or the command line gave lose their sessions, too', async () => {
      const ben = await createUser(test, { name: 'Ben' });
      await test.users.setPassword(ann.caller, ben.user.id, 'another password');
      await expect(test.sessions.authenticate(ben.token)).rejects.toThrow(code('invalid_token'));
      await expect(logIn(ben, 'another password')).resolves.toBeDefined();
      await expect(test.users.setPassword(ann.caller, ann.user.id, 'another password')).rejects.toThrow(
        code('conflict'),
      );
      await expect(test.users.setPassword(systemCaller, 'nobody', 'another password')).rejects.toThrow(
        code('user_not_found'),
      );
      await test.users.setPassword(systemCaller, ann.user.id, 'another password');
      await expect(test.sessions.authenticate(ann.token)).rejects.toThrow(code('invalid_token'));
    });
  });

  describe('that are deleted', () => {
    it('end with everything that was made from them', async () => {
      const ben = await createUser(test, { name: 'Ben', role: 'admin' });
      develop(ben.caller);
      const { token, info } = tokenOf(ben.caller);
      const principal = test.tokens.authenticate(token);
      test.collections.create(ben.caller, { name: 'Mine' });
      test.notificationPreferences.set(ben.caller, { scope: 'global' }, { email: true });
      const person = test.people.create(systemCaller, { homeId: test.home.id, name: 'Ben' });
      test.people.link(systemCaller, person.id, ben.user.id);
      const received: string[] = [];
      test.bus.on('user.removed', ({ userId }) => received.push(userId));

      test.users.delete(ann.caller, ben.user.id.toUpperCase());

      await expect(test.sessions.authenticate(ben.token)).rejects.toThrow(code('invalid_token'));
      expect(() => test.tokens.authenticate(token)).toThrow(expect.objectContaining({ message: 'Token revoked' }));
      expect(test.credentials.isLive(principal)).toBe(false);
      expect(test.access.roleIn(callerOf(principal), test.home.id)).toBeUndefined();
      // The token stays in the list of the home, as what it is.
      expect(test.tokens.list(systemCaller)).toMatchObject([{ id: info.id, revokedAt: test.clock.now() }]);
      expect(test.people.get(systemCaller, person.id).userId).toBeNull();
      expect(received).toEqual([ben.user.id]);
      await expect(logIn(ben, ben.password)).rejects.toThrow(code('invalid_credentials'));
      for (const table of [
        'home_members',
        'sessions',
        'invitations',
        'collections',
        'notification_preferences',
        'people',
      ]) {
        expect(JSON.stringify(test.database.prepare(`SELECT * FROM ${table}`).all()), table).not.toContain(ben.user.id);
      }
      expect(() => test.users.delete(systemCaller, ben.user.id)).toThrow(code('user_not_found'));
    });

    it('leave the homes that were theirs alone to the founder', async () => {
      const ben = await createUser(test, { name: 'Ben', role: 'owner' });
      const cottage = test.homes.create(ben.caller, { name: 'Cottage' });
      expect(test.access.roleIn(ann.caller, cottage.id)).toBeUndefined();
      test.users.delete(systemCaller, ben.user.id);
      expect(test.access.roleIn(ann.caller, cottage.id)).toBe('owner');
    });

    it('are never the founder’s', () => {
      for (const caller of [systemCaller, ann.caller]) {
        expect(() => test.users.delete(caller, ann.user.id)).toThrow(code('conflict'));
      }
    });

    it('are gone whole or not at all, if the process is killed in between', async () => {
      const directory = createTempDirectory();
      const path = directory.file('relay.db');
      const first = createTestHome({ path, passwordHasher: new CountingHasher() });
      const { user, caller } = await createUser(first, { name: 'Ben', role: 'admin' });
      first.userSettings.update(caller, { developerMode: true });
      const { token } = first.tokens.create(caller, { name: 'Script' });
      // The last statement fails, as it would if the process ended before it.
      first.database.exec(
        "CREATE TRIGGER stop BEFORE DELETE ON users BEGIN SELECT RAISE(ABORT, 'the process was killed'); END",
      );
      expect(() => first.users.delete(systemCaller, user.id)).toThrow('the process was killed');
      first.database.exec('DROP TRIGGER stop');
      first.database.close();
      const second = createTestHome({ path });
      expect(second.users.list(systemCaller)).toHaveLength(2);
      expect(second.tokens.authenticate(token)).toMatchObject({ makerId: user.id });
      expect(second.access.roleIn(caller, second.home.id)).toBe('admin');
      second.close();
      directory.remove();
    });
  });

  it('keep no password in the clear', async () => {
    const directory = createTempDirectory();
    const home = createTestHome({ path: directory.file('relay.db') });
    const { password } = await createUser(home, { founder: true });
    const text = JSON.stringify(home.database.prepare('SELECT * FROM users').all());
    expect(text).not.toContain(password);
    expect(text).toContain('$argon2id$');
    home.close();
    directory.remove();
  });
});
