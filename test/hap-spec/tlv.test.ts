import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeTlv, encodeTlv, TlvError, type TlvField } from '../../src/hap-spec/tlv.ts';

const bytes = (hex: string): Buffer => Buffer.from(hex.replaceAll(' ', ''), 'hex');

/** Fields without two adjacent ones of one type, which TLV8 can't distinguish. */
const fields = fc
  .array(fc.tuple(fc.integer({ min: 0, max: 254 }), fc.uint8Array({ maxLength: 700 })), { maxLength: 12 })
  .map((pairs) => pairs.map(([type, value]): TlvField => [type, Buffer.from(value)]))
  .map((pairs) => pairs.filter(([type], index) => pairs[index - 1]?.[0] !== type));

describe('TLV8', () => {
  it('gives back what was encoded, values of any length included', () => {
    fc.assert(
      fc.property(fields, (input) => {
        const output = decodeTlv(encodeTlv(input)).items.map(({ type, value }) => [type, value]);
        expect(output).toEqual(input);
      }),
    );
  });

  it('splits at 255 bytes and joins the run again, also where the value ends on the border', () => {
    for (const length of [0, 1, 254, 255, 256, 510, 511, 1000]) {
      const value = Buffer.alloc(length, 7);
      const encoded = encodeTlv([
        [3, value],
        [6, 1],
      ]);
      const decoded = decodeTlv(encoded);
      expect(decoded.items).toHaveLength(2);
      expect(decoded.find(3)).toEqual(value);
    }
  });

  it('joins adjacent items of one type only after a full fragment', () => {
    const full = Buffer.alloc(255, 1);
    const run = Buffer.concat([Buffer.of(3, 255), full, Buffer.of(3, 1, 2)]);
    expect(decodeTlv(run).items).toEqual([{ type: 3, value: Buffer.concat([full, Buffer.of(2)]) }]);
    expect(decodeTlv(bytes('0301aa 0301bb')).items).toEqual([
      { type: 3, value: bytes('aa') },
      { type: 3, value: bytes('bb') },
    ]);
  });

  it('does not join a repeated type across another item', () => {
    const full = Buffer.alloc(255, 1);
    const apart = Buffer.concat([Buffer.of(3, 255), full, Buffer.of(6, 1, 2), Buffer.of(3, 1, 9)]);
    expect(decodeTlv(apart).items.map(({ value }) => value.length)).toEqual([255, 1, 1]);
    expect(decodeTlv(apart).find(3)).toEqual(full);
  });

  it('reads integers little-endian, and takes an empty one for absent', () => {
    expect(decodeTlv(bytes('0801 1e')).findNumber(8)).toBe(30);
    expect(decodeTlv(bytes('0804 10270000')).findNumber(8)).toBe(10_000);
    expect(decodeTlv(bytes('0808 ffffffffffffffff')).findNumber(8)).toBe(Number.MAX_SAFE_INTEGER);
    expect(decodeTlv(bytes('0600')).findNumber(6)).toBeUndefined();
    expect(decodeTlv(bytes('')).findNumber(6)).toBeUndefined();
  });

  it('refuses items that are cut short instead of filling them up with old memory', () => {
    for (const cut of ['06', '0601', '06 05 01020304', '0601 02 03', '0601 02 03ff 00']) {
      expect(() => decodeTlv(bytes(cut))).toThrow(TlvError);
    }
  });

  it('refuses every cut through an item and takes every cut between items', () => {
    const encoded = encodeTlv([
      [6, 2],
      [2, Buffer.alloc(16, 5)],
      [3, Buffer.alloc(384, 6)],
    ]);
    const borders = new Set([0, 3, 21, 278, encoded.length]);
    for (let end = 0; end <= encoded.length; end += 1) {
      const cut = encoded.subarray(0, end);
      if (borders.has(end)) expect(decodeTlv(cut).items.length).toBeGreaterThanOrEqual(0);
      else expect(() => decodeTlv(cut)).toThrow(TlvError);
    }
  });

  it('survives any bytes: items or a TlvError, and never a byte that was not received', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 2000 }), (noise) => {
        const input = Buffer.from(noise);
        try {
          const total = decodeTlv(input).items.reduce((sum, { value }) => sum + value.length, 0);
          expect(total).toBeLessThanOrEqual(input.length);
        } catch (error) {
          expect(error).toBeInstanceOf(TlvError);
        }
      }),
      { numRuns: 20_000 },
    );
  });

  it('survives mutations of a real answer', () => {
    const answer = encodeTlv([
      [6, 2],
      [2, Buffer.alloc(16, 5)],
      [3, Buffer.alloc(384, 6)],
    ]);
    fc.assert(
      fc.property(fc.nat(answer.length - 1), fc.integer({ min: 0, max: 255 }), (position, byte) => {
        const mutated = Buffer.from(answer);
        mutated[position] = byte;
        try {
          decodeTlv(mutated);
        } catch (error) {
          expect(error).toBeInstanceOf(TlvError);
        }
      }),
      { numRuns: 5_000 },
    );
  });

  it('will not write two adjacent items of one type, which could not be read apart', () => {
    expect(() =>
      encodeTlv([
        [1, 'a'],
        [1, 'b'],
      ]),
    ).toThrow(RangeError);
  });
});
