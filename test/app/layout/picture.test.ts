/** What a file is: by its bytes, without decoding it. */
import { describe, expect, it } from 'vitest';
import { parsePicture, pictureTypeOf } from '../../../src/app/layout/picture.ts';
import { jpegOf, PNG, pngOf, WEBP } from '../../support/pictures.ts';

const refused = (reason: string) =>
  expect.objectContaining({ code: 'invalid_value', details: { field: 'picture', reason } });

/** With some bytes replaced. */
function altered(picture: Uint8Array, at: number, ...bytes: readonly number[]): Uint8Array {
  const copy = Uint8Array.from(picture);
  copy.set(bytes, at);
  return copy;
}

describe('a picture', () => {
  it.each([
    ['PNG', pngOf(640, 480), { type: 'image/png', width: 640, height: 480 }],
    ['JPEG', jpegOf(1600, 900), { type: 'image/jpeg', width: 1600, height: 900 }],
    ['lossy WebP', WEBP.lossy, { type: 'image/webp', width: 1, height: 1 }],
    ['lossless WebP', WEBP.lossless, { type: 'image/webp', width: 1, height: 1 }],
    ['transparent WebP', WEBP.transparent, { type: 'image/webp', width: 1, height: 1 }],
  ])('is a %s with its size', (_, bytes, expected) => {
    expect(parsePicture(bytes)).toEqual(expected);
    expect(pictureTypeOf(bytes)).toBe(expected.type);
  });

  it('of a camera that appends data of its own is whole', () => {
    expect(parsePicture(Buffer.concat([jpegOf(10, 10), Buffer.from('maker data')]))).toMatchObject({ width: 10 });
  });

  it('that lies elsewhere in its buffer is read from its own start', () => {
    expect(parsePicture(Buffer.concat([Buffer.alloc(7), PNG]).subarray(7))).toMatchObject({ width: 4, height: 3 });
  });

  it.each([
    ['nothing', ''],
    ['SVG', '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'],
    ['a page', '<!doctype html><title>x</title>'],
    ['a GIF', 'GIF89a\u0001\u0000\u0001\u0000'],
    ['a sound', 'RIFF\u0010\u0000\u0000\u0000WAVEfmt '],
    ['the first bytes of a JPEG alone', '\u00ff\u00d8'],
  ])('is not %s', (_, text) => {
    expect(() => parsePicture(Buffer.from(text, 'latin1'))).toThrow(refused('not_a_picture'));
  });

  it.each([
    ['PNG', PNG],
    ['JPEG', jpegOf(10, 10)],
    ['lossy WebP', WEBP.lossy],
    ['lossless WebP', WEBP.lossless],
    ['transparent WebP', WEBP.transparent],
  ])('%s that ends anywhere before its end is refused', (_, bytes) => {
    for (let length = 12; length < bytes.byteLength; length += 1) {
      expect(() => parsePicture(bytes.subarray(0, length)), `${length} bytes`).toThrow(refused('picture_incomplete'));
    }
  });

  it.each([
    ['PNG without width', altered(PNG, 16, 0, 0, 0, 0)],
    ['PNG whose first chunk is another', altered(PNG, 12, 0x49, 0x44, 0x41, 0x54)],
    ['JPEG without height', jpegOf(10, 0)],
    ['JPEG with a segment of no length', altered(jpegOf(10, 10), 4, 0, 0)],
    ['JPEG without a frame', Buffer.concat([jpegOf(10, 10).subarray(0, 11), jpegOf(10, 10).subarray(24)])],
    ['WebP of an unknown kind', altered(WEBP.lossy, 15, 0x39)],
  ])('%s is refused', (_, bytes) => {
    expect(() => parsePicture(bytes)).toThrow(refused('picture_incomplete'));
  });

  it.each([
    ['PNG', pngOf(4_097, 1)],
    ['JPEG', jpegOf(10, 60_000)],
    ['WebP', altered(WEBP.transparent, 24, 0xff, 0xff, 0xff)],
  ])('%s of too many pixels is refused', (_, bytes) => {
    expect(() => parsePicture(bytes)).toThrow(refused('picture_too_large'));
  });
});
