/**
 * Authorization for every API and every kind of caller.
 *
 * What a caller may not see gives the same answer as what does not exist (`not_found`). What it may see but not do is
 * `insufficient_permissions`. A role covers a whole home. A share link covers only the accessories of its share, so it
 * passes no home-wide check (rooms, scenes, lists of homes).
 */
import type { Accessory, Home } from '../../home/model.ts';
import { type ErrorCode, HearthError, unreachable } from '../../kernel/errors.ts';
import { type Caller, type HomePermissions, ROLES, type Role } from './caller.ts';

/** view: read · control: write and execute · manage: layout, pairings, tokens, members · own: delete the home. */
export type AccessLevel = 'view' | 'control' | 'manage' | 'own';

const NEEDED: Readonly<Record<AccessLevel, Role>> = { view: 'view', control: 'control', manage: 'admin', own: 'owner' };

/**
 * The source of users' roles. Read at each check, so that removing a role takes effect at once for every token of the
 * user.
 */
export interface RoleSource {
  roleOf(userId: string, homeId: string): Role | undefined;
  /** The homes in which the user has a role. */
  homesOf(userId: string): readonly string[];
}

/** A relay without user accounts: only the system and its tokens have access. */
export const NO_USERS: RoleSource = { roleOf: () => undefined, homesOf: () => [] };

type NotFoundCode = Extract<ErrorCode, 'not_found' | `${string}_not_found`>;

const NOT_FOUND_SENTENCES: Readonly<Record<NotFoundCode, string>> = {
  not_found: 'Not found',
  home_not_found: 'Home not found',
  room_not_found: 'Room not found',
  accessory_not_found: 'Accessory not found',
  scene_not_found: 'Scene not found',
  zone_not_found: 'Zone not found',
  service_group_not_found: 'Service group not found',
  automation_not_found: 'Automation not found',
  person_not_found: 'Person not found',
  user_not_found: 'User not found',
  share_not_found: 'Share not found',
  webhook_not_found: 'Webhook not found',
  broker_not_found: 'Broker not found',
  characteristic_not_found: 'Characteristic not found',
};

/** The error for what does not exist and, with the same text, for what the caller may not see. */
export function notFound(code: NotFoundCode): HearthError {
  return new HearthError(code, NOT_FOUND_SENTENCES[code]);
}

export function insufficientPermissions(): HearthError {
  return new HearthError('insufficient_permissions', 'Insufficient permissions');
}

/**
 * The signed-in user: for operations that only people may do, and nothing that acts for them. @throws
 * `insufficient_permissions`
 */
export function requireSession({ principal }: Caller): string {
  if (principal.kind === 'user') return principal.userId;
  if (principal.kind === 'enrolling') throw secondStepFirst();
  throw insufficientPermissions();
}

/** As `requireSession`, also for a person who must set a second step up first. @throws `insufficient_permissions` */
export function requirePerson({ principal }: Caller): string {
  if (principal.kind === 'user' || principal.kind === 'enrolling') return principal.userId;
  throw insufficientPermissions();
}

function secondStepFirst(): HearthError {
  return new HearthError('insufficient_permissions', 'Your role needs a second step to sign in. Set one up first.', {
    reason: 'second_step_first',
  });
}

function reaches(role: Role | undefined, action: AccessLevel): boolean {
  return role !== undefined && ROLES.indexOf(role) >= ROLES.indexOf(NEEDED[action]);
}

function weaker(a: Role | undefined, b: Role | undefined): Role | undefined {
  if (a === undefined || b === undefined) return undefined;
  return ROLES.indexOf(a) <= ROLES.indexOf(b) ? a : b;
}

/**
 * The role that a token's own permissions allow in a home: any role without permissions, none if they do not list the
 * home.
 */
function permitted(permissions: HomePermissions, homeId: string): Role | undefined {
  if (permissions === null) return 'owner';
  return Object.hasOwn(permissions, homeId) ? permissions[homeId] : undefined;
}

/** The strongest role that an OAuth scope allows (decisions §7). */
const SCOPE_LIMITS = { read: 'view', write: 'control', admin: 'owner' } as const;

export class Access {
  readonly #roles: RoleSource;

  constructor(roles: RoleSource) {
    this.#roles = roles;
  }

  /** The caller's role over a whole home; `undefined` if it may not see it. Does not check that the home exists. */
  roleIn({ principal }: Caller, homeId: string): Role | undefined {
    const id = homeId.toLowerCase();
    switch (principal.kind) {
      case 'system':
        return 'owner';
      case 'user':
        return this.#roles.roleOf(principal.userId, id);
      case 'access_token': {
        const makersRole = principal.makerId === null ? 'owner' : this.#roles.roleOf(principal.makerId, id);
        return weaker(makersRole, permitted(principal.homePermissions, id));
      }
      case 'oauth_client': {
        const limit = weaker(SCOPE_LIMITS[principal.scope], permitted(principal.homePermissions, id));
        return weaker(this.#roles.roleOf(principal.userId, id), limit);
      }
      case 'anonymous':
      case 'enrolling':
      case 'share_link':
        return undefined;
      case 'automation':
      case 'mqtt_broker':
      case 'publication':
        return principal.homeId === id ? 'control' : undefined;
      default:
        return unreachable(principal);
    }
  }

  /** The caller's role over one accessory. */
  roleOver(caller: Caller, accessory: Pick<Accessory, 'id' | 'homeId'>): Role | undefined {
    const { principal } = caller;
    if (principal.kind !== 'share_link') return this.roleIn(caller, accessory.homeId);
    const shared = principal.homeIds.has(accessory.homeId) && principal.accessoryIds.has(accessory.id);
    return shared ? principal.role : undefined;
  }

  /** Whether `authorizeHome` would succeed. */
  mayIn(caller: Caller, action: AccessLevel, homeId: string): boolean {
    return reaches(this.roleIn(caller, homeId), action);
  }

  /**
   * Returns the given home, if it exists and the caller may do this in it.
   * @throws `home_not_found` it does not exist, or the caller may not see it · `insufficient_permissions` its role is
   *         too weak
   */
  authorizeHome<T extends { readonly id: string }>(caller: Caller, action: AccessLevel, home: T | undefined): T {
    return this.#require(home, home && this.roleIn(caller, home.id), action, 'home_not_found');
  }

  /**
   * As `authorizeHome`, for something of a whole home: a room, a scene, a paired device. @throws as `authorizeHome`,
   * with this code
   */
  authorizeIn<T extends { readonly homeId: string }>(
    caller: Caller,
    action: AccessLevel,
    thing: T | undefined,
    code: NotFoundCode,
  ): T {
    return this.#require(thing, thing && this.roleIn(caller, thing.homeId), action, code);
  }

  /** As `authorizeHome`, for an accessory. @throws `accessory_not_found` · `insufficient_permissions` */
  authorizeAccessory<T extends Pick<Accessory, 'id' | 'homeId'>>(
    caller: Caller,
    action: AccessLevel,
    accessory: T | undefined,
  ): T {
    return this.#require(accessory, accessory && this.roleOver(caller, accessory), action, 'accessory_not_found');
  }

  /** Whether the caller is admin of any home: enough for what belongs to no home, such as discovery. */
  mayManageAny(caller: Caller): boolean {
    return this.#mayAny(caller, 'manage');
  }

  /** @throws `insufficient_permissions` the caller has the role for this in no home. */
  authorizeAny(caller: Caller, action: 'manage' | 'own'): void {
    if (!this.#mayAny(caller, action)) throw insufficientPermissions();
  }

  /**
   * For operations on the relay with all its homes: for the system, and a signed-in user who owns every home. Callers
   * that act for a user are refused.
   * @param homes all homes.
   * @throws `insufficient_permissions`
   */
  authorizeRelay(caller: Caller, homes: readonly Home[]): void {
    const { kind } = caller.principal;
    const ownsAll = kind === 'user' && homes.length > 0 && homes.every(({ id }) => this.mayIn(caller, 'own', id));
    if (kind !== 'system' && !ownsAll) throw insufficientPermissions();
  }

  /** The homes that the caller may see, in the order given. */
  visibleHomes(caller: Caller, homes: readonly Home[]): Home[] {
    return homes.filter(({ id }) => this.roleIn(caller, id) !== undefined);
  }

  /**
   * For writes that name homes of which the caller may see none.
   * @param homes all homes.
   * @throws `insufficient_permissions` the caller does not see every home. If it does, such a home does not exist, and
   *         the report states that.
   */
  requireSeesEveryHome(caller: Caller, homes: readonly Home[]): void {
    const { principal } = caller;
    const isLimited = 'homePermissions' in principal && principal.homePermissions !== null;
    if (isLimited || this.visibleHomes(caller, homes).length < homes.length) throw insufficientPermissions();
  }

  #require<T>(thing: T | undefined, role: Role | undefined, action: AccessLevel, code: NotFoundCode): T {
    if (thing === undefined || role === undefined) throw notFound(code);
    if (!reaches(role, action)) throw insufficientPermissions();
    return thing;
  }

  #mayAny(caller: Caller, action: AccessLevel): boolean {
    const { principal } = caller;
    switch (principal.kind) {
      case 'system':
        return true;
      case 'user':
      case 'oauth_client':
        return this.#roles.homesOf(principal.userId).some((id) => this.mayIn(caller, action, id));
      case 'access_token':
        // A token's own permissions never exceed control.
        if (principal.makerId === null) return principal.homePermissions === null;
        return this.#roles.homesOf(principal.makerId).some((id) => this.mayIn(caller, action, id));
      case 'anonymous':
      case 'enrolling':
      case 'share_link':
      case 'automation':
      case 'mqtt_broker':
      case 'publication':
        return false;
      default:
        return unreachable(principal);
    }
  }
}
