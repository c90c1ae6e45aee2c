/** What a share is: one row of who may reach an entity through its link (API §2.4, §2.5). Plain values. */
import type { AccessSchedule } from './share-schedule.ts';

/** The kinds of things that can be shared, by the API document's names; `group` is another word for `accessory_group`. */
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
  /** `null` once the entity is gone. */
  readonly entityName: string | null;
  /** `null` for collections, which belong to no home. */
  readonly homeId: string | null;
  readonly accessType: AccessType;
  readonly role: ShareRole;
  /** What its maker calls it. */
  readonly name: string | null;
  readonly hasPasscode: boolean;
  /** Of access type `user`: whose. */
  readonly userId: string | null;
  readonly userEmail: string | null;
  /** `null`: always. */
  readonly accessSchedule: AccessSchedule | null;
  /** Whether GET may not act through it (decisions §8). */
  readonly requirePost: boolean;
  readonly createdAt: number;
  /** One for all rows of an entity. */
  readonly shareHash: string;
}

/** How an entity is shared, all rows together. */
export interface SharingInfo {
  readonly isShared: boolean;
  readonly hasPublic: boolean;
  /** The best that anybody has who has the link. */
  readonly publicRole: ShareRole | null;
  readonly passcodeCount: number;
  readonly userCount: number;
  /** `null` while nothing is shared. */
  readonly shareHash: string | null;
  /** What is reached through it, counted. */
  readonly roomCount: number;
  readonly accessoryCount: number;
  readonly groupCount: number;
}

export function isStronger(a: ShareRole, b: ShareRole): boolean {
  return SHARE_ROLES.indexOf(a) > SHARE_ROLES.indexOf(b);
}

/** The strongest; `null` of none. */
export function bestRole(roles: readonly ShareRole[]): ShareRole | null {
  if (roles.length === 0) return null;
  return roles.includes('control') ? 'control' : 'view';
}
