/** Parses and validates what clients send about a share. */
import { parseName } from '../../home/names.ts';
import { shorten } from '../../home/vocabulary/values.ts';
import type { HearthError } from '../../kernel/errors.ts';
import { invalid } from './invalid-field.ts';
import { ACCESS_TYPES, type AccessType, ENTITY_TYPES, type EntityType, SHARE_ROLES, type ShareRole } from './share.ts';

/** The input as the client sent it; `null` counts as absent. */
export interface NewShare {
  readonly entityType: unknown;
  readonly entityId: unknown;
  readonly accessType: unknown;
  readonly role: unknown;
  /** Checked against the entity's home if given; ignored for collections. */
  readonly homeId?: unknown;
  /** For passcode shares. */
  readonly passcode?: unknown;
  /** For user shares: the address of an account. */
  readonly userEmail?: unknown;
  readonly name?: unknown;
  /** An object, or a JSON string of one. */
  readonly accessSchedule?: unknown;
  readonly requirePost?: unknown;
}

/** Absent fields stay; `null` removes the name or the schedule. */
export interface ShareChanges {
  readonly role?: unknown;
  readonly passcode?: unknown;
  readonly name?: unknown;
  readonly accessSchedule?: unknown;
  readonly requirePost?: unknown;
}

/** Four digits are guessed too soon for a share that can control (decisions §14). */
const MIN_PASSCODE_LENGTHS: Readonly<Record<ShareRole, number>> = { view: 4, control: 6 };
export const MAX_PASSCODE_LENGTH = 128;
const MAX_ID_LENGTH = 128;

/** @throws `invalid_value` */
export function parseEntityType(input: unknown): EntityType {
  return parseWord(input === 'group' ? 'accessory_group' : input, ENTITY_TYPES, 'entityType');
}

export function parseAccessType(input: unknown): AccessType {
  return parseWord(input, ACCESS_TYPES, 'accessType');
}

export function parseRole(input: unknown): ShareRole {
  return parseWord(input, SHARE_ROLES, 'role');
}

export function parseId(input: unknown, field: string): string {
  if (typeof input === 'string' && input !== '' && input.length <= MAX_ID_LENGTH) return input;
  throw invalid(field, 'it takes an id');
}

/** @returns `null` for none. */
export function parseShareName(input: unknown): string | null {
  return input === null || input === undefined || input === '' ? null : parseName(input, 'Share name');
}

export function parseFlag(input: unknown, field: string): boolean {
  if (typeof input === 'boolean') return input;
  throw invalid(field, 'it takes true or false');
}

/** Normalizes a passcode for comparison: people type one character in several ways. */
export function foldPasscode(passcode: string): string {
  return passcode.normalize('NFC');
}

/** @param role the role of the share that it opens */
export function parsePasscode(input: unknown, role: ShareRole): string {
  const passcode = typeof input === 'string' ? foldPasscode(input) : '';
  if (isLongEnough(passcode, role) && [...passcode].length <= MAX_PASSCODE_LENGTH) return passcode;
  throw shortPasscode(role);
}

export function isLongEnough(passcode: string, role: ShareRole): boolean {
  return [...passcode].length >= MIN_PASSCODE_LENGTHS[role];
}

export function shortPasscode(role: ShareRole): HearthError {
  const length = `${MIN_PASSCODE_LENGTHS[role]} to ${MAX_PASSCODE_LENGTH} characters`;
  const sentence =
    role === 'control'
      ? `a share that may control takes a passcode of ${length}`
      : `it takes ${length}; six or more are harder to guess`;
  return invalid('passcode', sentence);
}

/**
 * @throws `invalid_value` for a field of another access type. It is not ignored: it may have been meant to protect this
 *         share.
 */
export function requireFitting(accessType: AccessType, { passcode, userEmail }: NewShare): void {
  if (accessType !== 'passcode' && passcode !== undefined && passcode !== null) {
    throw invalid('passcode', 'only shares of type passcode have one');
  }
  if (accessType !== 'user' && userEmail !== undefined && userEmail !== null) {
    throw invalid('userEmail', 'only shares of type user have one');
  }
}

function parseWord<T extends string>(input: unknown, words: readonly T[], field: string): T {
  const word = words.find((one) => one === input);
  if (word !== undefined) return word;
  const given = typeof input === 'string' ? `"${shorten(input)}" is none of` : 'it takes one of';
  throw invalid(field, `${given} ${words.join(', ')}`);
}
