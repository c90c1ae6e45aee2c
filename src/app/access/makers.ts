/**
 * Records which app or access token made things that outlive a request (shares, brokers, webhooks, flows that reach
 * out, further tokens), and ends these things with their maker. What people made themselves has no entry here and
 * stays.
 *
 * Each use checks whether a thing is still valid (`stands`), so that ending an app ends its things at once. Deleting
 * them (`sweep`) follows, and may be late without harm.
 */
import type { MadeThing } from '../../contract/made-things.ts';
import type { HomeDeps } from '../../home/home-deps.ts';
import { HearthError, messageOf } from '../../kernel/errors.ts';
import type { Startable } from '../../kernel/lifecycle.ts';
import type { TiedThing } from './authority.ts';
import type { Access } from './authorize.ts';
import type { Caller, Principal } from './caller.ts';
import type { MakerKey, MakerStore, StoredMaker } from './maker-store.ts';

/** How often the sweep deletes what expired tokens made, and rechecks brokers. */
const SWEEP_MS = 60_000;

/** The store of a kind of things. */
export interface ThingRegistry {
  /** `undefined` if no thing has this id, or it does not end with its maker. */
  find(id: string): Pick<MadeThing, 'name' | 'homeId'> | undefined;
  /** Ends it as its owner would. */
  end(id: string): void;
}

interface MakersDeps extends HomeDeps<'clock' | 'logger'> {
  readonly store: MakerStore;
  readonly access: Access;
}

export class Makers implements Startable {
  readonly #deps: MakersDeps;
  readonly #registries = new Map<TiedThing, ThingRegistry>();
  readonly #listeners = new Set<() => void>();
  #isStarted = false;
  #cancel: (() => void) | undefined;

  constructor(deps: MakersDeps) {
    this.#deps = deps;
  }

  /** Call after every `ThingRegistry` has started. */
  start(): void {
    this.#isStarted = true;
    this.sweep();
  }

  stop(): void {
    this.#isStarted = false;
    this.#cancel?.();
    this.#cancel = undefined;
  }

  register(thing: TiedThing, registry: ThingRegistry): void {
    this.#registries.set(thing, registry);
  }

  /** Calls the listener when the result of `stands` may have changed. */
  onChange(listener: () => void): void {
    this.#listeners.add(listener);
  }

  // — for code that makes and changes things —

  /** Records the maker of a created or changed thing, if it is an app or an access token. */
  record(caller: Caller, thing: TiedThing, id: string): void {
    const key = keyOf(caller);
    if (!key) return;
    // The check is for the types: no other caller has a sign-in.
    const grantHash = caller.principal.kind === 'oauth_client' ? (caller.principal.grantHash ?? null) : null;
    this.#deps.store.save(thing, id, key, grantHash, this.#deps.clock.now());
    this.#schedule();
  }

  /**
   * A temporary caller that acts for a user changes only what it made itself: the change would outlive it.
   * @throws `insufficient_permissions`
   */
  requireMayChange(caller: Caller, thing: TiedThing, id: string): void {
    const key = this.#isLimitedInTime(caller) ? keyOf(caller) : undefined;
    if (!key || this.#deps.store.has(thing, id, key)) return;
    throw new HearthError(
      'insufficient_permissions',
      'Insufficient permissions: an app, or a token that expires, changes only what it made itself. Change this signed in.',
    );
  }

  /** Whether the caller made or changed the thing itself. Always true for people and the system. */
  isOwn(caller: Caller, thing: TiedThing, id: string): boolean {
    const key = keyOf(caller);
    return !key || this.#deps.store.has(thing, id, key);
  }

  /** Deletes the records of a deleted thing. */
  forget(thing: TiedThing, id: string): void {
    this.#deps.store.forget(thing, id);
  }

  // — for code that uses things —

  /**
   * Whether every app and token that made or changed the thing may still have it in this home.
   * @param homeId `null` for what belongs to no home: they must still manage any home.
   */
  stands(thing: TiedThing, id: string, homeId: string | null): boolean {
    const { store, access, clock } = this.#deps;
    return store.of(thing, id, clock.now()).every((maker) => {
      if (maker.isOver || (maker.kind === 'app' && !maker.isSignedIn)) return false;
      const caller = callerOf(maker);
      return homeId === null ? access.mayManageAny(caller) : access.mayIn(caller, 'manage', homeId);
    });
  }

  // — for apps and tokens —

  /** What the app made for this user, oldest first. */
  ofApp(clientId: string, userId: string): readonly MadeThing[] {
    return this.#present(this.#deps.store.byApp(clientId, userId, this.#deps.clock.now()));
  }

  /** What the token made or changed, oldest first. */
  ofToken(tokenId: string): readonly MadeThing[] {
    return this.#present(this.#deps.store.byToken(tokenId, this.#deps.clock.now()));
  }

  /** Ends what the app made through a revoked sign-in. */
  endGrant(grantHash: string): void {
    this.#deps.store.endGrant(grantHash);
    this.sweep();
  }

  /**
   * Ends things whose maker has ended, and publishes that an app or a token changed. Retries failures within a minute.
   */
  sweep(): void {
    const { store, clock } = this.#deps;
    const tried = new Set<string>();
    // An ending token ends the tokens that it made.
    for (let next = store.over(clock.now()); next.length > 0; next = store.over(clock.now())) {
      const untried = next.filter(({ thing, thingId }) => !tried.has(`${thing} ${thingId}`));
      if (untried.length === 0) break;
      for (const { thing, thingId } of untried) {
        tried.add(`${thing} ${thingId}`);
        this.#end(thing, thingId);
      }
    }
    for (const listener of this.#listeners) listener();
    this.#schedule();
  }

  #end(thing: TiedThing, id: string): void {
    try {
      const registry = this.#registries.get(thing);
      if (registry?.find(id)) {
        registry.end(id);
        this.#deps.logger.info({ thing, id }, 'Deleted because the app or access token that created it ended');
      }
      this.#deps.store.forget(thing, id);
    } catch (error) {
      this.#deps.logger.warn(
        { thing, id, error: messageOf(error) },
        'Could not delete what an ended app or access token created',
      );
    }
  }

  #present(makers: readonly StoredMaker[]): readonly MadeThing[] {
    return makers.flatMap(({ thing, thingId, isOver }) => {
      const found = isOver ? undefined : this.#registries.get(thing)?.find(thingId);
      const kind = thing === 'outward_flow' ? 'flow' : thing;
      return found ? [{ kind, id: thingId, name: found.name, homeId: found.homeId }] : [];
    });
  }

  #isLimitedInTime({ principal }: Caller): boolean {
    if (principal.kind === 'oauth_client') return true;
    // The check is for the types: nothing else has an end of its own.
    return principal.kind === 'access_token' && principal.expiresAt !== undefined && principal.expiresAt !== null;
  }

  #schedule(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    if (!this.#isStarted || this.#deps.store.isEmpty()) return;
    this.#cancel = this.#deps.clock.after(SWEEP_MS, () => this.sweep());
  }
}

function keyOf({ principal }: Caller): MakerKey | undefined {
  if (principal.kind === 'access_token') return { kind: 'token', tokenId: principal.tokenId };
  if (principal.kind !== 'oauth_client') return undefined;
  return { kind: 'app', clientId: principal.clientId, userId: principal.userId };
}

/** The maker as a caller, with its current rights, not those at the time of making. */
function callerOf(maker: StoredMaker): Caller {
  const { homePermissions } = maker;
  const principal: Principal =
    maker.kind === 'token'
      ? { kind: 'access_token', tokenId: maker.tokenId, homePermissions, makerId: maker.makerId }
      : { kind: 'oauth_client', clientId: maker.clientId, userId: maker.userId, scope: maker.scope, homePermissions };
  return { principal, requestId: 'maker', depth: 0 };
}
