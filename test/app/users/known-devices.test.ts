import { afterEach, beforeEach, expect, it } from 'vitest';
import { turnOnSecondFactor } from '../../support/second-factor.ts';
import { SoftwareAuthenticator } from '../../support/software-authenticator.ts';
import { createTestHome, systemCaller, type TestHome } from '../../support/test-home.ts';
import { anonymousCaller, CountingHasher, createUser, type TestUser } from '../../support/test-users.ts';

const PHONE = 'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 Chrome/140.0.0.0 Mobile Safari/537.36';
const UPDATED = PHONE.replace('140', '141');
const LAPTOP = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

let home: TestHome;
let founder: TestUser;
let ann: TestUser;

beforeEach(async () => {
  home = createTestHome({ passwordHasher: new CountingHasher() });
  founder = await createUser(home, { name: 'Founder', founder: true });
  ann = await createUser(home, { role: 'control' });
});
afterEach(() => home.close());

const logIn = (device: string | undefined, address = '192.0.2.1') =>
  home.users.logIn(anonymousCaller(address), { email: ann.user.email, password: ann.password, device });

const announced = (user = ann) => home.notifications.history(user.caller).map(({ message }) => message);

it('announces a sign-in with a new browser or from a new address, to its person alone', async () => {
  expect(announced()).toEqual([]);
  await logIn(PHONE);
  await logIn(UPDATED);
  const [first, ...others] = announced();
  expect(others).toEqual([]);
  expect(first).toMatch(
    /^Chrome · Android signed in to your account from 192\.0\.2\.1, \d{4}-\d\d-\d\d \d\d:\d\d UTC\./,
  );
  expect(first).toContain('change your password');
  await logIn(PHONE, '203.0.113.9');
  await logIn(LAPTOP);
  expect(announced()).toHaveLength(3);
  await logIn(LAPTOP);
  await logIn(PHONE, '203.0.113.9');
  expect(announced()).toHaveLength(3);
  expect(announced(founder)).toEqual([]);
});

it('cuts the name that a client gives, so that the advice is always there', async () => {
  await logIn(PHONE);
  await logIn(`All is well\n${'x'.repeat(10_000)}`);
  const [message = ''] = announced().filter((one) => one.startsWith('All is well'));
  expect(message).toMatch(/^All is wellx{189} signed in to your account from 192\.0\.2\.1, /);
  expect(message).toContain('change your password');
});

it('announces no very first sign-in, no new password, and no wrong one', async () => {
  const change = { currentPassword: ann.password, newPassword: 'another password', device: LAPTOP };
  await home.users.changePassword(ann.caller, change);
  await expect(logIn(PHONE)).rejects.toThrow('Wrong');
  const { token } = await home.users.logIn(anonymousCaller(), { email: ann.user.email, password: 'another password' });
  const caller = { ...ann.caller, principal: await home.sessions.authenticate(token) };
  expect(home.notifications.history(caller)).toEqual([]);
});

it('announces each change to what signs a person in, to that person alone', async () => {
  const origin = 'https://home.example.org';
  const phone = new SoftwareAuthenticator(origin);
  const { response } = phone.create(
    await home.passkeys.begin(ann.caller, { currentPassword: ann.password }, { origin }),
  );
  const { id } = await home.passkeys.create(ann.caller, { name: 'Phone', response }, { origin });
  const { code } = await turnOnSecondFactor(home, ann);
  home.secondFactors.renewRecoveryCodes(ann.caller, { code: code() });
  home.passkeys.remove(ann.caller, id);
  await home.clock.advance(30_000);
  home.secondFactors.turnOff(ann.caller, { code: code() });
  await turnOnSecondFactor(home, ann);
  home.secondFactors.reset(systemCaller, ann.user.id);
  const firsts = announced().map((message) => message.split(/,? \d{4}-| from /)[0]);
  expect(firsts.sort()).toEqual([
    'A passkey of your account was removed (“Phone”)',
    'A passkey was added to your account (“Phone”)',
    'The recovery codes of your account were replaced',
    'Two-step sign-in of your account was turned off, and its passkeys were removed, by who runs this relay',
    'Two-step sign-in was turned off for your account',
    'Two-step sign-in was turned on for your account',
    'Two-step sign-in was turned on for your account',
  ]);
  for (const message of announced())
    expect(message).toMatch(/ \d{4}-\d\d-\d\d \d\d:\d\d UTC\. If this was not you, .* change your password\.$/);
  expect(announced(founder)).toEqual([]);
});

it('announces in the language that the person chose in the dashboard, else in English', async () => {
  const choose = (language: unknown) => home.userSettings.update(ann.caller, { 'dashboard.preferences': { language } });
  choose('de');
  await logIn(PHONE);
  expect(announced()[0]).toMatch(
    /^Chrome · Android hat sich von 192\.0\.2\.1 bei deinem Konto angemeldet, \d{4}-\d\d-\d\d \d\d:\d\d UTC\. Wenn du das nicht warst, .* ändere dein Passwort\.$/,
  );
  await turnOnSecondFactor(home, ann);
  const newest = () => home.notifications.history(ann.caller)[0];
  expect(newest()).toMatchObject({
    title: 'Die Anmeldung deines Kontos hat sich geändert',
    message: expect.stringMatching(/^Die Anmeldung in zwei Schritten wurde für dein Konto eingeschaltet/),
  });
  for (const language of ['tlh', 5, null, { de: 1 }]) {
    choose(language);
    home.bus.emit('account.second_step_changed', {
      ...{ userId: ann.user.id, change: 'recovery_codes_renewed', name: null, address: null, at: home.clock.now() },
    });
    expect(newest()?.message).toMatch(/^The recovery codes of your account were replaced, /);
    await home.clock.advance(1_000);
  }
  for (const settings of [null, 5, 'de', {}, ['de']]) {
    home.userSettings.update(ann.caller, { 'dashboard.preferences': settings });
    expect(home.userSettings.languageOf(ann.user.id)).toBeUndefined();
  }
});

it('announces no change that failed', async () => {
  await expect(
    home.passkeys.begin(ann.caller, { currentPassword: 'not it' }, { origin: 'https://home.example.org' }),
  ).rejects.toThrow('Wrong');
  const { code } = await turnOnSecondFactor(home, ann);
  expect(() => home.secondFactors.turnOff(ann.caller, { code: `${code()}0` })).toThrow('wrong');
  expect(announced()).toHaveLength(1);
});

it('remembers fifty devices a person, and announces thirty an hour', async () => {
  for (let count = 0; count < 60; count += 1) await logIn(PHONE, `198.51.100.${count}`);
  expect(announced()).toHaveLength(30);
  const rows = home.database.prepare('SELECT count(*) AS n FROM known_devices WHERE user_id = ?').get(ann.user.id);
  expect(rows).toEqual({ n: 50 });
});
