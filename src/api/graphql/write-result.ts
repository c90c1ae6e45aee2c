import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { ExecutionResult } from 'graphql';
import { type ApiContext, headerOf } from '../env.ts';
import type { FailureLog } from '../failure-log.ts';
import { acceptsGzip } from '../negotiate.ts';
import { answer } from '../respond.ts';
import { presentErrors } from './errors.ts';
import type { KeptBytes } from './kept-answers.ts';
import { contentType, GRAPHQL_RESPONSE, type MediaType } from './media-type.ts';

const compress = promisify(gzip);

/** Number of characters below which compressing costs more than it saves in a home. */
const MIN_COMPRESSED_BYTES = 16_384;

/** JSON shrinks to a tenth at any level; the lowest costs a small computer a third of the usual one. */
const GZIP_LEVEL = 1;

/** Large responses are compressed for clients that accept that: a whole home has some hundred kilobytes. */
export async function presentResult(
  { errors = [], data }: ExecutionResult,
  type: MediaType,
  c: ApiContext,
  text: string,
): Promise<Response> {
  // Without data nothing was executed (GraphQL §7.1): the request itself was wrong.
  const status = data === undefined && type === GRAPHQL_RESPONSE ? 400 : 200;
  const headers = {
    ...headersOf(type),
    ...(errors.length > 0 && { 'X-Request-Id': c.get('caller').requestId }),
  };
  if (!isCompressed(text, c)) return answer(text, status, headers);
  return answer(await compress(text, { level: GZIP_LEVEL }), status, { ...headers, ...GZIPPED });
}

/** A kept answer without errors, compressed once. */
export async function presentKept(kept: KeptBytes, type: MediaType, c: ApiContext): Promise<Response> {
  if (!isCompressed(kept.bytes, c)) return answer(kept.bytes, 200, headersOf(type));
  kept.gzipped ??= compress(kept.bytes, { level: GZIP_LEVEL });
  return answer(await kept.gzipped, 200, { ...headersOf(type), ...GZIPPED });
}

const GZIPPED = { 'Content-Encoding': 'gzip' };

function headersOf(type: MediaType): Readonly<Record<string, string>> {
  return { ...contentType(type), Vary: 'Accept-Encoding' };
}

function isCompressed(text: string | Uint8Array, c: ApiContext): boolean {
  return text.length >= MIN_COMPRESSED_BYTES && acceptsGzip(headerOf(c, 'accept-encoding'));
}

export function writeResult({ errors = [], data }: ExecutionResult, c: ApiContext, failures: FailureLog): string {
  const { requestId } = c.get('caller');
  if (errors.length === 0) return JSON.stringify({ data });
  const { method, path } = c.req;
  let noted = false;
  const presented = presentErrors(errors, requestId, (cause) => {
    // One log line a request: an error for one accessory of a list mostly occurs for all of them.
    if (!noted) failures.note(cause, { requestId, method, path });
    noted = true;
  });
  return JSON.stringify({ errors: presented, data });
}
