/**
 * Every answer begins here, so that every answer carries the same protective headers. They are one plain object and no
 * middleware: setting them one by one on each response would slow GET /rest/state noticeably. A test asks every route.
 */

/**
 * For answers that are data and never a page: nothing in them may run, be framed, be sniffed into another type, be stored
 * by a cache between us and the client, or tell another site where it was found (security checklist, row 48).
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

/** An answer with any body. `headers` win over the protective ones. */
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
