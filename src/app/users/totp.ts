/**
 * One-time codes by time (RFC 6238), with the parameters that every authenticator app has: HMAC-SHA-1, six digits,
 * steps of 30 seconds.
 */
import { createHmac, randomBytes } from 'node:crypto';
import { equalSecrets } from '../../kernel/secrets.ts';

export const STEP_MS = 30_000;
const DIGITS = 6;
const CODE = /^\d{6}$/;
/** RFC 4226 §4 R6: 160 bits. */
const SECRET_BYTES = 20;
/** RFC 4648 §6. */
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** A new secret in Base32, as apps read it. */
export function generateSecret(): string {
  return toBase32(randomBytes(SECRET_BYTES));
}

/** The number of the step at a time in milliseconds since the epoch. */
export function stepAt(time: number): number {
  return Math.floor(time / STEP_MS);
}

/** The code of a step. @param secret in Base32 */
export function codeOf(secret: string, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.max(0, step)));
  const mac = createHmac('sha1', fromBase32(secret)).update(counter).digest();
  // RFC 4226 §5.3: four bytes from the place that the last half-byte names, without their sign.
  const value = mac.readUInt32BE((mac[mac.length - 1] ?? 0) & 0xf) & 0x7fff_ffff;
  return String(value % 10 ** DIGITS).padStart(DIGITS, '0');
}

/** Whether a text has the form of a code, with or without spaces between its digits. */
export function looksLikeCode(text: string): boolean {
  return CODE.test(withoutSpaces(text));
}

/** The first of `stepsOf`; `undefined` if there is none. */
export function stepOf(secret: string, text: string, around: number, skew: number): number | undefined {
  return stepsOf(secret, text, around, skew)[0];
}

/** All steps at most `skew` steps before or after `around` that have this code. Compares all of them. */
export function stepsOf(secret: string, text: string, around: number, skew: number): readonly number[] {
  const code = withoutSpaces(text);
  const steps = Array.from({ length: 2 * skew + 1 }, (_, n) => around - skew + n);
  return steps.filter((step) => equalSecrets(codeOf(secret, step), code));
}

/** The address that an authenticator app reads from a QR code. */
export function setupUri(secret: string, account: string): string {
  const issuer = 'hearthd';
  const label = `${issuer}:${encodeURIComponent(account)}`;
  return `otpauth://totp/${label}?secret=${secret}&issuer=${issuer}&algorithm=SHA1&digits=${DIGITS}&period=${STEP_MS / 1000}`;
}

function withoutSpaces(text: string): string {
  return text.replace(/\s/g, '');
}

function toBase32(bytes: Uint8Array): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  return (bits.match(/.{1,5}/g) ?? []).map((five) => BASE32[Number.parseInt(five.padEnd(5, '0'), 2)]).join('');
}

function fromBase32(text: string): Buffer {
  const bits = [...text].map((letter) => BASE32.indexOf(letter).toString(2).padStart(5, '0')).join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((eight) => Number.parseInt(eight, 2)));
}
