/** The error responses of the REST API (API §7), described once for all operations. */
import { ErrorBody } from '../../contract/error-body.ts';
import { describeSchema, type JsonSchema } from '../../contract/json-schema.ts';
import { ref } from './json-schema.ts';

export const ERROR_SCHEMAS: Readonly<Record<string, JsonSchema>> = describeSchema(ErrorBody).components;

interface ErrorRow {
  readonly description: string;
  readonly example: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
}

const RETRY = { 'Retry-After': 'Seconds after which another try makes sense.' };

const ROWS: Readonly<Record<number, ErrorRow>> = {
  400: {
    description: 'The request is malformed: no JSON, a field that is missing or unknown, an id that is none.',
    example: { error: '"name" is missing: it must be a text.', code: 'invalid_request' },
  },
  401: {
    description: 'No token, or one that is malformed, unknown, expired or revoked.',
    example: { error: 'invalid_token', message: 'The access token has been revoked.', code: 'invalid_token' },
    headers: { 'WWW-Authenticate': 'RFC 6750, with the resource metadata of RFC 9728.' },
  },
  403: {
    description: 'The token is good, but does not reach this far.',
    example: {
      error: 'insufficient_permissions',
      message: 'Insufficient permissions',
      code: 'insufficient_permissions',
    },
  },
  404: {
    description: 'There is no such thing, or the token may not know of it: both answer alike.',
    example: { error: 'Accessory not found', code: 'accessory_not_found' },
  },
  413: {
    description: 'The body is larger than 1 MiB.',
    example: { error: 'A body may have 1048576 bytes at most.', code: 'payload_too_large' },
  },
  415: {
    description: 'The body is not announced as JSON in UTF-8.',
    example: {
      error: 'Send the body as JSON in UTF-8, with the header "Content-Type: application/json".',
      code: 'unsupported_media_type',
    },
  },
  422: {
    description: 'The fields are there, but a value in them is not possible: out of range, of the wrong type, taken.',
    example: { error: 'Invalid value: brightness must be between 0 and 100.', code: 'invalid_value' },
  },
  429: {
    description: 'Too many tries.',
    example: { error: 'Too many wrong codes. Try again in 5 minutes.', code: 'rate_limited' },
    headers: RETRY,
  },
  500: {
    description: 'Something went wrong inside, or in the device. Try once more; the log has the cause.',
    example: {
      error: 'Something went wrong inside hearthd. Try once more; its log has the cause.',
      code: 'internal',
    },
    headers: { 'X-Request-Id': 'What the log calls this request.' },
  },
  503: {
    description: 'Not now: the home is paused, the device does not answer, or nothing can be saved.',
    example: { error: 'Relay not connected', code: 'relay_not_connected' },
    headers: RETRY,
  },
};

/** By status, for `components.responses`. */
export function errorResponses(): JsonSchema {
  const rows = Object.entries(ROWS).map(([status, { description, example, headers }]) => [
    status,
    {
      description,
      ...(headers && {
        headers: Object.fromEntries(
          Object.entries(headers).map(([name, meaning]) => [
            name,
            { description: meaning, schema: { type: 'string' } },
          ]),
        ),
      }),
      content: { 'application/json': { schema: ref('Error'), example } },
    },
  ]);
  return { ...Object.fromEntries(rows), 304: { description: 'Nothing has changed since the answer with this ETag.' } };
}
