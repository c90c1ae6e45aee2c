/** What a session needs of its connection. Behind it is a `ws` WebSocket; in tests it may be a list. */

/** Why a connection is closed (RFC 6455 §7.4.1, IANA's registry). */
export const CLOSE_CODES = {
  /** What it came in with counts no more, or it did not say who it is. */
  policy: 1008,
  failed: 1011,
  /** The relay stops; come back. */
  restart: 1012,
  /** There are too many. */
  later: 1013,
} as const;
export type CloseReason = keyof typeof CLOSE_CODES;

export interface Outlet {
  /** What was given and has not left yet. */
  readonly waitingBytes: number;
  /** One message. */
  send(text: string): void;
  /** Frames that are made already, in one write. */
  write(frames: Buffer): void;
  /** A protocol ping, which every client answers by itself. */
  ping(): void;
  /** After what was given has left, if the client takes it. */
  close(reason: CloseReason, sentence: string): void;
  /** At once. */
  cut(): void;
}
