/**
 * Resolves a pairing in doubt: its removal got no response, or it stopped between M5 and M6. The accessory may then
 * hold our key while we never received its own.
 *
 * Without that key the accessory's identity can't be verified. A session with it may therefore only remove our
 * incomplete pairing, which is of no use to an impostor. So this module exports the removal, and no session.
 */
import { HearthError } from '../../../kernel/errors.ts';
import { ConnectionError } from '../wire/connection.ts';
import type { PairingKeys, SessionKeys, TlvExchange } from '../wire/exchange.ts';
import { removeController } from './controllers.ts';
import { isDeviceId } from './device-id.ts';
import { PairVerifyError, pairVerify, proveController, requireClaim, startHandshake } from './pair-verify.ts';
import type { ConnectForPairing, PairingConnection } from './pairing-connection.ts';

export type RecoveryOutcome =
  /** The accessory held our incomplete pairing and removed it: delete the record, pair again. */
  | 'removed'
  /** The accessory does not know us: delete the record, pair again. */
  | 'not_registered'
  /** The result is uncertain: keep the record, and the advice to reset the accessory. */
  | 'unresolved';

/** The advice for the owner on `pairing_incomplete`. */
export const INCOMPLETE_ADVICE =
  'Pairing stopped half-way, so the accessory may hold a pairing that can’t be used. Pair it again; if that fails, reset it to factory settings first.';

/**
 * @param keys of a record in state `exchanging` Never throws: a device that is unreachable, busy or another one gives
 * `unresolved`.
 */
export async function recoverIncompletePairing(
  connect: ConnectForPairing,
  keys: PairingKeys,
): Promise<RecoveryOutcome> {
  try {
    return await removeOwnPairing(connect, keys, (exchange) => verifyHalfMade(exchange, keys));
  } catch {
    return 'unresolved';
  }
}

async function verifyHalfMade(exchange: TlvExchange, keys: PairingKeys): Promise<SessionKeys> {
  const handshake = await startHandshake(exchange);
  if (isDeviceId(keys.deviceId)) requireClaim(handshake, keys.deviceId);
  return proveController(exchange, handshake, keys);
}

/**
 * Connects and removes our pairing from the accessory. Some close the connection inside their handler: if the response
 * is lost, a second run shows whether they still know us.
 * @throws the error of the attempt: the pairing may remain
 */
export async function removeOwnPairing(
  connect: ConnectForPairing,
  keys: PairingKeys,
  verify: (exchange: TlvExchange) => Promise<SessionKeys> = (exchange) => pairVerify(exchange, keys),
): Promise<'removed' | 'not_registered'> {
  for (let isRepeated = false; ; isRepeated = true) {
    let connection: PairingConnection | undefined;
    try {
      connection = await connect();
      const { exchange } = connection;
      connection.secure(await verify(exchange));
      await removeController((body) => exchange('/pairings', body), keys.controllerId);
      return 'removed';
    } catch (error) {
      if (error instanceof PairVerifyError && error.kind === 'unknown_controller') return 'not_registered';
      if (isRepeated || !isAnswerLost(error)) throw error;
    } finally {
      connection?.close();
    }
  }
}

/** Whether the accessory may have executed the request that failed with this error. */
export function isAnswerLost(error: unknown): boolean {
  const reason = error instanceof HearthError ? error.cause : error;
  return reason instanceof ConnectionError && reason.maybeDone;
}

/** Whether the accessory currently accepts our keys. */
export type Standing =
  | 'known'
  | 'unknown'
  /** The accessory answers, but refuses us for another reason or proves another identity, as some do after a reset. */
  | 'refused'
  /** The result is unknown. */
  | 'unresolved';

/** Runs pair-verify once with our keys. Never throws. */
export async function findStanding(connect: ConnectForPairing, keys: PairingKeys): Promise<Standing> {
  let connection: PairingConnection | undefined;
  try {
    connection = await connect();
    await pairVerify(connection.exchange, keys);
    return 'known';
  } catch (error) {
    if (!(error instanceof PairVerifyError)) return 'unresolved';
    if (error.kind === 'unknown_controller') return 'unknown';
    return error.kind === 'refused' || error.kind === 'unproved' ? 'refused' : 'unresolved';
  } finally {
    connection?.close();
  }
}
