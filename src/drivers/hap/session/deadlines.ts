/** The deadlines of a session, in milliseconds. */
export interface SessionDeadlines {
  /** From the first address tried to a TCP connection. */
  readonly connectMs: number;
  /** From a request to its whole response; pair-verify's two requests included. */
  readonly requestMs: number;
  /** From a write call to its outcome, retries included. */
  readonly writeMs: number;
  /** How long a command waits for a device that is not connected, before it is unreachable. */
  readonly offlineMs: number;
}

export const DEADLINES: SessionDeadlines = {
  connectMs: 10_000,
  // HAP-NodeJS answers for a slow accessory after 9 s. A device that hangs must become unreachable within 10 s.
  requestMs: 9_500,
  writeMs: 10_000,
  // A command to a device that does not answer fails within 3 s, including all overhead.
  offlineMs: 2_800,
};
