/** Reads the beginning of a response body as text. A body that is longer, or that never ends, is cut off. */
import type { Readable } from 'node:stream';
import { TextDecoder } from 'node:util';

/** decisions §9. */
const MAX_BYTES = 64 * 1_024;

/** Leaves the stream destroyed, read to its end or not. @throws the error of the stream */
export async function readBody(body: Readable, contentType: string | undefined): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    const bytes = Buffer.from(chunk as Uint8Array);
    chunks.push(bytes.subarray(0, MAX_BYTES - size));
    size += bytes.length;
    if (size >= MAX_BYTES) break;
  }
  // With `stream: true` the decoder omits a character that the limit cut in two.
  return decoderFor(contentType).decode(Buffer.concat(chunks), { stream: size >= MAX_BYTES });
}

/** UTF-8 if the charset is missing or unknown. */
function decoderFor(contentType: string | undefined): TextDecoder {
  const [, label = 'utf-8'] = /;\s*charset="?([^\s";]+)/i.exec(contentType ?? '') ?? [];
  try {
    return new TextDecoder(label);
  } catch {
    return new TextDecoder();
  }
}
