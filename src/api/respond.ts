/**
 * Creates every response, so that every response has the same protective headers. They are one plain object and not
 * middleware: setting them one by one on each response would slow GET /rest/state noticeably. A test checks every
 * route.
 */

/**
 * For responses that are data and never a page. Nothing in them may run, be framed or be sniffed into another type. No
 * cache between the relay and the client may store them, and they reveal no referrer to other sites (security
 * checklist, row 48).
 */
export const PROTECTIVE_HEADERS = Object.freeze({
  'Cache-Control': 'no-store',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=()',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
});

type ExtraHeaders = Readonly<Record<string, string>>;

/** A response with any body. `headers` override the protective ones. */
export function answer(
  body: string | Uint8Array<ArrayBuffer> | ReadableStream | null,
  status: number,
  headers: ExtraHeaders,
): Response {
  return new Response(body, { status, headers: { ...PROTECTIVE_HEADERS, ...headers } });
}

/** A response as plain values, for both ways of answering a request. */
export interface PlainAnswer {
  readonly status: number;
  readonly headers: ExtraHeaders;
  readonly body: string | Uint8Array<ArrayBuffer> | null;
}

const JSON_HEADERS: ExtraHeaders = { ...PROTECTIVE_HEADERS, 'Content-Type': 'application/json' };

export function plainJson(value: unknown): PlainAnswer {
  return { status: 200, headers: JSON_HEADERS, body: JSON.stringify(value) };
}

export function responseOf({ status, headers, body }: PlainAnswer): Response {
  return new Response(body, { status, headers });
}

export function answerJson(value: unknown, status = 200, headers: ExtraHeaders = {}): Response {
  return answer(JSON.stringify(value), status, { 'Content-Type': 'application/json', ...headers });
}
