/**
 * TLV8 (HAP specification §14.1): a sequence of (type, length, value) with lengths of one byte. A longer value is a run
 * of fragments of 255 bytes that ends with a shorter one. The decoder is strict and total: any bytes give a `Tlv` or a
 * `TlvError`, and no value exceeds the received bytes. `drivers/hap/pairing/tlv-types.ts`
 * lists the types of pairing.
 */

export interface TlvItem {
  readonly type: number;
  readonly value: Buffer;
}

const MAX_FRAGMENT_BYTES = 255;
const SEPARATOR = 0xff;

/** The bytes are not TLV8: an item is truncated. */
export class TlvError extends Error {
  override readonly name = 'TlvError';
}

/** Decoded TLV8, in the received order. */
export class Tlv {
  readonly items: readonly TlvItem[];

  constructor(items: readonly TlvItem[]) {
    this.items = items;
  }

  /** The first value of this type. */
  find(type: number): Buffer | undefined {
    return this.items.find((item) => item.type === type)?.value;
  }

  /** The first value of this type as an unsigned little-endian integer; an empty value counts as absent. */
  findNumber(type: number): number | undefined {
    const value = this.find(type);
    if (!value || value.length === 0) return undefined;
    let number = 0;
    for (const byte of value.toReversed()) number = number * 256 + byte;
    return Math.min(number, Number.MAX_SAFE_INTEGER);
  }
}

/**
 * An item of the same type is the next fragment of a value only directly after a full fragment. Otherwise it is a value
 * of its own.
 * @throws TlvError
 */
export function decodeTlv(bytes: Buffer): Tlv {
  const items: TlvItem[] = [];
  let fragments: Buffer[] = [];
  let position = 0;
  while (position < bytes.length) {
    const { type, value } = readFragment(bytes, position);
    position += 2 + value.length;
    fragments.push(value);
    const continues = value.length === MAX_FRAGMENT_BYTES && bytes[position] === type && type !== SEPARATOR;
    if (continues) continue;
    items.push({ type, value: fragments.length === 1 ? value : Buffer.concat(fragments) });
    fragments = [];
  }
  return new Tlv(items);
}

function readFragment(bytes: Buffer, position: number): TlvItem {
  const type = bytes.readUInt8(position);
  const length = bytes[position + 1];
  if (length === undefined) throw new TlvError(`TLV ends after the type at byte ${position}`);
  const start = position + 2;
  if (start + length > bytes.length) {
    throw new TlvError(
      `TLV type ${type} at byte ${position} announces ${length} bytes, ${bytes.length - start} are there`,
    );
  }
  return { type, value: bytes.subarray(start, start + length) };
}

/** A value to encode: a number is one byte, a string is UTF-8. */
export type TlvField = readonly [type: number, value: Buffer | number | string];

/**
 * @throws RangeError for a number that is not a byte, and for two adjacent items of one type: without a separator a
 * reader could merge them
 */
export function encodeTlv(fields: readonly TlvField[]): Buffer {
  return Buffer.concat(
    fields.flatMap(([type, value], index) => {
      if (fields[index - 1]?.[0] === type && type !== SEPARATOR) {
        throw new RangeError(`Two TLV items of type ${type} need a separator between them`);
      }
      return fragmentsOf(type, bytesOf(value));
    }),
  );
}

function bytesOf(value: Buffer | number | string): Buffer {
  if (typeof value === 'number') return Buffer.from([requireByte(value)]);
  return typeof value === 'string' ? Buffer.from(value, 'utf8') : value;
}

function requireByte(value: number): number {
  if (Number.isInteger(value) && value >= 0 && value <= 0xff) return value;
  throw new RangeError(`${value} does not fit into one byte`);
}

function fragmentsOf(type: number, value: Buffer): readonly Buffer[] {
  const fragments: Buffer[] = [];
  let position = 0;
  do {
    const part = value.subarray(position, position + MAX_FRAGMENT_BYTES);
    fragments.push(Buffer.of(type, part.length), part);
    position += part.length;
  } while (position < value.length);
  return fragments;
}
