/** Maps an error to how a connection, or the attempt at one, ended. The session decides what follows. */
import type { ConnectionTrouble } from '../../../home/pairing-driver.ts';
import { messageOf } from '../../../kernel/errors.ts';
import { PairVerifyError } from '../pairing/pair-verify.ts';
import { ConnectionError, type ConnectionFault } from '../wire/connection.ts';

export type Ending = (
  | { readonly kind: 'no_address'; readonly detail: string }
  /** The attempt used an old address; the device has announced another one. */
  | { readonly kind: 'moved'; readonly detail: string }
  /** The attempt made no progress while a command waited, so a new one replaces it. */
  | { readonly kind: 'replaced'; readonly detail: string }
  /** The connection never became ready. */
  | { readonly kind: 'failed'; readonly detail: string; readonly waitMs?: number | null }
  /** The device refused us as after a reset; its advertisement shows whether it was reset. */
  | { readonly kind: 'refused'; readonly detail: string }
  /** The connection had been ready. */
  | { readonly kind: 'lost'; readonly detail: string; readonly stable: boolean }
  /** The device requires a new pair-verify immediately. */
  | { readonly kind: 'unverified'; readonly detail: string }
  /** `claimsId`: whether it claims to be the right device, as the device itself would with new keys after a reset. */
  | { readonly kind: 'wrong_device'; readonly detail: string; readonly claimsId: boolean }
  | { readonly kind: 'unknown_controller'; readonly detail: string }
) & { readonly trouble: ConnectionTrouble };

export const NO_ADDRESS: Ending = {
  kind: 'no_address',
  detail: 'The device has not been seen on the network',
  trouble: 'not_seen',
};

export const MOVED: Ending = { kind: 'moved', detail: 'The device announced another address', trouble: 'unreachable' };

export const REPLACED: Ending = { kind: 'replaced', detail: 'The device did not answer', trouble: 'timeout' };

/** A connection that lasted this long was stable: the next failure resets the back-off. */
const STABLE_MS = 10_000;

/**
 * @param readyForMs how long it had been ready; `undefined` if it never was
 * @param before how the last one ended: after two verify requests in a row, the usual back-off applies
 */
export function endingOf(error: unknown, readyForMs: number | undefined, before: Ending['kind'] | undefined): Ending {
  const detail = messageOf(error);
  if (error instanceof PairVerifyError) return endingOfVerify(error);
  const isUnverified = error instanceof ConnectionError && error.fault === 'unverified';
  const trouble = error instanceof ConnectionError ? FAULT_TROUBLES[error.fault] : 'other';
  if (isUnverified && before !== 'unverified') return { kind: 'unverified', detail, trouble };
  if (readyForMs === undefined) return { kind: 'failed', detail, trouble };
  return { kind: 'lost', detail, trouble, stable: readyForMs >= STABLE_MS };
}

const FAULT_TROUBLES: Readonly<Record<ConnectionFault, ConnectionTrouble>> = {
  unreachable: 'unreachable',
  timeout: 'timeout',
  hang_up: 'hang_up',
  corrupt: 'corrupt',
  unverified: 'unverified',
  expired: 'timeout',
  closed: 'other',
};

function endingOfVerify({ kind, message: detail, retryAfterMs }: PairVerifyError): Ending {
  switch (kind) {
    case 'wrong_device':
    case 'unproved':
      return { kind: 'wrong_device', detail, trouble: 'wrong_device', claimsId: kind === 'unproved' };
    case 'refused':
    case 'unknown_controller':
      return { kind, detail, trouble: 'refused' };
    case 'busy':
    case 'protocol':
      return { kind: 'failed', detail, trouble: kind === 'busy' ? 'busy' : 'corrupt', waitMs: retryAfterMs };
  }
}
