/** Who made what, on the tables of the relay: tokens and apps are rows, and what they make is a name. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Access } from '../../../src/app/access/authorize.ts';
import type { Caller, HomePermissions, Role } from '../../../src/app/access/caller.ts';
import { MakerStore } from '../../../src/app/access/maker-store.ts';
import { Makers } from '../../../src/app/access/makers.ts';
import { silentLogger } from '../../../src/kernel/logger.ts';
import { type Database, openDatabase } from '../../../src/storage/database.ts';
import { TestClock } from '../../support/test-clock.ts';
import { callerOf, systemCaller, userCaller } from '../../support/test-home.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const HOME = 'home';
const OTHER = 'other';

let clock: TestClock;
let database: Database;
let makers: Makers;
/** Ann's role in HOME; she has none in OTHER. */
let role: Role | undefined;
/** Shares that are there, by id; what of them ended, and how many more ends fail. */
let shares: Map<string, string>;
let ended: string[];
let failures: number;

beforeEach(() => {
  clock = new TestClock();
  database = openDatabase(':memory:');
  database.pragma('foreign_keys = OFF');
  role = 'admin';
  const access = new Access({
    roleOf: (userId, homeId) => (userId === 'ann' && homeId === HOME ? role : undefined),
    homesOf: (userId) => (userId === 'ann' && role !== undefined ? [HOME] : []),
  });
  makers = new Makers({ store: new MakerStore(database), access, clock, logger: silentLogger });
  shares = new Map([
    ['one', 'First'],
    ['two', 'Second'],
  ]);
  ended = [];
  failures = 0;
  makers.register('share', {
    find: (id) => {
      const name = shares.get(id);
      return name === undefined ? undefined : { name, homeId: HOME };
    },
    end: (id) => {
      if (failures > 0) {
        failures -= 1;
        throw new Error('The disk is full');
      }
      ended.push(id);
      shares.delete(id);
    },
  });
});

afterEach(() => {
  makers.stop();
  database.close();
});

interface TokenOptions {
  readonly makerId?: string | null;
  readonly expiresAt?: number | null;
  readonly homePermissions?: HomePermissions;
}

function addToken(
  id: string,
  { makerId = 'ann', expiresAt = null, homePermissions = null }: TokenOptions = {},
): Caller {
  database
    .prepare(
      `INSERT INTO access_tokens (id, name, hash, prefix, home_permissions, maker_id, created_at, expires_at)
       VALUES (?, ?, ?, '', ?, ?, 0, ?)`,
    )
    .run(id, id, id, homePermissions && JSON.stringify(homePermissions), makerId, expiresAt);
  return callerOf({ kind: 'access_token', tokenId: id, homePermissions, makerId, expiresAt });
}

function allow(clientId: string, scope: 'write' | 'admin' = 'admin', permissions: HomePermissions = null): void {
  database
    .prepare(
      `INSERT OR REPLACE INTO oauth_consents
         (client_id, user_id, scope, home_permissions, resource, created_at, updated_at)
       VALUES (?, 'ann', ?, ?, 'api', ?, 0)`,
    )
    .run(clientId, scope, permissions && JSON.stringify(permissions), clock.now());
}

/** An app that Ann allowed, signed in for an hour. */
function addApp(clientId: string, grantHash = `grant of ${clientId}`): Caller {
  allow(clientId);
  database
    .prepare(
      `INSERT INTO oauth_artifacts (kind, id_hash, payload, client_id, user_id, grant_hash, created_at, expires_at)
       VALUES ('RefreshToken', ?, '{}', ?, 'ann', ?, 0, ?)`,
    )
    .run(clientId, clientId, grantHash, clock.now() + HOUR_MS);
  return appCaller(clientId, grantHash);
}

const appCaller = (clientId: string, grantHash: string): Caller =>
  callerOf({ kind: 'oauth_client', clientId, userId: 'ann', scope: 'admin', homePermissions: null, grantHash });

const named = (...ids: string[]) =>
  ids.map((id) => ({ kind: 'share', id, name: id === 'one' ? 'First' : 'Second', homeId: HOME }));
const stands = (homeId: string | null = HOME) => makers.stands('share', 'one', homeId);
const run = (sql: string) => database.prepare(sql).run();

describe('what an app or a token made', () => {
  it('is listed with it, oldest first, while it is there and its maker is', async () => {
    const [token, app] = [addToken('t'), addApp('a')];
    makers.record(token, 'share', 'two');
    await clock.advance(1);
    makers.record(token, 'share', 'one');
    makers.record(app, 'share', 'one');
    expect(makers.ofToken('t')).toEqual(named('two', 'one'));
    expect(makers.ofApp('a', 'ann')).toEqual(named('one'));
    expect([makers.ofToken('u'), makers.ofApp('b', 'ann'), makers.ofApp('a', 'ben')]).toEqual([[], [], []]);
    shares.delete('two');
    expect(makers.ofToken('t')).toEqual(named('one'));
    makers.forget('share', 'one');
    expect(makers.ofToken('t')).toEqual([]);
    makers.record(token, 'share', 'one');
    run('UPDATE access_tokens SET expired_at = 1');
    expect(makers.ofToken('t')).toEqual([]);
  });

  it('is called a flow where it is one', () => {
    makers.register('outward_flow', { find: () => ({ name: 'Siren', homeId: HOME }), end() {} });
    makers.record(addToken('t'), 'outward_flow', 'f');
    expect(makers.ofToken('t')).toEqual([{ kind: 'flow', id: 'f', name: 'Siren', homeId: HOME }]);
  });

  it('is its own; what people and the system made is anyone’s', () => {
    const [token, other, app] = [addToken('t'), addToken('u'), addApp('a')];
    makers.record(token, 'share', 'one');
    makers.record(userCaller('ann'), 'share', 'one');
    makers.record(systemCaller, 'share', 'one');
    const owns = (caller: Caller, id = 'one') => makers.isOwn(caller, 'share', id);
    expect([token, other, app, userCaller('ann'), systemCaller].map((caller) => owns(caller))).toEqual([
      ...[true, false, false, true, true],
    ]);
    expect(owns(token, 'two')).toBe(false);
  });

  it('is all that an app or a token that expires may change', () => {
    const [lasting, passing, app] = [addToken('t'), addToken('u', { expiresAt: clock.now() + HOUR_MS }), addApp('a')];
    const may = (caller: Caller, id: string): boolean => {
      try {
        makers.requireMayChange(caller, 'share', id);
        return true;
      } catch (error) {
        expect(error).toMatchObject({ code: 'insufficient_permissions' });
        return false;
      }
    };
    makers.record(passing, 'share', 'one');
    makers.record(app, 'share', 'two');
    const callers = [lasting, passing, app, userCaller('ann'), systemCaller];
    expect(callers.map((caller) => may(caller, 'one'))).toEqual([true, true, false, true, true]);
    expect(callers.map((caller) => may(caller, 'two'))).toEqual([true, false, true, true, true]);
    const unknownExpiry = callerOf({ kind: 'access_token', tokenId: 't', homePermissions: null, makerId: null });
    expect(may(unknownExpiry, 'one')).toBe(true);
  });
});

describe('what a token made stands', () => {
  it('where nothing of the kind made it', () => {
    expect([stands(), stands(null)]).toEqual([true, true]);
  });

  it('while the token’s maker manages its home', () => {
    makers.record(addToken('t'), 'share', 'one');
    expect([stands(), stands(null), stands(OTHER)]).toEqual([true, true, false]);
    role = 'control';
    expect([stands(), stands(null)]).toEqual([false, false]);
  });

  it('while the token is not limited to less', () => {
    makers.record(addToken('t', { homePermissions: { [HOME]: 'control' } }), 'share', 'one');
    expect(stands()).toBe(false);
  });

  it('everywhere, of a token of the command line', () => {
    makers.record(addToken('t', { makerId: null }), 'share', 'one');
    expect([stands(), stands(OTHER), stands(null)]).toEqual([true, true, true]);
  });

  it.each([
    ['is gone', 'DELETE FROM access_tokens'],
    ['was ended with all that it made', 'UPDATE access_tokens SET made_ended_at = 1'],
    ['expired', 'UPDATE access_tokens SET expired_at = 1'],
  ])('no more once the token %s', (_, sql) => {
    makers.record(addToken('t'), 'share', 'one');
    run(sql);
    expect(stands()).toBe(false);
  });

  it('until the token’s end comes, and with every maker that it has', async () => {
    makers.record(addToken('t'), 'share', 'one');
    makers.record(addToken('u', { expiresAt: clock.now() + HOUR_MS }), 'share', 'one');
    await clock.advance(HOUR_MS - 1);
    expect(stands()).toBe(true);
    await clock.advance(1);
    expect(stands()).toBe(false);
  });
});

describe('what an app made stands', () => {
  beforeEach(() => makers.record(addApp('a'), 'share', 'one'));

  it('while the app is signed in, its person manages the home, and allows it as much', async () => {
    expect([stands(), stands(null), stands(OTHER)]).toEqual([true, true, false]);
    run("UPDATE oauth_consents SET scope = 'write'");
    expect(stands()).toBe(false);
    run(`UPDATE oauth_consents SET scope = 'admin', home_permissions = '{"${HOME}":"control"}'`);
    expect(stands()).toBe(false);
    run('UPDATE oauth_consents SET home_permissions = NULL');
    expect(stands()).toBe(true);
    role = 'control';
    expect(stands()).toBe(false);
  });

  it.each([
    ['signed out', 'DELETE FROM oauth_artifacts'],
    ['lost its sign-in', 'UPDATE oauth_artifacts SET consumed_at = 1'],
    ['expired', 'UPDATE oauth_artifacts SET expired_at = 1'],
    ['is not allowed any more', 'DELETE FROM oauth_consents'],
  ])('no more once the app %s', (_, sql) => {
    run(sql);
    expect(stands()).toBe(false);
  });

  it('not again once it is allowed a second time, until the app makes it again', async () => {
    run('DELETE FROM oauth_consents');
    await clock.advance(1);
    allow('a');
    expect(stands()).toBe(false);
    makers.record(appCaller('a', 'second'), 'share', 'one');
    expect(stands()).toBe(true);
  });

  it('no more once its sign-in is revoked; what it made by another one goes on', () => {
    makers.record(appCaller('a', 'another'), 'share', 'two');
    makers.endGrant('grant of a');
    expect(ended).toEqual(['one']);
    expect(makers.ofApp('a', 'ann')).toEqual(named('two'));
  });
});

describe('things of a maker that has ended', () => {
  it('end at the start, and within a minute of its end', async () => {
    makers.record(addToken('t', { expiresAt: clock.now() }), 'share', 'one');
    makers.record(addToken('u', { expiresAt: clock.now() + HOUR_MS }), 'share', 'two');
    await clock.advance(MINUTE_MS);
    expect(ended).toEqual([]);
    makers.start();
    expect(ended).toEqual(['one']);
    await clock.advance(HOUR_MS - MINUTE_MS - 1);
    expect(ended).toEqual(['one']);
    await clock.advance(MINUTE_MS);
    expect(ended).toEqual(['one', 'two']);
    expect(clock.pendingTimers).toBe(0);
  });

  it('are tried again in a minute where that fails, and keep no others', async () => {
    const token = addToken('t', { expiresAt: clock.now() });
    makers.record(token, 'share', 'one');
    makers.record(token, 'share', 'two');
    failures = 1;
    makers.start();
    expect(ended).toEqual(['two']);
    await clock.advance(MINUTE_MS);
    expect(ended).toEqual(['two', 'one']);
  });

  it('end with all that they made themselves, in one go', () => {
    makers.register('access_token', {
      find: () => ({ name: 'Made', homeId: null }),
      end: (id) => run(`UPDATE access_tokens SET made_ended_at = 1 WHERE id = '${id}'`),
    });
    makers.record(addToken('t', { expiresAt: clock.now() }), 'access_token', 'u');
    makers.record(addToken('u'), 'share', 'one');
    makers.sweep();
    expect(ended).toEqual(['one']);
  });

  it('that are gone already, or of a kind that is unknown, are forgotten', () => {
    const token = addToken('t', { expiresAt: clock.now() });
    makers.record(token, 'share', 'gone');
    makers.record(token, 'webhook', 'w');
    makers.sweep();
    expect(ended).toEqual([]);
    expect([makers.isOwn(token, 'share', 'gone'), makers.isOwn(token, 'webhook', 'w')]).toEqual([false, false]);
  });

  it('are looked for after a stop no more', async () => {
    makers.start();
    makers.record(addToken('t', { expiresAt: clock.now() + MINUTE_MS }), 'share', 'one');
    expect(clock.pendingTimers).toBe(1);
    makers.stop();
    makers.record(addToken('u'), 'share', 'two');
    expect(clock.pendingTimers).toBe(0);
    await clock.advance(HOUR_MS);
    expect(ended).toEqual([]);
  });

  it('are news to those who asked for them', () => {
    let news = 0;
    makers.onChange(() => {
      news += 1;
    });
    makers.sweep();
    expect(news).toBe(1);
  });
});
