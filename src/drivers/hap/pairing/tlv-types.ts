/** The TLV types, methods and errors of pairing (HAP specification, tables 5-3, 5-5 and 5-6). */

export const TlvType = {
  method: 0x00,
  identifier: 0x01,
  salt: 0x02,
  publicKey: 0x03,
  proof: 0x04,
  encryptedData: 0x05,
  state: 0x06,
  error: 0x07,
  retryDelay: 0x08,
  signature: 0x0a,
  permissions: 0x0b,
  separator: 0xff,
} as const;

/** Methods of `/pairings`. `PairMethod` in `pair-setup-protocol.ts` has those of pair-setup. */
export const PairingsMethod = { add: 3, remove: 4, list: 5 } as const;

export const TlvErrorCode = {
  unknown: 1,
  authentication: 2,
  backOff: 3,
  maxPeers: 4,
  maxTries: 5,
  unavailable: 6,
  busy: 7,
} as const;

/** The size of every pairing key: X25519, Ed25519 seeds and public keys, ChaCha20-Poly1305. */
export const KEY_BYTES = 32;
