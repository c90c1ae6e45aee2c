import type { SessionKeys, TlvExchange } from '../exchange.ts';

/** One connection to an accessory server, as pairing needs it. The session's transport is behind it. */
export interface PairingConnection {
  /** Plain until `secure`, encrypted from then on. Every exchange has the transport's deadline. */
  readonly exchange: TlvExchange;
  secure(keys: SessionKeys): void;
  /** Ends it. May be called twice. */
  close(): void;
}

/** Opens a new connection. Rejects with a sentence that tells why the device can't be reached. */
export type ConnectForPairing = () => Promise<PairingConnection>;
