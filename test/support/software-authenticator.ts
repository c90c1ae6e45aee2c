/**
 * An authenticator in software: it creates passkeys and signs with them, as WebAuthn (level 3) has it, on node:crypto.
 * What tests change of an answer, it signs as changed.
 */
import { createHash, createSign, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto';

const FLAGS = { present: 0x01, verified: 0x04, eligible: 0x08, backedUp: 0x10, attested: 0x40 };

/** What a browser and an authenticator may do wrong. */
export interface Faults {
  /** Of the page that asked; the relay's if left out. */
  readonly origin?: string;
  /** The host that the authenticator signed for. */
  readonly host?: string;
  readonly challenge?: string;
  readonly type?: string;
  /** Whether it asked for a fingerprint, a face or a PIN. */
  readonly isVerified?: boolean;
  readonly counter?: number;
  readonly userHandle?: string;
  /** CBOR of a map, with its format. */
  readonly attestation?: { readonly format: string; readonly statement: Cbor };
  readonly signedBy?: KeyObject;
}

export interface TestCredential {
  readonly id: string;
  readonly host: string;
  readonly userHandle: string;
  readonly privateKey: KeyObject;
  counter: number;
}

/** What creation and request options share. */
interface Options {
  readonly challenge: string;
  readonly rp?: { readonly id?: string };
  readonly rpId?: string;
  readonly user?: { readonly id: string };
}

export class SoftwareAuthenticator {
  readonly #origin: string;
  /** A synced passkey does not count. */
  readonly #counts: boolean;

  constructor(origin: string, { counts = true } = {}) {
    this.#origin = origin;
    this.#counts = counts;
  }

  /** @returns the credential, and what the browser's `PublicKeyCredential.toJSON` gives. */
  create(options: object, faults: Faults = {}): { credential: TestCredential; response: Record<string, unknown> } {
    const { challenge, rp, user } = options as Options;
    const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
    const id = randomBytes(16);
    const host = rp?.id ?? '';
    const credential = {
      id: id.toString('base64url'),
      host,
      userHandle: user?.id ?? '',
      privateKey,
      counter: this.#counts ? 1 : 0,
    };
    const key: Cbor = new Map<Cbor, Cbor>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, Buffer.from(x, 'base64url')],
      [-3, Buffer.from(y, 'base64url')],
    ]);
    const length = Buffer.alloc(2);
    length.writeUInt16BE(id.length);
    const attested = Buffer.concat([Buffer.alloc(16), length, id, cbor(key)]);
    const authData = Buffer.concat([this.#authData(faults.host ?? host, credential.counter, faults, true), attested]);
    const { format = 'none', statement = new Map() } = faults.attestation ?? {};
    const attestationObject = cbor(
      new Map<Cbor, Cbor>([
        ['fmt', format],
        ['attStmt', statement],
        ['authData', authData],
      ]),
    );
    const response = {
      clientDataJSON: this.#clientData('webauthn.create', challenge, faults),
      attestationObject: attestationObject.toString('base64url'),
      transports: ['internal', 'hybrid', 'telepathy'],
    };
    return { credential, response: answerOf(credential.id, response) };
  }

  /** @returns what the browser's `PublicKeyCredential.toJSON` gives. */
  sign(credential: TestCredential, options: object, faults: Faults = {}): Record<string, unknown> {
    const { challenge, rpId } = options as Options;
    if (this.#counts) credential.counter += 1;
    const authData = this.#authData(faults.host ?? rpId ?? credential.host, credential.counter, faults, false);
    const clientDataJSON = this.#clientData('webauthn.get', challenge, faults);
    const signature = createSign('sha256')
      .update(authData)
      .update(createHash('sha256').update(Buffer.from(clientDataJSON, 'base64url')).digest())
      .sign(faults.signedBy ?? credential.privateKey);
    return answerOf(credential.id, {
      clientDataJSON,
      authenticatorData: authData.toString('base64url'),
      signature: signature.toString('base64url'),
      userHandle: faults.userHandle ?? credential.userHandle,
    });
  }

  #authData(host: string, counter: number, { isVerified = true, counter: wanted }: Faults, isNew: boolean): Buffer {
    const flags =
      FLAGS.present |
      (isVerified ? FLAGS.verified : 0) |
      (this.#counts ? 0 : FLAGS.eligible | FLAGS.backedUp) |
      (isNew ? FLAGS.attested : 0);
    const tail = Buffer.alloc(5);
    tail.writeUInt8(flags);
    tail.writeUInt32BE(wanted ?? counter, 1);
    return Buffer.concat([createHash('sha256').update(host).digest(), tail]);
  }

  #clientData(type: string, challenge: string, faults: Faults): string {
    const data = {
      type: faults.type ?? type,
      challenge: faults.challenge ?? challenge,
      origin: faults.origin ?? this.#origin,
      crossOrigin: false,
    };
    return Buffer.from(JSON.stringify(data)).toString('base64url');
  }
}

function answerOf(id: string, response: object): Record<string, unknown> {
  return {
    id,
    rawId: id,
    type: 'public-key',
    authenticatorAttachment: 'platform',
    clientExtensionResults: {},
    response,
  };
}

export type Cbor = number | string | Uint8Array | readonly Cbor[] | ReadonlyMap<Cbor, Cbor>;

/** The part of CBOR (RFC 8949) that authenticators write. */
export function cbor(value: Cbor): Buffer {
  if (typeof value === 'number') return value >= 0 ? head(0, value) : head(1, -1 - value);
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (value instanceof Uint8Array) return Buffer.concat([head(2, value.length), value]);
  if (value instanceof Map) {
    return Buffer.concat([head(5, value.size), ...[...value].flatMap(([key, one]) => [cbor(key), cbor(one)])]);
  }
  const items = value as readonly Cbor[];
  return Buffer.concat([head(4, items.length), ...items.map(cbor)]);
}

function head(major: number, length: number): Buffer {
  if (length < 24) return Buffer.from([(major << 5) | length]);
  if (length < 256) return Buffer.from([(major << 5) | 24, length]);
  return Buffer.from([(major << 5) | 25, length >> 8, length & 255]);
}
