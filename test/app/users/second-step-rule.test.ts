import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Caller } from '../../../src/app/access/caller.ts';
import { codeOf, stepAt } from '../../../src/app/users/totp.ts';
import { HearthError } from '../../../src/kernel/errors.ts';
import { turnOnSecondFactor } from '../../support/second-factor.ts';
import { SoftwareAuthenticator } from '../../support/software-authenticator.ts';
import { callerOf, createTestHome, systemCaller, type TestHome } from '../../support/test-home.ts';
import { anonymousCaller, CountingHasher, createUser, type TestUser } from '../../support/test-users.ts';

const AT = { origin: 'https://home.example.org' };

let home: TestHome;
let founder: TestUser;
let admin: TestUser;
let guest: TestUser;

beforeEach(async () => {
  home = createTestHome({ passwordHasher: new CountingHasher() });
  founder = await createUser(home, { name: 'Founder', founder: true });
  admin = await createUser(home, { name: 'Ada', role: 'admin' });
  guest = await createUser(home, { name: 'Gus', role: 'view' });
});
afterEach(() => home.close());

const requireFor = (audience: string): void =>
  void home.relaySettings.update(systemCaller, { second_step_required_for: audience });

const logIn = ({ user, password }: TestUser) => home.users.logIn(anonymousCaller(), { email: user.email, password });

/** As the caller that a sign-in with the password gives. */
async function signIn(user: TestUser): Promise<Caller> {
  const { token } = await logIn(user);
  return callerOf(await home.sessions.authenticate(token));
}

/** `in`, or the reason of the refusal, or its code. */
async function outcomeOf(act: () => unknown): Promise<string> {
  try {
    await act();
    return 'in';
  } catch (error) {
    if (!(error instanceof HearthError)) throw error;
    return error.details.reason ?? error.code;
  }
}

async function createPasskey(caller: Caller, { password: currentPassword }: TestUser): Promise<void> {
  const options = await home.passkeys.begin(caller, { currentPassword }, AT);
  const { response } = new SoftwareAuthenticator(AT.origin).create(options);
  await home.passkeys.create(caller, { name: 'Phone', response }, AT);
}

describe('a second step', () => {
  it.each([
    ['none', []],
    ['owners', ['Founder']],
    ['admins', ['Founder', 'Ada']],
    ['all', ['Founder', 'Ada', 'Gus']],
  ])('that is required for %s is due for %j', async (audience, due) => {
    requireFor(audience);
    const asked: string[] = [];
    for (const user of [founder, admin, guest]) if ((await logIn(user)).needsSecondStep) asked.push(user.user.name);
    expect(asked).toEqual(due);
  });

  it('is due at the next sign-in: sessions, a new password, apps and tokens go on', async () => {
    const { token } = home.tokens.create(systemCaller, { name: 'Tablet' });
    requireFor('all');
    expect(home.homes.list(admin.caller)).toHaveLength(1);
    const change = { currentPassword: admin.password, newPassword: 'another password' };
    expect((await home.users.changePassword(admin.caller, change)).needsSecondStep).toBe(false);
    expect(home.tokens.authenticate(token)).toMatchObject({ kind: 'access_token' });
  });
});

describe('a person who must have a second step', () => {
  let caller: Caller;

  beforeEach(async () => {
    requireFor('admins');
    caller = await signIn(admin);
  });

  it('reaches nothing but the set-up of a second step before there is one', async () => {
    expect(caller.principal).toMatchObject({ kind: 'enrolling', userId: admin.user.id });
    expect(home.homes.list(caller)).toEqual([]);
    const acts = {
      settings: () => home.userSettings.get(caller),
      profile: () => home.users.update(caller, { name: 'Eve' }),
      password: () =>
        home.users.changePassword(caller, { currentPassword: admin.password, newPassword: 'another one' }),
      renewal: () => home.users.renewSession(caller),
      removal: () => home.passkeys.remove(caller, 'x'),
      home: () => home.homes.update(caller, home.home.id, { name: 'Mine' }),
      devices: () => home.pushDevices.list(caller),
    };
    for (const [name, act] of Object.entries(acts)) {
      const outcome = await outcomeOf(act);
      expect([name, ['insufficient_permissions', 'second_step_first', 'home_not_found'].includes(outcome)]).toEqual([
        name,
        true,
      ]);
    }
    expect(home.sessions.list(caller)).toMatchObject([{ isCurrent: true }]);
  });

  it('reaches everything with the same session once the app is set up', async () => {
    const { token } = await logIn(admin);
    const enrolling = callerOf(await home.sessions.authenticate(token));
    const { secret } = await home.secondFactors.begin(enrolling, { currentPassword: admin.password });
    expect(home.secondFactors.pending(enrolling)?.secret).toBe(secret);
    expect(home.secondFactors.pending(caller)).toBeUndefined();
    expect(home.secondFactors.pending(admin.caller)).toBeUndefined();
    home.secondFactors.confirm(enrolling, { code: codeOf(secret, stepAt(home.clock.now())) });
    const now = callerOf(await home.sessions.authenticate(token));
    expect(now.principal).toMatchObject({ kind: 'user' });
    expect(home.homes.list(now)).toHaveLength(1);
    const rows = home.database.prepare('SELECT max(is_enrolling) AS most FROM sessions').get();
    expect(rows).toEqual({ most: 0 });
  });

  it.each(['an app', 'a passkey'])('ends other sign-ins that wait, once %s is set up', async (step) => {
    const { token, sessionId } = await logIn(admin);
    if (step === 'an app') await turnOnSecondFactor(home, { ...admin, caller });
    else await createPasskey(caller, admin);
    await expect(home.sessions.authenticate(token)).rejects.toThrow('Invalid token');
    expect(home.sessions.list(admin.caller).map(({ id }) => id)).not.toContain(sessionId);
    const rows = home.database.prepare('SELECT max(is_enrolling) AS most FROM sessions').get();
    expect(rows).toEqual({ most: 0 });
  });

  it('refuses the password alone of a person who has passkeys alone', async () => {
    await createPasskey(caller, admin);
    expect(await outcomeOf(() => logIn(admin))).toBe('passkey_required');
    requireFor('none');
    expect(await outcomeOf(() => logIn(admin))).toBe('in');
  });

  it('keeps the last second step, until the command line resets it', async () => {
    await createPasskey(caller, admin);
    const now = callerOf({ ...caller.principal, kind: 'user' } as Caller['principal']);
    const [passkey] = home.passkeys.list(now);
    expect(await outcomeOf(() => home.passkeys.remove(now, passkey?.id ?? ''))).toBe('second_step_needed');
    const alone = home.passkeys.people().map(({ hosts }) => hosts);
    expect(alone).toEqual([[passkey?.host]]);
    const app = await turnOnSecondFactor(home, admin);
    home.passkeys.remove(now, passkey?.id ?? '');
    expect(await outcomeOf(() => home.secondFactors.turnOff(now, { code: app.code() }))).toBe('second_step_needed');
    home.secondFactors.reset(systemCaller, admin.user.id);
    expect((await logIn(admin)).needsSecondStep).toBe(true);
  });
});
