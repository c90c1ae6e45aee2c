/**
 * Responses that clients may cache and that are compressed if the client supports it: the same bytes for every client.
 */
import { type ApiContext, headerOf } from './env.ts';
import { answer } from './respond.ts';

interface KeptAnswer {
  readonly type: string;
  /** A strong ETag: of the content, independent of its encoding. */
  readonly etag: string;
  readonly cacheControl: string;
  readonly policy?: string;
  /** Permissions-Policy, if the page needs any permission. */
  readonly permissions?: string | undefined;
  /** A request header, beside Accept-Encoding, that selects the content. */
  readonly varies?: string | undefined;
}

/** Clients cache the response but revalidate it each time; the result is mostly 304. */
export const ASK_AGAIN = 'no-cache';
/** One year, the longest that caches keep anything. */
export const FOR_EVER = 'public, max-age=31536000, immutable';

/** @param read returns the content, gzipped or plain. */
export async function answerKept(
  c: ApiContext,
  { type, etag, cacheControl, policy, permissions, varies }: KeptAnswer,
  read: (gzipped: boolean) => Uint8Array<ArrayBuffer> | Promise<Uint8Array<ArrayBuffer>>,
): Promise<Response> {
  const headers = {
    'Cache-Control': cacheControl,
    ETag: etag,
    Vary: varies ? `Accept-Encoding, ${varies}` : 'Accept-Encoding',
    ...(policy && { 'Content-Security-Policy': policy }),
    ...(permissions && { 'Permissions-Policy': permissions }),
  };
  if (matchesEtag(headerOf(c, 'if-none-match'), etag)) return answer(null, 304, headers);
  const gzipped = acceptsGzip(headerOf(c, 'accept-encoding'));
  return answer(await read(gzipped), 200, {
    ...headers,
    'Content-Type': type,
    ...(gzipped && { 'Content-Encoding': 'gzip' }),
  });
}

/** If-None-Match compares weakly (RFC 9110 §13.1.2). */
export function matchesEtag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  const opaque = etag.replace(/^W\//, '');
  return header.split(',').some((candidate) => {
    const text = candidate.trim();
    return text === '*' || text.replace(/^W\//, '') === opaque;
  });
}

export function acceptsGzip(header: string | undefined): boolean {
  if (header === undefined) return false;
  return header.split(',').some((offer) => /^\s*(?:gzip|x-gzip)\s*(?:;\s*q=(?!0(?:\.0*)?\s*$).*)?$/i.test(offer));
}
