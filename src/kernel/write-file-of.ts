import { createWriteStream } from 'node:fs';
import type { Duplex, Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/**
 * Writes a stream to a new file, mode 0600. After this call settles, the stream no longer writes to the file or creates
 * it: without this care, a stream that fails while its file is being opened creates the file after it reported the
 * error.
 * @param through the transforms between the stream and the file. @throws the error; a partial file may remain
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
