/** Rules of what a share has by its access type and its role. */
import type { NewShare } from '../../contract/shares.ts';
import {
  type AccessType,
  MAX_PASSCODE_LENGTH,
  MIN_PASSCODE_LENGTHS,
  type ShareRole,
} from '../../home/vocabulary/sharing.ts';
import type { HearthError } from '../../kernel/errors.ts';
import { invalid } from './invalid-field.ts';

/** Normalizes a passcode for comparison: people type one character in several ways. */
export function foldPasscode(passcode: string): string {
  return passcode.normalize('NFC');
}

/** @param role the role of the share that it opens */
export function parsePasscode(input: string | null | undefined, role: ShareRole): string {
  const passcode = foldPasscode(input ?? '');
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
export function requireFitting(
  accessType: AccessType,
  { passcode, userEmail }: Pick<NewShare, 'passcode' | 'userEmail'>,
): void {
  if (accessType !== 'passcode' && passcode !== undefined && passcode !== null) {
    throw invalid('passcode', 'only shares of type passcode have one');
  }
  if (accessType !== 'user' && userEmail !== undefined && userEmail !== null) {
    throw invalid('userEmail', 'only shares of type user have one');
  }
}
