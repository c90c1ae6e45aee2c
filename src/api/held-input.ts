/**
 * Requests that a peer pipelines (RFC 9112 §9.3.2) stay unread in the connection. Node's parser reads all of them at
 * once: thousands fit into one packet buffer, and each takes time and memory. It stops at a request that asks for
 * another protocol, and hands over the rest. The listener uses that to stop it at the first request that has to wait.
 */
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';

/** What Node calls for the head of each request. Its result goes to llhttp's `on_headers_complete`. */
type OnIncoming = (request: IncomingMessage & { readonly upgrade?: boolean }, keepAlive: boolean) => number;
/** The parser takes no body for this request, and stops behind its head. */
const STOP = 2;

/**
 * Stops the parser of a connection at each request whose `upgrade` is true. Node does so itself up to version 24; from
 * 26 on only if the head asks for another protocol, and would leave out requests that have to wait.
 */
export function stopAtUpgrades(socket: Duplex): void {
  const { parser } = socket as { readonly parser?: { onIncoming: OnIncoming } | null };
  if (!parser) return;
  const { onIncoming } = parser;
  parser.onIncoming = (request, keepAlive) => {
    const result = onIncoming(request, keepAlive);
    return request.upgrade === true ? STOP : result;
  };
}

/**
 * Puts the request and all bytes after it back into the connection. @returns a function that lets another parser read
 * them
 */
export function holdInput(socket: Duplex, request: IncomingMessage, rest: Buffer): () => void {
  // With a listener for this event the stream keeps the bytes it reads, and stops reading when it is full.
  socket.on('readable', keep);
  // Immediately: an empty stream would end when the peer has sent its last byte.
  if (rest.length > 0) socket.unshift(rest);
  socket.unshift(writeHead(request));
  return () => socket.off('readable', keep);
}

function keep(): void {}

/** The head of a request as it was sent: header values are bytes, which Node presents as Latin-1. */
function writeHead({ method, url, httpVersion, rawHeaders }: IncomingMessage): Buffer {
  let head = `${method} ${url} HTTP/${httpVersion}\r\n`;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    head += `${rawHeaders[index]}: ${rawHeaders[index + 1]}\r\n`;
  }
  return Buffer.from(`${head}\r\n`, 'latin1');
}
