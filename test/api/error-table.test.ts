import { describe, expect, it } from 'vitest';
import { presentError, presentErrorBody } from '../../src/api/error-table.ts';
import { type ErrorCode, HearthError } from '../../src/kernel/errors.ts';

const ORIGIN = 'https://home.example';

/** API §7.1 and decisions §4. */
const STATUSES: Readonly<Record<ErrorCode, number>> = {
  invalid_request: 400,
  invalid_value: 422,
  invalid_token: 401,
  invalid_credentials: 401,
  developer_mode_required: 403,
  passcode_required: 403,
  insufficient_permissions: 403,
  forbidden_origin: 403,
  not_found: 404,
  home_not_found: 404,
  room_not_found: 404,
  accessory_not_found: 404,
  scene_not_found: 404,
  zone_not_found: 404,
  service_group_not_found: 404,
  automation_not_found: 404,
  person_not_found: 404,
  user_not_found: 404,
  share_not_found: 404,
  webhook_not_found: 404,
  broker_not_found: 404,
  insufficient_platform_privileges: 403,
  characteristic_not_found: 422,
  characteristic_not_writable: 422,
  relay_not_connected: 503,
  accessory_unreachable: 503,
  accessory_error: 500,
  conflict: 422,
  method_not_allowed: 405,
  payload_too_large: 413,
  unsupported_media_type: 415,
  rate_limited: 429,
  pairing_failed: 422,
  storage_unavailable: 503,
  cloud_only: 404,
  internal: 500,
};

describe('the table of errors', () => {
  it.each(Object.entries(STATUSES) as [ErrorCode, number][])(
    '%s is %i, with the code and the sentence',
    async (code, status) => {
      const response = presentError(new HearthError(code, 'What went wrong.'), 'request-1', ORIGIN);
      const body = await response.json();
      expect(response.status).toBe(status);
      expect(response.headers.get('x-request-id')).toBe('request-1');
      if (status === 401) expect(body).toEqual({ error: 'invalid_token', message: 'What went wrong.', code });
      else if (status === 403)
        expect(body).toEqual({ error: 'insufficient_permissions', message: 'What went wrong.', code });
      else expect(body).toEqual({ error: 'What went wrong.', code });
      expect(response.headers.has('retry-after')).toBe(status === 429 || status === 503);
      expect(response.headers.has('www-authenticate')).toBe(status === 401);
    },
  );

  it('gives the time to wait in whole seconds', () => {
    const error = new HearthError('rate_limited', 'Wait.', { retryAfterSeconds: 0.2 });
    expect(presentError(error, '', ORIGIN).headers.get('retry-after')).toBe('1');
  });

  it('keeps what a header can’t carry out of the challenge', () => {
    const challenge = presentError(new HearthError('invalid_token', 'Nö "so"\r\nX: y'), '', ORIGIN).headers.get(
      'www-authenticate',
    );
    expect(challenge).toBe(
      `Bearer realm="hearthd", error="invalid_token", error_description="N' 'so'''X: y", resource_metadata="${ORIGIN}/.well-known/oauth-protected-resource"`,
    );
  });

  it('gives the same body inside an answer', () => {
    expect(presentErrorBody(new HearthError('pairing_failed', 'Wrong code.'))).toEqual({
      error: 'Wrong code.',
      code: 'pairing_failed',
    });
  });

  it('names the cause where the error does', () => {
    expect(presentErrorBody(new HearthError('pairing_failed', 'Wrong code.', { reason: 'wrong_code' }))).toEqual({
      error: 'Wrong code.',
      code: 'pairing_failed',
      reason: 'wrong_code',
    });
  });
});
