import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTestHome, systemCaller, type TestHome } from '../../support/test-home.ts';
import { anonymousCaller, createUser } from '../../support/test-users.ts';

describe('accounts', () => {
  let test: TestHome;

  beforeEach(() => {
    test = createTestHome();
  });

  afterEach(() => test.close());

  it('make the first person who has the setup code owner of every home', async () => {
    const { code } = test.setupCodes.renew(systemCaller);
    const account = { email: 'Ann@Example.org', password: 'correct horse', name: 'Ann' };
    const { user, token } = await test.users.claim(anonymousCaller(), { ...account, setupCode: code.toLowerCase() });
    expect(user).toMatchObject({ email: 'Ann@Example.org', name: 'Ann', isFounder: true });
    const principal = await test.credentials.authenticate(token);
    expect(principal).toMatchObject({ kind: 'user', userId: user.id });
    expect(test.access.roleIn({ principal, requestId: 'r', depth: 0 }, test.home.id)).toBe('owner');
  });

  it('give roles that act at once', async () => {
    const { user, caller } = await createUser(test, { name: 'Ben', role: 'view' });
    expect(test.access.roleIn(caller, test.home.id)).toBe('view');
    test.members.setRole(systemCaller, { homeId: test.home.id, memberId: user.id, role: 'admin' });
    expect(test.access.roleIn(caller, test.home.id)).toBe('admin');
    test.members.remove(systemCaller, { homeId: test.home.id, memberId: user.id });
    expect(test.access.roleIn(caller, test.home.id)).toBeUndefined();
  });
});
