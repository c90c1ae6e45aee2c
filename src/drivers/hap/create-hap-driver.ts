/** Creates the HAP driver with its stores and its transport. The composition root calls this for everything HAP. */
import type { DriverSink } from '../../home/accessory-driver.ts';
import type { Clock } from '../../kernel/clock.ts';
import { HearthError, messageOf } from '../../kernel/errors.ts';
import { type Logger, LogThrottle } from '../../kernel/logger.ts';
import type { Database } from '../../storage/database.ts';
import type { Discovery } from '../discovery/discovery.ts';
import { AccessoryCache } from './accessory-cache.ts';
import { DeviceLimitsStore } from './device-limits-store.ts';
import { HapDriver } from './hap-driver.ts';
import { ManualDevicesStore } from './manual-devices-store.ts';
import { Pairer } from './pairing/pairer.ts';
import type { PairingStore } from './pairing/pairing-store.ts';
import { WrongCodes } from './pairing/wrong-codes.ts';
import type { PublishedServers } from './published-servers.ts';
import { ConnectGate } from './session/connect-gate.ts';
import { STATUS } from './wire/characteristics-codec.ts';
import { Connection } from './wire/connection.ts';
import type { HostPort } from './wire/dial.ts';
import type { Message } from './wire/message-reader.ts';
import { describeAnswer, hapStatusIn } from './wire/pairing-answer.ts';

/** Devices compute for seconds during pair-setup (decisions §6). */
const PAIRING_REQUEST_MS = 30_000;
const NO_CONTENT = 204;
const OK = 200;
const BAD_REQUEST = 400;

export function createHapDriver(parts: {
  readonly database: Database;
  readonly discovery: Discovery;
  readonly pairings: PairingStore;
  readonly sink: DriverSink;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly homes: () => readonly { readonly id: string; readonly paused: boolean }[];
  readonly published: PublishedServers;
}): HapDriver {
  const { database, pairings, clock, logger, published } = parts;
  return new HapDriver({
    ...parts,
    pairer: new Pairer({ store: pairings, wrongCodes: new WrongCodes(database, clock), published, clock, logger }),
    cache: new AccessoryCache(database, logger),
    limits: new DeviceLimitsStore(database),
    manual: new ManualDevicesStore(database),
    environment: { clock, logger, throttle: new LogThrottle(clock), gate: new ConnectGate(clock) },
    connect: (addresses) => Connection.open(addresses, { clock, requestMs: PAIRING_REQUEST_MS }),
    identifyAt: (addresses) => identifyUnpaired(addresses, clock),
  });
}

/**
 * @throws `accessory_unreachable` · `accessory_error` · `conflict` it is paired, so only its controllers may identify
 * it
 */
async function identifyUnpaired(addresses: readonly HostPort[], clock: Clock): Promise<void> {
  let answer: Message;
  try {
    const connection = await Connection.open(addresses, { clock });
    try {
      answer = await connection.identify();
    } finally {
      connection.close();
    }
  } catch (error) {
    throw new HearthError('accessory_unreachable', `Accessory unreachable: ${messageOf(error)}.`, {}, { cause: error });
  }
  const { status, body } = answer;
  if (status === NO_CONTENT || status === OK) return;
  const hapStatus = hapStatusIn(status, body);
  if (status === BAD_REQUEST || hapStatus === STATUS.notAuthorized) {
    throw new HearthError(
      'conflict',
      'The accessory is paired with another controller, which alone can make it identify itself.',
      { reason: 'paired_elsewhere' },
    );
  }
  throw new HearthError(
    'accessory_error',
    `The accessory did not identify itself: it answered with ${describeAnswer(status, body)}.`,
  );
}
