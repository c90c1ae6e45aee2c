/** TLV8 as the accessory speaks it (HAP specification §14.1): values of more than 255 bytes go over several items. */

export const TLV = {
  method: 0x00,
  identifier: 0x01,
  salt: 0x02,
  publicKey: 0x03,
  proof: 0x04,
  encryptedData: 0x05,
  state: 0x06,
  error: 0x07,
  retryDelay: 0x08,
  signature: 0x0a,
  permissions: 0x0b,
  flags: 0x13,
  separator: 0xff,
} as const;

export type TlvItem = readonly [type: number, value: Buffer | string | number];

export function encodeTlv(items: readonly TlvItem[]): Buffer {
  return Buffer.concat(items.flatMap(([type, value]) => encodeItem(type, toBuffer(value))));
}

function encodeItem(type: number, value: Buffer): Buffer[] {
  const parts: Buffer[] = [];
  for (let offset = 0; offset === 0 || offset < value.length; offset += 255) {
    const part = value.subarray(offset, offset + 255);
    parts.push(Buffer.from([type, part.length]), part);
  }
  return parts;
}

function toBuffer(value: Buffer | string | number): Buffer {
  if (typeof value === 'number') return Buffer.from([value]);
  return typeof value === 'string' ? Buffer.from(value) : value;
}

/** Items of one type are joined, as none of the requests that an accessory gets has separators. */
export function decodeTlv(data: Buffer): Map<number, Buffer> {
  const items = new Map<number, Buffer>();
  for (let offset = 0; offset + 2 <= data.length; ) {
    const type = data[offset] ?? 0;
    const length = data[offset + 1] ?? 0;
    const value = data.subarray(offset + 2, offset + 2 + length);
    items.set(type, Buffer.concat([items.get(type) ?? Buffer.alloc(0), value]));
    offset += 2 + length;
  }
  return items;
}
