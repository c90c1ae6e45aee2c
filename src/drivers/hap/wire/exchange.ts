/**
 * The interface between the pairing code and the connection. It separates key exchange and transport: `pair-setup.ts`,
 * `pair-verify.ts` and `controllers.ts` never use a socket.
 */

/**
 * Posts a TLV8 body (`application/pairing+tlv8`) and resolves with the response's body. Rejects with a `PairingRefusal`
 * if the response is not TLV8, and on deadline or close.
 */
export type TlvExchange = (path: '/pair-setup' | '/pair-verify' | '/pairings', body: Buffer) => Promise<Buffer>;

/** The response to a pairing request was an HTTP error, JSON or HTML instead of TLV8. The connection stays open. */
export class PairingRefusal extends Error {
  override readonly name = 'PairingRefusal';
  /** The device is busy and asks to retry later. */
  readonly isBusy: boolean;

  /** @param message what the device answered, without a full stop */
  constructor(message: string, isBusy: boolean) {
    super(message);
    this.isBusy = isBusy;
  }
}

/** The keys of one pairing. All are raw bytes: Ed25519 seeds and public keys of 32 bytes. */
export interface PairingKeys {
  /** HAP device id, upper case. The accessory proves it in pair-verify. */
  readonly deviceId: string;
  /** Ed25519 public key of the accessory; `null` if pair-setup never reached M6. */
  readonly accessoryPublicKey: Buffer | null;
  /** Our id on this accessory: a UUID. */
  readonly controllerId: string;
  readonly controllerPublicKey: Buffer;
  /** Ed25519 seed. */
  readonly controllerSecretKey: Buffer;
}

/** ChaCha20-Poly1305 keys of one verified session, 32 bytes each. */
export interface SessionKeys {
  readonly read: Buffer;
  readonly write: Buffer;
}
