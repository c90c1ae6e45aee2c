/** People who sign in, on the command line: accounts, members, sessions, the setup code and what they may not see. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { turnOnSecondFactor } from '../support/second-factor.ts';
import { systemCaller } from '../support/test-home.ts';
import { anonymousCaller, createUser } from '../support/test-users.ts';
import { type RunningDaemon, startDaemon } from './running-daemon.ts';

const PASSWORD = 'correct horse';

let daemon: RunningDaemon;

beforeEach(async () => {
  daemon = await startDaemon();
});
afterEach(() => daemon.stop());

/** With the password on stdin. */
const withPassword = (...args: string[]) => daemon.hearthdOn({ stdin: PASSWORD }, ...args, '--password-stdin');

const signIn = (email: string, password = PASSWORD) => daemon.home.users.logIn(anonymousCaller(), { email, password });

describe('hearthd setup-code', () => {
  it('makes a code with which the relay is claimed, and none afterwards', async () => {
    const { code, out, err } = await daemon.hearthd('setup-code');
    expect(code).toBe(0);
    expect(out).toMatch(/^[A-Z2-9]{4}-[A-Z2-9]{4}\n$/);
    expect(err).toBe('Open / in a browser on this computer.\nEnter this code there before 2026-01-15 12:10:00:\n');
    const account = { email: 'ada@example.org', password: PASSWORD, setupCode: out.trim() };
    await daemon.home.users.claim(anonymousCaller(), account);
    const claimed = await daemon.hearthd('setup-code');
    expect([claimed.code, claimed.err]).toEqual([5, expect.stringContaining('already has an owner')]);
  });

  it('is one JSON document with --json', async () => {
    expect(JSON.parse((await daemon.hearthd('setup-code', '--json')).out)).toEqual({
      code: expect.any(String),
      url: expect.stringMatching(/\/$/),
      addresses: [],
      expiresAt: '2026-01-15T12:10:00.000Z',
    });
  });
});

describe('hearthd user', () => {
  it('adds, lists, renames and removes people', async () => {
    expect((await daemon.hearthd('user', 'list')).err).toContain('No users. Create the code for the owner account');
    expect(await withPassword('user', 'add', 'ada@example.org', '--name', 'Ada')).toMatchObject({
      code: 0,
      out: 'Added Ada (ada@example.org).\n',
    });
    await withPassword('user', 'add', 'bob@example.org', '--role', 'control', '--home', 'My Home');
    expect((await daemon.hearthd('user', 'rename', 'bob@example.org', 'Bob')).out).toBe(
      'Renamed bob to Bob (bob@example.org).\n',
    );
    const rows = (await daemon.hearthd('user', 'list')).out.split('\n').sort();
    expect(rows.map((row) => row.replaceAll(/ {2,}/g, '|'))).toEqual([
      '',
      'Ada|ada@example.org|claimed this relay|2026-01-15 12:00:00|<id>',
      'Bob|bob@example.org|2026-01-15 12:00:00|<id>',
      'NAME|ADDRESS|NOTE|SINCE|LAST SIGN-IN|ID',
    ]);
    expect((await daemon.hearthd('user', 'remove', 'Bob')).out).toBe('Removed bob@example.org.\n');
    expect((await daemon.hearthd('user', 'remove', 'Bob')).code).toBe(4);
    const founder = await daemon.hearthd('user', 'remove', 'Ada');
    expect([founder.code, founder.err]).toEqual([5, expect.stringContaining('founder')]);
  });

  it('asks for a password twice, without showing it, and takes none as an argument', async () => {
    const typed = await daemon.hearthdOn({ secret: PASSWORD }, 'user', 'add', 'ada@example.org');
    expect(typed.code).toBe(0);
    expect(typed.out + typed.err).not.toContain(PASSWORD);
    expect((await signIn('ada@example.org')).user.email).toBe('ada@example.org');
    const given = await daemon.hearthd('user', 'add', 'bob@example.org', '--password', PASSWORD);
    expect([given.code, given.err]).toEqual([2, expect.stringContaining("unknown option '--password'")]);
  });

  it.each([
    [{}, [], 'This is not a terminal. Pass the password on stdin with --password-stdin'],
    [{ stdin: '' }, ['--password-stdin'], 'stdin contains no password.'],
    [{ secret: 'short' }, [], 'No password entered. Nothing changed.'],
    [{ stdin: 'short' }, ['--password-stdin'], '8 to 1024 characters'],
  ])('creates no user without a password: %j %j', async (script, flags, sentence) => {
    const { code, err } = await daemon.hearthdOn(script, 'user', 'add', 'ada@example.org', ...flags);
    expect([code, err]).toEqual([2, expect.stringContaining(sentence)]);
    expect(daemon.home.users.isClaimed()).toBe(false);
  });

  it('sets the password of an owner who forgot it, and ends all their sessions', async () => {
    const ada = await createUser(daemon.home, { name: 'Ada', founder: true });
    const { code, out } = await withPassword('user', 'password', 'ada');
    expect([code, out]).toEqual([0, 'Set the password of ada@example.org and ended all sessions.\n']);
    await expect(daemon.home.sessions.authenticate(ada.token)).rejects.toThrow();
    await expect(signIn(ada.user.email, ada.password)).rejects.toThrow();
    expect((await signIn(ada.user.email)).user.name).toBe('Ada');
  });

  it('turns two-step sign-in off for a person who lost the app and the recovery codes', async () => {
    const ada = await createUser(daemon.home, { name: 'Ada', founder: true });
    await turnOnSecondFactor(daemon.home, ada);
    await expect(signIn(ada.user.email, ada.password)).rejects.toThrow('authenticator app');
    const { code, out } = await daemon.hearthd('user', 'reset-2fa', 'ada');
    expect([code, out]).toEqual([
      0,
      'Turned two-step sign-in off for ada@example.org and removed the passkeys. The password is enough now; sessions stay.\n',
    ]);
    expect((await signIn(ada.user.email, ada.password)).user.name).toBe('Ada');
    await expect(daemon.home.sessions.authenticate(ada.token)).resolves.toBeDefined();
    const again = await daemon.hearthd('user', 'reset-2fa', 'ada');
    expect([again.code, again.err]).toEqual([5, expect.stringContaining('no second step')]);
    expect((await daemon.hearthd('user', 'reset-2fa', 'nobody')).code).toBe(4);
  });

  it('makes an account without an address, which signs in by its name', async () => {
    await withPassword('user', 'add', 'ada@example.org');
    const { code, out } = await withPassword('user', 'add', 'Grandma', '--role', 'view');
    expect([code, out]).toEqual([0, 'Added Grandma (Grandma).\n']);
    expect((await signIn('grandma')).user.name).toBe('Grandma');
    expect((await withPassword('user', 'add', 'GRANDMA')).code).toBe(5);
  });

  it('refuses an address that is none, one that is taken, and a role that is none', async () => {
    await withPassword('user', 'add', 'ada@example.org');
    expect((await withPassword('user', 'add', 'ada@')).code).toBe(2);
    expect((await withPassword('user', 'add', 'ADA@example.org')).code).toBe(5);
    expect((await withPassword('user', 'add', 'bob@example.org', '--role', 'king')).code).toBe(2);
    expect((await withPassword('user', 'add', 'bob@example.org', '--home', 'Castle')).code).toBe(4);
  });

  it('asks which of two namesakes is meant', async () => {
    await withPassword('user', 'add', 'ada@example.org', '--name', 'Ada');
    await withPassword('user', 'add', 'ada@example.com', '--name', 'Ada');
    const { code, err } = await daemon.hearthd('user', 'rename', 'Ada', 'Grace');
    expect(code).toBe(2);
    expect(err).toContain('more than one user');
    expect(err).toContain('  ada@example.com');
  });
});

describe('hearthd member', () => {
  it('invites a person with a link, changes what they may do, and removes them', async () => {
    await createUser(daemon.home, { name: 'Ada', founder: true });
    const invited = await daemon.hearthd('member', 'invite', 'grace@example.org', '--role', 'control');
    expect(invited.code).toBe(0);
    expect(invited.out).toMatch(/\/invite\/\S+\n$/);
    expect(invited.err).toContain('Invited grace@example.org to My Home. Send them this link');
    expect((await daemon.hearthd('member', 'role', 'grace@example.org', 'view')).out).toBe(
      'grace@example.org is now view in My Home.\n',
    );
    const rows = (await daemon.hearthd('member', 'list')).out.split('\n').map((row) => row.replaceAll(/ {2,}/g, '|'));
    expect(rows).toEqual([
      'NAME|ADDRESS|ROLE|STATUS|ID',
      'Ada|ada@example.org|owner|member|<id>',
      '|grace@example.org|view|invited, no account yet|<id>',
      '',
    ]);
    expect((await daemon.hearthd('member', 'remove', 'grace@example.org')).out).toBe(
      'Removed grace@example.org from My Home.\n',
    );
    expect((await daemon.hearthd('member', 'remove', 'grace@example.org')).code).toBe(4);
    const last = await daemon.hearthd('member', 'remove', 'Ada');
    expect([last.code, last.err]).toEqual([5, expect.stringContaining('needs an owner')]);
  });

  it('a person with an account accepts after signing in: there is no link', async () => {
    await createUser(daemon.home, { name: 'Bob' });
    expect((await daemon.hearthd('member', 'invite', 'bob@example.org', '--role', 'view')).out).toBe(
      'Invited bob@example.org to My Home. They accept after they sign in.\n',
    );
    expect((await daemon.hearthd('member', 'invite', 'bob@example.org')).err).toContain("'--role <role>'");
    expect((await daemon.hearthd('member', 'invite', 'nobody', '--role', 'view')).code).toBe(2);
  });
});

describe('hearthd session', () => {
  it('lists where people are signed in, and signs them out', async () => {
    expect((await daemon.hearthd('session', 'list')).err).toContain('No sessions.');
    const ada = await createUser(daemon.home, { name: 'Ada', founder: true });
    const bob = await createUser(daemon.home, { name: 'Bob' });
    const { email } = bob.user;
    const device = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
    await daemon.home.users.logIn(anonymousCaller(), { email, password: bob.password, device });
    const all = daemon.home.sessions.list(systemCaller);
    expect(JSON.parse((await daemon.hearthd('session', 'list', '--json')).out)).toHaveLength(all.length);
    const { out } = await daemon.hearthd('session', 'list', '--user', 'Bob');
    expect(out.split('\n')).toHaveLength(4);
    expect(out).toContain('bob@example.org');
    // As a person would call it, and not as it calls itself.
    expect(out).toContain('Firefox on Linux');
    expect(out).not.toContain('Mozilla');

    const own = all.find((session) => session.userId === bob.user.id && session.device !== device);
    expect((await daemon.hearthd('session', 'end', own?.id ?? '')).out).toBe('Ended the session.\n');
    await expect(daemon.home.sessions.authenticate(bob.token)).rejects.toThrow();
    expect((await daemon.hearthd('session', 'end', '--user', 'Ada')).out).toMatch(
      /^Signed out ada@example.org \(sessions: \d\).\n$/,
    );
    await expect(daemon.home.sessions.authenticate(ada.token)).rejects.toThrow();
  });

  it.each([
    [[], 2],
    [['abcd1234', '--user', 'Ada'], 2],
    [['abcd1234'], 4],
    [['a'], 4],
    [['--user', 'Nobody'], 4],
  ])('refuses to end %j with exit code %i', async (words, exitCode) => {
    expect((await daemon.hearthd('session', 'end', ...words)).code).toBe(exitCode);
  });
});
