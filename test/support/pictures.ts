/** Small pictures of each kind that rooms accept. */
import { crc32, deflateSync } from 'node:zlib';

function chunk(name: string, data: Uint8Array): Buffer {
  const named = Buffer.concat([Buffer.from(name), data]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.byteLength);
  check.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, check]);
}

/**
 * A black picture, without its lower lines where it is huge.
 * @param isNoise every pixel differs: nothing makes it small
 */
export function pngOf(width: number, height: number, isNoise = false): Buffer<ArrayBuffer> {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  // 8 bits, grayscale.
  head[8] = 8;
  const lines = Buffer.alloc(Math.min((width + 1) * height, 2_000_000));
  if (isNoise) {
    for (let at = 0, value = 1; at < lines.byteLength; at += 1) {
      // Xorshift: the same noise each time.
      value ^= value << 13;
      value ^= value >>> 17;
      value ^= value << 5;
      // The first byte of a line is its filter.
      if (at % (width + 1) !== 0) lines[at] = value & 0xff;
    }
  }
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([
    signature,
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(lines)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

export const PNG = pngOf(4, 3);

/** Its segments without the tables, which nothing but a decoder reads. */
export function jpegOf(width: number, height: number): Buffer<ArrayBuffer> {
  const frame = Buffer.from([0xff, 0xc0, 0x00, 0x0b, 0x08, 0, 0, 0, 0, 0x01, 0x01, 0x11, 0x00]);
  frame.writeUInt16BE(height, 5);
  frame.writeUInt16BE(width, 7);
  const app0 = Buffer.from([0xff, 0xe0, 0x00, 0x07, 0x4a, 0x46, 0x49, 0x46, 0x00]);
  const scan = Buffer.from([0xff, 0xda, 0x00, 0x08, 0x01, 0x01, 0x00, 0x00, 0x3f, 0x00, 0x12, 0x34, 0xff, 0x00, 0x56]);
  return Buffer.concat([Buffer.from([0xff, 0xd8]), app0, frame, scan, Buffer.from([0xff, 0xd9])]);
}

const base64 = (text: string) => Buffer.from(text, 'base64');

/** One pixel each. */
export const WEBP = {
  lossy: base64('UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA'),
  lossless: base64('UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA=='),
  transparent: base64(
    'UklGRkoAAABXRUJQVlA4WAoAAAAQAAAAAAAAAAAAQUxQSAwAAAARBxAR/Q9ERP8DAABWUDggGAAAABQBAJ0BKgEAAQAAAP4AAA3AAP7mtQAAAA==',
  ),
};
