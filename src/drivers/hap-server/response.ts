/**
 * What the server sends: responses and events. They look as HAP-NodeJS sends them, which Apple's controllers know best:
 * chunked bodies in responses, a length in events.
 */
import { STATUS_CODES } from 'node:http';

export interface HapResponse {
  readonly status: number;
  readonly contentType?: string;
  readonly body?: Buffer | string;
  /** Runs when the response has been written, before anything else is. */
  readonly onWritten?: () => void;
}

export const NO_CONTENT: HapResponse = { status: 204 };

export function json(status: number, body: string): HapResponse {
  return { status, contentType: 'application/hap+json', body };
}

/** An error has its HAP status in the body. */
export function failure(httpStatus: number, hapStatus: number): HapResponse {
  return json(httpStatus, `{"status":${hapStatus}}`);
}

export function tlv(answer: { readonly status: number; readonly body: Buffer }): HapResponse {
  return { ...answer, contentType: 'application/pairing+tlv8' };
}

/** @param now milliseconds since the epoch */
export function encodeResponse({ status, contentType, body = '' }: HapResponse, now: number): Buffer {
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'unknown'}`,
    ...(contentType === undefined ? [] : [`Content-Type: ${contentType}`]),
    `Date: ${new Date(now).toUTCString()}`,
    'Connection: keep-alive',
    ...(contentType === undefined ? [] : ['Transfer-Encoding: chunked']),
  ].join('\r\n');
  if (contentType === undefined) return Buffer.from(`${head}\r\n\r\n`);
  const bytes = Buffer.from(body);
  const chunk = bytes.length > 0 ? `${bytes.length.toString(16)}\r\n` : '';
  return Buffer.concat([
    Buffer.from(`${head}\r\n\r\n${chunk}`),
    bytes,
    Buffer.from(`${chunk === '' ? '' : '\r\n'}0\r\n\r\n`),
  ]);
}

/** The last answer on a connection whose stream is not valid HTTP. */
export function encodeRejection(status: number): Buffer {
  return Buffer.from(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'unknown'}\r\nConnection: close\r\n\r\n`);
}

/** @param elements JSON objects */
export function encodeEvent(elements: readonly string[]): Buffer {
  const body = Buffer.from(`{"characteristics":[${elements.join()}]}`);
  const head = `EVENT/1.0 200 OK\r\nContent-Type: application/hap+json\r\nContent-Length: ${body.length}\r\n\r\n`;
  return Buffer.concat([Buffer.from(head), body]);
}
