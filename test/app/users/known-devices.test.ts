import { afterEach, beforeEach, expect, it } from 'vitest';
import { createTestHome, type TestHome } from '../../support/test-home.ts';
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

it('remembers fifty devices a person, and announces thirty an hour', async () => {
  for (let count = 0; count < 60; count += 1) await logIn(PHONE, `198.51.100.${count}`);
  expect(announced()).toHaveLength(30);
  const rows = home.database.prepare('SELECT count(*) AS n FROM known_devices WHERE user_id = ?').get(ann.user.id);
  expect(rows).toEqual({ n: 50 });
});
