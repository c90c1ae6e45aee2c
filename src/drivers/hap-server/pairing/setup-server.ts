/**
 * The accessory's side of pair-setup (HAP specification §5.6): M1 to M6, for one controller at a time. The controller
 * is stored before M6 leaves; what ends earlier leaves nothing.
 */
import { encodeTlv, type Tlv } from '../../../hap-spec/tlv.ts';
import type { HomeDeps } from '../../../home/home-deps.ts';
import type { BridgeControllers, BridgeIdentity } from '../../../home/publication-port.ts';
import { messageOf } from '../../../kernel/errors.ts';
import { PairMethod, proofKeyOf, sealKeyOf } from '../../hap/pairing/pair-setup-protocol.ts';
import { type Ed25519Keys, seal, signEd25519, unseal, verifyEd25519 } from '../../hap/pairing/pairing-crypto.ts';
import { TlvErrorCode, TlvType } from '../../hap/pairing/tlv-types.ts';
import { answer, outOfOrder, type PairingAnswer, readBody, readIdentifier, readKey, refusal } from './pairing-body.ts';
import { challengeSrp, type OwnSrpChallenge } from './srp-server.ts';
import { WrongCodeLimit } from './wrong-code-limit.ts';

export interface SetupServerDeps extends HomeDeps<'clock' | 'logger'> {
  readonly identity: BridgeIdentity;
  readonly keys: Ed25519Keys;
  readonly controllers: BridgeControllers;
  /** The first controller is stored. */
  readonly onPaired: () => void;
}

/** The connection of a controller: an identity, no more. */
type Peer = object;

interface Exchange {
  readonly peer: Peer;
  lastAt: number;
  /** `undefined` while M2 is computed. */
  challenge?: OwnSrpChallenge;
  /** The controller knows the setup code. */
  sessionKey?: Buffer;
}

/** A controller that asks nothing for so long gives way to the next: people type the code between M2 and M3. */
const GIVES_WAY_MS = 60_000;

export class SetupServer {
  readonly #deps: SetupServerDeps;
  readonly #wrongCodes: WrongCodeLimit;
  #exchange: Exchange | undefined;

  constructor(deps: SetupServerDeps) {
    this.#deps = deps;
    this.#wrongCodes = new WrongCodeLimit(deps.clock);
  }

  /** The connection closed. */
  forget(peer: Peer): void {
    if (this.#exchange?.peer === peer) this.#exchange = undefined;
  }

  async handle(peer: Peer, body: Buffer): Promise<PairingAnswer> {
    if (this.#deps.controllers.list().length > 0) {
      this.forget(peer);
      return refusal(2, TlvErrorCode.unavailable);
    }
    if (this.#wrongCodes.isReached) return refusal(2, TlvErrorCode.maxTries);
    const message = readBody(body);
    const state = message?.findNumber(TlvType.state) ?? 0;
    if (message && state === 1) return this.#begin(peer, message);
    const exchange = this.#exchange?.peer === peer ? this.#exchange : undefined;
    if (exchange) exchange.lastAt = this.#deps.clock.monotonic();
    if (message && state === 3 && exchange?.challenge && !exchange.sessionKey) {
      return this.#checkCode(exchange, exchange.challenge, message);
    }
    if (message && state === 5 && exchange?.sessionKey) {
      this.#exchange = undefined;
      return this.#exchangeKeys(exchange.sessionKey, message);
    }
    this.forget(peer);
    return outOfOrder(state);
  }

  async #begin(peer: Peer, message: Tlv): Promise<PairingAnswer> {
    const { clock, identity } = this.#deps;
    const method = message.findNumber(TlvType.method) ?? PairMethod.plain;
    if (method !== PairMethod.plain && method !== PairMethod.withAuth) return outOfOrder(1);
    const now = clock.monotonic();
    const other = this.#exchange;
    if (other && other.peer !== peer && now - other.lastAt < GIVES_WAY_MS) return refusal(2, TlvErrorCode.busy);
    const { waitMs } = this.#wrongCodes;
    if (waitMs > 0) return refusal(2, TlvErrorCode.backOff, [TlvType.retryDelay, Math.ceil(waitMs / 1_000)]);
    const exchange: Exchange = { peer, lastAt: now };
    this.#exchange = exchange;
    const challenge = await challengeSrp(identity.setupCode);
    exchange.challenge = challenge;
    return answer(2, [TlvType.salt, challenge.salt], [TlvType.publicKey, challenge.publicKey]);
  }

  async #checkCode(exchange: Exchange, challenge: OwnSrpChallenge, message: Tlv): Promise<PairingAnswer> {
    // Good for one guess: another one needs a new challenge.
    delete exchange.challenge;
    const key = message.find(TlvType.publicKey);
    const proof = message.find(TlvType.proof);
    const proved = key && proof ? await challenge.check(key, proof) : undefined;
    if (!proved) {
      this.forget(exchange.peer);
      this.#wrongCodes.add();
      this.#deps.logger.warn({}, 'A controller tried to pair with a wrong setup code');
      return refusal(4, TlvErrorCode.authentication);
    }
    exchange.sessionKey = proved.sessionKey;
    return answer(4, [TlvType.proof, proved.proof]);
  }

  #exchangeKeys(sessionKey: Buffer, message: Tlv): PairingAnswer {
    const sealed = message.find(TlvType.encryptedData);
    const opened = sealed && unseal(sealKeyOf(sessionKey), 'PS-Msg05', sealed);
    const claim = opened && readBody(opened);
    const identifier = claim && readIdentifier(claim);
    const publicKey = claim && readKey(claim);
    const signature = claim?.find(TlvType.signature);
    if (identifier === undefined || !publicKey || !signature) return refusal(6, TlvErrorCode.authentication);
    const signed = Buffer.concat([proofKeyOf(sessionKey, 'Controller'), Buffer.from(identifier), publicKey]);
    if (!verifyEd25519(publicKey, signed, signature)) return refusal(6, TlvErrorCode.authentication);
    return this.#store(identifier, publicKey) ? this.#introduce(sessionKey) : refusal(6, TlvErrorCode.unknown);
  }

  #store(identifier: string, publicKey: Buffer): boolean {
    const { controllers, logger, onPaired } = this.#deps;
    // Another controller may have been stored while this one computed.
    if (controllers.list().length > 0) return false;
    try {
      controllers.put({ identifier, publicKey, isAdmin: true });
    } catch (error) {
      logger.error({ error: messageOf(error) }, 'Could not store the controller that paired');
      return false;
    }
    this.#wrongCodes.clear();
    logger.info({ controller: identifier }, 'A controller paired');
    onPaired();
    return true;
  }

  /** M6: our id and public key, signed. */
  #introduce(sessionKey: Buffer): PairingAnswer {
    const { identity, keys } = this.#deps;
    const id = Buffer.from(identity.deviceId);
    const signed = Buffer.concat([proofKeyOf(sessionKey, 'Accessory'), id, keys.publicKey]);
    const introduction = encodeTlv([
      [TlvType.identifier, id],
      [TlvType.publicKey, keys.publicKey],
      [TlvType.signature, signEd25519(keys, signed)],
    ]);
    return answer(6, [TlvType.encryptedData, seal(sealKeyOf(sessionKey), 'PS-Msg06', introduction)]);
  }
}
