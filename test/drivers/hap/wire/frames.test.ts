import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FrameDecoder, FrameEncoder, FrameError, MAX_FRAME_BYTES } from '../../../../src/drivers/hap/wire/frames.ts';
import { FrameCoder } from '../../../support/accessories/raw-wire.ts';

const KEY = Buffer.alloc(32, 7);

function decode(chunks: readonly Buffer[], key = KEY): Buffer {
  const decoder = new FrameDecoder(key);
  const out: Buffer[] = [];
  for (const chunk of chunks) decoder.push(chunk, (plain) => out.push(plain));
  return Buffer.concat(out);
}

/** Cuts bytes at the given fractions of their length. */
function cut(bytes: Buffer, at: readonly number[]): Buffer[] {
  const cuts = [...new Set(at.map((fraction) => Math.floor(fraction * bytes.length)))].sort((a, b) => a - b);
  return [0, ...cuts].map((start, index) => bytes.subarray(start, cuts[index] ?? bytes.length));
}

const fraction = fc.double({ min: 0, max: 1, noNaN: true });

describe('encrypted frames', () => {
  it('come out as they went in, however they are cut and glued', () => {
    fc.assert(
      fc.property(
        fc.array(fc.uint8Array({ minLength: 1, maxLength: 3000 }), { minLength: 1, maxLength: 5 }),
        fc.array(fraction, { maxLength: 12 }),
        (messages, cuts) => {
          const encoder = new FrameEncoder(KEY);
          const wire = Buffer.concat(messages.map((message) => encoder.encode(Buffer.from(message))));
          expect(decode(cut(wire, cuts)).equals(Buffer.concat(messages))).toBe(true);
        },
      ),
      { numRuns: 200 },
    );
  });

  it('can arrive byte by byte', () => {
    const wire = new FrameEncoder(KEY).encode(Buffer.from('HTTP/1.1 204 No Content\r\n\r\n'));
    const bytes = [...wire].map((byte) => Buffer.from([byte]));
    expect(decode(bytes).toString()).toBe('HTTP/1.1 204 No Content\r\n\r\n');
  });

  it('are the ones that accessories make and read', () => {
    const accessory = new FrameCoder(KEY, KEY);
    const encoder = new FrameEncoder(KEY);
    const long = randomBytes(2 * MAX_FRAME_BYTES + 1);
    for (const message of [Buffer.from('a'), long]) {
      expect(Buffer.concat([...accessory.decrypt(encoder.encode(message))]).equals(message)).toBe(true);
    }
    expect(
      decode([accessory.encrypt(long), accessory.encrypt(Buffer.from('b'), 1)]).equals(
        Buffer.concat([long, Buffer.from('b')]),
      ),
    ).toBe(true);
  });

  it('hold at most 1,024 bytes each', () => {
    const wire = new FrameEncoder(KEY).encode(Buffer.alloc(2049));
    expect([wire.readUInt16LE(0), wire.readUInt16LE(1042), wire.readUInt16LE(2084)]).toEqual([1024, 1024, 1]);
    expect(wire).toHaveLength(2049 + 3 * 18);
  });

  it.each([0, 1025, 65_535])('are refused when one claims to be %i bytes long', (length) => {
    const wire = Buffer.alloc(100);
    wire.writeUInt16LE(length);
    expect(() => decode([wire])).toThrow(FrameError);
    expect(() => decode([...wire].map((byte) => Buffer.from([byte])))).toThrow(FrameError);
  });

  it('are delivered up to the first corrupt one, and no further', () => {
    const encoder = new FrameEncoder(KEY);
    const wire = Buffer.concat([encoder.encode(Buffer.from('good')), encoder.encode(Buffer.from('bad!'))]);
    wire[wire.length - 1] = (wire.at(-1) ?? 0) ^ 1;
    const seen: string[] = [];
    expect(() => new FrameDecoder(KEY).push(wire, (plain) => seen.push(plain.toString()))).toThrow(/tag/);
    expect(seen).toEqual(['good']);
  });

  it('are refused out of order, repeated, or under another key', () => {
    const encoder = new FrameEncoder(KEY);
    const [first, second] = [encoder.encode(Buffer.from('1')), encoder.encode(Buffer.from('2'))];
    expect(() => decode([second])).toThrow(FrameError);
    expect(() => decode([first, first])).toThrow(FrameError);
    expect(() => decode([first], Buffer.alloc(32, 8))).toThrow(FrameError);
  });

  it('never come out changed, for every change of one byte', () => {
    const plain = Buffer.from('EVENT/1.0 200 OK\r\nContent-Length: 2\r\n\r\n{}');
    const wire = new FrameEncoder(KEY).encode(plain);
    for (let at = 0; at < wire.length; at += 1) {
      for (const flip of [1, 0x80, 0xff]) {
        const bent = Buffer.from(wire);
        bent[at] = (bent[at] ?? 0) ^ flip;
        const seen: Buffer[] = [];
        try {
          new FrameDecoder(KEY).push(bent, (bytes) => seen.push(bytes));
        } catch (error) {
          expect(error).toBeInstanceOf(FrameError);
        }
        expect(seen).toEqual([]);
      }
    }
  });

  it('end in an error or in waiting, for all bytes', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 600 }), { maxLength: 8 }), (chunks) => {
        try {
          expect(decode(chunks.map((chunk) => Buffer.from(chunk)))).toHaveLength(0);
        } catch (error) {
          expect(error).toBeInstanceOf(FrameError);
        }
      }),
      { numRuns: 1000 },
    );
  });
});
