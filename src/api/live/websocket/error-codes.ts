/** Maps each error code to the one that clients of the WebSocket know (wire-facts §11.1), applied in one place. */
import type { ErrorCode, HearthError } from '../../../kernel/errors.ts';

export type WebSocketErrorCode =
  | 'INVALID_REQUEST'
  | 'UNKNOWN_ACTION'
  | 'HOME_NOT_FOUND'
  | 'ROOM_NOT_FOUND'
  | 'ACCESSORY_NOT_FOUND'
  | 'SCENE_NOT_FOUND'
  | 'CHARACTERISTIC_NOT_FOUND'
  | 'CHARACTERISTIC_NOT_WRITABLE'
  | 'ACCESSORY_UNREACHABLE'
  | 'INVALID_VALUE'
  | 'HOMEKIT_ERROR'
  | 'INTERNAL_ERROR'
  | 'PERMISSION_DENIED'
  | 'NOT_CONFIGURED'
  | 'AUTH_REQUIRED'
  | 'AUTH_FAILED';

/** Codes without an equivalent become a request that can't be executed; the message has the reason. */
export const WEB_SOCKET_CODES: Readonly<Record<ErrorCode, WebSocketErrorCode>> = {
  invalid_request: 'INVALID_REQUEST',
  invalid_value: 'INVALID_VALUE',
  invalid_token: 'AUTH_FAILED',
  invalid_credentials: 'AUTH_FAILED',
  insufficient_permissions: 'PERMISSION_DENIED',
  insufficient_platform_privileges: 'PERMISSION_DENIED',
  developer_mode_required: 'PERMISSION_DENIED',
  passcode_required: 'PERMISSION_DENIED',
  forbidden_origin: 'PERMISSION_DENIED',
  not_found: 'INVALID_REQUEST',
  home_not_found: 'HOME_NOT_FOUND',
  room_not_found: 'ROOM_NOT_FOUND',
  accessory_not_found: 'ACCESSORY_NOT_FOUND',
  scene_not_found: 'SCENE_NOT_FOUND',
  zone_not_found: 'INVALID_REQUEST',
  // To clients a group is an accessory like any other.
  service_group_not_found: 'ACCESSORY_NOT_FOUND',
  automation_not_found: 'INVALID_REQUEST',
  person_not_found: 'INVALID_REQUEST',
  user_not_found: 'INVALID_REQUEST',
  share_not_found: 'INVALID_REQUEST',
  webhook_not_found: 'INVALID_REQUEST',
  broker_not_found: 'INVALID_REQUEST',
  characteristic_not_found: 'CHARACTERISTIC_NOT_FOUND',
  characteristic_not_writable: 'CHARACTERISTIC_NOT_WRITABLE',
  // No device of this home can be reached now, and a later retry makes sense: the right reaction is the same as for an
  // accessory.
  relay_not_connected: 'ACCESSORY_UNREACHABLE',
  accessory_unreachable: 'ACCESSORY_UNREACHABLE',
  accessory_error: 'HOMEKIT_ERROR',
  // As in REST: a taken name is an invalid value.
  conflict: 'INVALID_VALUE',
  method_not_allowed: 'INVALID_REQUEST',
  payload_too_large: 'INVALID_REQUEST',
  unsupported_media_type: 'INVALID_REQUEST',
  rate_limited: 'INVALID_REQUEST',
  pairing_failed: 'HOMEKIT_ERROR',
  storage_unavailable: 'INTERNAL_ERROR',
  cloud_only: 'NOT_CONFIGURED',
  internal: 'INTERNAL_ERROR',
};

/** An error of this API alone. */
export class WebSocketError extends Error {
  override readonly name = 'WebSocketError';
  readonly code: WebSocketErrorCode;

  constructor(code: WebSocketErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** `error` of a response. @param error any other error must have been replaced by `internalError` */
export function presentWebSocketError(error: HearthError | WebSocketError): object {
  if (error instanceof WebSocketError) return { code: error.code, message: error.message };
  const { retryAfterSeconds, field } = error.details;
  return {
    code: WEB_SOCKET_CODES[error.code],
    message: error.message,
    ...(field !== undefined && field !== '' && { field }),
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds: Math.ceil(retryAfterSeconds) }),
  };
}
