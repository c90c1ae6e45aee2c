/**
 * The accessory's half of HAP cryptography on `node:crypto`. Written apart from the daemon's half on purpose: a mistake
 * made in both would need to be made twice.
 */
import {
  createCipheriv,
  createDecipheriv,
  createPrivateKey,
  createPublicKey,
  hkdfSync,
  type KeyObject,
  sign,
  verify,
} from 'node:crypto';

const PKCS8_ED25519 = Buffer.from('302e020100300506032b657004220420', 'hex');
const SPKI_ED25519 = Buffer.from('302a300506032b6570032100', 'hex');
const SPKI_X25519 = Buffer.from('302a300506032b656e032100', 'hex');
const TAG_BYTES = 16;

export function ed25519FromSeed(seed: Buffer): { secretKey: KeyObject; publicKey: Buffer } {
  const secretKey = createPrivateKey({ key: Buffer.concat([PKCS8_ED25519, seed]), format: 'der', type: 'pkcs8' });
  return { secretKey, publicKey: rawPublicKey(createPublicKey(secretKey)) };
}

/** The last 32 bytes of an SPKI structure are the key. */
export function rawPublicKey(key: KeyObject): Buffer {
  return key.export({ type: 'spki', format: 'der' }).subarray(-32);
}

export function x25519PublicKey(raw: Buffer): KeyObject {
  return createPublicKey({ key: Buffer.concat([SPKI_X25519, raw]), format: 'der', type: 'spki' });
}

export function signWith(secretKey: KeyObject, ...parts: readonly Buffer[]): Buffer {
  return sign(null, Buffer.concat(parts), secretKey);
}

export function isSignedBy(publicKey: Buffer, signature: Buffer, ...parts: readonly Buffer[]): boolean {
  const key = createPublicKey({ key: Buffer.concat([SPKI_ED25519, publicKey]), format: 'der', type: 'spki' });
  return verify(null, Buffer.concat(parts), key, signature);
}

export function deriveKey(secret: Buffer, salt: string, info: string): Buffer {
  return Buffer.from(hkdfSync('sha512', secret, salt, info, 32));
}

/** Nonce of a pairing message: four zero bytes, then its eight-letter label. */
export function labelNonce(label: string): Buffer {
  return Buffer.concat([Buffer.alloc(4), Buffer.from(label)]);
}

/** Nonce of a session frame: four zero bytes, then a 64-bit little-endian counter. */
export function counterNonce(counter: number): Buffer {
  const nonce = Buffer.alloc(12);
  nonce.writeBigUInt64LE(BigInt(counter), 4);
  return nonce;
}

/** ChaCha20-Poly1305; the tag follows the text. */
export function seal(key: Buffer, nonce: Buffer, text: Buffer, additional?: Buffer): Buffer {
  const cipher = createCipheriv('chacha20-poly1305', key, nonce, { authTagLength: TAG_BYTES });
  if (additional) cipher.setAAD(additional, { plaintextLength: text.length });
  return Buffer.concat([cipher.update(text), cipher.final(), cipher.getAuthTag()]);
}

/** @throws if the tag does not fit. */
export function open(key: Buffer, nonce: Buffer, sealed: Buffer, additional?: Buffer): Buffer {
  const text = sealed.subarray(0, -TAG_BYTES);
  const decipher = createDecipheriv('chacha20-poly1305', key, nonce, { authTagLength: TAG_BYTES });
  if (additional) decipher.setAAD(additional, { plaintextLength: text.length });
  decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
  return Buffer.concat([decipher.update(text), decipher.final()]);
}
