/** What can be shared, with whom, and how long a passcode is (decisions §8, §14). The dashboard loads this file too. */

/** By the API document's names; `group` is a synonym of `accessory_group`. */
export const ENTITY_TYPES = [
  'home',
  'room',
  'room_group',
  'accessory',
  'accessory_group',
  'collection',
  'collection_group',
] as const;
export type EntityType = (typeof ENTITY_TYPES)[number];

export const ACCESS_TYPES = ['public', 'passcode', 'user'] as const;
export type AccessType = (typeof ACCESS_TYPES)[number];

/** Weakest first. */
export const SHARE_ROLES = ['view', 'control'] as const;
export type ShareRole = (typeof SHARE_ROLES)[number];

/** Four digits are guessed too soon for a share that can control. */
export const MIN_PASSCODE_LENGTHS: Readonly<Record<ShareRole, number>> = { view: 4, control: 6 };
export const MAX_PASSCODE_LENGTH = 128;
