/** The accessory's side of pair-verify (HAP specification §5.7), for one connection, on `node:crypto`. */

import { encodeTlv, type Tlv } from '../../../hap-spec/tlv.ts';
import type { BridgeControllers, BridgeIdentity } from '../../../home/publication-port.ts';
import { sessionKeysOf, verifySealKeyOf } from '../../hap/pairing/pair-verify.ts';
import {
  agree,
  type Ed25519Keys,
  newAgreementKeys,
  seal,
  signEd25519,
  unseal,
  verifyEd25519,
} from '../../hap/pairing/pairing-crypto.ts';
import { TlvErrorCode, TlvType } from '../../hap/pairing/tlv-types.ts';
import type { SessionKeys } from '../../hap/wire/exchange.ts';
import { answer, outOfOrder, type PairingAnswer, readBody, readIdentifier, readKey, refusal } from './pairing-body.ts';

export interface VerifyServerDeps {
  readonly identity: BridgeIdentity;
  readonly keys: Ed25519Keys;
  readonly controllers: BridgeControllers;
}

export interface VerifiedController {
  readonly identifier: string;
  /** Holds from the byte after the answer. */
  readonly keys: SessionKeys;
}

/** What M2 left for M3. */
interface Handshake {
  readonly theirs: Buffer;
  readonly ours: Buffer;
  readonly sharedSecret: Buffer;
}

export class VerifyServer {
  readonly #deps: VerifyServerDeps;
  #handshake: Handshake | undefined;

  constructor(deps: VerifyServerDeps) {
    this.#deps = deps;
  }

  handle(body: Buffer): { readonly answer: PairingAnswer; readonly verified?: VerifiedController } {
    const message = readBody(body);
    const state = message?.findNumber(TlvType.state) ?? 0;
    const handshake = this.#handshake;
    this.#handshake = undefined;
    if (message && state === 1) return { answer: this.#begin(message) };
    if (!message || state !== 3 || !handshake) return { answer: outOfOrder(state) };
    const identifier = this.#provedIdentifier(handshake, message);
    if (identifier === undefined) return { answer: refusal(4, TlvErrorCode.authentication) };
    return { answer: answer(4), verified: { identifier, keys: sessionKeysOf(handshake.sharedSecret) } };
  }

  #begin(message: Tlv): PairingAnswer {
    const { identity, keys } = this.#deps;
    const theirs = readKey(message);
    const agreement = newAgreementKeys();
    const sharedSecret = theirs && tryAgree(agreement, theirs);
    if (!theirs || !sharedSecret) return outOfOrder(1);
    const ours = agreement.publicKey;
    const id = Buffer.from(identity.deviceId);
    const claim = encodeTlv([
      [TlvType.identifier, id],
      [TlvType.signature, signEd25519(keys, Buffer.concat([ours, id, theirs]))],
    ]);
    this.#handshake = { theirs, ours, sharedSecret };
    const sealed = seal(verifySealKeyOf(sharedSecret), 'PV-Msg02', claim);
    return answer(2, [TlvType.encryptedData, sealed], [TlvType.publicKey, ours]);
  }

  #provedIdentifier({ theirs, ours, sharedSecret }: Handshake, message: Tlv): string | undefined {
    const sealed = message.find(TlvType.encryptedData);
    const opened = sealed && unseal(verifySealKeyOf(sharedSecret), 'PV-Msg03', sealed);
    const claim = opened && readBody(opened);
    const identifier = claim && readIdentifier(claim);
    const signature = claim?.find(TlvType.signature);
    const controller = this.#deps.controllers.list().find((known) => known.identifier === identifier);
    if (identifier === undefined || !signature || !controller) return undefined;
    const signed = Buffer.concat([theirs, Buffer.from(identifier), ours]);
    return verifyEd25519(controller.publicKey, signed, signature) ? identifier : undefined;
  }
}

function tryAgree(own: Parameters<typeof agree>[0], theirs: Buffer): Buffer | undefined {
  try {
    return agree(own, theirs);
  } catch {
    return undefined;
  }
}
