import type { SessionKeys, TlvExchange } from '../wire/exchange.ts';

/** One connection to an accessory server for pairing. The session's transport implements it. */
export interface PairingConnection {
  /** Plain until `secure`, then encrypted. The transport's deadline applies to every exchange. */
  readonly exchange: TlvExchange;
  secure(keys: SessionKeys): void;
  /** Closes the connection. May be called twice. */
  close(): void;
}

/** Opens a new connection. Rejects with a sentence that gives the reason why the device can't be reached. */
export type ConnectForPairing = () => Promise<PairingConnection>;
