import { z } from 'zod';
import { DeviceDiagnostics } from '../../../contract/device-diagnostics.ts';
import {
  Controller,
  ControllerDone,
  EXAMPLE_DEVICE_ID,
  NewController,
  NewPairing,
  Pairing,
  Unpaired,
} from '../../../contract/pairings.ts';
import { text } from '../json-schema.ts';
import type { Resource } from '../operation.ts';
import { ANY_HOME } from '../parameters.ts';

const DEVICE = { deviceId: 'The HAP device id, such as `1A:2B:3C:4D:5E:6F`.' };

export const pairings: Resource = {
  tag: 'Pairings',
  description: 'Devices that this relay is paired with.',
  operations: [
    {
      method: 'get',
      path: '/rest/pairings',
      id: 'listPairings',
      summary: 'Paired devices and their connections',
      audience: 'admin',
      query: [ANY_HOME],
      answer: { description: 'The devices.', schema: z.array(Pairing) },
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
        examples: { 'A device': { device: EXAMPLE_DEVICE_ID, setupCode: '031-45-154' } },
      },
      answer: {
        description: 'The pairing. Its accessories are in the home.',
        schema: Pairing,
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
        schema: Unpaired,
      },
      errors: [400, 422, 503],
    },
    {
      method: 'post',
      path: '/rest/pairings/:deviceId/reconnect',
      id: 'reconnectDevice',
      summary: 'Connect to a device again',
      description:
        'Drops the connection, or the wait for the next attempt, and connects at once. Answers when the device is connected; 503 if it is not within ten seconds, and the attempts go on.',
      audience: 'admin',
      pathParameters: DEVICE,
      answer: { description: 'The device, connected.', schema: Pairing },
      errors: [503],
    },
    {
      method: 'get',
      path: '/rest/pairings/:deviceId/diagnostics',
      id: 'getDeviceDiagnostics',
      summary: 'What a device is and how it behaves, for a report',
      description:
        'Its accessory database with current values, its connections, response times and HAP statuses since the daemon started. Names, serial numbers, ids, keys and addresses are left out, so that the file can be published.',
      audience: 'admin',
      pathParameters: DEVICE,
      answer: { description: 'The content of the file.', schema: DeviceDiagnostics },
      errors: [],
    },
    {
      method: 'get',
      path: '/rest/pairings/:deviceId/controllers',
      id: 'listControllers',
      summary: 'The controllers that a device knows',
      audience: 'admin',
      pathParameters: DEVICE,
      answer: { description: 'The controllers.', schema: z.array(Controller) },
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
        examples: { 'A guest': { id: 'guest', publicKey: 'ab'.repeat(32), admin: false } },
      },
      answer: {
        description: 'The device knows it.',
        schema: ControllerDone,
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
        schema: ControllerDone,
      },
      errors: [422, 503],
    },
  ],
};
