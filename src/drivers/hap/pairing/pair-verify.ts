/**
 * Pair-verify (HAP specification §5.7): mutual authentication at the start of every connection, which also derives the
 * session keys. Uses `node:crypto`. The device must prove the identity that it was paired under, so that a command
 * never reaches another device that has taken over its address.
 */

import { decodeTlv, encodeTlv, type Tlv, TlvError } from '../../../hap-spec/tlv.ts';
import { messageOf } from '../../../kernel/errors.ts';
import { type PairingKeys, PairingRefusal, type SessionKeys, type TlvExchange } from '../wire/exchange.ts';
import { canonicalDeviceId } from './device-id.ts';
import {
  type AgreementKeys,
  agree,
  deriveKey,
  newAgreementKeys,
  seal,
  signEd25519,
  unseal,
  verifyEd25519,
} from './pairing-crypto.ts';
import { KEY_BYTES, TlvErrorCode, TlvType } from './tlv-types.ts';

export type PairVerifyFailure =
  /** Another device answers at this address. */
  | 'wrong_device'
  /**
   * The peer claims to be the device but can't prove it with the key from pairing: an impostor, or the device with new
   * keys after a reset.
   */
  | 'unproved'
  /** The device refuses for another reason than an unknown controller. Some devices do so after a reset. */
  | 'refused'
  /** The right device, but it does not know us: it was reset, or a user removed our pairing. */
  | 'unknown_controller'
  /** The device is busy and asks to retry later. */
  | 'busy'
  /** A response that is not pair-verify. */
  | 'protocol';

export class PairVerifyError extends Error {
  override readonly name = 'PairVerifyError';
  readonly kind: PairVerifyFailure;
  /** The pause that the device asks for, if it gives one. */
  readonly retryAfterMs: number | null;

  constructor(kind: PairVerifyFailure, message: string, retryAfterMs: number | null = null) {
    super(message);
    this.kind = kind;
    this.retryAfterMs = retryAfterMs;
  }
}

/** Advice for the owner of a device that no longer knows us. */
export const PAIRING_LOST_ADVICE =
  'The device no longer knows this relay: it was reset, or the pairing was removed from elsewhere. Unpair it here and pair it again.';

/**
 * The result of M1 and M2, and the accessory's claimed identity. The claim is not proved until its signature is
 * checked.
 */
export interface VerifiedHandshake {
  readonly agreement: AgreementKeys;
  readonly accessoryAgreementKey: Buffer;
  readonly sharedSecret: Buffer;
  readonly sealKey: Buffer;
  readonly claimedId: Buffer;
  readonly signature: Buffer;
}

/**
 * @returns the keys of the connection, which is encrypted from the next byte on
 * @throws PairVerifyError, and the rejections of `exchange`
 */
export async function pairVerify(exchange: TlvExchange, keys: PairingKeys): Promise<SessionKeys> {
  if (!keys.accessoryPublicKey) {
    throw new PairVerifyError(
      'protocol',
      `The pairing with ${keys.deviceId} was never completed, so the device can't be recognised. Pair it again.`,
    );
  }
  const handshake = await startHandshake(exchange);
  requireAccessory(handshake, keys.deviceId, keys.accessoryPublicKey);
  return proveController(exchange, handshake, keys);
}

/** M1 and M2: derives a shared secret and reads the accessory's claimed identity. @throws PairVerifyError */
export async function startHandshake(exchange: TlvExchange): Promise<VerifiedHandshake> {
  const agreement = newAgreementKeys();
  const m1 = encodeTlv([
    [TlvType.state, 1],
    [TlvType.publicKey, agreement.publicKey],
  ]);
  const m2 = readAnswer(await ask(exchange, m1), 2);
  const accessoryAgreementKey = requireValue(m2, TlvType.publicKey, 'M2', KEY_BYTES);
  const sharedSecret = agreeOrFail(agreement, accessoryAgreementKey);
  const sealKey = verifySealKeyOf(sharedSecret);
  const plaintext = unseal(sealKey, 'PV-Msg02', requireValue(m2, TlvType.encryptedData, 'M2'));
  if (!plaintext) throw new PairVerifyError('protocol', "The device's answer (M2) can't be decrypted.");
  const claim = decodeOrFail(plaintext);
  return {
    agreement,
    accessoryAgreementKey,
    sharedSecret,
    sealKey,
    claimedId: requireValue(claim, TlvType.identifier, 'M2'),
    signature: requireValue(claim, TlvType.signature, 'M2'),
  };
}

/** The accessory must have the expected id and sign the handshake with the key it was paired under. */
function requireAccessory(handshake: VerifiedHandshake, deviceId: string, accessoryPublicKey: Buffer): void {
  requireClaim(handshake, deviceId);
  // The accessory signs the identifier in its own spelling, whose case may differ.
  const signed = Buffer.concat([handshake.accessoryAgreementKey, handshake.claimedId, handshake.agreement.publicKey]);
  if (verifyEd25519(accessoryPublicKey, signed, handshake.signature)) return;
  throw new PairVerifyError(
    'unproved',
    `A device answers as ${deviceId} but can't prove it with the key from pairing. If it was reset to factory settings, unpair it and pair it again.`,
  );
}

/** @throws PairVerifyError `wrong_device` if the accessory claims another identity */
export function requireClaim(handshake: VerifiedHandshake, deviceId: string): void {
  const claimed = handshake.claimedId.toString('utf8');
  if (canonicalDeviceId(claimed) === canonicalDeviceId(deviceId)) return;
  throw new PairVerifyError(
    'wrong_device',
    `Another device (${printable(claimed)}) answers at the address of ${deviceId}.`,
  );
}

/** M3 and M4: proves our identity. @throws PairVerifyError */
export async function proveController(
  exchange: TlvExchange,
  handshake: VerifiedHandshake,
  keys: PairingKeys,
): Promise<SessionKeys> {
  const { agreement, accessoryAgreementKey, sharedSecret, sealKey } = handshake;
  const signed = Buffer.concat([agreement.publicKey, Buffer.from(keys.controllerId), accessoryAgreementKey]);
  const signingKeys = { seed: keys.controllerSecretKey, publicKey: keys.controllerPublicKey };
  const proof = encodeTlv([
    [TlvType.identifier, keys.controllerId],
    [TlvType.signature, signEd25519(signingKeys, signed)],
  ]);
  const m3 = encodeTlv([
    [TlvType.state, 3],
    [TlvType.encryptedData, seal(sealKey, 'PV-Msg03', proof)],
  ]);
  readAnswer(await ask(exchange, m3), 4);
  return sessionKeysOf(sharedSecret);
}

/** The key that encrypts M2 and M3. */
export function verifySealKeyOf(sharedSecret: Buffer): Buffer {
  return deriveKey(sharedSecret, 'Pair-Verify-Encrypt-Salt', 'Pair-Verify-Encrypt-Info');
}

/** As the controller names them: the accessory writes with `read`. */
export function sessionKeysOf(sharedSecret: Buffer): SessionKeys {
  return {
    read: deriveKey(sharedSecret, 'Control-Salt', 'Control-Read-Encryption-Key'),
    write: deriveKey(sharedSecret, 'Control-Salt', 'Control-Write-Encryption-Key'),
  };
}

/** @throws PairVerifyError if the response is an HTTP error, JSON or HTML */
async function ask(exchange: TlvExchange, body: Buffer): Promise<Buffer> {
  try {
    return await exchange('/pair-verify', body);
  } catch (error) {
    if (!(error instanceof PairingRefusal)) throw error;
    throw new PairVerifyError(error.isBusy ? 'busy' : 'refused', `${error.message}.`);
  }
}

/**
 * A response without State counts as the expected one: some accessories omit it, and Apple's controllers accept that.
 */
function readAnswer(body: Buffer, expectedState: 2 | 4): Tlv {
  const answer = decodeOrFail(body);
  const code = answer.findNumber(TlvType.error);
  // Zero is not an error code: it means no error.
  if (code) throw refusal(code, expectedState, answer.findNumber(TlvType.retryDelay));
  const state = answer.findNumber(TlvType.state) ?? expectedState;
  if (state !== expectedState) {
    throw new PairVerifyError('protocol', `The device answered with state ${state} instead of ${expectedState}.`);
  }
  return answer;
}

function refusal(code: number, state: 2 | 4, retryDelaySeconds: number | undefined): PairVerifyError {
  const retryAfterMs = retryDelaySeconds === undefined ? null : retryDelaySeconds * 1000;
  if (code === TlvErrorCode.busy || code === TlvErrorCode.backOff) {
    return new PairVerifyError('busy', 'The device is busy and wants to be asked again later.', retryAfterMs);
  }
  // Before M4 the device has not received our id, nor proved its own, so its error means nothing for the pairing.
  if (code === TlvErrorCode.authentication && state === 4) {
    return new PairVerifyError('unknown_controller', PAIRING_LOST_ADVICE);
  }
  return new PairVerifyError('refused', `The device refused the connection (M${state}, pairing error ${code}).`);
}

function requireValue(tlv: Tlv, type: number, step: string, bytes?: number): Buffer {
  const value = tlv.find(type);
  if (value && (bytes === undefined || value.length === bytes)) return value;
  throw new PairVerifyError(
    'protocol',
    `The device's answer (${step}) lacks item ${type}, or it has the wrong length.`,
  );
}

function agreeOrFail(agreement: AgreementKeys, peerKey: Buffer): Buffer {
  try {
    return agree(agreement, peerKey);
  } catch (error) {
    throw new PairVerifyError('protocol', `The device's key (M2) is not usable: ${messageOf(error)}.`);
  }
}

function decodeOrFail(body: Buffer): Tlv {
  try {
    return decodeTlv(body);
  } catch (error) {
    if (error instanceof TlvError) throw new PairVerifyError('protocol', `Not a pairing answer: ${error.message}.`);
    throw error;
  }
}

/** Replaces unsafe characters of a device's text for log lines. */
function printable(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, '?').slice(0, 64);
}
