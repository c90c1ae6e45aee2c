import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Caller, Role } from '../../../src/app/access/caller.ts';
import { ROLES } from '../../../src/app/access/caller.ts';
import { callerOf, createTestHome, systemCaller, type TestHome, tokenCaller } from '../../support/test-home.ts';
import { CountingHasher, createUser, type TestUser } from '../../support/test-users.ts';

const code = (wanted: string) => expect.objectContaining({ code: wanted });

describe('the members of a home', () => {
  let test: TestHome;
  let people: Record<Role, TestUser>;
  let changes: string[];

  beforeEach(async () => {
    test = createTestHome({ passwordHasher: new CountingHasher() });
    const make = async (role: Role) => {
      await test.clock.advance(1);
      return createUser(test, { name: `The ${role}`, role });
    };
    people = {
      view: await make('view'),
      control: await make('control'),
      admin: await make('admin'),
      owner: await make('owner'),
    };
    // The founder is owner, too; these tests are about one owner.
    const founder = test.users.list(systemCaller).find(({ isFounder }) => isFounder);
    test.members.remove(systemCaller, { homeId: test.home.id, memberId: founder?.id ?? '' });
    changes = [];
    test.bus.on('members.changed', ({ homeId }) => changes.push(homeId));
  });

  afterEach(() => test.close());

  const roleOf = ({ caller }: TestUser) => test.access.roleIn(caller, test.home.id);
  const setRole = (caller: Caller, who: TestUser, role: unknown) =>
    test.members.setRole(caller, { homeId: test.home.id, memberId: who.user.id, role: role as string });
  const remove = (caller: Caller, who: TestUser) =>
    test.members.remove(caller, { homeId: test.home.id, memberId: who.user.id });

  /** `done`, or the code of the refusal. */
  function outcomeOf(act: () => unknown): string {
    try {
      act();
      return 'done';
    } catch (error) {
      return (error as { code: string }).code;
    }
  }

  it('have one role everywhere by one act: in all of their homes, or in none', () => {
    const { caller, user } = people.control;
    const second = test.homes.create(people.owner.caller, { name: 'Cabin' });
    test.members.invite(people.owner.caller, { homeId: second.id, email: user.email, role: 'view' });
    test.members.accept(caller, second.id);
    const rolesNow = () => [test.home.id, second.id].map((homeId) => test.access.roleIn(caller, homeId));
    expect([rolesNow(), test.members.strongestRole(user.id)]).toEqual([['control', 'view'], 'control']);
    // Who is an admin of the first home knows nothing of the second.
    const change = (by: Caller, role: string) => test.members.setRoleEverywhere(by, { userId: user.id, role });
    expect(outcomeOf(() => change(people.admin.caller, 'view'))).toBe('home_not_found');
    expect(rolesNow()).toEqual(['control', 'view']);
    change(people.owner.caller, 'admin');
    expect([rolesNow(), test.members.strongestRole(user.id)]).toEqual([['admin', 'admin'], 'admin']);
  });

  it('are listed for those who manage it, with what clients know of them', () => {
    const members = test.members.list(people.admin.caller, test.home.id.toUpperCase());
    expect(members.map(({ role, status, isPending }) => [role, status, isPending])).toEqual(
      ROLES.map((role) => [role, 'active', false]),
    );
    expect(members[3]).toEqual({
      id: people.owner.user.id,
      homeId: test.home.id,
      userId: people.owner.user.id,
      email: people.owner.user.email,
      name: 'The owner',
      role: 'owner',
      status: 'active',
      isPending: false,
      createdAt: test.clock.now(),
    });
    expect(test.members.count(test.home.id)).toBe(4);
    expect(test.members.ownerOf(test.home.id)).toMatchObject({ id: people.owner.user.id });
    for (const who of [people.control, people.view]) {
      expect(() => test.members.list(who.caller, test.home.id)).toThrow(code('insufficient_permissions'));
    }
  });

  it('of a home without a role in it are no home at all', async () => {
    const stranger = await createUser(test, { name: 'Stranger' });
    const homeId = test.home.id;
    for (const act of [
      () => test.members.list(stranger.caller, homeId),
      () => test.members.invite(stranger.caller, { homeId, email: 'x@x.org', role: 'view' }),
      () => setRole(stranger.caller, people.view, 'admin'),
      () => remove(stranger.caller, people.view),
      () => remove(stranger.caller, stranger),
    ]) {
      expect(act).toThrow(code('home_not_found'));
    }
  });

  it('get and lose roles as the permission table defines, and in everything made from them', () => {
    const outcomes: Record<string, string> = {};
    for (const by of ROLES) {
      for (const from of ROLES) {
        for (const to of ROLES) {
          // Another user of that role; the one owner is a case of its own.
          if (from === 'owner' || by === from) continue;
          outcomes[`${by}: ${from} → ${to}`] = outcomeOf(() => setRole(people[by].caller, people[from], to));
          if (roleOf(people[from]) !== from) setRole(systemCaller, people[from], from);
        }
      }
    }
    const isHigh = (role: string) => role === 'admin' || role === 'owner';
    for (const [key, outcome] of Object.entries(outcomes)) {
      const [by = '', from = '', to = ''] = key.split(/: | → /);
      const may = by === 'owner' || (by === 'admin' && !isHigh(from) && !isHigh(to));
      expect([key, outcome]).toEqual([key, may ? 'done' : 'insufficient_permissions']);
    }
  });

  it('lose a role at once in their sessions, tokens and apps', () => {
    const { user, caller } = people.admin;
    test.userSettings.update(caller, { developerMode: true });
    const token = callerOf(test.tokens.authenticate(test.tokens.create(caller, { name: 'T' }).token));
    const app = callerOf({
      kind: 'oauth_client',
      clientId: 'c',
      userId: user.id,
      scope: 'admin',
      homePermissions: null,
    });
    const roles = () => [caller, token, app].map((one) => test.access.roleIn(one, test.home.id));
    expect(roles()).toEqual(['admin', 'admin', 'admin']);
    setRole(people.owner.caller, people.admin, 'view');
    expect(roles()).toEqual(['view', 'view', 'view']);
    remove(people.owner.caller, people.admin);
    expect(roles()).toEqual([undefined, undefined, undefined]);
    expect(changes).toEqual([test.home.id, test.home.id]);
  });

  it('always have an owner among them', () => {
    for (const caller of [people.owner.caller, systemCaller]) {
      expect(() => setRole(caller, people.owner, 'admin')).toThrow(code('conflict'));
      expect(() => remove(caller, people.owner)).toThrow(code('conflict'));
    }
    setRole(people.owner.caller, people.control, 'owner');
    setRole(people.owner.caller, people.owner, 'view');
    expect(roleOf(people.owner)).toBe('view');
    expect(() => remove(people.control.caller, people.control)).toThrow(code('conflict'));
  });

  it('are removed by those who could have given the role, and leave by themselves', () => {
    expect(() => remove(people.admin.caller, people.owner)).toThrow(code('insufficient_permissions'));
    expect(() => remove(people.control.caller, people.view)).toThrow(code('insufficient_permissions'));
    remove(people.admin.caller, people.view);
    remove(people.control.caller, people.control);
    remove(people.admin.caller, people.admin);
    for (const who of [people.view, people.control, people.admin]) expect(roleOf(who)).toBeUndefined();
    expect(() => remove(people.owner.caller, people.view)).toThrow(code('user_not_found'));
    expect(() => setRole(people.owner.caller, people.view, 'admin')).toThrow(code('user_not_found'));
  });

  it('do not leave through what only acts for them', () => {
    test.userSettings.update(people.owner.caller, { developerMode: true });
    setRole(people.owner.caller, people.admin, 'owner');
    const homePermissions = { [test.home.id]: 'control' };
    const { token } = test.tokens.create(people.owner.caller, { name: 'T', homePermissions });
    const caller = callerOf(test.tokens.authenticate(token));
    expect(() => remove(caller, people.owner)).toThrow(code('insufficient_permissions'));
    expect(() => remove(tokenCaller(homePermissions as never), people.view)).toThrow(code('insufficient_permissions'));
  });

  it('have roles that exist', () => {
    for (const role of ['', 'OWNER', 'king', null, undefined, 3, {}]) {
      expect(() => setRole(people.owner.caller, people.view, role)).toThrow(code('invalid_value'));
    }
  });

  it('go with their home', () => {
    const cottage = test.homes.create(people.owner.caller, { name: 'Cottage' });
    expect(test.access.roleIn(people.owner.caller, cottage.id)).toBe('owner');
    test.homes.delete(people.owner.caller, cottage.id);
    expect(test.access.roleIn(people.owner.caller, cottage.id)).toBeUndefined();
  });
});
