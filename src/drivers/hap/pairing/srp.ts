/**
 * The controller's side of SRP as HAP defines it (HAP specification §5.5; RFC 5054 with its group of 3,072 bits,
 * SHA-512): both sides prove that they know the setup code without sending it. It uses BigInt, in three parts that
 * yield to the event loop in between. In total it takes some 25 ms; hap-controller's implementation with digit arrays
 * blocks the event loop for 200 ms (far longer on a Pi).
 */
import { randomBytes, timingSafeEqual } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { G, K, N, passwordKey, powerOf, proofOf, SECRET_BYTES, sha512, toBytes, toInteger } from './srp-group.ts';

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
  const x = passwordKey(salt, setupCode);
  const u = toInteger(sha512(publicKey, toBytes(b)));
  const verifier = powerOf(G, x);
  await setImmediate();
  const sessionKey = sha512(toBytes(powerOf(b - K * verifier, a + u * x)));
  const proof = proofOf(salt, publicKey, theirs, sessionKey);
  const expected = sha512(publicKey, proof, sessionKey);
  const isProvedBy = (theirProof: Buffer): boolean =>
    theirProof.length === expected.length && timingSafeEqual(theirProof, expected);
  return { publicKey, proof, sessionKey, isProvedBy };
}
