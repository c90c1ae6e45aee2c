/**
 * A disk that fills up, or a process that is killed, at any one write of what makes people, apps, shares, webhooks and
 * brokers. Each act is done once to learn what it writes; then once for each of these writes with that write failing.
 * Either the act succeeds without it, or it is refused and nothing of it is left: not in the database, and not in
 * memory, which is compared with that of a fresh daemon. Afterwards the same act succeeds: nothing is stuck half-way.
 */
import { afterEach, describe, expect, it } from 'vitest';
import type { Caller } from '../../src/app/access/caller.ts';
import { createTempDirectory, type TempDirectory } from '../support/temp-directory.ts';
import { callerOf, createTestHome, systemCaller, type TestHome } from '../support/test-home.ts';
import { anonymousCaller, CountingHasher, createUser } from '../support/test-users.ts';

/** What may be left of an act that failed: that it was tried, and our own keys. */
const NOT_COMPARED = new Set(['attempts', 'signing_keys']);

interface Stage {
  readonly home: TestHome;
  readonly act: () => unknown;
}

const HOOK = { name: 'Hook', url: 'https://example.org/hook', eventTypes: ['*'] };
const BROKER = { name: 'Mosquitto', host: 'broker.local' };
const DELIVERY = { id: 'one', eventId: 'evt_1', eventType: 'state.changed', data: '{}', occurredAt: 0, createdAt: 0 };

const hasher = () => ({ passwordHasher: new CountingHasher() });
const unclaimed = async (home: TestHome): Promise<Stage> => {
  const { code } = home.setupCodes.renew(systemCaller);
  const account = { email: 'ann@example.org', password: 'password of Ann', setupCode: code };
  return { home, act: () => home.users.claim(anonymousCaller(), account) };
};

/** With Ann, who owns everything, and Ben, who has a session and a home of his own. */
const peopled = async (home: TestHome) => {
  const ann = await createUser(home, { name: 'Ann', founder: true });
  const cabin = home.homes.create(systemCaller, { name: 'Cabin' });
  const ben = await createUser(home, { name: 'Ben', role: 'owner', homeId: cabin.id });
  home.members.remove(systemCaller, { homeId: cabin.id, memberId: ann.user.id });
  return { ann, ben, cabin };
};

const ACTS: Readonly<Record<string, (home: TestHome) => Promise<Stage>>> = {
  'the first claim': unclaimed,
  'signing up': async (home) => {
    await peopled(home);
    const invited = { homeId: home.home.id, email: 'cleo@example.org', role: 'view' };
    const { invitation } = home.members.invite(systemCaller, invited);
    const account = { email: 'cleo@example.org', password: 'password of Cleo', invitationCode: invitation?.code };
    return { home, act: () => home.users.signUp(anonymousCaller(), account) };
  },
  'signing in': async (home) => {
    const { ben } = await peopled(home);
    return {
      home,
      act: () => home.users.logIn(anonymousCaller(), { email: ben.user.email, password: ben.password }),
    };
  },
  'changing a password': async (home) => {
    const { ben } = await peopled(home);
    const change = { currentPassword: ben.password, newPassword: 'another password' };
    return { home, act: () => home.users.changePassword(ben.caller, change) };
  },
  'setting a password': async (home) => {
    const { ben } = await peopled(home);
    return { home, act: () => home.users.setPassword(systemCaller, ben.user.id, 'another password') };
  },
  'deleting an account': async (home) => {
    const { ben } = await peopled(home);
    home.userSettings.update(ben.caller, { developerMode: true });
    home.tokens.create(ben.caller, { name: 'Phone' });
    home.webhooks.create(ben.caller, HOOK);
    return { home, act: () => home.users.delete(systemCaller, ben.user.id) };
  },
  'making an account': async (home) => {
    await peopled(home);
    const account = { email: 'cleo@example.org', password: 'password of Cleo', role: 'control' };
    return { home, act: () => home.users.create(systemCaller, account) };
  },
  'inviting again': async (home) => {
    await peopled(home);
    const invited = { homeId: home.home.id, email: 'cleo@example.org', role: 'view' };
    home.members.invite(systemCaller, invited);
    return { home, act: () => home.members.invite(systemCaller, { ...invited, role: 'control' }) };
  },
  'accepting an invitation': async (home) => {
    const { ben } = await peopled(home);
    home.members.invite(systemCaller, { homeId: home.home.id, email: ben.user.email, role: 'view' });
    return { home, act: () => home.members.accept(ben.caller, home.home.id) };
  },
  'removing a member': async (home) => {
    const { ben, cabin, ann } = await peopled(home);
    home.members.invite(ben.caller, { homeId: cabin.id, email: ann.user.email, role: 'owner' });
    home.members.accept(ann.caller, cabin.id);
    return { home, act: () => home.members.remove(ann.caller, { homeId: cabin.id, memberId: ben.user.id }) };
  },
  'allowing an app': async (home) => {
    const { ben } = await peopled(home);
    const permission = { clientId: registerApp(home), scope: 'write', homePermissions: null, resource: 'api' } as const;
    return { home, act: () => home.authorizedApps.allow(ben.caller, permission) };
  },
  'shutting an app out': async (home) => {
    const { ben } = await peopled(home);
    const clientId = allowApp(home, ben.caller, ben.user.id);
    return { home, act: () => home.authorizedApps.revoke(ben.caller, clientId) };
  },
  sharing: async (home) => {
    await peopled(home);
    const share = {
      entityType: 'home',
      entityId: home.home.id,
      accessType: 'passcode',
      role: 'view',
      passcode: '123456',
    };
    return { home, act: () => home.shares.create(systemCaller, share) };
  },
  'ending the last share': async (home) => {
    await peopled(home);
    const share = { entityType: 'home', entityId: home.home.id, accessType: 'public', role: 'view' };
    const { share: row } = await home.shares.create(systemCaller, share);
    return { home, act: () => home.shares.delete(systemCaller, row.id) };
  },
  'making a home': async (home) => {
    const { ben } = await peopled(home);
    return { home, act: () => home.homes.create(ben.caller, { name: 'Barn' }) };
  },
  'making a webhook': async (home) => ({ home, act: () => home.webhooks.create(systemCaller, HOOK) }),
  'changing a webhook': async (home) => {
    const { id } = home.webhooks.create(systemCaller, HOOK).webhook;
    return { home, act: () => home.webhooks.update(systemCaller, id, { url: 'https://example.org/other' }) };
  },
  'pausing a webhook': async (home) => {
    const { id } = home.webhooks.create(systemCaller, HOOK).webhook;
    return { home, act: () => home.webhooks.pause(systemCaller, id) };
  },
  'rotating a secret': async (home) => {
    const { id } = home.webhooks.create(systemCaller, HOOK).webhook;
    return { home, act: () => home.webhooks.rotateSecret(systemCaller, id) };
  },
  'deleting a webhook with what waits for it': async (home) => {
    const { id } = home.webhooks.create(systemCaller, HOOK).webhook;
    home.deliverer.start();
    home.deliverer.outbox.addNow({ ...DELIVERY, webhookId: id });
    await home.deliverer.stop();
    return { home, act: () => home.webhooks.delete(systemCaller, id) };
  },
  'adding a broker': async (home) => ({ home, act: () => home.brokers.add(systemCaller, home.home.id, BROKER) }),
  'changing a broker': async (home) => {
    const { id } = home.brokers.add(systemCaller, home.home.id, BROKER);
    return { home, act: () => home.brokers.update(systemCaller, id, { host: 'other.local' }) };
  },
  'removing a broker': async (home) => {
    const { id } = home.brokers.add(systemCaller, home.home.id, BROKER);
    return { home, act: () => home.brokers.remove(systemCaller, id) };
  },
  'taking a home off its brokers': async (home) => {
    home.brokers.add(systemCaller, home.home.id, BROKER);
    return { home, act: () => home.brokers.setEnabled(systemCaller, home.home.id, false) };
  },
  'deleting a home that is on a broker': async (home) => {
    const { id } = home.homes.create(systemCaller, { name: 'Cabin' });
    home.brokers.add(systemCaller, id, BROKER);
    return { home, act: () => home.homes.delete(systemCaller, id) };
  },
};

function registerApp(home: TestHome): string {
  const metadata = { redirect_uris: ['https://app.example/callback'] };
  return home.oauthClients.register(anonymousCaller(), metadata).client.id;
}

/** With a grant, and a token that came of it. */
function allowApp(home: TestHome, caller: Caller, userId: string): string {
  const clientId = registerApp(home);
  home.authorizedApps.allow(caller, { clientId, scope: 'write', homePermissions: null, resource: 'api' });
  const grant = { payload: {}, clientId, userId, grantId: 'grant', ttlMs: 60_000 };
  home.oauthArtifacts.save({ kind: 'Grant', value: 'grant', ...grant });
  home.oauthArtifacts.save({ kind: 'AccessToken', value: 'token', ...grant });
  return clientId;
}

const OPERATIONS = ['INSERT', 'UPDATE', 'DELETE'] as const;

function tablesOf({ database }: TestHome): readonly string[] {
  return database
    .prepare<[], { name: string }>(
      `SELECT name FROM main.sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'`,
    )
    .all()
    .map(({ name }) => name);
}

/** Notes each write from now on. @returns a function that lists them, as `INSERT ON users` */
function listen(home: TestHome): () => readonly string[] {
  home.database.exec('CREATE TEMP TABLE noted (what TEXT PRIMARY KEY)');
  for (const table of tablesOf(home)) {
    for (const operation of OPERATIONS) {
      home.database.exec(
        `CREATE TEMP TRIGGER note_${table}_${operation} AFTER ${operation} ON main.${table}
         BEGIN INSERT OR IGNORE INTO noted VALUES ('${operation} ON main.${table}'); END`,
      );
    }
  }
  return () =>
    home.database
      .prepare<[], { what: string }>('SELECT what FROM noted')
      .all()
      .map(({ what }) => what);
}

/** Lets one kind of write fail. @returns a function that repairs it */
function breakWrite({ database }: TestHome, what: string): () => void {
  database.exec(`CREATE TEMP TRIGGER broken BEFORE ${what} BEGIN SELECT RAISE(ABORT, 'the disk is full'); END`);
  return () => database.exec('DROP TRIGGER temp.broken');
}

function contentsOf(home: TestHome): Record<string, readonly unknown[]> {
  const tables = tablesOf(home).filter((table) => !NOT_COMPARED.has(table));
  return Object.fromEntries(tables.map((table) => [table, home.database.prepare(`SELECT * FROM ${table}`).all()]));
}

/** The answers of operations, which come from memory in part. */
function reported(home: TestHome): object {
  const users = inAnyOrder(home.users.list(systemCaller));
  const homes = inAnyOrder(home.homes.list(systemCaller));
  return {
    users,
    homes,
    members: homes.map(({ id }) => home.members.list(systemCaller, id)).map(inAnyOrder),
    seen: users.map(({ id }) =>
      homes.map((one) => home.access.roleIn(callerOf({ kind: 'user', userId: id, sessionId: '' }), one.id)),
    ),
    sessions: inAnyOrder(home.sessions.list(systemCaller).map(({ id, userId }) => ({ id, userId }))),
    tokens: home.tokens.list(systemCaller),
    apps: home.authorizedApps.list(systemCaller),
    shares: home.shares.mine(systemCaller),
    // How many wait is counted by the part that delivers, which only the one of the two has.
    webhooks: inAnyOrder(home.webhooks.list(systemCaller).map((webhook) => ({ ...webhook, queuedCount: 0 }))),
    brokers: homes.map(({ id }) => [home.brokers.isEnabled(systemCaller, id), home.brokers.list(systemCaller, id)]),
  };
}

/** The clock stands still: what was made in the same millisecond has no order. */
function inAnyOrder<T extends { readonly id: string }>(things: readonly T[]): readonly T[] {
  return [...things].sort((a, b) => (a.id < b.id ? -1 : 1));
}

describe('a write that fails', () => {
  const directories: TempDirectory[] = [];
  afterEach(() => {
    for (const directory of directories.splice(0)) directory.remove();
  });

  const stage = async (name: string): Promise<Stage & { path: string }> => {
    const directory = createTempDirectory('broken-writes');
    directories.push(directory);
    const path = directory.file('relay.db');
    const prepare = ACTS[name];
    if (!prepare) throw new Error(`There is no act "${name}"`);
    const home = createTestHome({ path, ...hasher() });
    // No power fails here: what is asked is what is written, not when.
    home.database.pragma('synchronous = OFF');
    return { ...(await prepare(home)), path };
  };

  it.each(Object.keys(ACTS))('leaves nothing half done: %s', async (name) => {
    const first = await stage(name);
    const noted = listen(first.home);
    await first.act();
    const writes = noted();
    first.home.close();
    expect(writes.length).toBeGreaterThan(0);

    for (const write of writes) {
      const { home, act, path } = await stage(name);
      const before = contentsOf(home);
      const repair = breakWrite(home, write);
      const failed = await Promise.resolve()
        .then(act)
        .then(
          () => false,
          () => true,
        );
      repair();
      if (failed) {
        expect(contentsOf(home), `after ${write} failed`).toEqual(before);
        const again = createTestHome({ path, ...hasher(), clock: home.clock });
        expect(reported(home), `in memory after ${write} failed`).toEqual(reported(again));
        again.close();
        await act();
      }
      home.close();
    }
  });
});
