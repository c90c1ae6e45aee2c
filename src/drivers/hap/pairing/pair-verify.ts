/**
 * Pair-verify (HAP specification §5.7): proves each side to the other at the start of every connection and agrees on the
 * session's keys. Runs on `node:crypto`. The device must prove the identity that it was paired under, so that a command never
 * reaches another device that has taken over its address.
 */
import { messageOf } from '../../../kernel/errors.ts';
import type { PairingKeys, SessionKeys, TlvExchange } from '../exchange.ts';
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
import { decodeTlv, encodeTlv, type Tlv, TlvError } from './tlv.ts';
import { KEY_BYTES, TlvErrorCode, TlvType } from './tlv-types.ts';

export type PairVerifyFailure =
  /** Another device answers at this address. */
  | 'wrong_device'
  /** It claims to be the device and can't prove it with the key from pairing: an impostor, or the device with new keys after a reset. */
  | 'unproved'
  /** It refuses for another reason than not to know us. So do some devices that were reset. */
  | 'refused'
  /** The right device, but it does not know us: it was reset, or somebody removed us. */
  | 'unknown_controller'
  /** It asks for patience. */
  | 'busy'
  /** An answer that is not pair-verify. */
  | 'protocol';

export class PairVerifyError extends Error {
  override readonly name = 'PairVerifyError';
  readonly kind: PairVerifyFailure;
  /** How long the device asks to be left alone, where it says so. */
  readonly retryAfterMs: number | null;

  constructor(kind: PairVerifyFailure, message: string, retryAfterMs: number | null = null) {
    super(message);
    this.kind = kind;
    this.retryAfterMs = retryAfterMs;
  }
}

/** What to tell the owner of a device that no longer knows us. */
export const PAIRING_LOST_ADVICE =
  'The device no longer knows this relay: it was reset, or the pairing was removed from elsewhere. Unpair it here and pair it again.';

/** What M1 and M2 agreed on, and whom the accessory claims to be. The claim is not proved before its signature is checked. */
export interface Handshake {
  readonly agreement: AgreementKeys;
  readonly accessoryAgreementKey: Buffer;
  readonly sharedSecret: Buffer;
  readonly sealKey: Buffer;
  readonly claimedId: Buffer;
  readonly signature: Buffer;
}

/**
 * @returns the keys of the connection, which is encrypted from the next byte on.
 * @throws PairVerifyError; and whatever `exchange` rejects with.
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

/** M1 and M2: agree on a secret and read the accessory's claim. @throws PairVerifyError */
export async function startHandshake(exchange: TlvExchange): Promise<Handshake> {
  const agreement = newAgreementKeys();
  const m1 = encodeTlv([
    [TlvType.state, 1],
    [TlvType.publicKey, agreement.publicKey],
  ]);
  const m2 = readAnswer(await exchange('/pair-verify', m1), 2);
  const accessoryAgreementKey = requireValue(m2, TlvType.publicKey, 'M2', KEY_BYTES);
  const sharedSecret = agreeOrFail(agreement, accessoryAgreementKey);
  const sealKey = deriveKey(sharedSecret, 'Pair-Verify-Encrypt-Salt', 'Pair-Verify-Encrypt-Info');
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

/** The accessory must be the one expected and sign the handshake with the key it was paired under. */
function requireAccessory(handshake: Handshake, deviceId: string, accessoryPublicKey: Buffer): void {
  requireClaim(handshake, deviceId);
  // The identifier is signed in the accessory's own spelling, whatever its case.
  const signed = Buffer.concat([handshake.accessoryAgreementKey, handshake.claimedId, handshake.agreement.publicKey]);
  if (verifyEd25519(accessoryPublicKey, signed, handshake.signature)) return;
  throw new PairVerifyError(
    'unproved',
    `A device answers as ${deviceId} but can't prove it with the key from pairing. If it was reset to factory settings, unpair it and pair it again.`,
  );
}

/** @throws PairVerifyError `wrong_device` if the accessory says that it is another one. */
export function requireClaim(handshake: Handshake, deviceId: string): void {
  const claimed = handshake.claimedId.toString('utf8');
  if (canonicalDeviceId(claimed) === canonicalDeviceId(deviceId)) return;
  throw new PairVerifyError(
    'wrong_device',
    `Another device (${printable(claimed)}) answers at the address of ${deviceId}.`,
  );
}

/** M3 and M4: prove ourselves. @throws PairVerifyError */
export async function proveController(
  exchange: TlvExchange,
  handshake: Handshake,
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
  readAnswer(await exchange('/pair-verify', m3), 4);
  return {
    read: deriveKey(sharedSecret, 'Control-Salt', 'Control-Read-Encryption-Key'),
    write: deriveKey(sharedSecret, 'Control-Salt', 'Control-Write-Encryption-Key'),
  };
}

/** An answer without State is taken for the expected one: some accessories leave it out, and Apple's controllers do not mind. */
function readAnswer(body: Buffer, expectedState: 2 | 4): Tlv {
  const answer = decodeOrFail(body);
  const code = answer.findNumber(TlvType.error);
  // Zero is no code of the table: it says that there is no error.
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
  // Before M4 the device has neither seen our name nor proved its own, so that its refusal says nothing about the pairing.
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

/** A device's own words, made fit for a log line. */
function printable(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, '?').slice(0, 64);
}
