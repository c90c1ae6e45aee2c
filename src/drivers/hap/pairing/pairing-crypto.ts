/**
 * The primitives of pair-verify on `node:crypto`, which is native: the whole house verifies at every restart. Keys that
 * belong to a pairing are parsed once and kept as long as their buffer lives.
 */
import {
  createCipheriv,
  createDecipheriv,
  createPrivateKey,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  hkdfSync,
  type KeyObject,
  sign,
  verify,
} from 'node:crypto';
import { KEY_BYTES } from './tlv-types.ts';

/** DER headers of raw 32-byte keys (RFC 8410 §4, §7, §10.3): OpenSSL takes no bare ones. */
const ED25519_SEED_HEADER = Buffer.from('302e020100300506032b657004220420', 'hex');
const ED25519_PUBLIC_HEADER = Buffer.from('302a300506032b6570032100', 'hex');
const X25519_PUBLIC_HEADER = Buffer.from('302a300506032b656e032100', 'hex');

const TAG_BYTES = 16;

const parsedKeys = new WeakMap<Buffer, KeyObject>();

function parsedOnce(raw: Buffer, parse: (raw: Buffer) => KeyObject): KeyObject {
  const known = parsedKeys.get(raw);
  if (known) return known;
  const key = parse(raw);
  parsedKeys.set(raw, key);
  return key;
}

/** @param seed an Ed25519 seed; give the same Buffer each time, as it is what the parsed key is kept under. */
export function signEd25519(seed: Buffer, message: Buffer): Buffer {
  const key = parsedOnce(seed, (raw) =>
    createPrivateKey({ key: Buffer.concat([ED25519_SEED_HEADER, raw]), format: 'der', type: 'pkcs8' }),
  );
  return sign(null, message, key);
}

/** @returns `false` for a bad signature and for one of the wrong length. */
export function verifyEd25519(publicKey: Buffer, message: Buffer, signature: Buffer): boolean {
  const key = parsedOnce(publicKey, (raw) =>
    createPublicKey({ key: Buffer.concat([ED25519_PUBLIC_HEADER, raw]), format: 'der', type: 'spki' }),
  );
  return verify(null, message, key, signature);
}

export interface AgreementKeys {
  readonly privateKey: KeyObject;
  readonly publicKey: Buffer;
}

/** A fresh X25519 pair for one handshake. */
export function newAgreementKeys(): AgreementKeys {
  const { privateKey, publicKey } = generateKeyPairSync('x25519');
  return { privateKey, publicKey: publicKey.export({ type: 'spki', format: 'der' }).subarray(-KEY_BYTES) };
}

/** X25519. @throws if the peer's key is not 32 bytes, or one of those that make the secret known to everybody. */
export function agree(own: AgreementKeys, peerPublicKey: Buffer): Buffer {
  const publicKey = createPublicKey({
    key: Buffer.concat([X25519_PUBLIC_HEADER, peerPublicKey]),
    format: 'der',
    type: 'spki',
  });
  return diffieHellman({ privateKey: own.privateKey, publicKey });
}

/** HKDF-SHA-512 to 32 bytes. */
export function deriveKey(secret: Buffer, salt: string, info: string): Buffer {
  return Buffer.from(hkdfSync('sha512', secret, salt, info, KEY_BYTES));
}

/** HAP's nonces of pairing are eight letters, padded with zeros on the left to the cipher's twelve bytes. */
function nonceOf(letters: string): Buffer {
  return Buffer.from(letters.padStart(12, '\0'), 'latin1');
}

/** ChaCha20-Poly1305: the ciphertext with its tag behind it. */
export function seal(key: Buffer, nonce: string, plaintext: Buffer): Buffer {
  const cipher = createCipheriv('chacha20-poly1305', key, nonceOf(nonce), { authTagLength: TAG_BYTES });
  return Buffer.concat([cipher.update(plaintext), cipher.final(), cipher.getAuthTag()]);
}

/** @returns `undefined` if the tag does not fit: other key, other nonce, or changed on the way. */
export function unseal(key: Buffer, nonce: string, sealed: Buffer): Buffer | undefined {
  if (sealed.length < TAG_BYTES) return undefined;
  const decipher = createDecipheriv('chacha20-poly1305', key, nonceOf(nonce), { authTagLength: TAG_BYTES });
  decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
  try {
    return Buffer.concat([decipher.update(sealed.subarray(0, -TAG_BYTES)), decipher.final()]);
  } catch {
    return undefined;
  }
}
