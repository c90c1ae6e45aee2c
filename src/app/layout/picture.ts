/**
 * Finds out what a picture is by its bytes: JPEG, PNG or WebP, with its size in pixels, and whether all of it is there.
 * It decodes nothing. SVG is none of them, because it can hold scripts.
 */
import { createHash } from 'node:crypto';
import { MAX_PICTURE_BYTES } from '../../home/vocabulary/room-looks.ts';
import { HearthError } from '../../kernel/errors.ts';

export type PictureType = 'image/jpeg' | 'image/png' | 'image/webp';

/** A picture of a room or a home, as it was sent. */
export interface KeptPicture {
  readonly type: PictureType;
  readonly hash: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

interface Picture {
  readonly type: PictureType;
  readonly width: number;
  readonly height: number;
}

/** A small file can have so many pixels that a phone runs out of memory when it draws them. */
const MAX_PIXELS_A_SIDE = 4_096;

/** @returns the hash of a picture that can be kept. @throws `payload_too_large` · as `parsePicture` */
export function hashOfPicture(bytes: Uint8Array): string {
  if (bytes.byteLength > MAX_PICTURE_BYTES) {
    throw new HearthError('payload_too_large', `A picture may have ${MAX_PICTURE_BYTES / 1000} kB at most.`, {
      field: 'picture',
      reason: 'picture_too_large',
    });
  }
  parsePicture(bytes);
  return createHash('sha256').update(bytes).digest('base64url').slice(0, 27);
}

/** @throws `not_found` it has none, or one that an altered backup damaged */
export function keptPicture(name: string, hash: string | null, bytes: KeptPicture['bytes'] | undefined): KeptPicture {
  const type = bytes && pictureTypeOf(bytes);
  if (hash === null || bytes === undefined || type === undefined) {
    throw new HearthError('not_found', `${name} has no picture.`);
  }
  return { type, hash, bytes };
}

/** @throws `invalid_value` no JPEG, PNG or WebP · truncated · too many pixels */
export function parsePicture(bytes: Uint8Array): Picture {
  const type = pictureTypeOf(bytes);
  if (type === undefined) throw wrong('not_a_picture', 'it takes a picture as JPEG, PNG or WebP');
  const size = SIZES[type](new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  if (size === undefined) throw wrong('picture_incomplete', 'the picture is damaged or incomplete');
  const [width, height] = size;
  if (width > MAX_PIXELS_A_SIDE || height > MAX_PIXELS_A_SIDE) {
    throw wrong('picture_too_large', `a picture may have ${MAX_PIXELS_A_SIDE} pixels a side at most`);
  }
  return { type, width, height };
}

/** By its first bytes alone. */
export function pictureTypeOf(bytes: Uint8Array): PictureType | undefined {
  if (startsWith(bytes, [0xff, 0xd8, 0xff])) return 'image/jpeg';
  if (startsWith(bytes, [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])) return 'image/png';
  const isWebp = startsWith(bytes, RIFF) && startsWith(bytes.subarray(8), [0x57, 0x45, 0x42, 0x50]);
  return isWebp ? 'image/webp' : undefined;
}

const RIFF = [0x52, 0x49, 0x46, 0x46];

function startsWith(bytes: Uint8Array, start: readonly number[]): boolean {
  return start.every((byte, index) => bytes[index] === byte);
}

function wrong(reason: 'not_a_picture' | 'picture_incomplete' | 'picture_too_large', sentence: string): HearthError {
  return new HearthError('invalid_value', `Invalid value for picture: ${sentence}.`, { field: 'picture', reason });
}

type Size = readonly [width: number, height: number];

/** Width and height; nothing if the picture is damaged or ends too early. */
const SIZES: Readonly<Record<PictureType, (view: DataView) => Size | undefined>> = {
  'image/jpeg': jpegSize,
  'image/png': pngSize,
  'image/webp': webpSize,
};

const SIZELESS_MARKERS = new Set([0x01, 0xd0, 0xd1, 0xd2, 0xd3, 0xd4, 0xd5, 0xd6, 0xd7]);
/** Define Huffman tables, reserved, and define arithmetic coding: among the numbers of frames, but no frames. */
const NOT_FRAMES = new Set([0xc4, 0xc8, 0xcc]);
const START_OF_SCAN = 0xda;

/** ISO 10918-1, annex B: segments up to the first scan, and the end marker after it. */
function jpegSize(view: DataView): Size | undefined {
  let size: Size | undefined;
  let at = 2;
  while (at + 4 <= view.byteLength && view.getUint8(at) === 0xff) {
    const marker = view.getUint8(at + 1);
    if (marker === 0xff || SIZELESS_MARKERS.has(marker)) {
      at += marker === 0xff ? 1 : 2;
      continue;
    }
    const length = view.getUint16(at + 2);
    if (length < 2 || at + 2 + length > view.byteLength) return undefined;
    if (marker >= 0xc0 && marker <= 0xcf && !NOT_FRAMES.has(marker) && length >= 8) {
      size = [view.getUint16(at + 7), view.getUint16(at + 5)];
    }
    at += 2 + length;
    if (marker === START_OF_SCAN) return size && isPositive(size) && hasJpegEnd(view, at) ? size : undefined;
  }
  return undefined;
}

/** Some cameras append data of their own, so the end marker need not be the end of the file. */
function hasJpegEnd(view: DataView, from: number): boolean {
  for (let at = view.byteLength - 2; at >= from; at -= 1) if (view.getUint16(at) === 0xffd9) return true;
  return false;
}

const IHDR = 0x49484452;
const IEND = 0x49454e44;

/** RFC 2083: chunks from IHDR to IEND. */
function pngSize(view: DataView): Size | undefined {
  if (view.byteLength < 33 || view.getUint32(12) !== IHDR) return undefined;
  const size: Size = [view.getUint32(16), view.getUint32(20)];
  let at = 8;
  while (at + 12 <= view.byteLength) {
    if (view.getUint32(at + 4) === IEND) return isPositive(size) ? size : undefined;
    at += 12 + view.getUint32(at);
  }
  return undefined;
}

/** RFC 9649: a RIFF file whose first chunk has the size. */
function webpSize(view: DataView): Size | undefined {
  if (view.byteLength < 30 || view.getUint32(4, true) + 8 > view.byteLength) return undefined;
  const size = webpChunkSize(view);
  return size && isPositive(size) ? size : undefined;
}

function webpChunkSize(view: DataView): Size | undefined {
  switch (view.getUint32(12)) {
    case 0x56503820: // 'VP8 '
      return [view.getUint16(26, true) & 0x3fff, view.getUint16(28, true) & 0x3fff];
    case 0x5650384c: {
      // 'VP8L'
      const bits = view.getUint32(21, true);
      return [(bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1];
    }
    case 0x56503858: // 'VP8X'
      return [uint24(view, 24) + 1, uint24(view, 27) + 1];
    default:
      return undefined;
  }
}

function uint24(view: DataView, at: number): number {
  return view.getUint16(at, true) + view.getUint8(at + 2) * 0x1_0000;
}

function isPositive([width, height]: Size): boolean {
  return width > 0 && height > 0;
}
