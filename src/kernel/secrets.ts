import { hash, randomBytes, timingSafeEqual } from 'node:crypto';

/** `bytes` random bytes as base64url without padding: 32 bytes give 43 characters. */
export function randomToken(bytes: number): string {
  return randomBytes(bytes).toString('base64url');
}

/** SHA-256 as lower-case hex. Sufficient for secrets of 256 random bits; passwords need more. */
export function sha256Hex(text: string): string {
  return hash('sha256', text, 'hex');
}

/** Compares in a time that depends only on the lengths. */
export function equalSecrets(a: string, b: string): boolean {
  const left = Buffer.from(a);
  const right = Buffer.from(b);
  return left.length === right.length && timingSafeEqual(left, right);
}
