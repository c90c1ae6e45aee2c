/** An opened share: what its user reaches through it, and the caller they act as. */
import type { Accessory, ServiceGroup } from '../../home/model.ts';
import type { EntityType, ShareRole } from '../../home/vocabulary/sharing.ts';
import type { Caller } from '../access/caller.ts';

/** A share before it is opened. */
export interface ShareDescription {
  readonly hash: string;
  readonly entityType: EntityType;
  readonly entityId: string;
  /** The caller's role without a passcode; `null`: none. */
  readonly role: ShareRole | null;
  /** Only a passcode opens it. */
  readonly requiresPasscode: boolean;
  /** A passcode would give a stronger role. */
  readonly canUpgradeWithPasscode: boolean;
  /** It opens for signed-in users, and the caller has no session. */
  readonly requiresSignIn: boolean;
  /** Whether any of its rows is within its schedule. */
  readonly isOpenNow: boolean;
}

export interface OpenShare {
  readonly hash: string;
  readonly entityType: EntityType;
  /** A UUID; of a group inside a collection `<collectionId>:<groupId>`. */
  readonly entityId: string;
  readonly entityName: string;
  /** `null` if it covers no home or several. */
  readonly homeName: string | null;
  readonly homeIds: ReadonlySet<string>;
  readonly role: ShareRole;
  /** Whether GET requests may not act at all. */
  readonly requirePost: boolean;
  /** Whether its owner allows GET requests to open, unlock and disarm. */
  readonly allowGet: boolean;
  readonly canUpgradeWithPasscode: boolean;
  /** The end of all access that its rows give, and the zone in which its owner set it; `null`: none of them ends. */
  readonly openUntil: { readonly at: number; readonly zone: string } | null;
  /** The result of the given passcode; also `none` if the share needs no passcode. */
  readonly passcode: 'none' | 'accepted' | 'wrong';
  /** A share link with this role over these accessories, accepted by every operation on accessories. */
  readonly caller: Caller;
  /** Whether the history of its accessories is shared: only in one home, and only for whole accessories. */
  readonly showsHistory: boolean;
  /**
   * Its current accessories, by home and name. An accessory shared through a group has only the services in the group.
   */
  accessories(): readonly Accessory[];
  /** The groups that act only on shared services. */
  serviceGroups(): readonly ServiceGroup[];
}

/** A key of its role and accessories, for comparison: an open share may give more or less a moment later. */
export function reachOf({ role, caller: { principal } }: OpenShare): string {
  return principal.kind === 'share_link' ? `${role} ${[...principal.accessoryIds].join()}` : role;
}
