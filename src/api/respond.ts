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

export function answerJson(value: unknown, status = 200, headers: ExtraHeaders = {}): Response {
  return answer(JSON.stringify(value), status, { 'Content-Type': 'application/json', ...headers });
}
