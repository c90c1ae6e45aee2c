/**
 * The answer to a refresh, stored for a client that did not receive it. It is encrypted with a key derived from the
 * refresh token that requested it, so reading the database does not reveal its tokens.
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

/** `undefined` if it was encrypted with another token, or is damaged. */
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
