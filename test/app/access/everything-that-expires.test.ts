/**
 * A clock that is behind after a restart revives nothing that has ended, of any kind: decisions §7, §8. The table has a
 * row for each thing that the operations declare as expiring, and a row for each column of the database that holds an
 * end.
 */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { pruneOAuth } from '../../../src/app/oauth/create-oauth.ts';
import { pruneUsers } from '../../../src/app/users/create-users.ts';
import { loadConfig } from '../../../src/config/config.ts';
import { LiveConfig } from '../../../src/config/live-config.ts';
import { createTempDirectory, type TempDirectory } from '../../support/temp-directory.ts';
import { TestClock } from '../../support/test-clock.ts';
import { createTestHome, systemCaller, type TestHome } from '../../support/test-home.ts';
import { anonymousCaller, CountingHasher, createUser, type TestUser } from '../../support/test-users.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const YEAR_MS = 365 * DAY_MS;

let directory: TempDirectory;
let clock: TestClock;
let home: TestHome;
let ann: TestUser;

function open(): TestHome {
  const flags = { dataDir: '/nonexistent/hearthd', oauthRefreshGraceSeconds: '30' };
  const opened = createTestHome({
    path: directory.file('relay.db'),
    clock,
    sample: true,
    passwordHasher: new CountingHasher(),
    live: new LiveConfig(loadConfig(flags, {})),
  });
  opened.accessUpkeep.start();
  return opened;
}

beforeEach(async () => {
  directory = createTempDirectory('expires');
  clock = new TestClock();
  home = open();
  ann = await createUser(home, { founder: true });
});

afterEach(() => {
  home.close();
  directory.remove();
});

/** As at a clean stop, or as when the power goes. */
const ENDS = {
  stop(): void {
    home.accessUpkeep.stop();
    home.close();
  },
  'power cut': (): void => void home.database.close(),
} as const;
type End = keyof typeof ENDS;

function restart(end: End, backMs = HOUR_MS): void {
  ENDS[end]();
  clock.jumpWallClock(-backMs);
  home = open();
}

const succeeds = async (act: () => unknown): Promise<boolean> => {
  try {
    return (await act()) !== undefined;
  } catch {
    return false;
  }
};

/** What is made, how long it lasts, and whether it opens something now. */
interface Made {
  readonly lastsMs: number;
  readonly opens: () => Promise<boolean>;
}

const logIn = (device?: string) =>
  home.users.logIn(anonymousCaller(), { email: ann.user.email, password: ann.password, device });

function issue(kind: 'AuthorizationCode' | 'AccessToken' | 'RefreshToken', lastsMs: number): Made {
  const { client } = home.oauthClients.register(anonymousCaller(), { redirect_uris: ['https://app.example/callback'] });
  const grant = { clientId: client.id, userId: ann.user.id, grantId: 'grant' };
  const allowed = { clientId: client.id, scope: 'write', homePermissions: null, resource: 'api' } as const;
  home.authorizedApps.allow(ann.caller, allowed);
  home.oauthArtifacts.save({ kind: 'Grant', value: 'grant', payload: {}, ttlMs: YEAR_MS, ...grant });
  home.oauthArtifacts.save({ kind, value: 'value', payload: {}, ttlMs: lastsMs, ...grant });
  return { lastsMs, opens: () => succeeds(() => home.oauthArtifacts.find(kind, 'value')) };
}

async function share(input: object): Promise<Made> {
  const { shareHash } = await home.shares.create(systemCaller, {
    entityType: 'accessory',
    entityId: home.named('Lamp').id,
    role: 'control',
    accessSchedule: { expires_at: new Date(clock.now() + HOUR_MS).toISOString() },
    accessType: 'public',
    ...input,
  });
  const { passcode } = input as { passcode?: string };
  return { lastsMs: HOUR_MS, opens: () => succeeds(() => home.shares.open(ann.caller, { hash: shareHash, passcode })) };
}

/** By the clocks of Tokyo, which are nine hours ahead. */
function inTokyo(at: number): string {
  return new Date(at + 9 * HOUR_MS).toISOString().slice(0, -1);
}

/** Time passes; of days only the last hours tick. */
async function pass(ms: number): Promise<void> {
  const leap = Math.max(0, ms - HOUR_MS);
  clock.jumpWallClock(leap);
  await clock.advance(ms - leap);
}

type Row = Readonly<Record<string, () => Promise<Made> | Made>>;

/** By what the operations declare as expiring. */
const EXPIRING: Readonly<Record<string, Row>> = {
  sessions: {
    'a session': async () => {
      const { token } = await logIn();
      return { lastsMs: 7 * DAY_MS, opens: () => succeeds(() => home.sessions.authenticate(token)) };
    },
    'a session at the pages': async () => {
      const { sessionId } = await logIn();
      const token = await home.sessions.pageToken(sessionId);
      return { lastsMs: 7 * DAY_MS, opens: () => succeeds(() => home.sessions.authenticate(token, 'pages')) };
    },
    'a session’s token from before its renewal': async () => {
      const { token } = await logIn();
      const principal = await home.sessions.authenticate(token);
      await pass(DAY_MS);
      await home.sessions.renew({ ...ann.caller, principal });
      return { lastsMs: 6 * DAY_MS, opens: () => succeeds(() => home.sessions.authenticate(token)) };
    },
  },
  'access tokens': {
    'an access token': () => {
      const { token } = home.tokens.create(systemCaller, { name: 'Guest', expiresAt: clock.now() + HOUR_MS });
      return { lastsMs: HOUR_MS, opens: () => succeeds(() => home.tokens.authenticate(token)) };
    },
  },
  invitations: {
    'an invitation by code': () => {
      const invited = { homeId: home.home.id, email: 'bob@example.org', role: 'view' };
      const code = home.members.invite(ann.caller, invited).invitation?.code;
      return { lastsMs: 7 * DAY_MS, opens: () => succeeds(() => home.members.findInvitation(code)) };
    },
    'an invitation of an account': async () => {
      const bob = await createUser(home, { name: 'Bob' });
      home.members.invite(ann.caller, { homeId: home.home.id, email: bob.user.email, role: 'view' });
      return { lastsMs: 7 * DAY_MS, opens: async () => home.members.pending(bob.caller).length > 0 };
    },
  },
  shares: {
    'a public share': () => share({}),
    'a share with a passcode': () => share({ accessType: 'passcode', passcode: 'fir tree' }),
    'a share with a zone': () =>
      share({ accessSchedule: { expires_at: inTokyo(clock.now() + HOUR_MS), timezone: 'Asia/Tokyo' } }),
  },
  'codes and tokens of apps': {
    'an authorization code': () => issue('AuthorizationCode', 10 * MINUTE_MS),
    'an app’s access token': () => issue('AccessToken', HOUR_MS),
    'a refresh token': () => issue('RefreshToken', 30 * DAY_MS),
    'the answer to a refresh that may be repeated': async () => {
      issue('RefreshToken', 30 * DAY_MS);
      await home.oauthArtifacts.exchange(
        async () => home.oauthArtifacts.use('RefreshToken', 'value'),
        () => ({ refreshToken: 'value', answer: 'answer' }),
      );
      return { lastsMs: 30_000, opens: () => succeeds(() => home.oauthArtifacts.findReplay('value')) };
    },
  },
  'secrets of webhooks': {
    'a secret from before a rotation': async () => {
      const input = { name: 'Log', url: 'https://log.example/', eventTypes: ['*'] };
      const { webhook } = await home.webhooks.create(systemCaller, input as never);
      home.webhooks.rotateSecret(systemCaller, webhook.id);
      const kept = () => home.database.prepare('SELECT previous_secret AS old FROM webhooks').get() as { old: unknown };
      return { lastsMs: DAY_MS, opens: async () => kept().old !== null };
    },
  },
};

/** Columns of the database that hold the end of something, and which row of the table above it is about. */
const ENDS_IN_THE_DATABASE: Readonly<Record<string, string>> = {
  'access_tokens.expires_at': 'access tokens',
  'invitations.expires_at': 'invitations',
  'oauth_artifacts.expires_at': 'codes and tokens of apps',
  'sessions.expires_at': 'sessions',
  'shares.access_schedule': 'shares',
  'webhooks.previous_secret_until': 'secrets of webhooks',
};

const CASES = Object.values(EXPIRING).flatMap((row) => Object.entries(row));

describe('everything that expires', () => {
  it('is in the table', () => {
    expect(Object.keys(EXPIRING)).toEqual(Object.keys(home.expiring));
    const columns = home.database
      .prepare<[], { name: string }>(
        `SELECT tables.name || '.' || columns.name AS name
         FROM sqlite_master AS tables, pragma_table_info(tables.name) AS columns
         WHERE tables.type = 'table' AND columns.name GLOB '*expires*' OR columns.name GLOB '*_until' OR columns.name GLOB '*schedule'
         ORDER BY 1`,
      )
      .all()
      .map(({ name }) => name);
    expect(columns).toEqual(Object.keys(ENDS_IN_THE_DATABASE));
    for (const row of Object.values(ENDS_IN_THE_DATABASE)) expect(Object.keys(EXPIRING)).toContain(row);
  });

  const END_NAMES = Object.keys(ENDS) as End[];
  it.each(CASES.flatMap(([what, make]) => END_NAMES.map((end) => [what, end, make] as const)))(
    '%s that ended without a request stays ended when the clock is an hour back after a %s',
    async (_, end, make) => {
      // A relay that has run for a while.
      await clock.advance(HOUR_MS);
      const { lastsMs, opens } = await make();
      expect(await opens()).toBe(true);
      await pass(lastsMs + 2 * MINUTE_MS);
      restart(end);
      expect(await opens()).toBe(false);
      restart(end);
      expect(await opens()).toBe(false);
    },
  );

  // A secret that no request contains: it signs.
  const ASKED = CASES.filter(([what]) => !what.startsWith('a secret') && !what.startsWith('the answer'));
  it.each(ASKED)('%s that was refused stays refused, though the power went at once', async (_, make) => {
    const { lastsMs, opens } = await make();
    clock.jumpWallClock(lastsMs + 1);
    expect(await opens()).toBe(false);
    restart('power cut');
    expect(await opens()).toBe(false);
  });

  // Of an answer nothing is lost: the app signs in once more.
  const LASTING = CASES.filter(([what]) => !what.startsWith('the answer'));
  it.each(LASTING)('%s is not ended by a clock that is years ahead for some minutes', async (_, make) => {
    await clock.advance(HOUR_MS);
    const { lastsMs, opens } = await make();
    clock.jumpWallClock(10 * YEAR_MS);
    await clock.advance(Math.min(5 * MINUTE_MS, lastsMs / 2));
    pruneUsers(home);
    pruneOAuth(home);
    clock.jumpWallClock(-10 * YEAR_MS);
    ENDS.stop();
    home = open();
    expect(await opens()).toBe(true);
  });

  it('that is made after the clock was years ahead is good', async () => {
    clock.jumpWallClock(10 * YEAR_MS);
    await clock.advance(HOUR_MS);
    restart('stop', 10 * YEAR_MS);
    for (const [what, make] of CASES) {
      home.database.exec('DELETE FROM oauth_artifacts; DELETE FROM shares; DELETE FROM webhooks');
      if (what.includes('account')) continue;
      expect([what, await (await make()).opens()]).toEqual([what, true]);
    }
  });

  it('and lives in memory alone ends with the process', async () => {
    const fresh = createTestHome({ path: directory.file('fresh.db'), clock });
    const { code } = fresh.setupCodes.renew(systemCaller);
    fresh.close();
    const again = createTestHome({ path: directory.file('fresh.db'), clock });
    expect(() => again.setupCodes.require(code)).toThrow('wrong or no longer valid');
    again.close();
  });
});

describe('a share that has ended', () => {
  it('opens again with another end, and not with the same one', async () => {
    const { opens } = await share({});
    const [row] = home.shares.mine(systemCaller);
    clock.jumpWallClock(2 * HOUR_MS);
    expect(await opens()).toBe(false);
    clock.jumpWallClock(-2 * HOUR_MS);
    await home.shares.update(systemCaller, row?.id ?? '', { name: 'Guests' });
    expect(await opens()).toBe(false);
    const later = { expires_at: new Date(clock.now() + 3 * HOUR_MS).toISOString() };
    await home.shares.update(systemCaller, row?.id ?? '', { accessSchedule: later });
    expect(await opens()).toBe(true);
  });
});
