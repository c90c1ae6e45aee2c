import { parseRequestParams, type RequestParams } from 'graphql-http';
import { HearthError, messageOf } from '../../kernel/errors.ts';
import type { ApiContext } from '../env.ts';
import { readJson } from '../read-body.ts';
import { checkRequestSize } from './limits.ts';

/** @throws `invalid_request` · `payload_too_large` */
export async function readParams(c: ApiContext): Promise<RequestParams> {
  const headers = { get: (name: string) => c.req.header(name) ?? null };
  const body = c.req.method === 'POST' ? await readBody(c) : null;
  const method = c.req.method === 'HEAD' ? 'GET' : c.req.method;
  // A "?" may stand in a query (RFC 3986 §3.4); the reader takes the second one for its end.
  const [path = '', ...query] = c.req.url.split('?');
  const url = `${path}?${query.join('%3F')}`;
  try {
    const params = await parseRequestParams({ method, url, headers, body, raw: null, context: null });
    if ('query' in params) return params;
  } catch (error) {
    throw new HearthError(
      'invalid_request',
      `${messageOf(error)}: give "query" as a text and, where needed, "operationName" as a text and "variables" as a JSON object.`,
    );
  }
  // Method and media type were checked before; the reader returns this if they do not fit.
  throw new HearthError('unsupported_media_type', 'Ask by GET, or send JSON by POST.');
}

async function readBody(c: ApiContext): Promise<Record<string, unknown>> {
  // The request caches the body, which can be read only once.
  checkRequestSize((await c.req.arrayBuffer().catch(() => new ArrayBuffer())).byteLength);
  const body = await readJson(c);
  if (Array.isArray(body)) {
    throw new HearthError('invalid_request', 'Batches are not possible: send one operation a request.');
  }
  return body as Record<string, unknown>;
}
