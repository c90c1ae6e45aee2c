/**
 * The answer to a refresh, kept for a client that lost it on the way. It is sealed with a key made of the refresh token that asked
 * for it: whoever reads the database has the answer's tokens no more than any other.
 */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const CIPHER = 'aes-256-gcm';
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

export function sealReplay(refreshToken: string, answer: string): Uint8Array {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, keyOf(refreshToken), nonce);
  const sealed = [cipher.update(answer, 'utf8'), cipher.final()];
  return Buffer.concat([nonce, cipher.getAuthTag(), ...sealed]);
}

/** `undefined` for what was sealed otherwise, or is damaged. */
export function openReplay(refreshToken: string, sealed: Uint8Array): string | undefined {
  const bytes = Buffer.from(sealed);
  try {
    const nonce = bytes.subarray(0, NONCE_BYTES);
    const decipher = createDecipheriv(CIPHER, keyOf(refreshToken), nonce, { authTagLength: TAG_BYTES });
    decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
    const opened = decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES));
    return Buffer.concat([opened, decipher.final()]).toString('utf8');
  } catch {
    return undefined;
  }
}

function keyOf(refreshToken: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', refreshToken, '', 'hearthd refresh replay', KEY_BYTES));
}
