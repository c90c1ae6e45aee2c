/**
 * What both sides of SRP compute with (HAP specification §5.5; RFC 5054 with its group of 3,072 bits, SHA-512).
 */
import { createHash, getDiffieHellman } from 'node:crypto';

/** RFC 5054 takes the prime from RFC 3526 (group 15), with generator 5. */
export const N = toInteger(getDiffieHellman('modp15').getPrime());
export const G = 5n;
const N_BYTES = 384;
/** Of the random secret of each side. */
export const SECRET_BYTES = 32;
/** RFC 5054's multiplier. */
export const K = toInteger(sha512(toBytes(N), toBytes(G)));
/** HAP has one user name. */
const USER = 'Pair-Setup';
const GROUP_HASH = xor(sha512(toBytes(N)), sha512(Buffer.of(Number(G))));

/** RFC 5054's x, which derives from the setup code. */
export function passwordKey(salt: Buffer, setupCode: string): bigint {
  return toInteger(sha512(salt, sha512(`${USER}:${setupCode}`)));
}

/** The proof of the controller, M1: it knows the session key. */
export function proofOf(salt: Buffer, controllerKey: Buffer, accessoryKey: Buffer, sessionKey: Buffer): Buffer {
  return sha512(GROUP_HASH, sha512(USER), salt, controllerKey, accessoryKey, sessionKey);
}

/**
 * base^exponent mod N. The time depends on the numbers; each is used once, and a wrong code may be tried only five
 * times an hour.
 */
export function powerOf(base: bigint, exponent: bigint): bigint {
  const factor = ((base % N) + N) % N;
  let power = 1n;
  for (const bit of exponent.toString(2)) {
    power = (power * power) % N;
    if (bit === '1') power = (power * factor) % N;
  }
  return power;
}

export function toInteger(bytes: Buffer): bigint {
  return BigInt(`0x0${bytes.toString('hex')}`);
}

/** RFC 5054's PAD: to the length of N. */
export function toBytes(number: bigint): Buffer {
  return Buffer.from(number.toString(16).padStart(2 * N_BYTES, '0'), 'hex');
}

export function sha512(...parts: readonly (Buffer | string)[]): Buffer {
  const hash = createHash('sha512');
  for (const part of parts) hash.update(part);
  return hash.digest();
}

function xor(left: Buffer, right: Buffer): Buffer {
  return Buffer.from(left.map((byte, at) => byte ^ right.readUInt8(at)));
}
