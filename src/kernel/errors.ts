/**
 * All errors, as a closed union of codes and one error class. Every API has one table from these codes to its wire
 * form; after a new code the compiler lists those tables.
 */

import type { ErrorReason } from './reasons.ts';

/** Every code that an error may have. */
export const ERROR_CODES = [
  /** The request itself is malformed: bad JSON, a missing or unknown field, a malformed id. */
  'invalid_request',
  /** The request is well formed, but a value in it is of the wrong type or outside its range. */
  'invalid_value',
  /** Missing, malformed, expired or revoked credentials. */
  'invalid_token',
  /** A wrong e-mail address, password, setup or invitation code; the response does not reveal which. */
  'invalid_credentials',
  /** Valid credentials without the required permission. */
  'insufficient_permissions',
  /**
   * The relay's account may only view the home platform, so it cannot create or change native automations (API §7.4).
   */
  'insufficient_platform_privileges',
  /** A session may do this only while its account has Developer Mode on (decisions §7). */
  'developer_mode_required',
  /** A share needs a passcode, or the given one is wrong. */
  'passcode_required',
  /** Rejected before authentication: a foreign Host or Origin. */
  'forbidden_origin',
  'not_found',
  'home_not_found',
  'room_not_found',
  'accessory_not_found',
  'scene_not_found',
  'zone_not_found',
  'service_group_not_found',
  'automation_not_found',
  'person_not_found',
  'user_not_found',
  'share_not_found',
  'webhook_not_found',
  'broker_not_found',
  'characteristic_not_found',
  'characteristic_not_writable',
  /** The home's driver is not running: paused, starting or stopping. */
  'relay_not_connected',
  /** The device did not respond, or reported that it is unreachable. */
  'accessory_unreachable',
  /** The device responded with its own error. */
  'accessory_error',
  /** A name or id is taken, or the status of the resource does not allow this. */
  'conflict',
  'method_not_allowed',
  'payload_too_large',
  'unsupported_media_type',
  'rate_limited',
  /** The accessory cannot be paired or the exchange failed; the message contains instructions. */
  'pairing_failed',
  /** Nothing can be saved now: the disk is full, read-only, failing or held by another program. Nothing was changed. */
  'storage_unavailable',
  /** A feature of the Cloud edition only. */
  'cloud_only',
  'internal',
] as const;
export type ErrorCode = (typeof ERROR_CODES)[number];

export interface ErrorDetails {
  /** The cause, if the code has several. */
  readonly reason?: ErrorReason;
  /** Seconds after which a retry makes sense. */
  readonly retryAfterSeconds?: number;
  /** The methods that the route supports. */
  readonly allow?: readonly string[];
  /** The invalid field, as a path: `rooms[2].name`. */
  readonly field?: string;
  /** With `clocks_differ`: seconds by which the phone's clock is ahead of the relay's; negative: behind. */
  readonly clockDifferenceSeconds?: number;
}

/** An expected error: a code for machines and one sentence with instructions for people. */
export class HearthError extends Error {
  override readonly name = 'HearthError';
  readonly code: ErrorCode;
  readonly details: ErrorDetails;

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    this.details = details;
  }
}

/** The message of any thrown value. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** For the default branch of an exhaustive switch: the compiler rejects the call while a case is missing. */
export function unreachable(value: never): never {
  throw new Error(`Unexpected value: ${String(value)}`);
}

/** Whether a database write failed because of the disk. */
export function isDiskFailure(error: unknown): boolean {
  return error instanceof HearthError && error.code === 'storage_unavailable';
}
