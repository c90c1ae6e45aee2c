/**
 * The accessory's side of SRP (`hap/pairing/srp.ts` has the controller's): proves that the controller knows the setup
 * code. In parts that yield to the event loop.
 */
import { randomBytes, timingSafeEqual } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import {
  G,
  K,
  N,
  passwordKey,
  powerOf,
  proofOf,
  SECRET_BYTES,
  sha512,
  toBytes,
  toInteger,
} from '../../hap/pairing/srp-group.ts';

const SALT_BYTES = 16;

export interface OwnSrpChallenge {
  readonly salt: Buffer;
  /** The accessory's public key, B. */
  readonly publicKey: Buffer;
  /** @returns `undefined` if the controller does not know the setup code, or sent a key that would reveal the result */
  check(controllerKey: Buffer, proof: Buffer): Promise<ProvedCode | undefined>;
}

export interface ProvedCode {
  /** K, which both sides have now. */
  readonly sessionKey: Buffer;
  /** Our proof, M2. */
  readonly proof: Buffer;
}

export async function challengeSrp(setupCode: string): Promise<OwnSrpChallenge> {
  const salt = randomBytes(SALT_BYTES);
  const secret = toInteger(randomBytes(SECRET_BYTES));
  const verifier = powerOf(G, passwordKey(salt, setupCode));
  await setImmediate();
  const publicKey = toBytes((K * verifier + powerOf(G, secret)) % N);
  return {
    salt,
    publicKey,
    async check(controllerKey, proof) {
      const theirs = toInteger(controllerKey);
      if (theirs >= N || theirs === 0n) return undefined;
      const u = toInteger(sha512(toBytes(theirs), publicKey));
      const base = (theirs * powerOf(verifier, u)) % N;
      await setImmediate();
      const sessionKey = sha512(toBytes(powerOf(base, secret)));
      const expected = proofOf(salt, controllerKey, publicKey, sessionKey);
      if (proof.length !== expected.length || !timingSafeEqual(proof, expected)) return undefined;
      return { sessionKey, proof: sha512(controllerKey, proof, sessionKey) };
    },
  };
}
