import { CONNECTION_TROUBLES } from '../../../home/pairing-driver.ts';
import { NewController, NewPairing } from '../../rest/pairings.ts';
import { arrayOf, flag, id, integer, object, oneOf, orNull, ref, success, text, time } from '../json-schema.ts';
import type { Resource } from '../operation.ts';
import { DEVICE_ID } from './discovered.ts';
import { HOME_ID } from './homes.ts';

const PAIRING = {
  deviceId: DEVICE_ID,
  homeId: HOME_ID,
  name: 'Ceiling Lamp',
  model: 'LX-1',
  category: 5,
  status: 'connected',
  statusDetail: null,
  since: '2030-01-31T12:00:00.000Z',
  address: '192.168.1.20:8080',
  reconnects: 0,
  pairedAt: '2030-01-01T09:30:00.000Z',
  manufacturer: 'Lumen',
  serialNumber: 'LX1-0042',
  firmware: '2.4.1',
  accessoryCount: 1,
  lastSeenAt: '2030-01-31T12:04:30.000Z',
  latencyMs: 18,
  notifications: 210,
  polls: 0,
  lastError: null,
  lastErrorAt: null,
  accessories: [{ id: '5a4d0a67-6a5c-5d3c-9a0c-0b8f3a1c2d4e', name: 'Ceiling Lamp', reachable: true }],
};

const CONTROLLER = { id: 'C0FFEE00-0000-4000-8000-000000000001', publicKey: 'ab'.repeat(32), admin: true, self: true };

const DEVICE = { deviceId: 'The HAP device id, such as `1A:2B:3C:4D:5E:6F`.' };

export const pairings: Resource = {
  tag: 'Pairings',
  description: 'Devices that this relay is paired with.',
  schemas: {
    Pairing: object(
      {
        deviceId: text(),
        homeId: id(),
        name: text(),
        model: text(),
        category: integer('The number of the HAP category.'),
        status: oneOf(['connecting', 'connected', 'offline', 'pairing_lost', 'pairing_incomplete', 'paused']),
        statusDetail: orNull(text('Why it is not connected, and what to do.')),
        since: time('Since when it has this status.'),
        address: orNull(text()),
        reconnects: integer('Since the daemon started.'),
        pairedAt: time(),
        manufacturer: orNull(text()),
        serialNumber: orNull(text()),
        firmware: orNull(text('The version of its own software.')),
        accessoryCount: integer('More than one behind a bridge.'),
        lastSeenAt: orNull(time('When it last sent something; null if not since the start.')),
        latencyMs: orNull(integer('How long it took to answer lately, in milliseconds.')),
        notifications: integer('How many events it sent since the daemon started.'),
        polls: integer('How often it was polled, because it may not send events.'),
        lastError: orNull(text('Why its connection ended last.')),
        lastErrorAt: orNull(time()),
        lastErrorReason: orNull(oneOf(CONNECTION_TROUBLES, '`lastError` as a word. More may come.')),
        accessories: arrayOf(object({ id: id(), name: text(), reachable: flag() })),
      },
      ['lastErrorReason'],
    ),
    Controller: object({
      id: text(),
      publicKey: text('Ed25519, 64 hex digits.'),
      admin: flag('It may add and remove controllers.'),
      self: flag('It is this relay.'),
    }),
  },
  operations: [
    {
      method: 'get',
      path: '/rest/pairings',
      id: 'listPairings',
      summary: 'Paired devices and their connections',
      audience: 'admin',
      query: [{ name: 'home', description: 'Only those of the home with this id.', schema: id() }],
      answer: { description: 'The devices.', schema: arrayOf(ref('Pairing')), example: [PAIRING] },
      errors: [400, 404],
    },
    {
      method: 'post',
      path: '/rest/pairings',
      id: 'pairDevice',
      summary: 'Pair a device',
      description:
        'Takes some seconds. With `Accept: application/x-ndjson` the answer is one line a step, `{"step": …}`, then `{"pairing": …}` or an error body.',
      audience: 'admin',
      body: {
        schema: NewPairing,
        fields: {
          device: 'A device id as discovered, or `host:port`.',
          homeId: 'May be left out where there is one home.',
          setupCode: '`031-45-154`, `03145154` or an `X-HM://…` payload.',
        },
        examples: { 'A device': { device: DEVICE_ID, setupCode: '031-45-154' } },
      },
      answer: {
        description: 'The pairing. Its accessories are in the home.',
        schema: ref('Pairing'),
        example: PAIRING,
        also: {
          type: 'application/x-ndjson',
          schema: text('One JSON object a line.'),
          example: '{"step":"connecting"}\n{"step":"exchanging"}\n',
        },
      },
      errors: [404, 429],
    },
    {
      method: 'delete',
      path: '/rest/pairings/:deviceId',
      id: 'unpairDevice',
      summary: 'Unpair a device',
      description: 'Removes the pairing on the device, then here, and its accessories with it.',
      audience: 'admin',
      pathParameters: DEVICE,
      query: [
        {
          name: 'force',
          description: 'Remove the pairing here even if the device does not answer.',
          schema: { type: 'boolean', default: false },
        },
      ],
      answer: {
        description: 'It is unpaired.',
        schema: success({ deviceId: text() }),
        example: { success: true, deviceId: DEVICE_ID },
      },
      errors: [400, 422, 503],
    },
    {
      method: 'get',
      path: '/rest/pairings/:deviceId/controllers',
      id: 'listControllers',
      summary: 'The controllers that a device knows',
      audience: 'admin',
      pathParameters: DEVICE,
      answer: { description: 'The controllers.', schema: arrayOf(ref('Controller')), example: [CONTROLLER] },
      errors: [503],
    },
    {
      method: 'post',
      path: '/rest/pairings/:deviceId/controllers',
      id: 'addController',
      summary: 'Let another controller in',
      audience: 'admin, signed in',
      pathParameters: DEVICE,
      body: {
        schema: NewController,
        fields: {
          id: 'Its pairing id.',
          publicKey: 'Ed25519, 64 hex digits.',
          admin: 'Whether it may manage controllers too.',
        },
        examples: { 'A guest': { id: 'guest', publicKey: 'ab'.repeat(32), admin: false } },
      },
      answer: {
        description: 'The device knows it.',
        schema: success({ controllerId: text() }),
        example: { success: true, controllerId: 'guest' },
      },
      errors: [503],
    },
    {
      method: 'delete',
      path: '/rest/pairings/:deviceId/controllers/:controllerId',
      id: 'removeController',
      summary: 'Shut a controller out',
      audience: 'admin',
      pathParameters: { ...DEVICE, controllerId: 'The controller’s pairing id.' },
      answer: {
        description: 'The device has forgotten it.',
        schema: success({ controllerId: text() }),
        example: { success: true, controllerId: 'guest' },
      },
      errors: [422, 503],
    },
  ],
};
