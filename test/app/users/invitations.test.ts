import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sha256Hex } from '../../../src/kernel/secrets.ts';
import { createTestHome, systemCaller, type TestHome, tokenCaller } from '../../support/test-home.ts';
import { anonymousCaller, CountingHasher, createUser, type TestUser } from '../../support/test-users.ts';

const DAY_MS = 24 * 60 * 60_000;
const code = (wanted: string) => expect.objectContaining({ code: wanted });

describe('invitations', () => {
  let test: TestHome;
  let ann: TestUser;
  let homeId: string;

  beforeEach(async () => {
    test = createTestHome({ passwordHasher: new CountingHasher() });
    homeId = test.home.id;
    ann = await createUser(test, { founder: true });
  });

  afterEach(() => test.close());

  const invite = (email: string, role = 'control', caller = ann.caller) =>
    test.members.invite(caller, { homeId, email, role });
  const codeFor = (email: string, role?: string): string => invite(email, role).invitation?.code ?? '';
  const signUp = (invitationCode: unknown, email = 'ben@x.org') =>
    test.users.signUp(anonymousCaller(), { email, password: 'correct horse', name: 'Ben', invitationCode });
  const invited = () => test.members.list(systemCaller, homeId).filter(({ isPending }) => isPending);

  describe('of a person without an account', () => {
    it('are a code of 128 bits, shown once and kept by its hash, for seven days', () => {
      const { member, invitation } = invite('Ben@x.org', 'view');
      expect(member).toMatchObject({
        userId: null,
        email: 'Ben@x.org',
        role: 'view',
        status: 'awaiting_signup',
        isPending: true,
      });
      expect(invitation?.code).toMatch(/^[A-Za-z0-9_-]{22}$/);
      expect(invitation?.expiresAt).toBe(test.clock.now() + 7 * DAY_MS);
      const rows = JSON.stringify(test.database.prepare('SELECT * FROM invitations').all());
      expect(rows).not.toContain(invitation?.code);
      expect(rows).toContain(sha256Hex(invitation?.code ?? ''));
      expect(test.members.findInvitation(invitation?.code)).toMatchObject({
        email: 'Ben@x.org',
        homeId,
        homeName: test.home.name,
        role: 'view',
        inviterName: 'Ann',
      });
    });

    it('make an account and a member, once', async () => {
      const invitation = codeFor('ben@x.org');
      const { user, token } = await signUp(invitation, 'BEN@x.org');
      const principal = await test.sessions.authenticate(token);
      expect(test.access.roleIn({ ...systemCaller, principal }, homeId)).toBe('control');
      expect(user).toMatchObject({ isFounder: false, name: 'Ben' });
      expect(invited()).toEqual([]);
      await expect(signUp(invitation, 'ben@x.org')).rejects.toThrow(code('invalid_credentials'));
      expect(test.members.findInvitation(invitation)).toBeUndefined();
    });

    it('make one account of two who use it at the same moment', async () => {
      const invitation = codeFor('ben@x.org');
      const outcomes = await Promise.allSettled([signUp(invitation), signUp(invitation), signUp(invitation)]);
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      expect(test.users.list(systemCaller)).toHaveLength(2);
    });

    it('are required: there is no registration without', async () => {
      for (const none of [undefined, null, '']) {
        await expect(signUp(none)).rejects.toThrow(
          expect.objectContaining({
            code: 'insufficient_permissions',
            message: 'Registration is disabled. Ask an admin to invite you.',
          }),
        );
      }
    });

    it('are refused in one sentence: unknown, for another address, over, taken back, or of an inviter who may no longer', async () => {
      const messages = new Set<string>();
      const refuse = async (invitation: unknown, email?: string): Promise<void> => {
        const error = await signUp(invitation, email).catch((thrown: { code: string; message: string }) => thrown);
        messages.add(JSON.stringify([(error as { code: string }).code, (error as { message: string }).message]));
      };
      await refuse('AAAAAAAAAAAAAAAAAAAAAA');
      await refuse({ code: 1 });
      await refuse('x'.repeat(100_000));
      const good = codeFor('ben@x.org');
      await refuse(good, 'carl@x.org');
      test.members.remove(ann.caller, { homeId, memberId: invited()[0]?.id ?? '' });
      await refuse(good);
      const admin = await createUser(test, { name: 'Admin', role: 'admin' });
      const byAdmin = test.members.invite(admin.caller, { homeId, email: 'ben@x.org', role: 'view' }).invitation?.code;
      test.members.setRole(ann.caller, { homeId, memberId: admin.user.id, role: 'control' });
      await refuse(byAdmin);
      const old = codeFor('ben@x.org');
      await test.clock.advance(7 * DAY_MS);
      test.clock.jumpWallClock(-30 * DAY_MS);
      await refuse(old);
      expect([...messages]).toHaveLength(1);
      expect([...messages][0]).toContain('invalid_credentials');
    });

    it('are replaced by a later one for the same address', async () => {
      const first = codeFor('ben@x.org', 'control');
      const second = codeFor('BEN@x.org', 'view');
      expect(invited()).toMatchObject([{ role: 'view' }]);
      await expect(signUp(first)).rejects.toThrow(code('invalid_credentials'));
      await expect(signUp(second)).resolves.toBeDefined();
    });

    it('are accepted by a person who has got an account since, signed in, with the code, and by no one else', async () => {
      const invitation = codeFor('ben@x.org', 'admin');
      const user = await test.users.create(systemCaller, { email: 'ben@x.org', password: 'correct horse' });
      const { token } = await test.users.logIn(anonymousCaller(), { email: 'ben@x.org', password: 'correct horse' });
      const caller = { ...anonymousCaller(), principal: await test.sessions.authenticate(token) };
      // It is its code's, and not the address's: who took the address has not been invited.
      expect(test.members.pending(caller)).toEqual([]);
      expect(() => test.members.accept(caller, homeId)).toThrow(code('not_found'));
      const carl = await createUser(test, { name: 'Carl' });
      expect(() => test.members.acceptCode(carl.caller, invitation)).toThrow(code('invalid_credentials'));
      expect(() => test.members.acceptCode(tokenCaller(), invitation)).toThrow(code('insufficient_permissions'));
      await expect(signUp(invitation)).rejects.toThrow(code('conflict'));
      expect(test.members.acceptCode(caller, invitation)).toMatchObject({
        userId: user.id,
        role: 'admin',
        status: 'active',
      });
    });
  });

  describe('of a person with an account', () => {
    let ben: TestUser;

    beforeEach(async () => {
      ben = await createUser(test, { name: 'Ben' });
    });

    it('wait for them to accept, without a code', () => {
      const { member, invitation } = invite(ben.user.email, 'admin');
      expect(invitation).toBeNull();
      expect(member).toMatchObject({
        userId: ben.user.id,
        name: 'Ben',
        status: 'awaiting_acceptance',
        isPending: true,
      });
      expect(test.access.roleIn(ben.caller, homeId)).toBeUndefined();
      expect(test.members.pending(ben.caller)).toMatchObject([
        { homeId, homeName: test.home.name, role: 'admin', inviterName: 'Ann', createdAt: test.clock.now() },
      ]);
      expect(test.members.accept(ben.caller, homeId.toUpperCase())).toMatchObject({ role: 'admin', status: 'active' });
      expect(test.access.roleIn(ben.caller, homeId)).toBe('admin');
      expect(test.members.pending(ben.caller)).toEqual([]);
      expect(() => test.members.accept(ben.caller, homeId)).toThrow(code('not_found'));
    });

    it('are turned down', () => {
      invite(ben.user.email);
      test.members.reject(ben.caller, homeId);
      expect(invited()).toEqual([]);
      expect(() => test.members.reject(ben.caller, homeId)).toThrow(code('not_found'));
    });

    it('can’t be seen or accepted by others', async () => {
      invite(ben.user.email);
      const carl = await createUser(test, { name: 'Carl' });
      expect(test.members.pending(carl.caller)).toEqual([]);
      expect(() => test.members.accept(carl.caller, homeId)).toThrow(code('not_found'));
      expect(() => test.members.accept(tokenCaller(), homeId)).toThrow(code('insufficient_permissions'));
      expect(test.members.pending(systemCaller)).toEqual([]);
    });

    it('go with the account, and with the inviter’s', async () => {
      const carl = await createUser(test, { name: 'Carl', role: 'admin' });
      invite(ben.user.email);
      test.members.invite(carl.caller, { homeId, email: 'dora@x.org', role: 'view' });
      test.users.delete(systemCaller, carl.user.id);
      expect(invited()).toHaveLength(1);
      test.users.delete(systemCaller, ben.user.id);
      expect(invited()).toEqual([]);
    });
  });

  it('are made by those who may give the role', async () => {
    const admin = await createUser(test, { name: 'Admin', role: 'admin' });
    const viewer = await createUser(test, { name: 'Viewer', role: 'view' });
    for (const role of ['view', 'control']) invite(`${role}@x.org`, role, admin.caller);
    for (const role of ['admin', 'owner']) {
      expect(() => invite(`${role}@x.org`, role, admin.caller)).toThrow(code('insufficient_permissions'));
      invite(`${role}@x.org`, role);
      // Nor replaced or taken back by an admin.
      expect(() => invite(`${role}@x.org`, 'view', admin.caller)).toThrow(code('insufficient_permissions'));
    }
    const owners = invited().find(({ role }) => role === 'owner');
    const target = { homeId, memberId: owners?.id ?? '' };
    expect(() => test.members.remove(admin.caller, target)).toThrow(code('insufficient_permissions'));
    expect(() => test.members.setRole(admin.caller, { ...target, role: 'view' })).toThrow(
      code('insufficient_permissions'),
    );
    expect(test.members.setRole(ann.caller, { ...target, role: 'view' })).toMatchObject({
      role: 'view',
      isPending: true,
    });
    expect(() => invite('x@x.org', 'view', viewer.caller)).toThrow(code('insufficient_permissions'));
  });

  it('are of people who do not belong to the home yet', async () => {
    const ben = await createUser(test, { name: 'Ben', role: 'view' });
    expect(() => invite(ben.user.email, 'admin')).toThrow(code('conflict'));
    expect(() => invite('no address')).toThrow(code('invalid_value'));
    expect(() => invite('x@x.org', 'king')).toThrow(code('invalid_value'));
  });

  it('are a hundred with the members at most', () => {
    for (let n = 0; n < 99; n += 1) invite(`user${n}@x.org`);
    expect(() => invite('one.too.many@x.org')).toThrow(code('conflict'));
    invite('user7@x.org', 'view');
  });

  it('that are over are deleted at night', async () => {
    invite('ben@x.org');
    await test.clock.advance(7 * DAY_MS);
    test.members.prune();
    expect(test.database.prepare('SELECT * FROM invitations').all()).toHaveLength(1);
    test.members.noteExpired();
    test.members.prune();
    expect(test.database.prepare('SELECT * FROM invitations').all()).toEqual([]);
  });
});
