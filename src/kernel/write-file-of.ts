import { createWriteStream } from 'node:fs';
import type { Duplex, Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/**
 * Writes what a stream has into a new file, mode 0600. When this is over nobody writes to that file any more, nor makes it: a stream that
 * fails while its file is being opened makes that file all the same, and after everybody has been told.
 * @param through what it passes on its way. @throws what went wrong; then there may be a part of it
 */
export async function writeFileOf(path: string, content: Readable, ...through: readonly Duplex[]): Promise<void> {
  const output = createWriteStream(path, { mode: 0o600, flags: 'wx' });
  const closed = new Promise<void>((resolve) => output.once('close', resolve));
  try {
    await pipeline([content, ...through, output]);
  } finally {
    await closed;
  }
}
