/** Devices on the network, and those that this relay is paired with. */
import { z } from 'zod';
import { CONNECTION_TROUBLES } from '../home/pairing-driver.ts';
import { checked, EXAMPLE_ID, flag, id, integer, success, text, time, word } from './fields.ts';
import { type Input, invalidValue, type Output } from './parse.ts';

export const EXAMPLE_DEVICE_ID = '1A:2B:3C:4D:5E:6F';
/** Longer than any host name or setup payload; a longer input is a mistake. */
const MAX_INPUT_LENGTH = 300;
/** HAP's controller ids are UUIDs (36 characters); some accessories store no more than that. */
const MAX_CONTROLLER_ID_LENGTH = 36;

function sent(description: string) {
  const given = z
    .string({ error: invalidValue('give a text') })
    .trim()
    .describe(description);
  return checked(given, ({ length }) => (length > 0 && length <= MAX_INPUT_LENGTH ? null : 'give a text'));
}

const ONLY_HOME = text('May be left out if the caller manages only one home.').nullish();
const CATEGORY = integer('The number of the HAP category.', 5);
const DEVICE_NAME = text('Its own name.', 'Ceiling Lamp');
const MODEL = text('Its model.', 'LX-1');

export const DiscoveredDevice = z
  .object({
    deviceId: text('Its HAP device id; `host:port` of a manual entry that is not identified yet.', EXAMPLE_DEVICE_ID),
    name: DEVICE_NAME,
    model: MODEL,
    category: CATEGORY,
    configNumber: integer('`c#`: rises when its accessories change.', 3),
    pairable: flag('`false`: another controller is paired with it; remove it there first.'),
    pairedHere: flag('Whether this relay is paired with it.', true),
    homeId: id('The home of that pairing.').nullable(),
    addresses: z.array(z.string()).meta({ description: 'Its IP addresses.', examples: [['192.168.1.20']] }),
    port: integer('Its TCP port.', 8080),
    via: word(['mdns', 'manual']),
    lastSeenAt: time('When it was last seen.'),
  })
  .meta({ id: 'DiscoveredDevice' });
export type DiscoveredDevice = Output<typeof DiscoveredDevice>;

export const ManualEntry = z.strictObject({
  hostPort: sent('A name or an address, a colon and a port: `lamp.lan:8080`.'),
});
export const ManualEntryDone = success({ hostPort: text('As given.', '192.168.1.20:8080') });

export const NewPairing = z.strictObject({
  device: sent('A device id as discovered, or `host:port`.'),
  homeId: ONLY_HOME,
  setupCode: sent('`031-45-154`, `03145154` or an `X-HM://…` payload.'),
});
export type NewPairing = Input<typeof NewPairing>;

export const Pairing = z
  .object({
    deviceId: text('Its HAP device id.', EXAMPLE_DEVICE_ID),
    homeId: id('The home that it is paired into.'),
    name: DEVICE_NAME,
    model: MODEL,
    category: CATEGORY,
    status: word(
      ['connected', 'connecting', 'offline', 'pairing_lost', 'pairing_incomplete', 'paused'],
      '`pairing_lost`: the device no longer accepts the pairing. `paused`: its home is paused.',
    ),
    statusDetail: text('Why it is not connected, and what to do.').nullable(),
    since: time('Since when it has this status.'),
    address: text('Its last address.', '192.168.1.20:8080').nullable(),
    reconnects: integer('Since the daemon started.'),
    pairedAt: time('When it was paired.', '2030-01-01T09:30:00.000Z'),
    manufacturer: text('Its manufacturer; null before it was read.', 'Lumen').nullable(),
    serialNumber: text('Its serial number.', 'LX1-0042').nullable(),
    firmware: text('The version of its own software.', '2.4.1').nullable(),
    accessoryCount: integer('How many accessories it has: more than one behind a bridge.', 1),
    lastSeenAt: time('Its last sign of life; null if there was none since the start.').nullable(),
    latencyMs: integer('Its recent response time, in milliseconds.', 18).nullable(),
    notifications: integer('Events that it sent since the daemon started.', 210),
    polls: integer('Polls of characteristics without events.'),
    lastError: text('Why its connection last ended; null if it has not.').nullable(),
    lastErrorAt: time('When that was.').nullable(),
    lastErrorReason: word(CONNECTION_TROUBLES, '`lastError` as a word. More may be added.').nullable().optional(),
    accessories: z
      .array(
        z.object({
          id: id(),
          name: text('Its name in the home.', 'Ceiling Lamp'),
          reachable: flag('Whether it answers.', true),
        }),
      )
      .describe('Its accessories that are in the home, by name.'),
  })
  .meta({ id: 'Pairing' });
export type Pairing = Output<typeof Pairing>;

export const Unpaired = success({ deviceId: text('Its HAP device id.', EXAMPLE_DEVICE_ID) });

const KEY = 'give an Ed25519 key as 64 hex digits';
const CONTROLLER_ID = `give 1 to ${MAX_CONTROLLER_ID_LENGTH} characters`;
const CONTROLLER = {
  id: checked(
    z.string({ error: invalidValue(CONTROLLER_ID) }).meta({ description: 'Its pairing id.', examples: [EXAMPLE_ID] }),
    ({ length }) => (length > 0 && length <= MAX_CONTROLLER_ID_LENGTH ? null : CONTROLLER_ID),
  ),
  publicKey: checked(
    z
      .string({ error: invalidValue(KEY) })
      .meta({ description: 'Its Ed25519 key, 64 hex digits.', examples: ['ab'.repeat(32)] }),
    (key) => (/^[0-9a-f]{64}$/i.test(key) ? null : KEY),
  ).transform((key) => key.toLowerCase()),
  admin: z
    .boolean({ error: invalidValue('give true or false') })
    .describe('Whether it may add and remove controllers.'),
};
export const NewController = z.strictObject(CONTROLLER);
export type NewController = Input<typeof NewController>;

export const Controller = z
  .object({ ...CONTROLLER, self: flag('Whether it is this relay.', true) })
  .meta({ id: 'Controller' });
export type Controller = Output<typeof Controller>;

export const ControllerDone = success({ controllerId: text('Its pairing id.', 'guest') });

export const PairingImport = z.strictObject({
  homeId: ONLY_HOME,
  data: z.unknown().meta({
    description: 'The content of the file.',
    anyOf: [
      { type: 'object' },
      { type: 'array', items: { type: 'object' } },
      { type: 'string', description: 'The same as JSON text.' },
    ],
  }),
  dryRun: z.boolean().describe('Only reports what would be done: `new` in the place of `imported`.').optional(),
});
export type PairingImport = Input<typeof PairingImport>;

export const ImportedDevice = z
  .object({
    name: text('Its name in the file.', 'Ceiling Lamp'),
    deviceId: text('Its HAP device id; null if the file does not contain it.', EXAMPLE_DEVICE_ID).nullable(),
    outcome: word(
      ['imported', 'new', 'already_here', 'unreachable', 'refused', 'unsupported', 'invalid'],
      '`unreachable`: imported, but it does not answer now. `refused`: it no longer accepts these keys.',
    ),
    detail: text('A sentence: what that is, and what to do.', 'It is connected.'),
  })
  .meta({ id: 'ImportedDevice' });
export type ImportedDevice = Output<typeof ImportedDevice>;

export const ImportedDevices = success({ devices: z.array(ImportedDevice) });
