/** Maps each error code to its wire form (API §7, decisions §4). One table for the whole API, applied in one place. */
import type { ErrorBody } from '../contract/error-body.ts';
import type { ErrorCode } from '../kernel/errors.ts';
import { HearthError } from '../kernel/errors.ts';
import { type PlainAnswer, PROTECTIVE_HEADERS, responseOf } from './respond.ts';

interface WireForm {
  readonly status: number;
  /** API §7.3: with 401 and 403 the body's `error` is this word, and the sentence moves to `message`. */
  readonly word?: 'invalid_token' | 'insufficient_permissions';
  /** Seconds to wait if the error itself names none. */
  readonly retryAfterSeconds?: number;
}

const WIRE_FORMS: Readonly<Record<ErrorCode, WireForm>> = {
  invalid_request: { status: 400 },
  invalid_value: { status: 422 },
  invalid_token: { status: 401, word: 'invalid_token' },
  invalid_credentials: { status: 401, word: 'invalid_token' },
  insufficient_permissions: { status: 403, word: 'insufficient_permissions' },
  insufficient_platform_privileges: { status: 403, word: 'insufficient_permissions' },
  developer_mode_required: { status: 403, word: 'insufficient_permissions' },
  passcode_required: { status: 403, word: 'insufficient_permissions' },
  forbidden_origin: { status: 403, word: 'insufficient_permissions' },
  not_found: { status: 404 },
  home_not_found: { status: 404 },
  room_not_found: { status: 404 },
  accessory_not_found: { status: 404 },
  scene_not_found: { status: 404 },
  zone_not_found: { status: 404 },
  service_group_not_found: { status: 404 },
  automation_not_found: { status: 404 },
  person_not_found: { status: 404 },
  user_not_found: { status: 404 },
  share_not_found: { status: 404 },
  webhook_not_found: { status: 404 },
  broker_not_found: { status: 404 },
  characteristic_not_found: { status: 422 },
  characteristic_not_writable: { status: 422 },
  relay_not_connected: { status: 503, retryAfterSeconds: 5 },
  accessory_unreachable: { status: 503, retryAfterSeconds: 10 },
  // API §7.1 has neither 409 nor 502: a taken name is an invalid value, a device's refusal a transient failure.
  accessory_error: { status: 500 },
  conflict: { status: 422 },
  method_not_allowed: { status: 405 },
  payload_too_large: { status: 413 },
  unsupported_media_type: { status: 415 },
  rate_limited: { status: 429, retryAfterSeconds: 60 },
  pairing_failed: { status: 422 },
  storage_unavailable: { status: 503, retryAfterSeconds: 60 },
  cloud_only: { status: 404 },
  internal: { status: 500 },
};

/** The body alone, for places that report an error inside a response of their own. */
export function presentErrorBody(error: HearthError): ErrorBody {
  const { word } = WIRE_FORMS[error.code];
  const { field, reason, clockDifferenceSeconds } = error.details;
  const sentences = word ? { error: word, message: error.message } : { error: error.message };
  return {
    ...sentences,
    code: error.code,
    ...(reason !== undefined && { reason }),
    ...(field !== undefined && field !== '' && { field }),
    ...(clockDifferenceSeconds !== undefined && { clockDifferenceSeconds }),
  };
}

/**
 * @param origin scheme and host under which the client reached the relay, for the link to the protected-resource
 * metadata.
 */
export function presentError(error: HearthError, requestId: string, origin: string): Response {
  return responseOf(plainError(error, requestId, origin));
}

/** As `presentError`, as plain values. */
export function plainError(error: HearthError, requestId: string, origin: string): PlainAnswer {
  const { status, headers } = answerHead(error, requestId, origin);
  const all = { ...PROTECTIVE_HEADERS, 'Content-Type': 'application/json', ...headers };
  return { status, headers: all, body: JSON.stringify(presentErrorBody(error)) };
}

/** Status and headers, which are the same in every API; only the shape of the body differs. */
export function answerHead(
  error: HearthError,
  requestId: string,
  origin: string,
): { readonly status: number; readonly headers: Record<string, string> } {
  const { status, retryAfterSeconds } = WIRE_FORMS[error.code];
  const retryAfter = error.details.retryAfterSeconds ?? retryAfterSeconds;
  const headers: Record<string, string> = { 'X-Request-Id': requestId };
  if (status === 401) headers['WWW-Authenticate'] = challenge(error.message, origin);
  if (retryAfter !== undefined) headers['Retry-After'] = String(Math.ceil(retryAfter));
  if (error.details.allow) headers.Allow = error.details.allow.join(', ');
  // Without this, the connection would wait for the rest of an oversize body.
  if (status === 413) headers.Connection = 'close';
  return { status, headers };
}

/** Stands for any unexpected error. The log has its cause under the request id; the response does not. */
export function internalError(): HearthError {
  return new HearthError('internal', 'Something went wrong inside hearthd. Try once more; its log has the cause.');
}

/** @param allow the methods that the route has (RFC 9110 §15.5.6). */
export function methodNotAllowed(method: string, allow: readonly string[]): HearthError {
  // HEAD is implied where GET is possible.
  const named = allow.filter((other) => other !== 'HEAD');
  return new HearthError('method_not_allowed', `${method} is not possible here, only ${named.join(', ')}.`, { allow });
}

/** RFC 6750 §3 with RFC 9728 §5.1. `error_description` takes printable ASCII without quotes and backslashes only. */
function challenge(sentence: string, origin: string): string {
  const description = sentence.replace(/[^\x20-\x21\x23-\x5b\x5d-\x7e]/g, "'");
  return [
    'Bearer realm="hearthd"',
    'error="invalid_token"',
    `error_description="${description}"`,
    `resource_metadata="${origin}/.well-known/oauth-protected-resource"`,
  ].join(', ');
}
