import { type GuardedRequest, headerOf } from '../env.ts';
import { acceptsGzip, matchesEtag } from '../negotiate.ts';
import { type PlainAnswer, responseOf } from '../respond.ts';
import type { CachedState } from './state-cache.ts';

/** Below this, compressing costs more than it saves. */
const MIN_COMPRESSED_BYTES = 1_024;

/** The kept response, compressed for clients that take it so, or 304 for those that have it. */
export function cachedAnswer(c: GuardedRequest, cached: CachedState, now: number): PlainAnswer | Promise<PlainAnswer> {
  const { plain, gzipped, empty } = cached.headers;
  if (matchesEtag(headerOf(c, 'if-none-match'), cached.etag)) return { status: 304, headers: empty, body: null };
  const body = cached.body(now);
  if (body.byteLength < MIN_COMPRESSED_BYTES || !acceptsGzip(headerOf(c, 'accept-encoding'))) {
    return { status: 200, headers: plain, body };
  }
  return cached.gzipped(now).then((bytes) => ({ status: 200, headers: gzipped, body: bytes }));
}

/** A plain answer for routes of Hono. */
export function answered(answer: PlainAnswer | Promise<PlainAnswer>): Response | Promise<Response> {
  return answer instanceof Promise ? answer.then(responseOf) : responseOf(answer);
}
