/** A share as somebody has it open: what they may reach through it, and as whom they act there. */
import type { Accessory, ServiceGroup } from '../../home/model.ts';
import type { Caller } from '../access/caller.ts';
import type { EntityType, ShareRole } from './share.ts';

/** What is true of a share before anybody opens it. */
export interface ShareDescription {
  readonly hash: string;
  readonly entityType: EntityType;
  readonly entityId: string;
  /** What whoever asks has without a passcode; `null`: nothing. */
  readonly role: ShareRole | null;
  /** Only a passcode opens it. */
  readonly requiresPasscode: boolean;
  /** A passcode would give more. */
  readonly canUpgradeWithPasscode: boolean;
  /** It opens for people who are signed in, and whoever asks is none of them. */
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
  /** `null` where it reaches into none or several. */
  readonly homeName: string | null;
  readonly homeIds: ReadonlySet<string>;
  readonly role: ShareRole;
  /** Whether GET may not act. */
  readonly requirePost: boolean;
  readonly canUpgradeWithPasscode: boolean;
  /** What became of the passcode that was given; `none` too where the share has no use for one. */
  readonly passcode: 'none' | 'accepted' | 'wrong';
  /** A share link of this role over these accessories: every operation on accessories takes it for what it is. */
  readonly caller: Caller;
  /** Whether what was recorded of its accessories is shared with it: of one home, and of whole accessories only. */
  readonly showsHistory: boolean;
  /** What is in it now, by home and name; of an accessory that is in it by a group only the services that are in the group. */
  accessories(): readonly Accessory[];
  /** Those groups that act on nothing but what is in it. */
  serviceGroups(): readonly ServiceGroup[];
}

/** Its role and over what, to be compared: a share that is open may give more or less a moment later. */
export function reachOf({ role, caller: { principal } }: OpenShare): string {
  return principal.kind === 'share_link' ? `${role} ${[...principal.accessoryIds].join()}` : role;
}
