/** The connection of a session. In production it is a `ws` WebSocket; in tests it may be a list. */

/** Why a connection is closed (RFC 6455 §7.4.1, IANA's registry). */
export const CLOSE_CODES = {
  /** The credentials are no longer valid, or the client did not authenticate. */
  policy: 1008,
  failed: 1011,
  /** The relay stops; reconnect later. */
  restart: 1012,
  /** There are too many connections. */
  later: 1013,
} as const;
export type CloseReason = keyof typeof CLOSE_CODES;

export interface Outlet {
  /** The number of unsent bytes. */
  readonly waitingBytes: number;
  /** One message. */
  send(text: string): void;
  /** Serialised frames, in one write. */
  write(frames: Buffer): void;
  /** A protocol ping, which every client answers by itself. */
  ping(): void;
  /** Closes after the unsent data, if the client reads it. */
  close(reason: CloseReason, sentence: string): void;
  /** Closes at once. */
  cut(): void;
}
