/**
 * Serialises text messages as bytes: a server's frames are not masked (RFC 6455 §5.1), so the same bytes serve every
 * client, and a message for a thousand clients is framed once.
 */

/** A final frame that holds text (RFC 6455 §5.2). */
const FINAL_TEXT = 0x81;
/** Lengths up to this are in the second byte; the two values after it announce a length in two bytes or eight. */
const MAX_SHORT_PAYLOAD_LENGTH = 125;
const TWO_BYTES = 126;
const EIGHT_BYTES = 127;

export function textFrame(text: string): Buffer {
  const payload = Buffer.from(text);
  return Buffer.concat([frameHead(payload.byteLength), payload]);
}

function frameHead(length: number): Buffer {
  if (length <= MAX_SHORT_PAYLOAD_LENGTH) return Buffer.from([FINAL_TEXT, length]);
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
