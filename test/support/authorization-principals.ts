/** All callers: each kind, with each role, permission and scope that makes a difference, and those without access. */
import { randomBytes } from 'node:crypto';
import { expect } from 'vitest';
import type { HomePermissions, Role } from '../../src/app/access/caller.ts';
import { type ResourceKind, resourceUrn } from '../../src/app/oauth/resource.ts';
import type { AuthorizationFixture, Credentials } from './authorization-fixture.ts';
import { PLACES, type Scope, type Standing, type Worth, worthOf } from './authorization-model.ts';
import { systemCaller } from './test-home.ts';

export interface Principal extends Standing {
  readonly name: string;
  /** Signs in to this relay, and returns the credentials. */
  arrive(fixture: AuthorizationFixture): Promise<Credentials>;
}

/** What limits a token or an app, home by home. Of neither home: to a third one. */
export type Permissions = Readonly<Partial<Record<'own' | 'foreign', 'control' | 'view'>>> | null;

const EVERYTHING: Worth = { own: 'owner', foreign: 'owner' };
const HOUR_MS = 3_600_000;
const YEAR_MS = 366 * 24 * HOUR_MS;

const answer = (worth: Worth | Permissions): string =>
  worth === null
    ? 'everything'
    : PLACES.flatMap((place) => (worth[place] ? `${worth[place]} of ${place}` : [])).join(', ') || 'nothing';

function permissionsIn({ ids, elsewhere }: AuthorizationFixture, permissions: Permissions): HomePermissions {
  if (permissions === null) return null;
  if (PLACES.every((place) => permissions[place] === undefined)) return { [elsewhere]: 'control' };
  return Object.fromEntries(
    PLACES.flatMap((place) => (permissions[place] ? [[ids[place].home, permissions[place]]] : [])),
  );
}

export function session(worth: Worth): Principal {
  const name = `a session of somebody who is ${answer(worth)}`;
  return {
    name,
    kind: 'session',
    worth,
    person: 'somebody',
    arrive: async (fixture) => ({ token: (await fixture.signIn(name, worth)).token }),
  };
}

/** Made by the command line. */
export function tokenOfHome(permissions: Permissions): Principal {
  return {
    name: `a token of the home for ${answer(permissions)}`,
    kind: 'token',
    worth: worthOf(EVERYTHING, permissions),
    ...(permissions === null ? { everywhere: true } : { isLimited: true }),
    async arrive(fixture) {
      const homePermissions = permissionsIn(fixture, permissions);
      return { token: fixture.test.tokens.create(systemCaller, { name: 'House', homePermissions }).token };
    },
  };
}

/** Made by a user who owned both homes then, and has this role now. */
export function tokenOf(person: Worth, permissions: Permissions): Principal {
  const name = `a token for ${answer(permissions)}, made by somebody who is now ${answer(person)}`;
  return {
    name,
    kind: 'token',
    worth: worthOf(person, permissions),
    person: 'somebody',
    ...(permissions !== null && { isLimited: true }),
    async arrive(fixture) {
      const { userId, caller } = await fixture.signIn(name, EVERYTHING);
      const homePermissions = permissionsIn(fixture, permissions);
      const { token } = fixture.test.tokens.create(caller, { name: 'Own', homePermissions });
      fixture.setWorth(userId, person);
      return { token };
    },
  };
}

interface AppOptions {
  readonly permissions?: Permissions;
  readonly resource?: ResourceKind;
}

/** An app that a user allowed this when they owned both homes; they have the role `person` now. */
export function app(scope: Scope, person: Worth, { permissions = null, resource = 'api' }: AppOptions = {}): Principal {
  const name = `an app (${scope}, ${resource}) for ${answer(permissions)}, let in by somebody who is now ${answer(person)}`;
  return {
    name,
    kind: 'app',
    worth: worthOf(person, permissions, scope),
    person: 'somebody',
    scope,
    ...(permissions !== null && { isLimited: true }),
    ...(resource === 'mcp' && { mcpAlone: true }),
    async arrive(fixture) {
      const { userId, token } = await authorizeApp(fixture, name, { scope, permissions, resource });
      fixture.setWorth(userId, person);
      return { token };
    },
  };
}

/** One app that every user allows: how many may register in an hour is limited. */
const clients = new WeakMap<AuthorizationFixture, { readonly id: string }>();

function register(oauthClients: AuthorizationFixture['test']['oauthClients']): { readonly id: string } {
  const metadata = { redirect_uris: ['http://127.0.0.1/callback'], token_endpoint_auth_method: 'none' };
  return oauthClients.register(systemCaller, metadata).client;
}

async function authorizeApp(
  fixture: AuthorizationFixture,
  name: string,
  { scope, permissions, resource }: { scope: Scope; permissions: Permissions; resource: ResourceKind },
) {
  const { oauthClients, oauthArtifacts, authorizedApps } = fixture.test;
  const { userId, caller } = await fixture.signIn(name, EVERYTHING);
  const client = clients.get(fixture) ?? register(oauthClients);
  clients.set(fixture, client);
  const homePermissions = permissionsIn(fixture, permissions);
  authorizedApps.allow(caller, { clientId: client.id, scope, homePermissions, resource });
  const [grantId, token, refreshToken] = [newSecret(), newSecret(), newSecret()];
  const of = { clientId: client.id, userId, grantId, ttlMs: HOUR_MS };
  const payload = { aud: resourceUrn(resource), scope: `mcp:${scope}` };
  oauthArtifacts.save({ ...of, kind: 'Grant', value: grantId, payload: {}, ttlMs: YEAR_MS });
  oauthArtifacts.save({ ...of, kind: 'AccessToken', value: token, payload });
  oauthArtifacts.save({ ...of, kind: 'RefreshToken', value: refreshToken, payload });
  return { userId, caller, token, refreshToken, grantId, clientId: client.id };
}

const newSecret = (): string => randomBytes(32).toString('base64url');
const ALL_OF_IT = { scope: 'admin', permissions: null, resource: 'api' } as const;

function anonymous(
  name: string,
  arrive: (fixture: AuthorizationFixture) => Promise<string | undefined> | string | undefined,
): Principal {
  return { name, kind: 'anonymous', worth: null, arrive: async (fixture) => ({ token: await arrive(fixture) }) };
}

/** Callers without access, also those that once had it. */
export const STRANGERS: readonly Principal[] = [
  anonymous('anonymous', () => undefined),
  anonymous('what is no token', () => 'null'),
  anonymous('an unknown token', () => `hc_${'A'.repeat(43)}`),
  anonymous('an expired token', (fixture) => {
    const expiresAt = fixture.test.clock.now() + HOUR_MS;
    return expire(fixture, fixture.test.tokens.create(systemCaller, { name: 'Old', expiresAt }).token);
  }),
  anonymous('a revoked token', ({ test }) => {
    const { token, info } = test.tokens.create(systemCaller, { name: 'Gone' });
    test.tokens.revoke(systemCaller, info.id);
    return token;
  }),
  anonymous('a token of somebody who has no account any more', async (fixture) => {
    const { userId, caller } = await fixture.signIn('Somebody with a token who left', EVERYTHING);
    const { token } = fixture.test.tokens.create(caller, { name: 'Left' });
    fixture.test.users.delete(systemCaller, userId);
    return token;
  }),
  anonymous('a session that has ended', async (fixture) => {
    const { caller, token } = await fixture.signIn('Somebody who signed out', EVERYTHING);
    fixture.test.sessions.endAll(caller);
    return token;
  }),
  anonymous('a session of somebody who has no account any more', async (fixture) => {
    const { userId, token } = await fixture.signIn('Somebody with a session who left', EVERYTHING);
    fixture.test.users.delete(systemCaller, userId);
    return token;
  }),
  anonymous('a session that nobody signed', async (fixture) => {
    const { token } = await fixture.signIn('Somebody who forges', EVERYTHING);
    const [, claims] = token.split('.');
    const header = Buffer.from(JSON.stringify({ alg: 'none', typ: 'JWT' })).toString('base64url');
    return `${header}.${claims}.`;
  }),
  anonymous('a session with another’s claims', async (fixture) => {
    const { token } = await fixture.signIn('Somebody who would be founder', EVERYTHING);
    const [header, claims = '', signature] = token.split('.');
    const all = JSON.parse(Buffer.from(claims, 'base64url').toString('utf8'));
    const forged = { ...all, sub: fixture.founder.userId };
    return `${header}.${Buffer.from(JSON.stringify(forged)).toString('base64url')}.${signature}`;
  }),
  anonymous('an app’s token that has expired', async (fixture) => {
    const { token } = await authorizeApp(fixture, 'Somebody with an app of old', ALL_OF_IT);
    return expire(fixture, token);
  }),
  anonymous('an app that is not let in any more', async (fixture) => {
    const { caller, token, clientId } = await authorizeApp(fixture, 'Somebody who thought better', ALL_OF_IT);
    fixture.test.authorizedApps.revoke(caller, clientId);
    return token;
  }),
  anonymous('an app whose grant has ended', async (fixture) => {
    const { token, grantId } = await authorizeApp(fixture, 'Somebody whose app left', ALL_OF_IT);
    fixture.test.oauthArtifacts.revokeGrant(grantId);
    return token;
  }),
  anonymous(
    'an app’s refresh token',
    async (fixture) => (await authorizeApp(fixture, 'Somebody with an app', ALL_OF_IT)).refreshToken,
  ),
  anonymous('the hash of a share link as a token', (fixture) => fixture.links.own),
];

/** Lets it expire, for good: the clock goes back, so that nothing else is old enough to. */
async function expire({ test }: AuthorizationFixture, token: string): Promise<string> {
  test.clock.jumpWallClock(HOUR_MS + 1);
  await expect((async () => test.credentials.authenticate(token))()).rejects.toThrow('Token expired');
  test.clock.jumpWallClock(-HOUR_MS - 1);
  return token;
}

const ROLES_IN_OWN: readonly Worth[] = (['owner', 'admin', 'control', 'view'] as const).map((own: Role) => ({ own }));
const [OWNER = {}, ADMIN = {}, CONTROL = {}, VIEW = {}] = ROLES_IN_OWN;
const NONE: Worth = {};
const BOTH: Worth = { own: 'view', foreign: 'admin' };

const SYSTEM: Principal = {
  name: 'the system, over its socket',
  kind: 'system',
  worth: EVERYTHING,
  everywhere: true,
  arrive: async () => ({ viaSocket: true }),
};

const FOUNDER: Principal = {
  name: 'a session of the founder',
  kind: 'session',
  worth: EVERYTHING,
  person: 'the founder',
  arrive: async (fixture) => ({ token: fixture.founder.token }),
};

const NO_DEVELOPER: Principal = {
  ...session(OWNER),
  name: 'a session of an owner without Developer Mode',
  isNoDeveloper: true,
  async arrive(fixture) {
    const { caller, token } = await fixture.signIn('an owner without Developer Mode', OWNER);
    fixture.test.userSettings.update(caller, { developerMode: false });
    return { token };
  },
};

/** One of every kind, role, permission and scope: who is tried at every door. */
export const KNOWN: readonly Principal[] = [
  SYSTEM,
  FOUNDER,
  ...ROLES_IN_OWN.map(session),
  session(BOTH),
  session(NONE),
  NO_DEVELOPER,
  tokenOfHome(null),
  tokenOfHome({ own: 'control' }),
  tokenOfHome({ own: 'view' }),
  tokenOfHome({ own: 'view', foreign: 'control' }),
  tokenOfHome({}),
  ...[...ROLES_IN_OWN, NONE].map((worth) => tokenOf(worth, null)),
  tokenOf(OWNER, { own: 'control' }),
  tokenOf(OWNER, { own: 'view' }),
  tokenOf(VIEW, { own: 'control' }),
  tokenOf(OWNER, { foreign: 'control' }),
  app('read', OWNER),
  app('write', OWNER),
  app('admin', OWNER),
  app('admin', ADMIN),
  app('admin', CONTROL),
  app('admin', VIEW),
  app('admin', NONE),
  app('admin', OWNER, { permissions: { own: 'view' } }),
  app('write', OWNER, { permissions: { own: 'control' } }),
  app('admin', OWNER, { resource: 'mcp' }),
];

/** Every combination there is of a person's role, a permission and a scope. */
export function everyCombination(): readonly Principal[] {
  const people = [...ROLES_IN_OWN, NONE, BOTH];
  const permissions: readonly Permissions[] = [
    null,
    { own: 'view' },
    { own: 'control' },
    { foreign: 'control' },
    { own: 'control', foreign: 'view' },
  ];
  const scopes: readonly Scope[] = ['read', 'write', 'admin'];
  return [
    SYSTEM,
    FOUNDER,
    ...people.map(session),
    ...[{}, ...permissions].map(tokenOfHome),
    ...people.flatMap((person) => permissions.map((limit) => tokenOf(person, limit))),
    ...scopes.flatMap((scope) =>
      people.flatMap((person) => permissions.map((limit) => app(scope, person, { permissions: limit }))),
    ),
  ];
}
