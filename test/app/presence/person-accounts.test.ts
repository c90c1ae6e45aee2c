import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Person } from '../../../src/app/presence/person.ts';
import { createTestHome, systemCaller, type TestHome } from '../../support/test-home.ts';
import { CountingHasher, createUser, type TestUser } from '../../support/test-users.ts';

const code = (wanted: string) => expect.objectContaining({ code: wanted });

describe('people with accounts', () => {
  let test: TestHome;
  let ben: TestUser;
  let person: Person;

  beforeEach(async () => {
    test = createTestHome({ passwordHasher: new CountingHasher() });
    ben = await createUser(test, { name: 'Ben', role: 'control' });
    person = test.people.create(systemCaller, { homeId: test.home.id, name: 'Ben' });
  });

  afterEach(() => test.close());

  const userIdOf = ({ id }: Person) => test.people.get(systemCaller, id).userId;

  it('are linked and let go by admins of the home', async () => {
    const admin = await createUser(test, { name: 'Admin', role: 'admin' });
    expect(test.people.link(admin.caller, person.id, ben.user.id.toUpperCase())).toMatchObject({ userId: ben.user.id });
    expect(userIdOf(person)).toBe(ben.user.id);
    expect(() => test.people.link(ben.caller, person.id, null)).toThrow(code('insufficient_permissions'));
    expect(test.people.link(admin.caller, person.id, null).userId).toBeNull();
  });

  it('are members of the home, each one person there', async () => {
    const stranger = await createUser(test, { name: 'Stranger' });
    for (const id of [stranger.user.id, 'nobody']) {
      expect(() => test.people.link(systemCaller, person.id, id)).toThrow(code('user_not_found'));
    }
    expect(() => test.people.link(stranger.caller, person.id, null)).toThrow(code('person_not_found'));
    test.people.link(systemCaller, person.id, ben.user.id);
    const other = test.people.create(systemCaller, { homeId: test.home.id, name: 'Benjamin' });
    expect(() => test.people.link(systemCaller, other.id, ben.user.id)).toThrow(code('conflict'));
    test.people.link(systemCaller, person.id, ben.user.id);
  });

  it('have none any more when they leave the home, and stay people', () => {
    test.people.link(systemCaller, person.id, ben.user.id);
    test.members.setRole(systemCaller, { homeId: test.home.id, memberId: ben.user.id, role: 'view' });
    expect(userIdOf(person)).toBe(ben.user.id);
    test.members.remove(ben.caller, { homeId: test.home.id, memberId: ben.user.id });
    expect(userIdOf(person)).toBeNull();
  });

  it('have none any more when the account is deleted', () => {
    test.people.link(systemCaller, person.id, ben.user.id);
    test.users.delete(systemCaller, ben.user.id);
    expect(userIdOf(person)).toBeNull();
    expect(test.database.prepare('SELECT user_id FROM people').all()).toEqual([{ user_id: null }]);
  });

  it('have none any more after a stop between the end of the account and the end of the link', () => {
    test.people.link(systemCaller, person.id, ben.user.id);
    test.people.stop();
    test.members.remove(systemCaller, { homeId: test.home.id, memberId: ben.user.id });
    expect(test.database.prepare('SELECT user_id FROM people').all()).toEqual([{ user_id: ben.user.id }]);
    test.people.start();
    expect(userIdOf(person)).toBeNull();
    expect(test.database.prepare('SELECT user_id FROM people').all()).toEqual([{ user_id: null }]);
  });

  it('are free again when the person is removed, and stay members', () => {
    test.people.link(systemCaller, person.id, ben.user.id);
    test.people.delete(systemCaller, person.id);
    expect(test.members.list(systemCaller, test.home.id).map(({ id }) => id)).toContain(ben.user.id);
    const again = test.people.create(systemCaller, { homeId: test.home.id, name: 'Ben', userId: ben.user.id });
    expect(userIdOf(again)).toBe(ben.user.id);
  });

  it('are invited people only once they accept', async () => {
    const email = 'eve@example.org';
    const { member } = test.members.invite(systemCaller, { homeId: test.home.id, email, role: 'view' });
    expect(() => test.people.link(systemCaller, person.id, member.id)).toThrow(code('user_not_found'));
  });

  it('are other people in other homes', () => {
    const cottage = test.homes.create(systemCaller, { name: 'Cottage' });
    const there = test.people.create(systemCaller, { homeId: cottage.id, name: 'Ben' });
    test.people.link(systemCaller, person.id, ben.user.id);
    expect(() => test.people.link(systemCaller, there.id, ben.user.id)).toThrow(code('user_not_found'));
  });
});

describe('the account of a person', () => {
  let test: TestHome;
  let ben: TestUser;
  let id: string;

  beforeEach(async () => {
    test = createTestHome({ passwordHasher: new CountingHasher() });
    ben = await createUser(test, { name: 'Ben', role: 'control' });
    ({ id } = test.people.create(systemCaller, { homeId: test.home.id, name: 'Ben', userId: ben.user.id }));
  });

  afterEach(() => test.close());

  it.each([
    ['owner', true],
    ['admin', true],
    ['control', false],
    ['view', false],
  ] as const)('is shown to %s: %s, as the members are', async (role, isShown) => {
    const { caller } = await createUser(test, { name: 'Reader', role });
    const shown = isShown ? ben.user.id : null;
    expect(test.people.get(caller, id).userId).toBe(shown);
    expect(test.people.list(caller).map(({ userId }) => userId)).toEqual([shown]);
    expect(test.people.list(caller, test.home.id).map(({ userId }) => userId)).toEqual([shown]);
    const listMembers = () => test.members.list(caller, test.home.id);
    if (isShown) expect(listMembers().map(({ id: userId }) => userId)).toContain(ben.user.id);
    else expect(listMembers).toThrow(code('insufficient_permissions'));
  });

  it('is shown to themselves, and in no answer to others who set their presence', async () => {
    expect(test.people.get(ben.caller, id).userId).toBe(ben.user.id);
    expect(test.people.setPresence(ben.caller, id, { atHome: true }).userId).toBe(ben.user.id);
    const { caller } = await createUser(test, { name: 'Guest', role: 'control' });
    const at = test.clock.now();
    expect(test.people.setPresence(caller, id, { atHome: false }).userId).toBeNull();
    const reported = test.people.report(caller, { name: 'Ben' }, { latitude: 52.5, longitude: 13.4, at });
    expect(reported.map(({ userId }) => userId)).toEqual([null]);
    expect(test.people.get(systemCaller, id)).toMatchObject({ userId: ben.user.id, fix: { latitude: 52.5 } });
  });

  it('gives its person no role, and no right to change the link', () => {
    expect(() => test.people.link(ben.caller, id, null)).toThrow(code('insufficient_permissions'));
    expect(() => test.people.rename(ben.caller, id, 'Benno')).toThrow(code('insufficient_permissions'));
    const input = { homeId: test.home.id, name: 'Benno', userId: ben.user.id };
    expect(() => test.people.create(ben.caller, input)).toThrow(code('insufficient_permissions'));
  });
});

describe('a person that is added', () => {
  it('is added with the account, or not at all', async () => {
    const test = createTestHome({ passwordHasher: new CountingHasher() });
    const ben = await createUser(test, { name: 'Ben', role: 'view' });
    const add = (name: string, userId: string | null) =>
      test.people.create(systemCaller, { homeId: test.home.id, name, userId });
    expect(() => add('Ben', 'nobody')).toThrow(
      expect.objectContaining({ code: 'user_not_found', message: 'This account is not a member of the home.' }),
    );
    expect(() => add('Ben', 5 as unknown as string)).toThrow(/userId: give the id of a member of the home, or null/);
    expect(test.people.list(systemCaller)).toEqual([]);
    expect(add('Ben', ben.user.id.toUpperCase())).toMatchObject({ name: 'Ben', userId: ben.user.id });
    expect(() => add('Benjamin', ben.user.id)).toThrow('Ben has this account already.');
    expect(add('Ada', null).userId).toBeNull();
    test.close();
  });
});

describe('a person that is changed', () => {
  it('gets name and account together, or neither', async () => {
    const test = createTestHome({ passwordHasher: new CountingHasher() });
    const ben = await createUser(test, { name: 'Ben', role: 'view' });
    const { id } = test.people.create(systemCaller, { homeId: test.home.id, name: 'Ben' });
    test.people.create(systemCaller, { homeId: test.home.id, name: 'Ada' });
    const change = (changes: { name?: string; userId?: string | null }) =>
      test.people.update(systemCaller, id, changes);
    expect(() => change({ name: 'Ada', userId: ben.user.id })).toThrow(code('conflict'));
    expect(() => change({ name: 'Benno', userId: 'nobody' })).toThrow(code('user_not_found'));
    expect(test.people.get(systemCaller, id)).toMatchObject({ name: 'Ben', userId: null });
    expect(change({ name: 'Benno', userId: ben.user.id })).toMatchObject({ name: 'Benno', userId: ben.user.id });
    expect(change({ name: 'Benedict' })).toMatchObject({ name: 'Benedict', userId: ben.user.id });
    test.close();
  });
});
