/**
 * hap-controller's pair-setup behind a typed door: it makes and checks the messages that exchange the keys. Reading what came from
 * the network is ours, so that only complete, well-formed values reach it, and so is SRP (`srp.ts`), so that nobody waits for it.
 */
import { createRequire } from 'node:module';
import type hapControllerPairing from 'hap-controller/lib/protocol/pairing-protocol.js';
import type { PairingKeys } from '../exchange.ts';
import { type AnswerState, malformedAnswer, PairSetupError, refusalOf } from './pair-setup-error.ts';
import { decodeTlv, type Tlv } from './tlv.ts';
import { KEY_BYTES, TlvType } from './tlv-types.ts';

/** HAP's two ways of pair-setup: with Apple's authentication (a chip or software) or without. */
export const PairMethod = { plain: 0, withAuth: 1 } as const;
export type PairMethod = (typeof PairMethod)[keyof typeof PairMethod];

export type PairSetupProtocol = hapControllerPairing.default;

/**
 * A fresh key exchange. Loaded at the first pairing, as it brings 14 MB of WebAssembly and most runs never pair; and by
 * `require`, as Node and the tests' loader disagree on what such a module's default import is.
 */
export function newPairSetupProtocol(): PairSetupProtocol {
  const require = createRequire(import.meta.url);
  const module = require('hap-controller/lib/protocol/pairing-protocol.js') as typeof hapControllerPairing;
  // The library hands out its long-term keys only when all are there, and we need ours before the accessory's are known:
  // it starts with blanks, and both sides' places are filled by M5 and M6.
  return new module.default({
    AccessoryPairingID: '00',
    AccessoryLTPK: '00',
    iOSDevicePairingID: '00',
    iOSDeviceLTSK: '00',
    iOSDeviceLTPK: '00',
  });
}

/** M5 and M6 derive their keys from what SRP agreed on; the library looks for that in its own SRP client. */
export function adoptSessionKey(protocol: PairSetupProtocol, sessionKey: Buffer): void {
  Object.assign(protocol, { srpClient: { computeK: () => sessionKey } });
}

/** The controller's keys, made by `buildPairSetupM5`. */
export function controllerKeys(protocol: PairSetupProtocol, deviceId: string): PairingKeys {
  const data = protocol.getLongTermData();
  const controllerPublicKey = Buffer.from(data?.iOSDeviceLTPK ?? '', 'hex');
  // libsodium's secret key is the seed with the public key behind it.
  const secretKey = Buffer.from(data?.iOSDeviceLTSK ?? '', 'hex');
  if (controllerPublicKey.length !== KEY_BYTES || secretKey.length !== 2 * KEY_BYTES) {
    throw new PairSetupError('protocol', 'No keys were made for this pairing. Try again.');
  }
  return {
    deviceId,
    accessoryPublicKey: null,
    controllerId: Buffer.from(data?.iOSDevicePairingID ?? '', 'hex').toString('utf8'),
    controllerPublicKey,
    controllerSecretKey: Buffer.from(secretKey.subarray(0, KEY_BYTES)),
  };
}

/** What the accessory proved in M6. */
export function accessoryIdentity(protocol: PairSetupProtocol): { deviceId: string; publicKey: Buffer } {
  const data = protocol.getLongTermData();
  const publicKey = Buffer.from(data?.AccessoryLTPK ?? '', 'hex');
  const deviceId = Buffer.from(data?.AccessoryPairingID ?? '', 'hex').toString('utf8');
  if (publicKey.length !== KEY_BYTES || !/^[\x21-\x7e]{1,64}$/.test(deviceId)) {
    throw malformedAnswer(6, 'identity');
  }
  return { deviceId, publicKey };
}

/**
 * Reads from an answer to pair-setup what its step needs. A missing State is taken for the right one (Apple's controllers do not mind
 * either); a refusal wins over whatever else is in it.
 * @returns the values of the items needed, none of them empty. @throws PairSetupError
 */
export function readAnswer<Types extends readonly number[]>(
  body: Buffer,
  state: AnswerState,
  ...needed: Types
): { readonly [Index in keyof Types]: Buffer } {
  const answer = decode(body, state);
  const code = answer.findNumber(TlvType.error);
  if (code) throw refusalOf(code, state, answer.findNumber(TlvType.retryDelay));
  if ((answer.findNumber(TlvType.state) ?? state) !== state) throw malformedAnswer(state, 'State');
  const values = needed.map((type) => {
    const value = answer.find(type);
    if (!value || value.length === 0) throw malformedAnswer(state, `item ${type}`);
    return value;
  });
  return values as { [Index in keyof Types]: Buffer };
}

function decode(body: Buffer, state: AnswerState): Tlv {
  try {
    return decodeTlv(body);
  } catch (error) {
    throw malformedAnswer(state, 'TLV', error);
  }
}
