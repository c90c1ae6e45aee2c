/**
 * Text messages as bytes on the wire, ready to be written: what a server sends is not masked (RFC 6455 §5.1), so the same bytes do for every
 * client, and what a thousand clients are told is put into a frame once.
 */

/** A final frame that holds text (RFC 6455 §5.2). */
const FINAL_TEXT = 0x81;
/** Lengths up to this stand in the second byte; these two values say that they follow in two bytes or eight. */
const LONGEST_SHORT = 125;
const TWO_BYTES = 126;
const EIGHT_BYTES = 127;

export function textFrame(text: string): Buffer {
  const payload = Buffer.from(text);
  return Buffer.concat([frameHead(payload.byteLength), payload]);
}

function frameHead(length: number): Buffer {
  if (length <= LONGEST_SHORT) return Buffer.from([FINAL_TEXT, length]);
  if (length <= 0xffff) {
    const head = Buffer.from([FINAL_TEXT, TWO_BYTES, 0, 0]);
    head.writeUInt16BE(length, 2);
    return head;
  }
  const head = Buffer.alloc(10);
  head.writeUInt8(FINAL_TEXT, 0);
  head.writeUInt8(EIGHT_BYTES, 1);
  head.writeBigUInt64BE(BigInt(length), 2);
  return head;
}
