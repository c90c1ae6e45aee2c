/**
 * The accessory's half of pair-setup, pair-verify and the pairings requests (HAP specification §5), able to stumble at
 * any step. One `PairingBook` an accessory, one `PairingTalk` a connection.
 */
import { diffieHellman, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto';
import {
  deriveKey,
  ed25519FromSeed,
  isSignedBy,
  labelNonce,
  open,
  rawPublicKey,
  seal,
  signWith,
  x25519PublicKey,
} from './hap-crypto.ts';
import { createSrpServer, type SrpServer } from './hap-nodejs-parts.ts';
import type { KnownController, SigningKeys } from './identity.ts';
import { decodeTlv, encodeTlv, TLV, type TlvItem } from './tlv.ts';

/** TLV error codes (HAP specification, table 5-5). */
export const PAIRING_ERROR = {
  unknown: 1,
  authentication: 2,
  backoff: 3,
  maxPeers: 4,
  maxTries: 5,
  unavailable: 6,
  busy: 7,
} as const;

export type PairingStep = 'setup-M2' | 'setup-M4' | 'setup-M6' | 'verify-M2' | 'verify-M4';

/** Something to go wrong at a step; times over, the step works again. */
export interface Stumble {
  readonly at: PairingStep;
  /** TLV error code instead of the answer. */
  readonly error?: number;
  /** Goes with the error, in seconds. */
  readonly retryDelayS?: number;
  /** No answer, with the step carried out (`…-after`) or not: the connection closes, or stays silent. */
  readonly instead?: 'cut' | 'cut-after' | 'silence';
  /** The answer lacks its State item. */
  readonly omitState?: true;
  /** 1 by default. */
  readonly times?: number;
}

export type PairingAnswer = Buffer | 'cut' | 'silence';

const METHOD = { setup: 0, setupWithAuth: 1, add: 3, remove: 4, list: 5 } as const;

/** Who may control the accessory, and how it proves itself. */
export class PairingBook {
  readonly deviceId: string;
  readonly setupCode: string;
  readonly publicKey: Buffer;
  readonly secretKey: KeyObject;
  readonly controllers = new Map<string, { publicKey: Buffer; admin: boolean }>();
  /** Pair method that is answered with an error, as by devices that lie in their feature flags. */
  rejectedMethod: 0 | 1 | undefined;
  readonly #stumbles: { stumble: Stumble; left: number }[] = [];
  readonly #onChange: () => void;

  constructor(
    deviceId: string,
    setupCode: string,
    keys: SigningKeys,
    controllers: readonly KnownController[],
    onChange: () => void,
  ) {
    this.deviceId = deviceId;
    this.setupCode = setupCode;
    this.publicKey = keys.publicKey;
    this.secretKey = ed25519FromSeed(keys.seed).secretKey;
    this.#onChange = onChange;
    for (const { id, publicKey, admin = true } of controllers) this.controllers.set(id, { publicKey, admin });
  }

  stumble(stumble: Stumble): void {
    this.#stumbles.push({ stumble, left: stumble.times ?? 1 });
  }

  takeStumble(at: PairingStep): Stumble | undefined {
    const entry = this.#stumbles.find(({ stumble, left }) => stumble.at === at && left > 0);
    if (!entry) return undefined;
    entry.left -= 1;
    return entry.stumble;
  }

  add(id: string, publicKey: Buffer, admin: boolean): void {
    this.controllers.set(id, { publicKey, admin });
    this.#onChange();
  }

  /** The last administrator takes all others along (HAP specification §5.11). */
  remove(id: string): void {
    this.controllers.delete(id);
    if (![...this.controllers.values()].some(({ admin }) => admin)) this.controllers.clear();
    this.#onChange();
  }

  clear(): void {
    this.controllers.clear();
    this.#onChange();
  }
}

/** Session keys from the accessory's point of view, and whose session it is. */
export interface VerifiedSession {
  readonly controllerId: string;
  readonly readKey: Buffer;
  readonly writeKey: Buffer;
}

export class PairingTalk {
  readonly #book: PairingBook;
  readonly #onVerified: (session: VerifiedSession) => void;
  #srp: SrpServer | undefined;
  #verify: { shared: Buffer; own: Buffer; theirs: Buffer; key: Buffer } | undefined;

  constructor(book: PairingBook, onVerified: (session: VerifiedSession) => void) {
    this.#book = book;
    this.#onVerified = onVerified;
  }

  setup(body: Buffer): Promise<PairingAnswer> {
    const request = decodeTlv(body);
    const state = request.get(TLV.state)?.[0];
    if (state === 1) return this.#step('setup-M2', () => this.#setupM2(request));
    if (state === 3) return this.#step('setup-M4', () => this.#setupM4(request));
    return this.#step('setup-M6', () => this.#setupM6(request));
  }

  verify(body: Buffer): Promise<PairingAnswer> {
    const request = decodeTlv(body);
    const state = request.get(TLV.state)?.[0];
    return state === 1
      ? this.#step('verify-M2', () => this.#verifyM2(request))
      : this.#step('verify-M4', () => this.#verifyM4(request));
  }

  /** Add, remove and list, for administrators. */
  pairings(body: Buffer, controllerId: string): Buffer {
    const request = decodeTlv(body);
    if (!this.#book.controllers.get(controllerId)?.admin) return failure(2, PAIRING_ERROR.authentication);
    const id = request.get(TLV.identifier)?.toString() ?? '';
    switch (request.get(TLV.method)?.[0]) {
      case METHOD.add:
        this.#book.add(id, request.get(TLV.publicKey) ?? Buffer.alloc(0), request.get(TLV.permissions)?.[0] === 1);
        return encodeTlv([[TLV.state, 2]]);
      case METHOD.remove:
        this.#book.remove(id);
        return encodeTlv([[TLV.state, 2]]);
      default:
        return encodeTlv([[TLV.state, 2], ...listItems(this.#book)]);
    }
  }

  async #step(at: PairingStep, carryOut: () => TlvItem[] | Promise<TlvItem[]>): Promise<PairingAnswer> {
    const state = Number(at.slice(-1));
    const stumble = this.#book.takeStumble(at);
    if (stumble?.instead === 'cut' || stumble?.instead === 'silence') return stumble.instead;
    if (stumble?.error !== undefined) return failure(state, stumble.error, stumble.retryDelayS);
    const items = await carryOut();
    if (stumble?.instead === 'cut-after') return 'cut';
    return encodeTlv(stumble?.omitState ? items : [[TLV.state, state], ...items]);
  }

  async #setupM2(request: Map<number, Buffer>): Promise<TlvItem[]> {
    if (this.#book.controllers.size > 0) return [[TLV.error, PAIRING_ERROR.unavailable]];
    const method = request.get(TLV.method)?.[0] ?? METHOD.setup;
    if (method === this.#book.rejectedMethod) return [[TLV.error, PAIRING_ERROR.unknown]];
    const salt = randomBytes(16);
    this.#srp = await createSrpServer(this.#book.setupCode, salt);
    return [
      [TLV.salt, salt],
      [TLV.publicKey, this.#srp.computeB()],
    ];
  }

  #setupM4(request: Map<number, Buffer>): TlvItem[] {
    const srp = this.#srp;
    if (!srp) return [[TLV.error, PAIRING_ERROR.unknown]];
    srp.setA(request.get(TLV.publicKey) ?? Buffer.alloc(0));
    try {
      srp.checkM1(request.get(TLV.proof) ?? Buffer.alloc(0));
    } catch {
      return [[TLV.error, PAIRING_ERROR.authentication]];
    }
    return [[TLV.proof, srp.computeM2()]];
  }

  #setupM6(request: Map<number, Buffer>): TlvItem[] {
    const secret = this.#srp?.computeK();
    if (!secret) return [[TLV.error, PAIRING_ERROR.unknown]];
    const key = deriveKey(secret, 'Pair-Setup-Encrypt-Salt', 'Pair-Setup-Encrypt-Info');
    const inner = decodeTlv(open(key, labelNonce('PS-Msg05'), request.get(TLV.encryptedData) ?? Buffer.alloc(0)));
    const id = inner.get(TLV.identifier) ?? Buffer.alloc(0);
    const publicKey = inner.get(TLV.publicKey) ?? Buffer.alloc(0);
    const proofKey = deriveKey(secret, 'Pair-Setup-Controller-Sign-Salt', 'Pair-Setup-Controller-Sign-Info');
    if (!isSignedBy(publicKey, inner.get(TLV.signature) ?? Buffer.alloc(0), proofKey, id, publicKey)) {
      return [[TLV.error, PAIRING_ERROR.authentication]];
    }
    this.#book.add(id.toString(), publicKey, true);
    const ownKey = deriveKey(secret, 'Pair-Setup-Accessory-Sign-Salt', 'Pair-Setup-Accessory-Sign-Info');
    const ownId = Buffer.from(this.#book.deviceId);
    const answer = encodeTlv([
      [TLV.identifier, ownId],
      [TLV.publicKey, this.#book.publicKey],
      [TLV.signature, signWith(this.#book.secretKey, ownKey, ownId, this.#book.publicKey)],
    ]);
    return [[TLV.encryptedData, seal(key, labelNonce('PS-Msg06'), answer)]];
  }

  #verifyM2(request: Map<number, Buffer>): TlvItem[] {
    const theirs = request.get(TLV.publicKey) ?? Buffer.alloc(0);
    const { privateKey, publicKey } = generateKeyPairSync('x25519');
    const own = rawPublicKey(publicKey);
    const shared = diffieHellman({ privateKey, publicKey: x25519PublicKey(theirs) });
    const key = deriveKey(shared, 'Pair-Verify-Encrypt-Salt', 'Pair-Verify-Encrypt-Info');
    this.#verify = { shared, own, theirs, key };
    const id = Buffer.from(this.#book.deviceId);
    const answer = encodeTlv([
      [TLV.identifier, id],
      [TLV.signature, signWith(this.#book.secretKey, own, id, theirs)],
    ]);
    return [
      [TLV.publicKey, own],
      [TLV.encryptedData, seal(key, labelNonce('PV-Msg02'), answer)],
    ];
  }

  #verifyM4(request: Map<number, Buffer>): TlvItem[] {
    const verify = this.#verify;
    if (!verify) return [[TLV.error, PAIRING_ERROR.unknown]];
    const inner = decodeTlv(
      open(verify.key, labelNonce('PV-Msg03'), request.get(TLV.encryptedData) ?? Buffer.alloc(0)),
    );
    const id = inner.get(TLV.identifier) ?? Buffer.alloc(0);
    const controller = this.#book.controllers.get(id.toString());
    const signature = inner.get(TLV.signature) ?? Buffer.alloc(0);
    if (!controller || !isSignedBy(controller.publicKey, signature, verify.theirs, id, verify.own)) {
      return [[TLV.error, PAIRING_ERROR.authentication]];
    }
    this.#onVerified({
      controllerId: id.toString(),
      readKey: deriveKey(verify.shared, 'Control-Salt', 'Control-Write-Encryption-Key'),
      writeKey: deriveKey(verify.shared, 'Control-Salt', 'Control-Read-Encryption-Key'),
    });
    return [];
  }
}

function failure(state: number, error: number, retryDelayS?: number): Buffer {
  const delay: TlvItem[] = retryDelayS === undefined ? [] : [[TLV.retryDelay, retryDelayS]];
  return encodeTlv([[TLV.state, state], [TLV.error, error], ...delay]);
}

function listItems(book: PairingBook): TlvItem[] {
  return [...book.controllers].flatMap(([id, { publicKey, admin }], index): TlvItem[] => [
    ...(index > 0 ? ([[TLV.separator, '']] as TlvItem[]) : []),
    [TLV.identifier, id],
    [TLV.publicKey, publicKey],
    [TLV.permissions, admin ? 1 : 0],
  ]);
}
