import { describe, expect, it } from 'vitest';
import {
  Access,
  type AccessLevel,
  NO_USERS,
  type RoleSource,
  requirePerson,
  requireSession,
} from '../../../src/app/access/authorize.ts';
import { type HomePermissions, type Principal, ROLES, type Role } from '../../../src/app/access/caller.ts';
import type { Home } from '../../../src/home/model.ts';
import { callerOf, systemCaller } from '../../support/test-home.ts';

const HOME = '0a000000-0000-4000-8000-00000000000a';
const OTHER = '0b000000-0000-4000-8000-00000000000b';
const SHARED = { id: 'shared', homeId: HOME };
const HIDDEN = { id: 'hidden', homeId: HOME };
const FOREIGN = { id: 'foreign', homeId: OTHER };

const ACTIONS: readonly AccessLevel[] = ['view', 'control', 'manage', 'own'];
const NEEDED: Record<AccessLevel, number> = { view: 0, control: 1, manage: 2, own: 3 };

/** A user who has a role in HOME and none in OTHER. */
function usersWith(role: Role | undefined): RoleSource {
  return {
    roleOf: (userId, homeId) => (userId === 'ann' && homeId === HOME ? role : undefined),
    homesOf: (userId) => (userId === 'ann' && role !== undefined ? [HOME] : []),
  };
}

interface Case {
  readonly title: string;
  readonly roles: RoleSource;
  readonly principal: Principal;
  /** What the principal should amount to in HOME and OTHER: an index into ROLES, −1 for nothing. */
  readonly home: number;
  readonly other: number;
}

const USER_ROLES: readonly (Role | undefined)[] = [undefined, ...ROLES];
const PERMISSIONS: readonly HomePermissions[] = [
  null,
  { [HOME]: 'view' },
  { [HOME]: 'control' },
  { [OTHER]: 'control' },
  {},
];
const SCOPES = [
  { scope: 'read', limit: 0 },
  { scope: 'write', limit: 1 },
  { scope: 'admin', limit: 3 },
] as const;

const ACTS_IN_HOME: readonly Principal[] = [
  { kind: 'automation', automationId: 'a', homeId: HOME },
  { kind: 'mqtt_broker', brokerId: 'b', homeId: HOME },
  { kind: 'publication', publicationId: 'p', homeId: HOME, controller: 'c' },
];
const REACHES_NOTHING: readonly Principal[] = [
  { kind: 'anonymous' },
  { kind: 'enrolling', userId: 'ann', sessionId: 's' },
];

const rank = (role: Role | undefined): number => (role === undefined ? -1 : ROLES.indexOf(role));
const limitIn = (permissions: HomePermissions, homeId: string): number =>
  permissions === null ? 3 : rank(permissions[homeId]);

function listCases(): readonly Case[] {
  const cases: Case[] = [
    { title: 'the system', roles: NO_USERS, principal: { kind: 'system' }, home: 3, other: 3 },
    ...ACTS_IN_HOME.map((principal) => ({
      ...{ title: principal.kind, roles: NO_USERS, principal, home: 1, other: -1 },
    })),
    ...REACHES_NOTHING.map((principal) => ({
      ...{ title: principal.kind, roles: usersWith('owner'), principal, home: -1, other: -1 },
    })),
  ];
  for (const role of USER_ROLES) {
    const roles = usersWith(role);
    const user = `a user with role ${role ?? 'none'}`;
    cases.push({
      title: user,
      roles,
      principal: { kind: 'user', userId: 'ann', sessionId: 's' },
      home: rank(role),
      other: -1,
    });
    for (const homePermissions of PERMISSIONS) {
      const limits = JSON.stringify(homePermissions);
      const limit = limitIn(homePermissions, HOME);
      cases.push({
        title: `a token with ${limits} made by ${user}`,
        roles,
        principal: { kind: 'access_token', tokenId: 't', homePermissions, makerId: 'ann' },
        home: Math.min(rank(role), limit),
        other: -1,
      });
      for (const { scope, limit: scopeLimit } of SCOPES) {
        cases.push({
          title: `an app with scope ${scope} and ${limits} for ${user}`,
          roles,
          principal: { kind: 'oauth_client', clientId: 'c', userId: 'ann', scope, homePermissions },
          home: Math.min(rank(role), limit, scopeLimit),
          other: -1,
        });
      }
    }
  }
  for (const homePermissions of PERMISSIONS) {
    cases.push({
      title: `a token with ${JSON.stringify(homePermissions)} made by the system`,
      roles: NO_USERS,
      principal: { kind: 'access_token', tokenId: 't', homePermissions, makerId: null },
      home: limitIn(homePermissions, HOME),
      other: limitIn(homePermissions, OTHER),
    });
  }
  return cases;
}

/** What a check comes to: nothing, or the code it throws. */
function verdict(check: () => void): string {
  try {
    check();
    return 'ok';
  } catch (error) {
    return (error as { code: string }).code;
  }
}

function expected(role: number, action: AccessLevel, hidden: string): string {
  if (role < 0) return hidden;
  return role >= NEEDED[action] ? 'ok' : 'insufficient_permissions';
}

describe('authorize', () => {
  it.each(listCases())(
    'gives $title exactly its role, and hides what it may not see',
    ({ roles, principal, home, other }) => {
      const access = new Access(roles);
      const caller = callerOf(principal);
      for (const action of ACTIONS) {
        for (const [homeId, role, accessory] of [
          [HOME, home, HIDDEN],
          [OTHER, other, FOREIGN],
        ] as const) {
          const home = expected(role, action, 'home_not_found');
          expect(verdict(() => access.authorizeHome(caller, action, { id: homeId }))).toBe(home);
          expect(verdict(() => access.authorizeHome(caller, action, { id: homeId.toUpperCase() }))).toBe(home);
          expect(access.mayIn(caller, action, homeId)).toBe(home === 'ok');
          const room = expected(role, action, 'room_not_found');
          expect(verdict(() => access.authorizeIn(caller, action, { homeId }, 'room_not_found'))).toBe(room);
          const outcome = expected(role, action, 'accessory_not_found');
          expect(verdict(() => access.authorizeAccessory(caller, action, accessory))).toBe(outcome);
        }
        expect(verdict(() => access.authorizeHome(caller, action, undefined))).toBe('home_not_found');
        expect(verdict(() => access.authorizeIn(caller, action, undefined, 'zone_not_found'))).toBe('zone_not_found');
        expect(verdict(() => access.authorizeAccessory(caller, action, undefined))).toBe('accessory_not_found');
      }
      expect(access.mayManageAny(caller)).toBe(Math.max(home, other) >= NEEDED.manage);
      expect(verdict(() => access.authorizeAny(caller, 'own'))).toBe(
        Math.max(home, other) >= NEEDED.own ? 'ok' : 'insufficient_permissions',
      );
    },
  );

  it.each(listCases())(
    'lets $title manage the relay only if it is the system, or a user who owns every home',
    ({ roles, principal, home }) => {
      const access = new Access(roles);
      const isSystem = principal.kind === 'system';
      const ownsHome = principal.kind === 'user' && home === NEEDED.own;
      for (const [homes, isAllowed] of [
        [[], isSystem],
        [[HOME], isSystem || ownsHome],
        [[HOME, OTHER], isSystem],
      ] as const) {
        expect(verdict(() => access.authorizeRelay(callerOf(principal), homes.map(homeOf)))).toBe(
          isAllowed ? 'ok' : 'insufficient_permissions',
        );
      }
    },
  );

  it.each(listCases())(
    'lets $title learn that a home does not exist only if it sees every home, without limits of its own',
    ({ roles, principal, home, other }) => {
      const access = new Access(roles);
      const isLimited = 'homePermissions' in principal && principal.homePermissions !== null;
      for (const [homes, weakest] of [
        [[HOME], home],
        [[HOME, OTHER], Math.min(home, other)],
      ] as const) {
        expect(verdict(() => access.requireSeesEveryHome(callerOf(principal), homes.map(homeOf)))).toBe(
          weakest >= 0 && !isLimited ? 'ok' : 'insufficient_permissions',
        );
      }
    },
  );

  it.each(listCases())('takes $title for a signed-in person only if it is one', ({ principal }) => {
    const caller = callerOf(principal);
    const isUser = principal.kind === 'user';
    const isPerson = isUser || principal.kind === 'enrolling';
    expect(verdict(() => requireSession(caller))).toBe(isUser ? 'ok' : 'insufficient_permissions');
    expect(verdict(() => requirePerson(caller))).toBe(isPerson ? 'ok' : 'insufficient_permissions');
    if (isUser) expect(requireSession(caller)).toBe(principal.userId);
    if (isPerson) expect(requirePerson(caller)).toBe(principal.userId);
  });

  it.each(['view', 'control'] as const)(
    'lets a share link with role %s reach its accessories and nothing else',
    (role) => {
      const access = new Access(NO_USERS);
      const caller = callerOf({
        kind: 'share_link',
        shareHash: 'hash',
        homeIds: new Set([HOME]),
        role,
        accessoryIds: new Set(['shared', 'foreign']),
      });
      for (const action of ACTIONS) {
        const shared = expected(rank(role), action, 'accessory_not_found');
        expect(verdict(() => access.authorizeAccessory(caller, action, SHARED))).toBe(shared);
        expect(verdict(() => access.authorizeAccessory(caller, action, HIDDEN))).toBe('accessory_not_found');
        expect(verdict(() => access.authorizeAccessory(caller, action, FOREIGN))).toBe('accessory_not_found');
        expect(verdict(() => access.authorizeHome(caller, action, { id: HOME }))).toBe('home_not_found');
      }
      expect(access.mayManageAny(caller)).toBe(false);
      expect(access.visibleHomes(caller, [homeOf(HOME)])).toEqual([]);
    },
  );

  it('shows each caller its homes in the order given', () => {
    const access = new Access(usersWith('view'));
    const homes = [homeOf(OTHER), homeOf(HOME)];
    expect(access.visibleHomes(systemCaller, homes)).toEqual(homes);
    expect(access.visibleHomes(callerOf({ kind: 'user', userId: 'ann', sessionId: 's' }), homes)).toEqual([homes[1]]);
    expect(access.visibleHomes(callerOf({ kind: 'user', userId: 'bob', sessionId: 's' }), homes)).toEqual([]);
  });

  it('asks for roles each time, so that a role taken away ends in tokens made before', () => {
    let role: Role | undefined = 'admin';
    const access = new Access({ roleOf: () => role, homesOf: () => [HOME] });
    const token = callerOf({ kind: 'access_token', tokenId: 't', homePermissions: null, makerId: 'ann' });
    expect(access.roleIn(token, HOME)).toBe('admin');
    role = 'view';
    expect(access.roleIn(token, HOME)).toBe('view');
    role = undefined;
    expect(access.roleIn(token, HOME)).toBeUndefined();
  });

  it('is not fooled by homes named like properties of every object', () => {
    const access = new Access(NO_USERS);
    const token = callerOf({ kind: 'access_token', tokenId: 't', homePermissions: { [HOME]: 'view' }, makerId: null });
    for (const id of ['__proto__', 'constructor', 'toString', '']) expect(access.roleIn(token, id)).toBeUndefined();
  });
});

function homeOf(id: string): Home {
  return {
    id,
    name: id,
    privileges: 'edit',
    paused: false,
    timeZone: null,
    location: null,
    background: null,
    pictureHash: null,
    createdAt: 1,
  };
}
