/** A database that can't be written: people sign in all the same, tries count, and what ends has ended. */
import { execFileSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createOAuthFixture, type OAuthFixture } from '../../support/oauth-fixture.ts';
import { createTempDirectory } from '../../support/temp-directory.ts';
import { createTestHome, systemCaller, type TestHome } from '../../support/test-home.ts';
import { anonymousCaller, CountingHasher, createUser, type TestUser } from '../../support/test-users.ts';

const MINUTE_MS = 60_000;

let home: TestHome;
let ann: TestUser;

beforeEach(async () => {
  home = createTestHome({ passwordHasher: new CountingHasher() });
  ann = await createUser(home, { founder: true });
  home.accessUpkeep.start();
});
afterEach(() => home.close());

/** To our code the same as a full disk: SQLite refuses each write, and reads on. */
const breakDisk = (database = home.database) => void database.pragma('query_only = ON');
const repairDisk = (database = home.database) => void database.pragma('query_only = OFF');

const logIn = (password = ann.password, address?: string) =>
  home.users.logIn(anonymousCaller(address), { email: ann.user.email, password });
const rows = (table: string) => home.database.prepare(`SELECT count(*) AS n FROM ${table}`).get() as { n: number };
const sessionIds = () => home.sessions.list(ann.caller).map(({ id }) => id);

describe('on a full disk', () => {
  it('a person signs in with a session that works', async () => {
    breakDisk();
    const { token, sessionId } = await logIn();
    await expect(home.sessions.authenticate(token)).resolves.toMatchObject({ userId: ann.user.id });
    await expect(home.sessions.authenticate(await home.sessions.pageToken(sessionId), 'pages')).resolves.toBeDefined();
    expect(sessionIds()).toContain(sessionId);
  });

  it('a person signs in though no key of ours was made before', async () => {
    home.database.exec('DELETE FROM signing_keys; DELETE FROM sessions');
    breakDisk();
    const { token } = await logIn();
    await expect(home.sessions.authenticate(token)).resolves.toMatchObject({ userId: ann.user.id });
  });

  it('wrong passwords are counted, and refused after as many as with room', async () => {
    const tries = async (address: string): Promise<string[]> => {
      const codes: string[] = [];
      for (let n = 0; n < 5; n += 1) {
        const refused = await logIn('not it', address).catch((error: { code: string }) => error.code);
        codes.push(String(refused));
      }
      return codes;
    };
    const withRoom = await tries('192.0.2.50');
    breakDisk();
    expect(await tries('192.0.2.51')).toEqual(withRoom);
    await expect(logIn(ann.password, '192.0.2.51')).rejects.toMatchObject({ code: 'rate_limited' });
  });

  it('tries that were counted before the disk was full still count', async () => {
    for (let n = 0; n < 3; n += 1) await logIn('not it').catch(() => {});
    breakDisk();
    await expect(logIn()).rejects.toMatchObject({ code: 'rate_limited' });
    await home.clock.advance(MINUTE_MS);
    await expect(logIn()).resolves.toBeDefined();
  });

  it('tries that were counted on it still count once there is room', async () => {
    breakDisk();
    for (let n = 0; n < 3; n += 1) await logIn('not it').catch(() => {});
    repairDisk();
    home.attempts.saveUnsaved();
    expect(rows('attempts').n).toBeGreaterThan(0);
    await expect(logIn()).rejects.toMatchObject({ code: 'rate_limited' });
  });

  it('a session of it is saved once there is room, and outlives a restart then', async () => {
    breakDisk();
    const { sessionId } = await logIn();
    const before = rows('sessions').n;
    repairDisk();
    await home.clock.advance(2 * MINUTE_MS);
    expect(rows('sessions').n).toBe(before + 1);
    home.sessions.savepoint()();
    expect(sessionIds()).toContain(sessionId);
  });

  it('a session of it ends at once and for good', async () => {
    breakDisk();
    const { token, sessionId } = await logIn();
    home.sessions.end(ann.caller, sessionId);
    await expect(home.sessions.authenticate(token)).rejects.toMatchObject({ code: 'invalid_token' });
    repairDisk();
    await home.clock.advance(2 * MINUTE_MS);
    home.sessions.savepoint()();
    await expect(home.sessions.authenticate(token)).rejects.toMatchObject({ code: 'invalid_token' });
  });

  it('a session from before ends at once, its end is reported as unsaved, and it is saved once there is room', async () => {
    const { token, sessionId } = await logIn();
    breakDisk();
    expect(() => home.sessions.end(ann.caller, sessionId)).toThrow(
      expect.objectContaining({ code: 'storage_unavailable' }),
    );
    await expect(home.sessions.authenticate(token)).rejects.toMatchObject({ code: 'invalid_token' });
    // A failed write brings memory up to date with the database, and not the session back.
    await home.users.setPassword(systemCaller, ann.user.id, 'another password').catch(() => {});
    await expect(home.sessions.authenticate(token)).rejects.toMatchObject({ code: 'invalid_token' });
    repairDisk();
    await home.clock.advance(2 * MINUTE_MS);
    expect(home.database.prepare('SELECT id FROM sessions WHERE id = ?').get(sessionId)).toBeUndefined();
  });

  it('a person signs out, and signing out of everything ends every session', async () => {
    const { sessionId } = await logIn();
    breakDisk();
    const { principal } = ann.caller;
    if (principal.kind !== 'user') throw new Error('Ann is signed in');
    expect(() => home.sessions.end(ann.caller, principal.sessionId)).not.toThrow();
    expect(home.sessions.isLive(principal)).toBe(false);
    expect(() => home.sessions.endAll(systemCaller)).toThrow(expect.objectContaining({ code: 'storage_unavailable' }));
    expect(home.sessions.list(systemCaller)).toEqual([]);
    expect(sessionId).toBeDefined();
  });

  it('a password can’t be changed, and the session that asked goes on', async () => {
    breakDisk();
    const { token } = await logIn();
    const principal = await home.sessions.authenticate(token);
    const caller = { ...ann.caller, principal };
    const change = { currentPassword: ann.password, newPassword: 'another password' };
    await expect(home.users.changePassword(caller, change)).rejects.toMatchObject({ code: 'storage_unavailable' });
    await expect(home.sessions.authenticate(token)).resolves.toBeDefined();
    await expect(logIn('another password')).rejects.toMatchObject({ code: 'invalid_credentials' });
  });

  it('an account that is deleted after room was made takes its session of the full disk along', async () => {
    const bob = await createUser(home, { name: 'Bob' });
    breakDisk();
    const { token } = await home.users.logIn(anonymousCaller(), { email: bob.user.email, password: bob.password });
    repairDisk();
    home.users.delete(systemCaller, bob.user.id);
    await expect(home.sessions.authenticate(token)).rejects.toMatchObject({ code: 'invalid_token' });
    home.sessions.saveUnsaved();
    expect(home.sessions.list(systemCaller).filter(({ userId }) => userId === bob.user.id)).toEqual([]);
  });

  it('a session that was never saved ends with the process', async () => {
    using directory = createTempDirectory('full-disk');
    const path = directory.file('relay.db');
    const first = createTestHome({ path, passwordHasher: new CountingHasher() });
    const bob = await createUser(first, { founder: true, name: 'Bob' });
    breakDisk(first.database);
    const { token } = await first.users.logIn(anonymousCaller(), { email: bob.user.email, password: bob.password });
    first.database.close();
    const second = createTestHome({ path, passwordHasher: new CountingHasher() });
    await expect(second.sessions.authenticate(token)).rejects.toMatchObject({ code: 'invalid_token' });
    second.close();
  });
});

describe('on a full disk, over HTTP,', () => {
  let fixture: OAuthFixture;
  beforeEach(async () => {
    fixture = await createOAuthFixture();
  });
  afterEach(() => fixture.close());

  it('GraphQL signs in, and the token opens the API', async () => {
    breakDisk(fixture.home.database);
    const { user, password } = fixture.ann;
    const query =
      'mutation ($email: String!, $password: String!) { login(email: $email, password: $password) { token } }';
    const answer = await fixture.post(
      '/graphql',
      JSON.stringify({ query, variables: { email: user.email, password } }),
      {
        'Content-Type': 'application/json',
      },
    );
    const { data } = (await answer.json()) as { data: { login: { token: string } } };
    expect(await fixture.statusOf(data.login.token)).toBe(200);
  });

  it('the sign-in page signs in, and the account page signs out', async () => {
    breakDisk(fixture.home.database);
    const browser = fixture.browserOf(null);
    const { user, password } = fixture.ann;
    const signedIn = await browser.submit(await browser.get('/login'), '/login', { email: user.email, password });
    expect(signedIn.location).toBe('/account');
    const account = await browser.get('/account');
    expect(account.status).toBe(200);
    expect((await browser.submit(account, '/logout')).status).toBe(303);
    expect((await browser.get('/account')).status).toBe(303);
  });

  it('a person signs in for an app, and the consent page shows that nothing can be saved', async () => {
    const client = await fixture.register();
    breakDisk(fixture.home.database);
    const browser = fixture.browserOf(null);
    const login = await fixture.follow(browser, await browser.get((await fixture.begin(client)).path));
    const { user, password } = fixture.ann;
    const going = await browser.submit(login, '/login', { email: user.email, password });
    const next = await browser.get(going.location ?? '');
    const uid = /\/oauth\/interaction\/[\w-]+/.exec(next.text)?.[0] ?? '';
    const consent = await browser.get(uid);
    expect(consent.text).toContain('to access your home?');
    const answer = await browser.submit(consent, uid, { approve: 'yes', all_homes: 'on', scope: 'read', password });
    expect(answer.status).toBe(503);
    expect(fixture.home.authorizedApps.list(systemCaller)).toEqual([]);
  });
});

it('on a file system without a byte of room a person signs in, and a wrong password is refused', async ({ skip }) => {
  using directory = createTempDirectory('no-room');
  const data = directory.file('data');
  mkdirSync(data);
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=4m,mode=700', 'none', data], { stdio: 'ignore' });
  } catch {
    skip('this user may not mount a file system');
  }
  using _mount = { [Symbol.dispose]: () => execFileSync('umount', ['-l', data]) };
  const full = createTestHome({ path: `${data}/relay.db`, passwordHasher: new CountingHasher() });
  const bob = await createUser(full, { founder: true, name: 'Bob' });
  fill(`${data}/filler`);
  // What the log of SQLite still has room for is used up first.
  const logInAsBob = (password: string) =>
    full.users.logIn(anonymousCaller(), { email: bob.user.email, password }).catch((error: { code: string }) => error);
  for (let n = 0; n < 60; n += 1) expect(await logInAsBob(bob.password)).toMatchObject({ token: expect.any(String) });
  expect(() => full.homes.create(systemCaller, { name: 'x' })).toThrow(/The disk is full/);
  expect(await logInAsBob('not it')).toMatchObject({ code: 'invalid_credentials' });
  rmSync(`${data}/filler`);
  full.sessions.saveUnsaved();
  full.attempts.saveUnsaved();
  full.close();
});

function fill(path: string): void {
  const file = openSync(path, 'w');
  try {
    for (const size of [65_536, 4_096, 1]) {
      try {
        for (;;) writeSync(file, Buffer.alloc(size));
      } catch {
        // Full for pieces of this size.
      }
    }
  } finally {
    closeSync(file);
  }
}
