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
