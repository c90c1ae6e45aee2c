/**
 * Users' roles in homes, as every authorization reads them: from memory, reloaded after each change of the table. So
 * removing a role takes effect at once for every session, token, app and share of the user.
 */
import type { RoleSource } from '../access/authorize.ts';
import type { Role } from '../access/caller.ts';
import type { MemberStore, Membership } from './member-store.ts';

export class MemberRoles implements RoleSource {
  readonly #store: Pick<MemberStore, 'load'>;
  #byUser: Map<string, Map<string, Membership>> | undefined;

  constructor(store: Pick<MemberStore, 'load'>) {
    this.#store = store;
  }

  roleOf(userId: string, homeId: string): Role | undefined {
    return this.#memberships().get(userId)?.get(homeId)?.role;
  }

  homesOf(userId: string): readonly string[] {
    return [...(this.#memberships().get(userId)?.keys() ?? [])];
  }

  /** The members of a home, oldest first. */
  of(homeId: string): readonly Membership[] {
    return [...this.#memberships().values()]
      .flatMap((homes) => homes.get(homeId) ?? [])
      .sort((a, b) => a.createdAt - b.createdAt);
  }

  /** Discards the cached roles after a change of the table. */
  refresh(): void {
    this.#byUser = undefined;
  }

  #memberships(): Map<string, Map<string, Membership>> {
    this.#byUser ??= indexByUser(this.#store.load());
    return this.#byUser;
  }
}

function indexByUser(all: readonly Membership[]): Map<string, Map<string, Membership>> {
  const byUser = new Map<string, Map<string, Membership>>();
  for (const membership of all) {
    const homes = byUser.get(membership.userId) ?? new Map<string, Membership>();
    byUser.set(membership.userId, homes.set(membership.homeId, membership));
  }
  return byUser;
}
