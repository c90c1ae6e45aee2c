/**
 * The pair-setup messages that this relay builds and checks itself: M1, which names the method, and M5 and M6, in which
 * both sides exchange and prove their long-term keys. M3 and M4 are SRP (`srp.ts`). Uses `node:crypto`.
 */
import { randomUUID } from 'node:crypto';
import { decodeTlv, encodeTlv, type Tlv } from '../../../hap-spec/tlv.ts';
import type { PairingKeys } from '../wire/exchange.ts';
import { type AnswerState, malformedAnswer, refusalOf } from './pair-setup-error.ts';
import { deriveKey, newSigningKeys, seal, signEd25519, unseal, verifyEd25519 } from './pairing-crypto.ts';
import { KEY_BYTES, TlvType } from './tlv-types.ts';

/** HAP's two pair-setup methods: with Apple's authentication (a chip or software) or without. */
export const PairMethod = { plain: 0, withAuth: 1 } as const;
export type PairMethod = (typeof PairMethod)[keyof typeof PairMethod];

/** Printable ASCII without spaces: the characters of a device id. */
const DEVICE_ID = /^[\x21-\x7e]{1,64}$/;

/** One value for each requested type. */
type Values<Types extends readonly number[]> = { readonly [Index in keyof Types]: Buffer };

/** The key that encrypts M5 and M6. */
export function sealKeyOf(sessionKey: Buffer): Buffer {
  return deriveKey(sessionKey, 'Pair-Setup-Encrypt-Salt', 'Pair-Setup-Encrypt-Info');
}

/** The key that begins what a side signs in M5 or M6. */
export function proofKeyOf(sessionKey: Buffer, side: 'Controller' | 'Accessory'): Buffer {
  return deriveKey(sessionKey, `Pair-Setup-${side}-Sign-Salt`, `Pair-Setup-${side}-Sign-Info`);
}

export function buildM1(method: PairMethod): Buffer {
  return encodeTlv([
    [TlvType.state, 1],
    [TlvType.method, method],
  ]);
}

/** New long-term keys for one accessory, whose own key is not known yet. */
export function newControllerKeys(deviceId: string): PairingKeys {
  const { seed, publicKey } = newSigningKeys();
  return {
    deviceId,
    accessoryPublicKey: null,
    controllerId: randomUUID(),
    controllerPublicKey: publicKey,
    controllerSecretKey: seed,
  };
}

/** Sends our id and public key, signed. @param sessionKey the key from SRP */
export function buildM5(sessionKey: Buffer, keys: PairingKeys): Buffer {
  const { controllerId, controllerPublicKey: publicKey, controllerSecretKey: seed } = keys;
  const signed = Buffer.concat([proofKeyOf(sessionKey, 'Controller'), Buffer.from(controllerId), publicKey]);
  const identity = encodeTlv([
    [TlvType.identifier, controllerId],
    [TlvType.publicKey, publicKey],
    [TlvType.signature, signEd25519({ seed, publicKey }, signed)],
  ]);
  return encodeTlv([
    [TlvType.state, 5],
    [TlvType.encryptedData, seal(sealKeyOf(sessionKey), 'PS-Msg05', identity)],
  ]);
}

/**
 * @param encrypted the encrypted item of M6. @returns the identity that the accessory proves. @throws PairSetupError
 */
export function openM6(sessionKey: Buffer, encrypted: Buffer): { deviceId: string; publicKey: Buffer } {
  const identity = unseal(sealKeyOf(sessionKey), 'PS-Msg06', encrypted);
  if (!identity) throw malformedAnswer(6, 'encrypted data');
  const needed = [TlvType.identifier, TlvType.publicKey, TlvType.signature] as const;
  const [id, publicKey, signature] = readItems(decode(identity, 6), 6, needed);
  const deviceId = id.toString('utf8');
  if (publicKey.length !== KEY_BYTES || !DEVICE_ID.test(deviceId)) throw malformedAnswer(6, 'identity');
  if (!verifyEd25519(publicKey, Buffer.concat([proofKeyOf(sessionKey, 'Accessory'), id, publicKey]), signature)) {
    throw malformedAnswer(6, 'signature');
  }
  return { deviceId, publicKey };
}

/**
 * Reads the required items from a pair-setup response. A missing State counts as the expected one, as in Apple's
 * controllers. An error in the response has priority over its other items.
 * @returns the values of the required items, none of them empty. @throws PairSetupError
 */
export function readAnswer<Types extends readonly number[]>(
  body: Buffer,
  state: AnswerState,
  ...needed: Types
): Values<Types> {
  const answer = decode(body, state);
  const code = answer.findNumber(TlvType.error);
  if (code) throw refusalOf(code, state, answer.findNumber(TlvType.retryDelay));
  if ((answer.findNumber(TlvType.state) ?? state) !== state) throw malformedAnswer(state, 'State');
  return readItems(answer, state, needed);
}

function readItems<Types extends readonly number[]>(answer: Tlv, state: AnswerState, needed: Types): Values<Types> {
  const values = needed.map((type) => {
    const value = answer.find(type);
    if (!value || value.length === 0) throw malformedAnswer(state, `item ${type}`);
    return value;
  });
  return values as unknown as Values<Types>;
}

function decode(body: Buffer, state: AnswerState): Tlv {
  try {
    return decodeTlv(body);
  } catch (error) {
    throw malformedAnswer(state, 'TLV', error);
  }
}
