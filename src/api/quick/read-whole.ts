import type { IncomingMessage } from 'node:http';
import { endedEarly } from '../read-body.ts';

/** The body, whose announced length is limited. @throws `invalid_request` it is incomplete, or the client is gone */
export function readWhole(incoming: IncomingMessage): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let missing = Number(incoming.headers['content-length']);
    const finish = (): void => {
      const [only] = chunks;
      resolve(chunks.length === 1 && only ? only : Buffer.concat(chunks));
    };
    incoming.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      missing -= chunk.length;
      // Node's event for the end comes a turn after the last byte.
      if (missing === 0) finish();
    });
    incoming.on('end', finish);
    incoming.on('error', (error) => reject(endedEarly(error)));
    incoming.on('close', () => incoming.readableEnded || reject(endedEarly()));
    // Gone while its credentials were checked: no event follows.
    if (incoming.destroyed) reject(endedEarly());
  });
}
