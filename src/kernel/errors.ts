/**
 * What can go wrong, as a closed union of codes and one error class. Every face has one table from each of these codes to
 * its wire form; adding a code here makes the compiler list those tables.
 */

import type { ErrorReason } from './reasons.ts';

export type ErrorCode =
  /** The request itself is malformed: bad JSON, a missing or unknown field, a malformed id. */
  | 'invalid_request'
  /** The request is well formed, but a value in it is of the wrong type or outside its range. */
  | 'invalid_value'
  /** No credentials, or credentials that are malformed, expired or revoked. */
  | 'invalid_token'
  /** A wrong e-mail address, password, setup or invitation code: which of them is wrong is not told. */
  | 'invalid_credentials'
  /** Good credentials that do not reach this far. */
  | 'insufficient_permissions'
  /** The relay's account may only view the home platform, so that native automations can't be made or changed (API §7.4). */
  | 'insufficient_platform_privileges'
  /** A session may do this only while its account has Developer Mode on (decisions §7). */
  | 'developer_mode_required'
  /** A share that needs a passcode, or another one than was given. */
  | 'passcode_required'
  /** Refused before authentication: a foreign Host or Origin. */
  | 'forbidden_origin'
  | 'not_found'
  | 'home_not_found'
  | 'room_not_found'
  | 'accessory_not_found'
  | 'scene_not_found'
  | 'zone_not_found'
  | 'service_group_not_found'
  | 'automation_not_found'
  | 'person_not_found'
  | 'user_not_found'
  | 'share_not_found'
  | 'webhook_not_found'
  | 'broker_not_found'
  | 'characteristic_not_found'
  | 'characteristic_not_writable'
  /** The home's driver is not running: paused, starting or stopping. */
  | 'relay_not_connected'
  /** The device did not answer, or answered that it can't be reached. */
  | 'accessory_unreachable'
  /** The device answered with an error of its own. */
  | 'accessory_error'
  /** A name or id is taken, or the thing is not in a state that allows this. */
  | 'conflict'
  | 'method_not_allowed'
  | 'payload_too_large'
  | 'unsupported_media_type'
  | 'rate_limited'
  /** The accessory can't be paired or the exchange failed; the message says what to do. */
  | 'pairing_failed'
  /** Nothing can be saved now: the disk is full, read-only, failing or held by another program. Nothing was changed. */
  | 'storage_unavailable'
  /** A feature of the Cloud edition only. */
  | 'cloud_only'
  | 'internal';

export interface ErrorDetails {
  /** Which of the code's causes it was, where it has several. */
  readonly reason?: ErrorReason;
  /** Seconds after which trying again makes sense. */
  readonly retryAfterSeconds?: number;
  /** The methods that the route does have. */
  readonly allow?: readonly string[];
  /** The faulty field, as a path: `rooms[2].name`. */
  readonly field?: string;
}

/** An expected failure: a code for machines and one sentence for people that says what to do. */
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

/** The message of anything thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** For the default branch of an exhaustive switch: the compiler refuses the call while a case is missing. */
export function unreachable(value: never): never {
  throw new Error(`Unexpected value: ${String(value)}`);
}
