const ELLIPSIS = '…';

/** Truncates to a number of UTF-8 bytes and ends with an ellipsis if cut. Never splits a character. */
export function cutToBytes(text: string, limit: number): string {
  if (Buffer.byteLength(text) <= limit) return text;
  const room = Math.max(0, limit - Buffer.byteLength(ELLIPSIS));
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(room));
  return `${text.slice(0, read)}${ELLIPSIS}`;
}
