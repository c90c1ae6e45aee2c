import { zoneOf } from '../../home/schedule/time-zones.ts';
import type { ShareRole } from '../../home/vocabulary/sharing.ts';
import { HearthError } from '../../kernel/errors.ts';
import type { AppDeps } from '../access/app-deps.ts';
import type { Caller } from '../access/caller.ts';
import type { Expiry } from '../access/expiry.ts';
import type { Makers } from '../access/makers.ts';
import type { OpenShare } from './open-share.ts';
import { bestRole, isStronger } from './share.ts';
import { expiryOf, isOpenAt } from './share-schedule.ts';
import type { StoredShare } from './share-store.ts';
import type { SharedContents, SharedEntities, SharedEntity } from './shared-entities.ts';

/** A caller's proof: correct passcodes, by row, and the user. */
export interface Proof {
  /** Row → the hash that the passcode was checked against: changing the passcode invalidates the proof. */
  readonly passcodes: ReadonlyMap<string, string>;
  readonly userId: string | null;
}

export const NO_PROOF: Proof = { passcodes: new Map(), userId: null };

export interface ShareGrant {
  readonly role: ShareRole;
  /** The rows that grant it. */
  readonly rows: readonly StoredShare[];
  readonly requirePost: boolean;
  readonly allowGet: boolean;
  /** Whether a passcode that was not given would give a stronger role. */
  readonly canUpgradeWithPasscode: boolean;
  readonly openUntil: OpenShare['openUntil'];
}

export interface GrantDeps extends AppDeps<'state' | 'access' | 'clock'> {
  readonly makers: Pick<Makers, 'stands'>;
  readonly entities: SharedEntities;
  readonly expiry: Expiry;
  /** Saves that a row was seen past its end. */
  readonly noteEnd: (id: string, end: number) => void;
}

export class ShareGrants {
  readonly #deps: GrantDeps;

  constructor(deps: GrantDeps) {
    this.#deps = deps;
  }

  /** The rows whose makers may still share the entity as it is: the user, and the app or token that acted for them. */
  live(entity: SharedEntity, rows: readonly StoredShare[]): readonly StoredShare[] {
    return rows.filter(
      (row) =>
        row.homeId === entity.homeId &&
        this.#maySharePart(makerOf(row), entity) &&
        this.#deps.makers.stands('share', row.id, row.homeId),
    );
  }

  /** The grant for a proof. @returns `undefined` for none */
  find(rows: readonly StoredShare[], proof: Proof): ShareGrant | undefined {
    const open = rows.filter((row) => this.isOpen(row));
    const given = open.filter((row) => isProven(row, proof));
    const role = bestRole(given.map((row) => row.role));
    if (role === null) return undefined;
    const giving = given.filter((row) => row.role === role);
    return {
      role,
      rows: giving,
      requirePost: giving.every(({ requirePost }) => requirePost),
      allowGet: giving.some(({ allowGet }) => allowGet),
      canUpgradeWithPasscode: open.some((row) => row.accessType === 'passcode' && isStronger(row.role, role)),
      openUntil: this.#endOf(giving),
    };
  }

  #endOf(rows: readonly StoredShare[]): OpenShare['openUntil'] {
    const ends = rows.map(({ homeId, schedule }) => {
      const zone = schedule?.timezone ?? this.#zoneOf(homeId);
      const at = schedule && expiryOf(schedule, zone);
      return at === null ? null : { at, zone };
    });
    return ends.reduce((last, end) => (last && end && (end.at > last.at ? end : last)) ?? null);
  }

  /** The error when `find` finds nothing: what would open the share, if anything does. */
  refusal(rows: readonly StoredShare[], proof: Proof, isWrong: boolean): HearthError {
    const open = rows.filter((row) => this.isOpen(row));
    if (open.some(({ accessType }) => accessType === 'passcode')) {
      return new HearthError('passcode_required', isWrong ? 'Wrong passcode.' : 'This share needs a passcode.');
    }
    if (open.length === 0) return new HearthError('insufficient_permissions', 'This share is not open now.');
    const sentence =
      proof.userId === null
        ? 'Sign in to open this share.'
        : 'This share is for another person. Sign in with the account that it was made for.';
    return new HearthError('insufficient_permissions', sentence);
  }

  isOpen(row: StoredShare): boolean {
    const { homeId, schedule } = row;
    if (schedule === null) return true;
    return !this.hasEnded(row) && isOpenAt(schedule, this.#zoneOf(homeId), this.#deps.clock.now());
  }

  /** Whether its schedule has ended, which is recorded: a clock set back does not open it again. */
  hasEnded({ id, homeId, schedule, expiredEnd }: StoredShare): boolean {
    const end = schedule && expiryOf(schedule, this.#zoneOf(homeId));
    if (end === null) return false;
    if (end === expiredEnd) return true;
    if (!this.#deps.expiry.isPast(endKey(id, end), end)) return false;
    this.#deps.noteEnd(id, end);
    return true;
  }

  /** Tracks the end of a row as soon as it is set: a clock set back before the first use extends nothing. */
  watchEnd({ id, homeId, schedule }: StoredShare): void {
    const end = schedule && expiryOf(schedule, this.#zoneOf(homeId));
    if (end !== null) this.#deps.expiry.track(endKey(id, end), end);
  }

  /** The contents that these rows share: the union of what their makers may share. */
  contentsOf(entity: SharedEntity, rows: readonly StoredShare[]): SharedContents {
    const makers = rows.map(makerOf);
    return this.#deps.entities.contentsOf(entity, (homeId) =>
      makers.some((maker) => this.#deps.access.mayIn(maker, 'manage', homeId)),
    );
  }

  #zoneOf(homeId: string | null): string {
    return zoneOf(homeId === null ? undefined : this.#deps.state.home(homeId));
  }

  /** A collection may span homes that its owner manages; it is invalid when none of those is left. */
  #maySharePart(maker: Caller, entity: SharedEntity): boolean {
    if (entity.homeId !== null) return this.#deps.access.mayIn(maker, 'manage', entity.homeId);
    const owner = this.#deps.entities.ownerOf(entity);
    const isTheirs = owner === null || (maker.principal.kind === 'user' && maker.principal.userId === owner);
    if (!isTheirs || !this.#deps.access.mayManageAny(maker)) return false;
    const homeIds = this.#deps.entities.itemsOf(entity).map(({ home_id }) => home_id);
    return homeIds.length === 0 || homeIds.some((homeId) => this.#deps.access.mayIn(maker, 'manage', homeId));
  }
}

/** The key of a row and its end: another end is tracked separately. */
const endKey = (id: string, end: number): string => `share:${id}:${end}`;

export function isProven({ id, accessType, passcodeHash, userId }: StoredShare, proof: Proof): boolean {
  if (accessType === 'public') return true;
  if (accessType === 'user') return userId !== null && userId === proof.userId;
  return passcodeHash !== null && proof.passcodes.get(id) === passcodeHash;
}

/** The maker as a caller, with current rights, not those at the time of making. */
function makerOf({ makerId }: StoredShare): Caller {
  const principal =
    makerId === null ? ({ kind: 'system' } as const) : ({ kind: 'user', userId: makerId, sessionId: '' } as const);
  return { principal, requestId: 'share', depth: 0 };
}
