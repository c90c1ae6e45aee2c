/**
 * A client's subscriptions: homes, and optionally rooms or single accessories, each with a lifetime, after which it
 * must renew. Permissions are checked elsewhere, for each event. An unauthenticated client may subscribe, and gets no
 * events until it has authenticated.
 */
import type { AppDeps } from '../../../app/access/app-deps.ts';
import type { Caller } from '../../../app/access/caller.ts';
import { slugKey } from '../../../home/slug.ts';
import { HearthError } from '../../../kernel/errors.ts';
import type { LiveEvent } from '../live-event.ts';

export const SCOPE_TYPES = ['home', 'room', 'accessory'] as const;
export type ScopeType = (typeof SCOPE_TYPES)[number];

/** `id`: a UUID; for a home also its key in the state tree, as the client sent it. */
export interface SubscriptionScope {
  readonly type: ScopeType;
  readonly id: string;
}

export interface ShownSubscription extends SubscriptionScope {
  /** In milliseconds since the epoch. */
  readonly expiresAt: number;
}

interface Subscription extends SubscriptionScope {
  readonly homeId: string;
  readonly entityId: string;
  readonly expiresAt: number;
  /** The same by the monotonic clock, which decides. */
  readonly endsAt: number;
}

/** The value of existing clients, which renew at four fifths of it (wire-facts §11.1). */
export const DEFAULT_TTL_S = 300;
const MIN_TTL_S = 10;
const MAX_TTL_S = 3_600;
/** More rooms and accessories than a client shows at once. */
const MAX_SUBSCRIPTIONS = 500;
const MS_PER_SECOND = 1_000;

export type SubscriptionDeps = AppDeps<'state' | 'access' | 'clock'>;

export type Coverage = 'home' | 'part' | undefined;

export class SocketSubscriptions {
  readonly #deps: SubscriptionDeps;
  #caller: Caller;
  /** By type and entity. */
  readonly #active = new Map<string, Subscription>();
  /** Subscriptions of an unauthenticated client, as it sent them; not yet resolved. */
  #waiting: (SubscriptionScope & Pick<Subscription, 'expiresAt' | 'endsAt'>)[] = [];

  constructor(deps: SubscriptionDeps, caller: Caller) {
    this.#deps = deps;
    this.#caller = caller;
  }

  get size(): number {
    return this.#active.size + this.#waiting.length;
  }

  /**
   * Subscribes, or renews existing subscriptions.
   * @param ttlS seconds, 300 if left out; clamped to 10 to 3,600, as the response reports
   * @returns the accepted ones, and those that do not exist or that the caller may not see: the result does not
   * distinguish the two
   * @throws `invalid_request` too many
   */
  add(scopes: readonly SubscriptionScope[], ttlS = DEFAULT_TTL_S) {
    const { clock } = this.#deps;
    const ttlMs = Math.min(Math.max(ttlS, MIN_TTL_S), MAX_TTL_S) * MS_PER_SECOND;
    const ends = { expiresAt: clock.now() + ttlMs, endsAt: clock.monotonic() + ttlMs };
    if (this.#isAnonymous) return this.#wait(scopes, ends);
    const subscriptions: ShownSubscription[] = [];
    const rejected: SubscriptionScope[] = [];
    for (const scope of scopes) {
      const target = this.#find(scope);
      if (!target) {
        rejected.push(scope);
        continue;
      }
      const key = keyOf(scope.type, target.entityId);
      if (!this.#active.has(key) && this.#active.size >= MAX_SUBSCRIPTIONS) throw tooMany();
      this.#active.set(key, { ...scope, ...target, ...ends });
      subscriptions.push({ ...scope, expiresAt: ends.expiresAt });
    }
    return { subscriptions, rejected };
  }

  /** @param scopes all if left out */
  remove(scopes?: readonly SubscriptionScope[]): void {
    if (!scopes) {
      this.#active.clear();
      this.#waiting = [];
      return;
    }
    for (const scope of scopes) {
      this.#waiting = this.#waiting.filter(({ type, id }) => type !== scope.type || id !== scope.id);
      for (const [key, { type, id, entityId }] of this.#active) {
        if (type === scope.type && (id === scope.id || entityId === scope.id.toLowerCase())) this.#active.delete(key);
      }
    }
  }

  list(): readonly ShownSubscription[] {
    const now = this.#deps.clock.monotonic();
    return [...this.#active.values(), ...this.#waiting]
      .filter(({ endsAt }) => endsAt > now)
      .map(({ type, id, expiresAt }) => ({ type, id, expiresAt }));
  }

  /** The homes with a subscription to the whole home. */
  homeIds(): readonly string[] {
    return [...this.#active.values()].flatMap(({ type, homeId }) => (type === 'home' ? [homeId] : []));
  }

  /** Sets the caller and resolves the waiting scopes. @returns the scopes that this caller cannot subscribe to */
  identify(caller: Caller): readonly SubscriptionScope[] {
    this.#caller = caller;
    const waiting = this.#waiting;
    this.#waiting = [];
    return waiting.flatMap(({ type, id, ...ends }) => {
      const target = this.#find({ type, id });
      if (!target) return [{ type, id }];
      this.#active.set(keyOf(type, target.entityId), { type, id, ...target, ...ends });
      return [];
    });
  }

  /** The widest subscription that covers an event. */
  covers({ homeId, roomId, accessoryId, userId }: LiveEvent): Coverage {
    // Events of the listener's own account need no subscription.
    if (userId !== null) return 'home';
    if (homeId !== null && this.#has('home', homeId)) return 'home';
    if (roomId !== null && this.#has('room', roomId)) return 'part';
    return accessoryId !== null && this.#has('accessory', accessoryId) ? 'part' : undefined;
  }

  /** Removes expired subscriptions. @returns each with the reason */
  sweep(): readonly { readonly scope: SubscriptionScope; readonly reason: 'expired' | 'not_found' }[] {
    const now = this.#deps.clock.monotonic();
    this.#waiting = this.#waiting.filter(({ endsAt }) => endsAt > now);
    return [...this.#active].flatMap(([key, { type, id, entityId, endsAt }]) => {
      const isThere = this.#find({ type, id: entityId }) !== undefined;
      if (isThere && endsAt > now) return [];
      this.#active.delete(key);
      return [{ scope: { type, id }, reason: isThere ? ('expired' as const) : ('not_found' as const) }];
    });
  }

  get #isAnonymous(): boolean {
    return this.#caller.principal.kind === 'anonymous';
  }

  #wait(scopes: readonly SubscriptionScope[], ends: Pick<Subscription, 'expiresAt' | 'endsAt'>) {
    this.remove(scopes);
    if (this.#waiting.length + scopes.length > MAX_SUBSCRIPTIONS) throw tooMany();
    this.#waiting.push(...scopes.map((scope) => ({ ...scope, ...ends })));
    return { subscriptions: scopes.map((scope) => ({ ...scope, expiresAt: ends.expiresAt })), rejected: [] };
  }

  #has(type: ScopeType, entityId: string): boolean {
    const subscription = this.#active.get(keyOf(type, entityId));
    return subscription !== undefined && subscription.endsAt > this.#deps.clock.monotonic();
  }

  /** Resolves a scope, if the caller may see it. */
  #find({ type, id }: SubscriptionScope): Pick<Subscription, 'homeId' | 'entityId'> | undefined {
    const { state, access } = this.#deps;
    if (type === 'home') {
      const key = id.trim().toLowerCase();
      const [home] = access
        .visibleHomes(this.#caller, state.homes())
        .filter((one) => one.id === key || slugKey(one.name, one.id) === key);
      return home && { homeId: home.id, entityId: home.id };
    }
    const found = type === 'room' ? state.room(id) : state.accessory(id);
    if (!found || !access.mayIn(this.#caller, 'view', found.homeId)) return undefined;
    return { homeId: found.homeId, entityId: found.id };
  }
}

function keyOf(type: ScopeType, entityId: string): string {
  return `${type} ${entityId}`;
}

function tooMany(): HearthError {
  return new HearthError(
    'invalid_request',
    `A connection may have ${MAX_SUBSCRIPTIONS} subscriptions at most. Subscribe to whole homes.`,
  );
}
