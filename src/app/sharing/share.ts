/** A share: one row of who may access an entity through its link (API §2.4, §2.5). Plain values. */
import type { AccessSchedule } from './share-schedule.ts';

/** The kinds of entities that can be shared, by the API document's names; `group` is a synonym of `accessory_group`. */
export const ENTITY_TYPES = [
  'accessory',
  'accessory_group',
  'room',
  'room_group',
  'collection',
  'collection_group',
  'home',
] as const;
export type EntityType = (typeof ENTITY_TYPES)[number];

export const ACCESS_TYPES = ['public', 'passcode', 'user'] as const;
export type AccessType = (typeof ACCESS_TYPES)[number];

/** Weakest first. */
export const SHARE_ROLES = ['view', 'control'] as const;
export type ShareRole = (typeof SHARE_ROLES)[number];

/** A row as its managers see it. */
export interface Share {
  /** UUID, lower case: the "access id" of the API. */
  readonly id: string;
  readonly entityType: EntityType;
  /** A UUID; of a group inside a collection `<collectionId>:<groupId>`. */
  readonly entityId: string;
  /** `null` once the entity no longer exists. */
  readonly entityName: string | null;
  /** `null` for collections, which belong to no home. */
  readonly homeId: string | null;
  readonly accessType: AccessType;
  readonly role: ShareRole;
  /** The name that its maker gave it. */
  readonly name: string | null;
  readonly hasPasscode: boolean;
  /** For access type `user`: the user's id. */
  readonly userId: string | null;
  readonly userEmail: string | null;
  /** `null`: always. */
  readonly accessSchedule: AccessSchedule | null;
  /**
   * Whether GET may not act through it: its owner requires POST, or has set no rule and it contains something that
   * opens, unlocks or disarms (decisions §14).
   */
  readonly requirePost: boolean;
  readonly createdAt: number;
  /** One for all rows of an entity. */
  readonly shareHash: string;
}

/** How an entity is shared, all rows together. */
export interface SharingInfo {
  readonly isShared: boolean;
  readonly hasPublic: boolean;
  /** The strongest role that every holder of the link has. */
  readonly publicRole: ShareRole | null;
  readonly passcodeCount: number;
  readonly userCount: number;
  /** `null` without any share. */
  readonly shareHash: string | null;
  /** Counts of what it shares. */
  readonly roomCount: number;
  readonly accessoryCount: number;
  readonly groupCount: number;
}

export function isStronger(a: ShareRole, b: ShareRole): boolean {
  return SHARE_ROLES.indexOf(a) > SHARE_ROLES.indexOf(b);
}

/** The strongest role; `null` if the list is empty. */
export function bestRole(roles: readonly ShareRole[]): ShareRole | null {
  if (roles.length === 0) return null;
  return roles.includes('control') ? 'control' : 'view';
}
