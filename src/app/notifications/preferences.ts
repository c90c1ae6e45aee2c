/**
 * Preferences as operations: by which channels somebody wants to be told of what. They belong to a user or, where there are no
 * users, to the house. Those of the house decide what everybody is told, so that only those who manage it change them.
 */
import type { HomeState } from '../../home/home-state.ts';
import { HearthError } from '../../kernel/errors.ts';
import { newId } from '../../kernel/ids.ts';
import { type Access, type Action, insufficientPermissions } from '../access/authorize.ts';
import { type Caller, ownerOf } from '../access/caller.ts';
import {
  CHANNELS,
  type ChannelChoice,
  type ChannelName,
  type NotificationPreference,
  PREFERENCE_SCOPES,
  type PreferenceScope,
  resolveChoice,
  type Subject,
} from './preference.ts';
import type { PreferenceStore } from './preference-store.ts';

/** One for each automation of a large house, several times over. */
const MAX_PREFERENCES_PER_OWNER = 2_000;

/** As faces hand it over: what is meant, not yet checked. */
export interface PreferenceInput {
  readonly scope: unknown;
  readonly scopeId?: unknown;
}

interface Parts {
  readonly store: PreferenceStore;
  readonly state: HomeState;
  readonly access: Access;
}

/** A scope whose thing was found, and may be seen. */
interface Place {
  readonly scope: PreferenceScope;
  readonly scopeId: string | null;
}

export class NotificationPreferences {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** The caller’s own that are about what it may see, the global one first. For everybody; empty for who can own nothing. */
  list(caller: Caller): readonly NotificationPreference[] {
    const owner = ownerOf(caller);
    if (owner === undefined) return [];
    return this.#parts.store.listOf(owner).filter(({ scope, scopeId }) => {
      const homeId = this.#homeOf(scope, scopeId);
      return scope === 'global' || (homeId !== undefined && this.#parts.access.mayIn(caller, 'view', homeId));
    });
  }

  /**
   * Sets the caller’s own preference for a scope. A user’s own: whoever may view the home; the house’s: its admins, for the global
   * one of any home. @param channels those left out stay as they are for this scope now.
   * @throws `home_not_found` · `automation_not_found` · `insufficient_permissions` · `invalid_value` the scope or its id ·
   *         `conflict` there are too many
   */
  set(
    caller: Caller,
    input: PreferenceInput,
    channels: { readonly [name in ChannelName]?: boolean | undefined },
  ): NotificationPreference {
    const { owner, place } = this.#authorized(caller, input);
    const { store } = this.#parts;
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
   * Deletes the caller’s own preference for a scope, so that the next wider one counts. For whoever may set it.
   * @returns whether there was one. @throws as `set`
   */
  delete(caller: Caller, input: PreferenceInput): boolean {
    const { owner, place } = this.#authorized(caller, input);
    return this.#parts.store.delete(owner, place.scope, place.scopeId);
  }

  /** What counts for a notification. @param ownerId whom it is for; `null` = the house */
  resolve(ownerId: string | null, subject: Subject): ChannelChoice {
    return resolveChoice(this.#parts.store.listOf(ownerId), subject);
  }

  /** Deletes those for homes and automations that are gone. */
  sweep(): void {
    this.#parts.store.deleteOrphans();
  }

  #authorized(caller: Caller, { scope: word, scopeId: id }: PreferenceInput): { owner: string | null; place: Place } {
    const owner = ownerOf(caller);
    if (owner === undefined) throw insufficientPermissions();
    const action: Action = owner === null ? 'manage' : 'view';
    const scope = parseScope(word);
    const { access, state } = this.#parts;
    if (scope === 'global') {
      if (id !== undefined && id !== null && id !== '') {
        throw new HearthError('invalid_value', 'Invalid value for scopeId: the global scope has none.', {
          field: 'scopeId',
        });
      }
      if (action === 'manage') access.authorizeAny(caller, action);
      return { owner, place: { scope, scopeId: null } };
    }
    if (typeof id !== 'string' || id === '') {
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

  /** The home of what a scope is about, if it is there. */
  #homeOf(scope: PreferenceScope, scopeId: string | null): string | undefined {
    if (scopeId === null) return undefined;
    return scope === 'home' ? this.#parts.state.home(scopeId)?.id : this.#parts.store.homeOfAutomation(scopeId);
  }

  #subjectOf({ scope, scopeId }: Place): Subject {
    return {
      homeId: this.#homeOf(scope, scopeId) ?? null,
      automationId: scope === 'automation' ? scopeId : null,
    };
  }
}

function parseScope(input: unknown): PreferenceScope {
  const scope = PREFERENCE_SCOPES.find((known) => known === input);
  if (scope) return scope;
  throw new HearthError('invalid_value', `Invalid value for scope: give one of ${PREFERENCE_SCOPES.join(', ')}.`, {
    field: 'scope',
  });
}
