/**
 * What the pairing code needs of a connection, and what the session needs of the pairing code. It keeps key exchange and
 * transport apart: `pair-setup.ts`, `pair-verify.ts` and `controllers.ts` never see a socket.
 */

/** Posts a TLV8 body (`application/pairing+tlv8`) and resolves with the answer's body. Rejects on deadline or close. */
export type TlvExchange = (path: '/pair-setup' | '/pair-verify' | '/pairings', body: Buffer) => Promise<Buffer>;

/** The keys of one pairing. All are raw bytes: Ed25519 seeds and public keys of 32 bytes. */
export interface PairingKeys {
  /** HAP device id, upper case. The accessory proves it in pair-verify. */
  readonly deviceId: string;
  /** Ed25519 public key of the accessory; `null` while the exchange that would have told it was never finished. */
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
