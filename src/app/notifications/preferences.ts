/**
 * Notification preferences as operations: which channels an owner wants for which notifications. They belong to a user
 * or, without users, to the home. The home's preferences apply to everyone, so only its admins change them.
 */
import { CHANNELS, type ChannelName, PreferencePlace, type PreferenceScope } from '../../contract/notifications.ts';
import { parseInput } from '../../contract/parse.ts';
import { HearthError } from '../../kernel/errors.ts';
import { newId } from '../../kernel/ids.ts';
import type { AppDeps } from '../access/app-deps.ts';
import { type AccessLevel, insufficientPermissions } from '../access/authorize.ts';
import { type Caller, ownerOf } from '../access/caller.ts';
import {
  type ChannelChoice,
  findChoice,
  type NotificationPreference,
  type NotificationSubject,
  resolveChoice,
} from './preference.ts';
import type { PreferenceStore } from './preference-store.ts';

/** Several per automation of a large home. */
const MAX_PREFERENCES_PER_OWNER = 2_000;

interface Deps extends AppDeps<'state' | 'access'> {
  readonly store: PreferenceStore;
}

/** A scope whose subject exists and is visible to the caller. */
interface Place {
  readonly scope: PreferenceScope;
  readonly scopeId: string | null;
}

export class NotificationPreferences {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /**
   * The caller’s own preferences for subjects it may view, the global one first. Any caller may call it; empty for a
   * caller that cannot own preferences.
   */
  list(caller: Caller): readonly NotificationPreference[] {
    const owner = ownerOf(caller);
    if (owner === undefined) return [];
    return this.#deps.store.listOf(owner).filter(({ scope, scopeId }) => {
      const homeId = this.#homeOf(scope, scopeId);
      return scope === 'global' || (homeId !== undefined && this.#deps.access.mayIn(caller, 'view', homeId));
    });
  }

  /**
   * Sets the caller’s own preference for a scope. A user’s own requires view access to the home. The home’s requires
   * its admin; the global one an admin of any home.
   * @param channels omitted ones keep the scope's current choice.
   * @throws `home_not_found` · `automation_not_found` · `insufficient_permissions` · `invalid_value` the scope or its
   *         id · `conflict` there are too many
   */
  set(
    caller: Caller,
    input: PreferencePlace,
    channels: { readonly [name in ChannelName]?: boolean | undefined },
  ): NotificationPreference {
    const { owner, place } = this.#authorized(caller, input);
    const { store } = this.#deps;
    const own = store.listOf(owner);
    const existing = own.find(({ scope, scopeId }) => scope === place.scope && scopeId === place.scopeId);
    if (!existing && own.length >= MAX_PREFERENCES_PER_OWNER) {
      throw new HearthError(
        'conflict',
        `There are at most ${MAX_PREFERENCES_PER_OWNER} preferences. Delete one first.`,
      );
    }
    const before = resolveChoice(own, this.#subjectOf(place));
    const chosen = Object.fromEntries(CHANNELS.map((name) => [name, channels[name] ?? before[name]]));
    const preference: NotificationPreference = {
      ...place,
      id: existing?.id ?? newId(),
      channels: { ...before, ...chosen },
    };
    store.save(owner, preference);
    return preference;
  }

  /**
   * Deletes the caller’s own preference for a scope, so that the next wider one applies. Permissions as `set`.
   * @returns whether it existed.
   * @throws as `set`
   */
  delete(caller: Caller, input: PreferencePlace): boolean {
    const { owner, place } = this.#authorized(caller, input);
    return this.#deps.store.delete(owner, place.scope, place.scopeId);
  }

  /** The channels for a notification. @param ownerId the user it is for; `null` = the home */
  resolve(ownerId: string | null, subject: NotificationSubject): ChannelChoice {
    return resolveChoice(this.#deps.store.listOf(ownerId), subject);
  }

  /** The channels to a user alone, for a notification of the home: without a choice of the user, the home's. */
  resolveFor(userId: string, subject: NotificationSubject): ChannelChoice {
    return findChoice(this.#deps.store.listOf(userId), subject) ?? this.resolve(null, subject);
  }

  /** Deletes preferences for deleted homes and automations. */
  sweep(): void {
    this.#deps.store.deleteOrphans();
  }

  #authorized(caller: Caller, input: PreferencePlace): { owner: string | null; place: Place } {
    const owner = ownerOf(caller);
    if (owner === undefined) throw insufficientPermissions();
    const action: AccessLevel = owner === null ? 'manage' : 'view';
    const { scope, scopeId: id } = parseInput(PreferencePlace, input);
    const { access, state } = this.#deps;
    if (scope === 'global') {
      if (id) {
        throw new HearthError('invalid_value', 'Invalid value for scopeId: the global scope has none.', {
          field: 'scopeId',
        });
      }
      if (action === 'manage') access.authorizeAny(caller, action);
      return { owner, place: { scope, scopeId: null } };
    }
    if (!id) {
      throw new HearthError('invalid_value', `Invalid value for scopeId: give the id of the ${scope}.`, {
        field: 'scopeId',
      });
    }
    const scopeId = id.toLowerCase();
    const homeId = this.#homeOf(scope, scopeId);
    if (scope === 'home') access.authorizeHome(caller, action, homeId === undefined ? undefined : state.home(homeId));
    else access.authorizeIn(caller, action, homeId === undefined ? undefined : { homeId }, 'automation_not_found');
    return { owner, place: { scope, scopeId } };
  }

  /** The home of a scope's subject, if it exists. */
  #homeOf(scope: PreferenceScope, scopeId: string | null): string | undefined {
    if (scopeId === null) return undefined;
    return scope === 'home' ? this.#deps.state.home(scopeId)?.id : this.#deps.store.homeOfAutomation(scopeId);
  }

  #subjectOf({ scope, scopeId }: Place): NotificationSubject {
    return {
      homeId: this.#homeOf(scope, scopeId) ?? null,
      automationId: scope === 'automation' ? scopeId : null,
    };
  }
}
