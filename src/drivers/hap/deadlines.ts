/** How long a session waits for what, in milliseconds. */
export interface SessionDeadlines {
  /** From the first address tried to a TCP connection. */
  readonly connectMs: number;
  /** From a request to its whole answer; pair-verify's two included. */
  readonly requestMs: number;
  /** From a call to write to its outcome, retries included. */
  readonly writeMs: number;
  /** How long a command waits for a device that is not connected, before it counts as unreachable. */
  readonly offlineMs: number;
}

export const DEADLINES: SessionDeadlines = {
  connectMs: 10_000,
  requestMs: 10_000,
  writeMs: 10_000,
  offlineMs: 3_000,
};
