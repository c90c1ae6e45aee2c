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
  /** The content is there in Brotli too, which browsers take over https: a seventh less than gzip. */
  readonly hasBrotli?: boolean | undefined;
}

/** How content is compressed; `undefined`: not at all. */
export type Coding = 'br' | 'gzip' | undefined;

/** Clients cache the response but revalidate it each time; the result is mostly 304. */
export const ASK_AGAIN = 'no-cache';
/** One year, the longest that caches keep anything. */
export const FOR_EVER = 'public, max-age=31536000, immutable';

/** @param read returns the content, compressed in this way. */
export async function answerKept(
  c: ApiContext,
  { type, etag, cacheControl, policy, permissions, varies, hasBrotli }: KeptAnswer,
  read: (coding: Coding) => Uint8Array<ArrayBuffer> | Promise<Uint8Array<ArrayBuffer>>,
): Promise<Response> {
  const headers = {
    'Cache-Control': cacheControl,
    ETag: etag,
    Vary: varies ? `Accept-Encoding, ${varies}` : 'Accept-Encoding',
    ...(policy && { 'Content-Security-Policy': policy }),
    ...(permissions && { 'Permissions-Policy': permissions }),
  };
  if (matchesEtag(headerOf(c, 'if-none-match'), etag)) return answer(null, 304, headers);
  const accepted = headerOf(c, 'accept-encoding');
  const coding = hasBrotli && accepts(accepted, BROTLI) ? 'br' : acceptsGzip(accepted) ? 'gzip' : undefined;
  return answer(await read(coding), 200, {
    ...headers,
    'Content-Type': type,
    ...(coding && { 'Content-Encoding': coding }),
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

const BROTLI = /^\s*br\s*(?:;\s*q=(?!0(?:\.0*)?\s*$).*)?$/i;
const GZIP = /^\s*(?:gzip|x-gzip)\s*(?:;\s*q=(?!0(?:\.0*)?\s*$).*)?$/i;

export function acceptsGzip(header: string | undefined): boolean {
  return accepts(header, GZIP);
}

function accepts(header: string | undefined, coding: RegExp): boolean {
  return header?.split(',').some((offer) => coding.test(offer)) ?? false;
}
