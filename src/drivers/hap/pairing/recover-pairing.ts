/**
 * What to do about a pairing that stopped between M5 and M6: the accessory may hold our key while we never learned its own.
 *
 * Without that key nobody can be recognised, so a session with such an accessory may be used for one thing only: to take our
 * half-made pairing off it, which gives an impostor nothing. Hence this module hands out no session, only the removal.
 */
import type { PairingKeys } from '../exchange.ts';
import { removeController } from './controllers.ts';
import { isDeviceId } from './device-id.ts';
import { PairVerifyError, proveController, requireClaim, startHandshake } from './pair-verify.ts';
import type { ConnectForPairing, PairingConnection } from './pairing-connection.ts';

export type RecoveryOutcome =
  /** The accessory held our half-made pairing and removed it: forget the record, pair anew. */
  | 'removed'
  /** It does not know us: forget the record, pair anew. */
  | 'not_registered'
  /** Nothing certain was learned: keep the record, and the advice to reset the accessory. */
  | 'unresolved';

/** What `pairing_incomplete` means to its owner. */
export const INCOMPLETE_ADVICE =
  'Pairing stopped half-way, so the accessory may hold a pairing that nobody can use. Pair it again; if that fails, reset it to factory settings first.';

/**
 * @param keys of a record in state `exchanging`.
 * Never throws: a device that is away, busy or another one leaves the outcome `unresolved`.
 */
export async function recoverIncompletePairing(
  connect: ConnectForPairing,
  keys: PairingKeys,
): Promise<RecoveryOutcome> {
  let connection: PairingConnection | undefined;
  try {
    connection = await connect();
    return await removeHalfMade(connection, keys);
  } catch (error) {
    return error instanceof PairVerifyError && error.kind === 'unknown_controller' ? 'not_registered' : 'unresolved';
  } finally {
    connection?.close();
  }
}

async function removeHalfMade(connection: PairingConnection, keys: PairingKeys): Promise<RecoveryOutcome> {
  const handshake = await startHandshake(connection.exchange);
  if (isDeviceId(keys.deviceId)) requireClaim(handshake, keys.deviceId);
  const session = await proveController(connection.exchange, handshake, keys);
  connection.secure(session);
  await removeController((body) => connection.exchange('/pairings', body), keys.controllerId);
  return 'removed';
}
