/** From what a client sends about a share to values that hold. */
import { parseName } from '../../home/names.ts';
import { shorten } from '../../home/vocabulary/values.ts';
import { HearthError } from '../../kernel/errors.ts';
import { ACCESS_TYPES, type AccessType, ENTITY_TYPES, type EntityType, SHARE_ROLES, type ShareRole } from './share.ts';

/** Everything as the client sent it; what is `null` counts as left out. */
export interface NewShare {
  readonly entityType: unknown;
  readonly entityId: unknown;
  readonly accessType: unknown;
  readonly role: unknown;
  /** Checked against the entity's where given; without meaning for collections. */
  readonly homeId?: unknown;
  /** Of passcode shares. */
  readonly passcode?: unknown;
  /** Of user shares: the address of an account. */
  readonly userEmail?: unknown;
  readonly name?: unknown;
  /** An object, or a text that is one in JSON. */
  readonly accessSchedule?: unknown;
  readonly requirePost?: unknown;
}

/** What is left out stays; `null` takes the name or the schedule away. */
export interface ShareChanges {
  readonly role?: unknown;
  readonly passcode?: unknown;
  readonly name?: unknown;
  readonly accessSchedule?: unknown;
  readonly requirePost?: unknown;
}

const MIN_PASSCODE_LENGTH = 4;
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

/** As it is compared: people type one character in several ways. */
export function foldPasscode(passcode: string): string {
  return passcode.normalize('NFC');
}

export function parsePasscode(input: unknown): string {
  const passcode = typeof input === 'string' ? foldPasscode(input) : '';
  const length = [...passcode].length;
  if (length >= MIN_PASSCODE_LENGTH && length <= MAX_PASSCODE_LENGTH) return passcode;
  throw invalid(
    'passcode',
    `it takes ${MIN_PASSCODE_LENGTH} to ${MAX_PASSCODE_LENGTH} characters; six or more are harder to guess`,
  );
}

/** @throws `invalid_value` what only another kind of share has is not ignored: it may have been meant to protect this one */
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

export function invalid(field: string, accepted: string): HearthError {
  return new HearthError('invalid_value', `Invalid value for ${field}: ${accepted}.`, { field });
}
