/**
 * The codes of GraphQL's errors (API §7.2, decisions §7), and the response to a request that is rejected before
 * execution. `extensions.code` is one of a dozen words for programs, `reason` is the relay's finer code, `cause` is
 * REST's `reason`, and `field` names the faulty argument. Nothing here needs graphql-js: a rejected request does not
 * wait for it to load.
 */
import type { ErrorCode, HearthError } from '../../kernel/errors.ts';
import type { ErrorReason } from '../../kernel/reasons.ts';
import { internalError } from '../error-table.ts';

export type GraphqlCode =
  | 'AUTHENTICATION_REQUIRED'
  | 'FORBIDDEN'
  | 'NOT_FOUND'
  | 'INVALID_VALUE'
  | 'BAD_USER_INPUT'
  | 'RELAY_NOT_CONNECTED'
  | 'INSUFFICIENT_PLATFORM_PRIVILEGES'
  | 'DEVELOPER_MODE_REQUIRED'
  | 'CLOUD_ONLY'
  | 'RATE_LIMITED'
  | 'INTERNAL';

const CODES: Readonly<Record<ErrorCode, GraphqlCode>> = {
  invalid_request: 'BAD_USER_INPUT',
  invalid_value: 'INVALID_VALUE',
  invalid_token: 'AUTHENTICATION_REQUIRED',
  invalid_credentials: 'AUTHENTICATION_REQUIRED',
  insufficient_permissions: 'FORBIDDEN',
  insufficient_platform_privileges: 'INSUFFICIENT_PLATFORM_PRIVILEGES',
  developer_mode_required: 'DEVELOPER_MODE_REQUIRED',
  passcode_required: 'FORBIDDEN',
  forbidden_origin: 'FORBIDDEN',
  not_found: 'NOT_FOUND',
  home_not_found: 'NOT_FOUND',
  room_not_found: 'NOT_FOUND',
  accessory_not_found: 'NOT_FOUND',
  scene_not_found: 'NOT_FOUND',
  zone_not_found: 'NOT_FOUND',
  service_group_not_found: 'NOT_FOUND',
  automation_not_found: 'NOT_FOUND',
  person_not_found: 'NOT_FOUND',
  user_not_found: 'NOT_FOUND',
  share_not_found: 'NOT_FOUND',
  webhook_not_found: 'NOT_FOUND',
  broker_not_found: 'NOT_FOUND',
  characteristic_not_found: 'NOT_FOUND',
  characteristic_not_writable: 'INVALID_VALUE',
  // No code of its own: like an offline relay, an offline device is worth a later retry.
  accessory_unreachable: 'RELAY_NOT_CONNECTED',
  relay_not_connected: 'RELAY_NOT_CONNECTED',
  // As in REST: a device's refusal is a transient failure (500), a taken name an invalid value (422).
  accessory_error: 'INTERNAL',
  conflict: 'INVALID_VALUE',
  pairing_failed: 'INVALID_VALUE',
  method_not_allowed: 'BAD_USER_INPUT',
  payload_too_large: 'BAD_USER_INPUT',
  unsupported_media_type: 'BAD_USER_INPUT',
  rate_limited: 'RATE_LIMITED',
  storage_unavailable: 'INTERNAL',
  cloud_only: 'CLOUD_ONLY',
  internal: 'INTERNAL',
};

export function graphqlCodeOf(code: ErrorCode): GraphqlCode {
  return CODES[code];
}

export interface PresentedError {
  readonly message: string;
  readonly locations?: readonly { readonly line: number; readonly column: number }[];
  readonly path?: readonly (string | number)[];
  readonly extensions: {
    readonly code: GraphqlCode;
    readonly reason: ErrorCode;
    /** Which of that code's causes applies, if it has several: REST's `reason`. */
    readonly cause?: ErrorReason;
    /** The faulty argument or field, as a path: `actions[2].value`. */
    readonly field?: string;
    readonly retryAfterSeconds?: number;
    /** The id under which the log has details, with unexpected `INTERNAL` errors. */
    readonly requestId?: string;
  };
}

/** The body of a response without data: the request failed before execution. */
export function presentRefusal(error: HearthError, requestId: string): { readonly errors: readonly PresentedError[] } {
  return { errors: [presentFailure(error, requestId)] };
}

/**
 * @param message the message with GraphQL's own words around it: `Variable "$value" got invalid value …`. Only for
 * expected errors: any other message may reveal internals.
 */
export function presentFailure(error: HearthError, requestId: string, message = error.message): PresentedError {
  const { field, reason: cause, retryAfterSeconds } = error.details;
  const unexpected = error.code === 'internal';
  return {
    message: unexpected ? internalError().message : message,
    extensions: {
      code: CODES[error.code],
      reason: error.code,
      ...(cause !== undefined && { cause }),
      ...(field !== undefined && { field }),
      ...(retryAfterSeconds !== undefined && { retryAfterSeconds: Math.ceil(retryAfterSeconds) }),
      ...(unexpected && { requestId }),
    },
  };
}
