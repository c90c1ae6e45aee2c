/** The beginning of an answer's body as text: whoever sends more than that, or never ends, is cut off. */
import type { Readable } from 'node:stream';
import { TextDecoder } from 'node:util';

/** decisions §9. */
const MOST_BYTES = 64 * 1_024;

/** Leaves the stream destroyed, read to its end or not. @throws what the stream fails with */
export async function readBody(body: Readable, contentType: string | undefined): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    const bytes = Buffer.from(chunk as Uint8Array);
    chunks.push(bytes.subarray(0, MOST_BYTES - size));
    size += bytes.length;
    if (size >= MOST_BYTES) break;
  }
  // Told that more follows, a decoder leaves out a character that was cut through.
  return decoderFor(contentType).decode(Buffer.concat(chunks), { stream: size >= MOST_BYTES });
}

/** UTF-8 where nobody says, or says something that nobody knows. */
function decoderFor(contentType: string | undefined): TextDecoder {
  const [, label = 'utf-8'] = /;\s*charset="?([^\s";]+)/i.exec(contentType ?? '') ?? [];
  try {
    return new TextDecoder(label);
  } catch {
    return new TextDecoder();
  }
}
