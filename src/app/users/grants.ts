/** Roles that a new account gets: the requested ones, and the founder's over every home. */
import type { HomeState } from '../../home/home-state.ts';
import { HearthError } from '../../kernel/errors.ts';
import type { Access } from '../access/authorize.ts';
import type { Caller, Role } from '../access/caller.ts';
import type { MemberRoles } from './member-roles.ts';
import type { Members } from './members.ts';

export interface HomeGrant {
  readonly role: Role;
  readonly homeIds: readonly string[];
}

export class Grants {
  readonly #state: HomeState;
  readonly #access: Access;
  readonly #roles: MemberRoles;
  readonly #members: Members;

  constructor(deps: { state: HomeState; access: Access; roles: MemberRoles; members: Members }) {
    this.#state = deps.state;
    this.#access = deps.access;
    this.#roles = deps.roles;
    this.#members = deps.members;
  }

  /** @throws `invalid_value` · `home_not_found` · `insufficient_permissions` a role that the caller may not give */
  read(caller: Caller, input: { readonly role?: Role; readonly homeIds?: readonly string[] }): HomeGrant {
    const { homeIds, role = 'control' } = input;
    if (homeIds !== undefined) {
      if (homeIds.length > this.#state.homes().length) {
        throw new HearthError('invalid_value', 'Invalid value for homeIds: name each home once.', { field: 'homeIds' });
      }
      return { role, homeIds: homeIds.map((id) => this.#members.requireCanGrant(caller, id, role).id) };
    }
    const own = this.#state.homes().filter(({ id }) => this.#access.mayIn(caller, 'own', id));
    return { role, homeIds: input.role ? own.map(({ id }) => id) : [] };
  }

  /** Makes a user owner of every home. Call within a transaction. @returns the homes */
  ownEverything(userId: string): readonly string[] {
    const homeIds = this.#state.homes().map(({ id }) => id);
    for (const homeId of homeIds) this.#members.give(homeId, userId, 'owner');
    return homeIds;
  }

  /** The homes that a user belongs to. */
  homesOf(userId: string): readonly string[] {
    return this.#roles.homesOf(userId);
  }
}
