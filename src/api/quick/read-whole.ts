import type { IncomingMessage } from 'node:http';
import { endedEarly } from '../read-body.ts';

/** The body, whose announced length is limited. @throws `invalid_request` it is incomplete, or the client is gone */
export function readWhole(incoming: IncomingMessage): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.once('end', () => {
      const [only] = chunks;
      resolve(chunks.length === 1 && only ? only : Buffer.concat(chunks));
    });
    incoming.once('error', (error) => reject(endedEarly(error)));
    incoming.once('close', () => incoming.readableEnded || reject(endedEarly()));
    // Gone while its credentials were checked: no event follows.
    if (incoming.destroyed) reject(endedEarly());
  });
}
