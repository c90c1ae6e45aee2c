import { generateKeyPairSync } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { PasskeyChallenges } from '../../../src/app/users/passkey-challenges.ts';
import { HearthError } from '../../../src/kernel/errors.ts';
import { turnOnSecondFactor } from '../../support/second-factor.ts';
import { type Faults, SoftwareAuthenticator, type TestCredential } from '../../support/software-authenticator.ts';
import { createTestHome, systemCaller, type TestHome } from '../../support/test-home.ts';
import { anonymousCaller, CountingHasher, createUser, type TestUser } from '../../support/test-users.ts';

const ORIGIN = 'https://home.example.org';
const AT = { origin: ORIGIN };
const MINUTE_MS = 60_000;

let home: TestHome;
let founder: TestUser;
let ann: TestUser;
let phone: SoftwareAuthenticator;

beforeEach(async () => {
  home = createTestHome({ passwordHasher: new CountingHasher() });
  founder = await createUser(home, { name: 'Founder', founder: true });
  ann = await createUser(home, { role: 'admin' });
  phone = new SoftwareAuthenticator(ORIGIN);
});
afterEach(() => home.close());

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

const begin = (user: TestUser = ann, origin = ORIGIN) =>
  home.passkeys.begin(user.caller, { currentPassword: user.password }, { origin });

async function createPasskey(user: TestUser = ann, name = 'Phone', device = phone): Promise<TestCredential> {
  const { credential, response } = device.create(await begin(user));
  await home.passkeys.create(user.caller, { name, response }, AT);
  return credential;
}

const beginSignIn = (origin = ORIGIN) => home.passkeys.beginSignIn(anonymousCaller(), { origin });
const signIn = (response: unknown, origin = ORIGIN) =>
  home.passkeys.signIn(anonymousCaller(), { response, origin, device: 'Browser' });
const trySignIn = async (credential: TestCredential, faults: Faults = {}) => {
  const options = await beginSignIn();
  return outcomeOf(() => signIn(phone.sign(credential, options, faults)));
};

describe('creating a passkey', () => {
  it('asks for a discoverable key that verifies its person, at the host of the request', async () => {
    expect(await begin()).toMatchObject({
      rp: { id: 'home.example.org', name: 'hearthd' },
      user: { id: Buffer.from(ann.user.id).toString('base64url'), name: ann.user.email, displayName: 'Ann' },
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      attestation: 'none',
      excludeCredentials: [],
    });
  });

  it('takes the password, and nothing without it', async () => {
    const wrong = () => home.passkeys.begin(ann.caller, { currentPassword: 'not it' }, AT);
    expect(await outcomeOf(wrong)).toBe('wrong_password');
  });

  it('lists, renames and removes it', async () => {
    await createPasskey();
    const [passkey] = home.passkeys.list(ann.caller);
    expect(passkey).toEqual({
      id: expect.any(String),
      name: 'Phone',
      host: 'home.example.org',
      isSynced: false,
      createdAt: home.clock.now(),
      lastUsedAt: null,
    });
    const id = passkey?.id ?? '';
    expect(home.passkeys.rename(ann.caller, id, { name: 'Key ring' })).toMatchObject({ name: 'Key ring' });
    expect(home.passkeys.list(ann.caller)).toMatchObject([{ name: 'Key ring' }]);
    home.passkeys.remove(ann.caller, id);
    expect(home.passkeys.list(ann.caller)).toEqual([]);
  });

  it('knows a synced passkey, and names those that exist so that none is created twice', async () => {
    const synced = new SoftwareAuthenticator(ORIGIN, { counts: false });
    const credential = await createPasskey(ann, 'Cloud', synced);
    expect(home.passkeys.list(ann.caller)).toMatchObject([{ isSynced: true }]);
    expect((await begin()).excludeCredentials).toEqual([
      { id: credential.id, transports: ['hybrid', 'internal'], type: 'public-key' },
    ]);
  });

  it('is refused at an IP address and without https, but for localhost', async () => {
    for (const origin of ['http://192.168.1.5:5656', 'https://192.168.1.5', 'https://[fd00::5]'])
      expect([origin, await outcomeOf(() => begin(ann, origin))]).toEqual([origin, 'passkey_needs_name']);
    expect(await outcomeOf(() => begin(ann, 'http://pi.local:5656'))).toBe('passkey_needs_https');
    expect(await outcomeOf(() => home.passkeys.beginSignIn(anonymousCaller(), { origin: 'http://pi.local' }))).toBe(
      'passkey_needs_https',
    );
    expect((await begin(ann, 'http://localhost:5656')).rp.id).toBe('localhost');
  });

  it('refuses the answer of another session, person, purpose, origin or host, and a late or second one', async () => {
    const attempt = async (user: TestUser, faults: Faults, options?: object) => {
      const { response } = phone.create(options ?? (await begin()), faults);
      return outcomeOf(() => home.passkeys.create(user.caller, { name: 'Phone', response }, AT));
    };
    expect(await attempt(founder, {})).toBe('passkey_challenge_over');
    const again = await home.users.logIn(anonymousCaller(), { email: ann.user.email, password: ann.password });
    const other = { ...ann, caller: { ...ann.caller, principal: await home.sessions.authenticate(again.token) } };
    expect(await attempt(other, {})).toBe('passkey_challenge_over');
    const { challenge } = await beginSignIn();
    expect(await attempt(ann, { challenge })).toBe('passkey_challenge_over');
    expect(await attempt(ann, { challenge: 'AAAA' })).toBe('passkey_challenge_over');
    expect(await attempt(ann, { origin: 'https://evil.example' })).toBe('passkey_other_origin');
    expect(await attempt(ann, { host: 'evil.example' })).toBe('passkey_invalid');
    expect(await attempt(ann, { type: 'webauthn.get' })).toBe('passkey_invalid');
    expect(await attempt(ann, { isVerified: false })).toBe('passkey_invalid');
    const late = await begin();
    await home.clock.advance(5 * MINUTE_MS);
    expect(await attempt(ann, {}, late)).toBe('passkey_challenge_over');
    const once = await begin();
    expect(await attempt(ann, {}, once)).toBe('in');
    expect(await attempt(ann, {}, once)).toBe('passkey_challenge_over');
  });

  it('refuses what is no answer of a browser', async () => {
    for (const response of [{}, { id: 'x' }, { response: { clientDataJSON: 'AAAA' } }, { response: 5 }]) {
      const act = () => home.passkeys.create(ann.caller, { name: 'Phone', response }, AT);
      expect(await outcomeOf(act)).toBe('passkey_invalid');
    }
    const { response } = phone.create(await begin());
    const inner = response.response as object;
    const broken = { ...response, response: { ...inner, attestationObject: 'oWNmbXRkbm9uZQ' } };
    expect(await outcomeOf(() => home.passkeys.create(ann.caller, { name: 'Phone', response: broken }, AT))).toBe(
      'passkey_invalid',
    );
  });

  it('looks at no attestation, and so asks no address that one names', async () => {
    const fetched = vi.spyOn(globalThis, 'fetch');
    const statement = new Map<string, string | Uint8Array | readonly Uint8Array[]>([
      ['alg', '-7'],
      ['sig', Buffer.from('no signature')],
      ['x5c', [Buffer.from('no certificate')]],
    ]);
    const { response } = phone.create(await begin(), { attestation: { format: 'packed', statement } });
    await home.passkeys.create(ann.caller, { name: 'Phone', response }, AT);
    expect(fetched).not.toHaveBeenCalled();
    fetched.mockRestore();
  });

  it('keeps twenty a person, and each for one person', async () => {
    const { response } = phone.create(await begin());
    await home.passkeys.create(ann.caller, { name: 'Phone', response }, AT);
    const { challenge } = await begin(founder);
    const stolen = structuredClone(response) as { response: { clientDataJSON: string } };
    const data = { type: 'webauthn.create', challenge, origin: ORIGIN };
    stolen.response.clientDataJSON = Buffer.from(JSON.stringify(data)).toString('base64url');
    const steal = () => home.passkeys.create(founder.caller, { name: 'Phone', response: stolen }, AT);
    expect(await outcomeOf(steal)).toBe('passkey_exists');
    for (let count = 1; count < 20; count += 1) await createPasskey();
    expect(await outcomeOf(() => begin())).toBe('limit_reached');
  });

  it('is for sessions of people alone', async () => {
    const { token } = home.tokens.create(systemCaller, { name: 'Program' });
    const program = { ...anonymousCaller(), principal: home.tokens.authenticate(token) };
    for (const caller of [anonymousCaller(), systemCaller, program]) {
      const acts = [
        () => home.passkeys.list(caller),
        () => home.passkeys.begin(caller, { currentPassword: founder.password }, AT),
        () => home.passkeys.create(caller, { name: 'Phone', response: {} }, AT),
        () => home.passkeys.rename(caller, 'x', { name: 'Phone' }),
        () => home.passkeys.remove(caller, 'x'),
      ];
      for (const act of acts) expect(await outcomeOf(act)).toBe('insufficient_permissions');
    }
  });

  it('leaves the passkeys of others alone', async () => {
    await createPasskey();
    const id = home.passkeys.list(ann.caller)[0]?.id ?? '';
    expect(await outcomeOf(() => home.passkeys.remove(founder.caller, id))).toBe('not_found');
    expect(await outcomeOf(() => home.passkeys.rename(founder.caller, id, { name: 'Mine' }))).toBe('not_found');
  });
});

describe('signing in with a passkey', () => {
  let credential: TestCredential;

  beforeEach(async () => {
    credential = await createPasskey();
  });

  it('needs no name, no password and no code', async () => {
    await turnOnSecondFactor(home, ann);
    const options = await beginSignIn();
    expect(options).toMatchObject({ rpId: 'home.example.org', userVerification: 'required' });
    expect(options.allowCredentials ?? []).toEqual([]);
    const { user, token } = await signIn(phone.sign(credential, options));
    expect(user.id).toBe(ann.user.id);
    expect(await home.sessions.authenticate(token)).toMatchObject({ kind: 'user', userId: ann.user.id });
    expect(home.passkeys.list(ann.caller)).toMatchObject([{ lastUsedAt: home.clock.now() }]);
  });

  it('refuses an answer a second time, also at the same moment', async () => {
    const response = phone.sign(credential, await beginSignIn());
    const outcomes = await Promise.all([1, 2].map(() => outcomeOf(() => signIn(response))));
    expect(outcomes.sort()).toEqual(['in', 'passkey_challenge_over']);
    expect(await outcomeOf(() => signIn(response))).toBe('passkey_challenge_over');
  });

  it('refuses a late answer, one to no challenge of ours, and one to that of another purpose or origin', async () => {
    const options = await beginSignIn();
    await home.clock.advance(5 * MINUTE_MS);
    expect(await outcomeOf(() => signIn(phone.sign(credential, options)))).toBe('passkey_challenge_over');
    expect(await trySignIn(credential, { challenge: Buffer.alloc(54).toString('base64url') })).toBe(
      'passkey_challenge_over',
    );
    const { challenge } = await begin();
    expect(await trySignIn(credential, { challenge })).toBe('passkey_challenge_over');
    const elsewhere = await beginSignIn('https://other.example.org');
    expect(await trySignIn(credential, { challenge: elsewhere.challenge })).toBe('passkey_challenge_over');
  });

  it('refuses another page, another host, another ceremony, another key and an unverified person', async () => {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    expect(await trySignIn(credential, { origin: 'https://home.example.org.evil.example' })).toBe(
      'passkey_other_origin',
    );
    expect(await trySignIn(credential, { host: 'evil.example' })).toBe('passkey_invalid');
    expect(await trySignIn(credential, { type: 'webauthn.create' })).toBe('passkey_invalid');
    expect(await trySignIn(credential, { signedBy: privateKey })).toBe('passkey_invalid');
    expect(await trySignIn(credential, { isVerified: false })).toBe('passkey_invalid');
    expect(await trySignIn(credential)).toBe('in');
  });

  it('belongs to its host name: another name of the relay does not know it', async () => {
    const origin = 'https://other.example.org';
    const there = new SoftwareAuthenticator(origin);
    const response = there.sign(credential, await beginSignIn(origin));
    expect(await outcomeOf(() => signIn(response, origin))).toBe('passkey_unknown');
  });

  it('refuses a passkey that names another person', async () => {
    const userHandle = Buffer.from(founder.user.id).toString('base64url');
    expect(await trySignIn(credential, { userHandle })).toBe('passkey_unknown');
    expect(await trySignIn(credential, { userHandle: '' })).toBe('passkey_unknown');
  });

  it('refuses a counter that does not rise: the passkey may be a copy', async () => {
    expect(await trySignIn(credential)).toBe('in');
    expect(await trySignIn(credential, { counter: credential.counter })).toBe('passkey_copied');
    expect(await trySignIn(credential, { counter: 0 })).toBe('passkey_copied');
    expect(await trySignIn(credential)).toBe('in');
    const synced = new SoftwareAuthenticator(ORIGIN, { counts: false });
    const cloud = await createPasskey(ann, 'Cloud', synced);
    for (const _ of [1, 2]) {
      const options = await beginSignIn();
      expect(await outcomeOf(() => signIn(synced.sign(cloud, options)))).toBe('in');
    }
  });

  it('refuses a removed passkey, also one removed during the sign-in', async () => {
    const options = await beginSignIn();
    const late = signIn(phone.sign(credential, options));
    home.passkeys.remove(ann.caller, home.passkeys.list(ann.caller)[0]?.id ?? '');
    expect(await outcomeOf(() => late)).toBe('passkey_unknown');
    expect(await trySignIn(credential)).toBe('passkey_unknown');
  });

  it('counts wrong answers by their address, and not those that succeed', async () => {
    for (let count = 0; count < 40; count += 1) expect(await trySignIn(credential)).toBe('in');
    const options = await beginSignIn();
    const attempt = (address: string) =>
      outcomeOf(() =>
        home.passkeys.signIn(anonymousCaller(address), {
          ...AT,
          response: phone.sign(credential, options, { type: 'x' }),
        }),
      );
    for (let count = 0; count < 30; count += 1) expect(await attempt('192.0.2.7')).toBe('passkey_invalid');
    expect(await attempt('192.0.2.7')).toBe('rate_limited');
    expect(await attempt('192.0.2.8')).toBe('passkey_invalid');
  });

  it('ties the challenge of a page to its form, and to the sign-in that lacks its second step', async () => {
    await turnOnSecondFactor(home, ann);
    const password = { email: ann.user.email, password: ann.password };
    const ticket = await home.users.logIn(anonymousCaller(), password).catch((error) => String(error.ticket));
    if (typeof ticket !== 'string') throw new Error('It asked for no code');
    const attempt = async (asked: { form?: string; ticket?: string }, sent: { form?: string; ticket?: string }) => {
      const options = await home.passkeys.beginSignIn(anonymousCaller(), { ...AT, ...asked });
      const response = phone.sign(credential, options);
      return outcomeOf(() => home.passkeys.signIn(anonymousCaller(), { ...AT, ...sent, response }));
    };
    const form = 'a form';
    expect(await attempt({ form }, { form: 'another form' })).toBe('passkey_challenge_over');
    expect(await attempt({ form }, {})).toBe('passkey_challenge_over');
    expect(await attempt({}, { form })).toBe('passkey_challenge_over');
    expect(await attempt({ form }, { form, ticket })).toBe('passkey_challenge_over');
    expect(await attempt({ form, ticket }, { form })).toBe('passkey_challenge_over');
    expect(await attempt({ form, ticket: 'none' }, { form, ticket: 'none' })).toBe('sign_in_over');
    expect(await attempt({ form, ticket }, { form, ticket })).toBe('in');
    // The sign-in that began with the password has ended with it.
    expect(await attempt({ form, ticket }, { form, ticket })).toBe('sign_in_over');
    expect(await attempt({ form }, { form })).toBe('in');
  });

  it('is no second step of another person', async () => {
    await turnOnSecondFactor(home, founder);
    const password = { email: founder.user.email, password: founder.password };
    const ticket = await home.users.logIn(anonymousCaller(), password).catch((error) => String(error.ticket));
    if (typeof ticket !== 'string') throw new Error('It asked for no code');
    const page = { ...AT, form: 'a form', ticket };
    const options = await home.passkeys.beginSignIn(anonymousCaller(), page);
    const response = phone.sign(credential, options);
    const before = home.sessions.list(ann.caller).length;
    expect(await outcomeOf(() => home.passkeys.signIn(anonymousCaller(), { ...page, response }))).toBe(
      'passkey_of_other',
    );
    expect(home.sessions.list(ann.caller)).toHaveLength(before);
  });

  it('remembers a bounded number of used challenges, each until its end', async () => {
    const challenges = new PasskeyChallenges(home.clock);
    const use = { purpose: 'sign_in', origin: ORIGIN, askedBy: null } as const;
    const first = challenges.issue(use);
    challenges.use(first, use);
    for (let count = 1; count < 2_000; count += 1) challenges.use(challenges.issue(use), use);
    expect(await outcomeOf(() => challenges.use(challenges.issue(use), use))).toBe('rate_limited');
    await home.clock.advance(5 * MINUTE_MS);
    expect(await outcomeOf(() => challenges.use(challenges.issue(use), use))).toBe('in');
    expect(await outcomeOf(() => challenges.use(first, use))).toBe('passkey_challenge_over');
  });
});

describe('what ends a passkey', () => {
  it('is its removal, its account’s, and the reset of the second step; a new password and signing out leave it', async () => {
    const credential = await createPasskey();
    await home.users.setPassword(systemCaller, ann.user.id, 'another password');
    expect(await trySignIn(credential)).toBe('in');
    home.sessions.endAll(systemCaller, { userId: ann.user.id });
    expect(await trySignIn(credential)).toBe('in');
    expect(home.secondFactors.isOnFor(ann.user.id)).toBe(true);
    home.secondFactors.reset(systemCaller, ann.user.id);
    expect(home.secondFactors.isOnFor(ann.user.id)).toBe(false);
    expect(await trySignIn(credential)).toBe('passkey_unknown');
    expect(await outcomeOf(() => home.secondFactors.reset(systemCaller, ann.user.id))).toBe('second_factor_off');
  });

  it('is the end of its account', async () => {
    const credential = await createPasskey();
    home.users.delete(systemCaller, ann.user.id);
    expect(await trySignIn(credential)).toBe('passkey_unknown');
  });
});
