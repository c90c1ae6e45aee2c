import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Caller } from '../../../src/app/access/caller.ts';
import { HearthError } from '../../../src/kernel/errors.ts';
import { type TestSecondFactor, turnOnSecondFactor } from '../../support/second-factor.ts';
import { SoftwareAuthenticator, type TestCredential } from '../../support/software-authenticator.ts';
import { callerOf, createTestHome, systemCaller, type TestHome } from '../../support/test-home.ts';
import { anonymousCaller, CountingHasher, createUser, type TestUser } from '../../support/test-users.ts';

const AT = { origin: 'https://home.example.org' };
const MINUTE_MS = 60_000;

let home: TestHome;
let founder: TestUser;
let ann: TestUser;
let phone: SoftwareAuthenticator;
let passkey: TestCredential;
let app: TestSecondFactor;

beforeEach(async () => {
  home = createTestHome({ passwordHasher: new CountingHasher() });
  founder = await createUser(home, { name: 'Founder', founder: true });
  ann = await createUser(home, { role: 'admin' });
  phone = new SoftwareAuthenticator(AT.origin);
  passkey = await createPasskey(founder);
  await createPasskey(ann);
  app = await turnOnSecondFactor(home, founder);
});
afterEach(() => home.close());

async function createPasskey({ caller, password: currentPassword }: TestUser): Promise<TestCredential> {
  const { credential, response } = phone.create(await home.passkeys.begin(caller, { currentPassword }, AT));
  await home.passkeys.create(caller, { name: 'Phone', response }, AT);
  return credential;
}

/** `done`, or the reason of the refusal, or its code. */
async function outcomeOf(act: () => unknown): Promise<string> {
  try {
    await act();
    return 'done';
  } catch (error) {
    if (!(error instanceof HearthError)) throw error;
    return error.details.reason ?? error.code;
  }
}

const give = (input: object, caller: Caller = founder.caller) => outcomeOf(() => home.proofs.give(caller, input, AT));
const remove = (caller: Caller = founder.caller) =>
  outcomeOf(() => home.passkeys.remove(caller, home.passkeys.list(founder.caller)[0]?.id ?? ''));
const setPasswordOfAnn = () => outcomeOf(() => home.users.setPassword(founder.caller, ann.user.id, 'another password'));
const sign = async (caller: Caller = founder.caller) => phone.sign(passkey, await home.proofs.begin(caller, AT));
const letTimePass = () => home.clock.advance(10 * MINUTE_MS);

/** What an account's sign-in is made of. */
function signInOf({ user }: TestUser): object {
  const { database } = home;
  return {
    account: database.prepare('SELECT email, password_hash FROM users WHERE id = ?').get(user.id),
    passkeys: database.prepare('SELECT id FROM passkeys WHERE user_id = ?').all(user.id),
    app: database.prepare('SELECT secret FROM second_factors WHERE user_id = ?').get(user.id),
    codes: database.prepare('SELECT hash FROM recovery_codes WHERE user_id = ? ORDER BY hash').all(user.id),
  };
}

/** Everything that weakens a sign-in: how a session alone is refused, and what changes with a proof. */
interface Weakening {
  readonly alone: string;
  readonly of?: 'ann';
  /** @param proof the password and a code; or wrong ones. */
  act(proof: { readonly currentPassword: string; readonly code: string }): unknown;
}

const WEAKENINGS: Readonly<Record<string, Weakening>> = {
  'a new password': {
    alone: 'wrong_password',
    act: ({ currentPassword }) =>
      home.users.changePassword(founder.caller, { currentPassword, newPassword: 'another password' }),
  },
  'another address': {
    alone: 'wrong_password',
    act: ({ currentPassword }) => home.users.update(founder.caller, { email: 'new@example.org', currentPassword }),
  },
  'the app removed': {
    alone: 'wrong_second_factor',
    act: ({ code }) => home.secondFactors.turnOff(founder.caller, { code }),
  },
  'new recovery codes': {
    alone: 'wrong_second_factor',
    act: ({ code }) => home.secondFactors.renewRecoveryCodes(founder.caller, { code }),
  },
  'an app added': {
    alone: 'wrong_password',
    of: 'ann',
    act: async ({ currentPassword }) => {
      const password = currentPassword === founder.password ? ann.password : currentPassword;
      await turnOnSecondFactor(home, { ...ann, password });
    },
  },
  'a passkey added': {
    alone: 'wrong_password',
    act: ({ currentPassword: password }) => createPasskey({ ...founder, password }),
  },
  'a passkey removed': {
    alone: 'proof_needed',
    act: async (proof) => {
      if (proof.code === app.code()) await home.proofs.give(founder.caller, { code: proof.code }, AT);
      home.passkeys.remove(founder.caller, home.passkeys.list(founder.caller)[0]?.id ?? '');
    },
  },
  'the password of another person': {
    alone: 'proof_needed',
    of: 'ann',
    act: async (proof) => {
      if (proof.code === app.code()) await home.proofs.give(founder.caller, { code: proof.code }, AT);
      await home.users.setPassword(founder.caller, ann.user.id, 'another password');
    },
  },
  'the second step of another person': {
    alone: 'proof_needed',
    of: 'ann',
    act: async (proof) => {
      if (proof.code === app.code()) await home.proofs.give(founder.caller, { code: proof.code }, AT);
      home.secondFactors.reset(founder.caller, ann.user.id);
    },
  },
};

describe('what weakens a sign-in', () => {
  it.each(Object.entries(WEAKENINGS))('needs more than an old session: %s', async (_name, { alone, of, act }) => {
    const whose = of === 'ann' ? ann : founder;
    await letTimePass();
    const before = signInOf(whose);
    const wrong = { currentPassword: 'not it', code: app.code() === '000000' ? '111111' : '000000' };
    expect(await outcomeOf(() => act(wrong))).toBe(alone);
    expect(signInOf(whose)).toEqual(before);
    // After a wrong password the next attempt waits.
    await home.clock.advance(MINUTE_MS);
    await act({ currentPassword: founder.password, code: app.code() });
    expect(signInOf(whose)).not.toEqual(before);
  });

  it('needs no proof in the ten minutes after the sign-in, and from the system', async () => {
    const { token } = await home.users.logIn(anonymousCaller(), {
      email: ann.user.email,
      password: ann.password,
    });
    const now = callerOf(await home.sessions.authenticate(token));
    await home.clock.advance(10 * MINUTE_MS - 1);
    expect(await outcomeOf(() => home.passkeys.remove(now, home.passkeys.list(now)[0]?.id ?? ''))).toBe('done');
    await letTimePass();
    expect(await outcomeOf(() => home.secondFactors.reset(systemCaller, founder.user.id))).toBe('done');
  });
});

describe('a proof', () => {
  beforeEach(letTimePass);

  it('is the password, a code, a recovery code or a passkey, and holds for ten minutes', async () => {
    const proofs = [
      () => ({ currentPassword: founder.password }),
      () => ({ code: app.code() }),
      () => ({ code: app.recoveryCodes[0] }),
      async () => ({ response: await sign() }),
    ];
    for (const proof of proofs) {
      expect(await remove()).toBe('proof_needed');
      expect(await give(await proof())).toBe('done');
      await home.clock.advance(10 * MINUTE_MS - 1);
      expect(await setPasswordOfAnn()).toBe('done');
      await home.clock.advance(1);
    }
    expect(await give({ response: await sign() })).toBe('done');
    expect(await remove()).toBe('done');
  });

  it('holds for its session alone', async () => {
    const { password, user } = founder;
    const login = { email: user.email, password, code: app.code() };
    const { token } = await home.users.logIn(anonymousCaller(), login);
    const other = callerOf(await home.sessions.authenticate(token));
    await letTimePass();
    expect(await give({ currentPassword: password }, other)).toBe('done');
    expect(await remove()).toBe('proof_needed');
    expect(await remove(other)).toBe('done');
  });

  it('is refused if it is wrong, used, another person’s, or of another purpose', async () => {
    expect(await give({ currentPassword: ann.password })).toBe('wrong_password');
    await home.clock.advance(MINUTE_MS);
    expect(await give({ code: 'AAAA-BBBB' })).toBe('wrong_second_factor');
    await home.clock.advance(MINUTE_MS);
    const { code } = { code: app.code() };
    expect(await give({ code })).toBe('done');
    await letTimePass();
    expect(await give({ code })).toBe('wrong_second_factor');
    expect(await give({ code: '123456' }, ann.caller)).toBe('second_factor_off');
    expect(await give({ response: {} })).toBe('passkey_invalid');
    expect(await give({ response: await sign(ann.caller) }, ann.caller)).toBe('passkey_of_other');
    expect(await give({ response: await sign(ann.caller) })).toBe('passkey_challenge_over');
    const signIn = await home.passkeys.beginSignIn(anonymousCaller(), AT);
    expect(await give({ response: phone.sign(passkey, signIn) })).toBe('passkey_challenge_over');
    const response = await sign();
    expect(await outcomeOf(() => home.passkeys.signIn(anonymousCaller(), { response, ...AT }))).toBe(
      'passkey_challenge_over',
    );
    expect(await remove()).toBe('proof_needed');
  });

  it('is one thing, not none and not two', async () => {
    expect(await give({})).toBe('invalid_value');
    expect(await give({ currentPassword: founder.password, code: app.code() })).toBe('invalid_value');
    expect(await remove()).toBe('proof_needed');
  });

  it('counts as an attempt at the password', async () => {
    const outcomes: string[] = [];
    for (let count = 0; count < 3; count += 1) outcomes.push(await give({ currentPassword: 'not it' }));
    expect(outcomes).toEqual(['wrong_password', 'wrong_password', 'rate_limited']);
  });

  it('does not help a session that ended meanwhile', async () => {
    const given = give({ currentPassword: founder.password });
    home.sessions.endAll(systemCaller, { userId: founder.user.id });
    expect(await given).toBe('done');
    expect(await setPasswordOfAnn()).toBe('proof_needed');
  });

  it('is for sessions of people alone: no token and no app gives one', async () => {
    const { token } = home.tokens.create(systemCaller, { name: 'Program' });
    const { client } = home.oauthClients.register({}, { redirect_uris: ['https://app.example/callback'] });
    const ofApp = {
      kind: 'oauth_client',
      clientId: client.id,
      userId: founder.user.id,
      scope: 'admin',
      homePermissions: null,
    } as const;
    for (const caller of [
      anonymousCaller(),
      systemCaller,
      callerOf(home.tokens.authenticate(token)),
      callerOf(ofApp),
    ]) {
      expect(await give({ currentPassword: founder.password }, caller)).toBe('insufficient_permissions');
      expect(await outcomeOf(() => home.proofs.begin(caller, AT))).toBe('insufficient_permissions');
      expect(await remove(caller)).toBe('insufficient_permissions');
    }
  });
});
