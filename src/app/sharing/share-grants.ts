/**
 * Which rows of a share count now, and what they give together (decisions §8): a row counts while its maker may still share the
 * entity; `public` rows are for anybody, `passcode` rows for whoever knew the passcode, `user` rows for that user alone; each within
 * its schedule. The best role of those wins.
 */
import type { HomeState } from '../../home/home-state.ts';
import { zoneOf } from '../../home/schedule/time-zones.ts';
import type { Clock } from '../../kernel/clock.ts';
import { HearthError } from '../../kernel/errors.ts';
import type { Access } from '../access/authorize.ts';
import type { Caller } from '../access/caller.ts';
import type { Expiry } from '../access/expiry.ts';
import { bestRole, isStronger, type ShareRole } from './share.ts';
import { expiryOf, isOpenAt } from './share-schedule.ts';
import type { StoredShare } from './share-store.ts';
import type { SharedContents, SharedEntities, SharedEntity } from './shared-entities.ts';

/** What somebody has shown: passcodes that were right, by row, and who they are. */
export interface Proof {
  /** Row → the hash that the passcode was checked against: with another passcode the proof is worth nothing. */
  readonly passcodes: ReadonlyMap<string, string>;
  readonly userId: string | null;
}

export const NO_PROOF: Proof = { passcodes: new Map(), userId: null };

export interface Grant {
  readonly role: ShareRole;
  /** The rows that give it. */
  readonly rows: readonly StoredShare[];
  readonly requirePost: boolean;
  /** Whether a passcode that was not given would give more. */
  readonly canUpgradeWithPasscode: boolean;
}

export interface GrantParts {
  readonly state: HomeState;
  readonly access: Access;
  readonly entities: SharedEntities;
  readonly expiry: Expiry;
  readonly clock: Clock;
}

export class ShareGrants {
  readonly #state: HomeState;
  readonly #access: Access;
  readonly #entities: SharedEntities;
  readonly #expiry: Expiry;
  readonly #clock: Clock;

  constructor(parts: GrantParts) {
    this.#state = parts.state;
    this.#access = parts.access;
    this.#entities = parts.entities;
    this.#expiry = parts.expiry;
    this.#clock = parts.clock;
  }

  /** Those rows whose makers may still share the entity as it is. */
  live(entity: SharedEntity, rows: readonly StoredShare[]): readonly StoredShare[] {
    return rows.filter((row) => row.homeId === entity.homeId && this.#maySharePart(makerOf(row), entity));
  }

  /** What the proof gives now. @returns `undefined` for nothing */
  find(rows: readonly StoredShare[], proof: Proof): Grant | undefined {
    const open = rows.filter((row) => this.isOpen(row));
    const given = open.filter((row) => isProven(row, proof));
    const role = bestRole(given.map((row) => row.role));
    if (role === null) return undefined;
    const giving = given.filter((row) => row.role === role);
    return {
      role,
      rows: giving,
      requirePost: giving.every(({ requirePost }) => requirePost),
      canUpgradeWithPasscode: open.some((row) => row.accessType === 'passcode' && isStronger(row.role, role)),
    };
  }

  /** Why `find` finds nothing: what would open it, if anything does. */
  refusal(rows: readonly StoredShare[], proof: Proof, isWrong: boolean): HearthError {
    const open = rows.filter((row) => this.isOpen(row));
    if (open.some(({ accessType }) => accessType === 'passcode')) {
      return new HearthError('passcode_required', isWrong ? 'Wrong passcode.' : 'This share needs a passcode.');
    }
    if (open.length === 0) return new HearthError('insufficient_permissions', 'This share is not open now.');
    const sentence =
      proof.userId === null
        ? 'Sign in to open this share.'
        : 'This share is for somebody else. Sign in with the account that it was made for.';
    return new HearthError('insufficient_permissions', sentence);
  }

  isOpen({ id, homeId, schedule }: StoredShare): boolean {
    if (schedule === null) return true;
    const zone = this.#zoneOf(homeId);
    const end = expiryOf(schedule, zone);
    // A clock that is set back does not open it again.
    if (end !== null && this.#expiry.isPast(endKey(id, end), end)) return false;
    return isOpenAt(schedule, zone, this.#clock.now());
  }

  /** Notes when a row ends, from the moment that it says so: a clock that is set back before anybody comes extends nothing either. */
  watchEnd({ id, homeId, schedule }: StoredShare): void {
    const end = schedule && expiryOf(schedule, this.#zoneOf(homeId));
    if (end !== null) this.#expiry.track(endKey(id, end), end);
  }

  /** What of the entity these rows reach: what all their makers together may share. */
  contentsOf(entity: SharedEntity, rows: readonly StoredShare[]): SharedContents {
    const makers = rows.map(makerOf);
    return this.#entities.contentsOf(entity, (homeId) =>
      makers.some((maker) => this.#access.mayIn(maker, 'manage', homeId)),
    );
  }

  #zoneOf(homeId: string | null): string {
    return zoneOf(homeId === null ? undefined : this.#state.home(homeId));
  }

  /** A collection may reach into homes that its owner manages, and it is dead when there is none left of those. */
  #maySharePart(maker: Caller, entity: SharedEntity): boolean {
    if (entity.homeId !== null) return this.#access.mayIn(maker, 'manage', entity.homeId);
    const owner = this.#entities.ownerOf(entity);
    const isTheirs = owner === null || (maker.principal.kind === 'user' && maker.principal.userId === owner);
    if (!isTheirs || !this.#access.mayManageAny(maker)) return false;
    const homeIds = this.#entities.itemsOf(entity).map(({ home_id }) => home_id);
    return homeIds.length === 0 || homeIds.some((homeId) => this.#access.mayIn(maker, 'manage', homeId));
  }
}

/** Of a row and its end: with another end it is another thing to watch. */
const endKey = (id: string, end: number): string => `share:${id}:${end}`;

export function isProven({ id, accessType, passcodeHash, userId }: StoredShare, proof: Proof): boolean {
  if (accessType === 'public') return true;
  if (accessType === 'user') return userId !== null && userId === proof.userId;
  return passcodeHash !== null && proof.passcodes.get(id) === passcodeHash;
}

/** Whoever made a row is asked what they may do now, not then. */
function makerOf({ makerId }: StoredShare): Caller {
  const principal =
    makerId === null ? ({ kind: 'system' } as const) : ({ kind: 'user', userId: makerId, sessionId: '' } as const);
  return { principal, requestId: 'share', depth: 0 };
}
