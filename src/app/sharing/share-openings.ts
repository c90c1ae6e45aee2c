/**
 * Opens a share by its link, for people who are no members of the home. A link that the relay did not issue, a deleted
 * share and an empty share give the same error, after the same work.
 */
import { compareNamed } from '../../home/collection.ts';
import type { HomeState } from '../../home/home-state.ts';
import type { Accessory } from '../../home/model.ts';
import { notFound } from '../access/authorize.ts';
import type { Caller, Principal } from '../access/caller.ts';
import type { OpenShare, ShareDescription } from './open-share.ts';
import { NO_PROOF, type Proof, type ShareGrant, type ShareGrants } from './share-grants.ts';
import type { ShareLinks } from './share-links.ts';
import type { SharePasscodes } from './share-passcodes.ts';
import type { ShareStore, StoredShare } from './share-store.ts';
import type { SharedEntities, SharedEntity } from './shared-entities.ts';

/** A link with an existing target. */
interface Found {
  readonly hash: string;
  readonly entity: SharedEntity;
  /** The valid rows, regardless of the caller. */
  readonly rows: readonly StoredShare[];
}

/** How the caller opened the share. */
interface Entrance {
  readonly caller: Caller;
  readonly proof: Proof;
}

export interface OpeningDeps {
  readonly store: ShareStore;
  readonly links: ShareLinks;
  readonly entities: SharedEntities;
  readonly grants: ShareGrants;
  readonly passcodes: SharePasscodes;
  readonly state: HomeState;
  /** Whether a principal's credential is still valid. */
  readonly isLive: (principal: Principal) => boolean;
  /** Whether share links of a home show its history. */
  readonly showsHistory: (homeId: string) => boolean;
}

export class ShareOpenings {
  readonly #deps: OpeningDeps;
  readonly #entrances = new WeakMap<OpenShare, Entrance>();

  constructor(deps: OpeningDeps) {
    this.#deps = deps;
  }

  /** @throws `share_not_found` */
  describe(caller: Caller, hash: string): ShareDescription {
    const { grants } = this.#deps;
    const { entity, rows } = this.#find(hash);
    const grant = grants.find(rows, { ...NO_PROOF, userId: userOf(caller) });
    const open = rows.filter((row) => grants.isOpen(row));
    const has = (accessType: StoredShare['accessType']): boolean => open.some((row) => row.accessType === accessType);
    return {
      hash,
      entityType: entity.entityType,
      entityId: entity.id,
      role: grant?.role ?? null,
      requiresPasscode: !grant && has('passcode'),
      canUpgradeWithPasscode: grant?.canUpgradeWithPasscode ?? false,
      requiresSignIn: !grant && has('user'),
      isOpenNow: open.length > 0,
    };
  }

  /** @throws `share_not_found` · `passcode_required` · `insufficient_permissions` · `rate_limited` */
  async open(caller: Caller, { hash, passcode }: { readonly hash: string; readonly passcode?: string | undefined }) {
    const found = this.#find(hash);
    const userId = userOf(caller);
    if (passcode === undefined || passcode === '')
      return this.#enter(found, { caller, proof: { ...NO_PROOF, userId } }, 'none');
    const locked = found.rows.filter((row) => row.accessType === 'passcode' && this.#deps.grants.isOpen(row));
    const matches = await this.#deps.passcodes.matching(locked, passcode, caller.address);
    const passcodes = new Map(matches.map(({ id, passcodeHash }) => [id, passcodeHash ?? '']));
    const verdict = locked.length === 0 ? 'none' : matches.length === 0 ? 'wrong' : 'accepted';
    // Check again: hashing takes time, and the share may have been deleted meanwhile.
    return this.#enter(this.#find(hash), { caller, proof: { passcodes, userId } }, verdict);
  }

  /** Opens the same share for the same caller by the current state; `undefined` once it is no longer open. */
  reopen(share: OpenShare): OpenShare | undefined {
    const entrance = this.#entrances.get(share);
    if (!entrance) return undefined;
    const { caller, proof } = entrance;
    const userId = this.#deps.isLive(caller.principal) ? proof.userId : null;
    const found = this.#lookUp(share.hash);
    const grant = found && this.#deps.grants.find(found.rows, { ...proof, userId });
    return found && grant && this.#make(found, grant, entrance, share.passcode);
  }

  /** As `Shares.sharedThing`. */
  sharedThing(hash: string): { readonly id: string; readonly name: string } | undefined {
    const found = this.#lookUp(hash);
    return found && { id: found.entity.id, name: found.rows[0]?.name ?? found.entity.name };
  }

  #enter(found: Found, entrance: Entrance, passcode: OpenShare['passcode']): OpenShare {
    const { grants } = this.#deps;
    const grant = grants.find(found.rows, entrance.proof);
    if (!grant) throw grants.refusal(found.rows, entrance.proof, passcode === 'wrong');
    return this.#make(found, grant, entrance, passcode);
  }

  #make({ hash, entity }: Found, grant: ShareGrant, entrance: Entrance, passcode: OpenShare['passcode']): OpenShare {
    const { grants, state, showsHistory } = this.#deps;
    const contents = () => grants.contentsOf(entity, grant.rows);
    const { accessories, homeIds, isWhole } = contents();
    const [home, ...others] = homeIds.map((id) => state.home(id));
    const { role } = grant;
    const share: OpenShare = {
      hash,
      entityType: entity.entityType,
      entityId: entity.id,
      entityName: entity.name,
      homeName: others.length === 0 ? (home?.name ?? null) : null,
      homeIds: new Set(homeIds),
      role,
      requirePost: grant.requirePost,
      allowGet: grant.allowGet,
      canUpgradeWithPasscode: grant.canUpgradeWithPasscode,
      openUntil: grant.openUntil,
      passcode,
      caller: {
        ...entrance.caller,
        principal: {
          kind: 'share_link',
          shareHash: hash,
          role,
          homeIds: new Set(homeIds),
          accessoryIds: new Set(accessories.map(({ id }) => id)),
        },
      },
      showsHistory: isWhole && homeIds.length === 1 && homeIds.every(showsHistory),
      accessories: () => sorted(contents().accessories, homeIds),
      serviceGroups: () => contents().groups,
    };
    this.#entrances.set(share, entrance);
    return share;
  }

  #find(hash: string): Found {
    const found = this.#lookUp(hash);
    if (!found) throw notFound('share_not_found');
    return found;
  }

  #lookUp(hash: string): Found | undefined {
    const { links, store, entities, grants } = this.#deps;
    const target = links.read(hash);
    if (!target) return undefined;
    const rows = store.listOf(target);
    const entity = rows[0] && entities.find(target.entityType, rows[0].entityId);
    if (!entity) return undefined;
    const live = grants.live(entity, rows);
    return live.length > 0 ? { hash, entity, rows: live } : undefined;
  }
}

/** Only signed-in users: a token or an app has rights of its own, and none that a user share grants to a person. */
function userOf({ principal }: Caller): string | null {
  return principal.kind === 'user' ? principal.userId : null;
}

function sorted(accessories: readonly Accessory[], homeIds: readonly string[]): readonly Accessory[] {
  const rank = ({ homeId }: Accessory): number => homeIds.indexOf(homeId);
  return [...accessories].sort((a, b) => rank(a) - rank(b) || compareNamed(a, b));
}
