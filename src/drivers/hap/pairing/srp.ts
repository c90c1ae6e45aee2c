/**
 * The controller's side of SRP as HAP defines it (HAP specification §5.5; RFC 5054 with its group of 3,072 bits,
 * SHA-512): both sides prove that they know the setup code without sending it. It uses BigInt, in three parts that
 * yield to the event loop in between. In total it takes some 25 ms; hap-controller's implementation with digit arrays
 * blocks the event loop for 200 ms (far longer on a Pi).
 */
import { createHash, getDiffieHellman, randomBytes, timingSafeEqual } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';

/** RFC 5054 takes the prime from RFC 3526 (group 15), with generator 5. */
const N = toInteger(getDiffieHellman('modp15').getPrime());
const G = 5n;
const N_BYTES = 384;
const SECRET_BYTES = 32;
/** HAP has one user name. */
const USER = 'Pair-Setup';

export interface SrpChallenge {
  readonly setupCode: string;
  readonly salt: Buffer;
  /** The accessory's public key, B. */
  readonly publicKey: Buffer;
}

export interface SrpAnswer {
  /** Our public key A and our proof M1, to be sent. */
  readonly publicKey: Buffer;
  readonly proof: Buffer;
  /** K, which the accessory has too if it knows the setup code. */
  readonly sessionKey: Buffer;
  /** Whether its proof M2 is valid. */
  isProvedBy(theirProof: Buffer): boolean;
}

/** @param secret random except in tests. @throws RangeError for a public key that would reveal the secret */
export async function computeSrp(challenge: SrpChallenge, secret = randomBytes(SECRET_BYTES)): Promise<SrpAnswer> {
  const { setupCode, salt, publicKey: theirs } = challenge;
  const b = toInteger(theirs);
  if (b <= 0n || b >= N) throw new RangeError("The accessory's public key is out of range");
  const a = toInteger(secret);
  const publicKey = toBytes(powerOf(G, a));
  await setImmediate();
  const x = toInteger(sha512(salt, sha512(`${USER}:${setupCode}`)));
  const u = toInteger(sha512(publicKey, toBytes(b)));
  const k = toInteger(sha512(toBytes(N), toBytes(G)));
  const verifier = powerOf(G, x);
  await setImmediate();
  const sessionKey = sha512(toBytes(powerOf(b - k * verifier, a + u * x)));
  const group = xor(sha512(toBytes(N)), sha512(Buffer.of(Number(G))));
  const proof = sha512(group, sha512(USER), salt, publicKey, theirs, sessionKey);
  const expected = sha512(publicKey, proof, sessionKey);
  const isProvedBy = (theirProof: Buffer): boolean =>
    theirProof.length === expected.length && timingSafeEqual(theirProof, expected);
  return { publicKey, proof, sessionKey, isProvedBy };
}

/**
 * base^exponent mod N. The time depends on the numbers; each is used once, and a wrong code may be tried only five
 * times an hour.
 */
function powerOf(base: bigint, exponent: bigint): bigint {
  const factor = ((base % N) + N) % N;
  let power = 1n;
  for (const bit of exponent.toString(2)) {
    power = (power * power) % N;
    if (bit === '1') power = (power * factor) % N;
  }
  return power;
}

function toInteger(bytes: Buffer): bigint {
  return BigInt(`0x0${bytes.toString('hex')}`);
}

/** RFC 5054's PAD: to the length of N. */
function toBytes(number: bigint): Buffer {
  return Buffer.from(number.toString(16).padStart(2 * N_BYTES, '0'), 'hex');
}

function sha512(...parts: readonly (Buffer | string)[]): Buffer {
  const hash = createHash('sha512');
  for (const part of parts) hash.update(part);
  return hash.digest();
}

function xor(left: Buffer, right: Buffer): Buffer {
  return Buffer.from(left.map((byte, at) => byte ^ right.readUInt8(at)));
}
