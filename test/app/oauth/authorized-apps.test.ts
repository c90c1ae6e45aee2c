/** What people allow apps, over a real home with accounts. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Caller } from '../../../src/app/access/caller.ts';
import type { AppConsent } from '../../../src/app/oauth/authorized-apps.ts';
import { callerOf, createTestHome, systemCaller, type TestHome, tokenCaller } from '../../support/test-home.ts';
import { anonymousCaller, CountingHasher, createUser, type TestUser } from '../../support/test-users.ts';

const MINUTE_MS = 60_000;
const NOTHING = '00000000-0000-4000-8000-000000000000';

let home: TestHome;
let ann: TestUser;
let ben: TestUser;
/** The ids of two apps. */
let lights: string;
let blinds: string;

beforeEach(async () => {
  home = createTestHome({ passwordHasher: new CountingHasher() });
  ann = await createUser(home, { name: 'Ann', founder: true });
  ben = await createUser(home, { name: 'Ben', role: 'admin' });
  [lights, blinds] = ['Lights', 'Blinds'].map(register) as [string, string];
});
afterEach(() => home.close());

function register(name: string): string {
  const metadata = { redirect_uris: ['https://app.example/callback'], client_name: name };
  return home.oauthClients.register(anonymousCaller(), metadata).client.id;
}

function allow(clientId: string, { caller }: TestUser = ann, changes: Partial<AppConsent> = {}): void {
  home.authorizedApps.allow(caller, { clientId, scope: 'admin', homePermissions: null, resource: 'api', ...changes });
}

const appCaller = (clientId: string, { user }: TestUser = ann, scope: 'write' | 'admin' = 'admin'): Caller =>
  callerOf({ kind: 'oauth_client', clientId, userId: user.id, scope, homePermissions: null });

const listed = (caller: Caller) =>
  home.authorizedApps.list(caller).map(({ clientName, userId }) => [clientName, userId]);
const error = (code: string) => expect.objectContaining({ code });

describe('authorized apps', () => {
  beforeEach(async () => {
    allow(lights);
    await home.clock.advance(1);
    allow(blinds);
    await home.clock.advance(1);
    allow(lights, ben);
  });

  it('are listed to their person, and all of them to the system, oldest first', () => {
    const [annsLights, annsBlinds] = [
      ['Lights', ann.user.id],
      ['Blinds', ann.user.id],
    ];
    const bens = ['Lights', ben.user.id];
    expect(listed(ann.caller)).toEqual([annsLights, annsBlinds]);
    expect(listed(ben.caller)).toEqual([bens]);
    for (const caller of [systemCaller, tokenCaller()]) expect(listed(caller)).toEqual([annsLights, annsBlinds, bens]);
    expect(listed(appCaller(lights))).toEqual([annsLights, annsBlinds]);
  });

  it('are for no caller with limits of its own, and for none without a person', () => {
    for (const caller of [
      appCaller(lights, ann, 'write'),
      tokenCaller({ [home.home.id]: 'control' }),
      anonymousCaller(),
    ]) {
      expect(() => home.authorizedApps.list(caller)).toThrow(error('insufficient_permissions'));
      expect(() => home.authorizedApps.revoke(caller, lights)).toThrow(error('insufficient_permissions'));
    }
    for (const caller of [systemCaller, tokenCaller(), appCaller(lights)]) {
      expect(() => home.authorizedApps.update(caller, lights, null)).toThrow(error('insufficient_permissions'));
    }
  });

  it('are revoked for their person alone, or by the system for all, with what they made', () => {
    const { caller } = ann;
    const made = { kind: 'share', id: expect.any(String), name: expect.any(String), homeId: null };
    home.makers.register('share', { find: (id) => ({ name: id, homeId: null }), end() {} });
    home.makers.record(appCaller(lights), 'share', 'of lights');
    home.makers.record(appCaller(blinds), 'share', 'of blinds');
    home.makers.record(appCaller(lights, ben), 'share', 'of ben');
    expect(home.authorizedApps.revoke(caller, lights)).toEqual([{ ...made, name: 'of lights', id: 'of lights' }]);
    expect(listed(systemCaller)).toEqual([
      ['Blinds', ann.user.id],
      ['Lights', ben.user.id],
    ]);
    expect(() => home.authorizedApps.revoke(caller, lights)).toThrow(error('not_found'));
    allow(lights);
    expect(home.authorizedApps.revoke(systemCaller, lights)).toEqual([{ ...made, name: 'of ben', id: 'of ben' }]);
    expect(listed(systemCaller)).toEqual([['Blinds', ann.user.id]]);
  });

  it('reach the homes that their person chooses among those that are there and that they see', () => {
    const other = home.homes.create(ann.caller, { name: 'Cabin' });
    const here = home.home.id;
    const update = ({ caller }: TestUser, permissions: unknown) =>
      home.authorizedApps.update(caller, lights, permissions).homePermissions;
    expect(update(ann, { [here]: 'view', [other.id]: 'control' })).toEqual({ [here]: 'view', [other.id]: 'control' });
    expect(home.authorizedApps.list(ann.caller)[0]?.homePermissions).toEqual({ [here]: 'view', [other.id]: 'control' });
    expect(update(ann, null)).toBeNull();
    expect(update(ben, { [here]: 'view' })).toEqual({ [here]: 'view' });
    expect(() => update(ben, { [other.id]: 'view' })).toThrow(error('home_not_found'));
    expect(() => update(ann, { [NOTHING]: 'view' })).toThrow(error('home_not_found'));
    home.homes.delete(ann.caller, other.id);
    expect(() => update(ann, { [other.id]: 'view' })).toThrow(error('home_not_found'));
    expect(() => home.authorizedApps.update(ben.caller, blinds, null)).toThrow(error('not_found'));
  });
});

describe('an app', () => {
  const allowed = (scope: 'read' | 'write' | 'admin', resource: 'api' | 'mcp' = 'api', { caller }: TestUser = ann) =>
    home.authorizedApps.allowed(caller, lights, scope, resource);

  it('is asked for again where it wants more than it was allowed', () => {
    expect(allowed('read')).toBeUndefined();
    allow(lights, ann, { scope: 'write', resource: 'mcp' });
    expect([allowed('read', 'mcp'), allowed('write', 'mcp'), allowed('admin', 'mcp'), allowed('read', 'api')]).toEqual([
      ...['read', 'write', undefined, undefined],
    ]);
    expect(allowed('read', 'mcp', ben)).toBeUndefined();
  });

  it('is asked for again where its person sees none of its homes any more', () => {
    const cabin = home.homes.create(ann.caller, { name: 'Cabin' });
    allow(lights, ann, { homePermissions: { [cabin.id]: 'control' } });
    expect(allowed('write')).toBe('write');
    home.homes.delete(ann.caller, cabin.id);
    expect(allowed('write')).toBeUndefined();
  });

  it('keeps what it was allowed to reach before', () => {
    allow(lights);
    allow(lights, ann, { resource: 'mcp' });
    expect(allowed('read', 'api')).toBe('read');
  });

  it('that is unknown can’t be allowed', () => {
    expect(() => allow(NOTHING)).toThrow(error('not_found'));
  });

  it('counts as used from the moment on when it is allowed', async () => {
    expect(home.oauthClients.find(lights)?.lastUsedAt).toBeNull();
    await home.clock.advance(MINUTE_MS);
    allow(lights);
    expect(home.oauthClients.find(lights)?.lastUsedAt).toBe(home.clock.now());
  });

  it('proves itself by its secret, or by nothing if it has none', () => {
    const metadata = { redirect_uris: ['https://app.example/callback'] };
    const register = (method: string) =>
      home.oauthClients.register(anonymousCaller(), { ...metadata, token_endpoint_auth_method: method });
    const [secretive, open] = [register('client_secret_post'), register('none')];
    const proves = ({ client }: typeof open, secret?: string) => home.oauthClients.proves(client, secret);
    expect([proves(secretive, secretive.secret ?? ''), proves(secretive, 'x'), proves(secretive)]).toEqual([
      ...[true, false, false],
    ]);
    expect([proves(open), proves(open, 'x')]).toEqual([true, false]);
  });
});
