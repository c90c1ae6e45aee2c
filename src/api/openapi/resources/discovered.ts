import { ManualEntry } from '../../rest/discovered.ts';
import { arrayOf, flag, id, integer, object, oneOf, orNull, ref, success, text, time } from '../json-schema.ts';
import type { Resource } from '../operation.ts';
import { HOME_ID } from './homes.ts';

export const DEVICE_ID = '1A:2B:3C:4D:5E:6F';

const DISCOVERED = {
  deviceId: DEVICE_ID,
  name: 'Ceiling Lamp',
  model: 'LX-1',
  category: 5,
  configNumber: 3,
  pairable: false,
  pairedHere: true,
  homeId: HOME_ID,
  addresses: ['192.168.1.20'],
  port: 8080,
  via: 'mdns',
  lastSeenAt: '2030-01-31T12:00:00.000Z',
};

const MANUAL = { hostPort: 'A name or an address, a colon and a port: `lamp.lan:8080`.' };

export const discovered: Resource = {
  tag: 'Discovered devices',
  description: 'Accessory servers seen on the network, paired or not.',
  schemas: {
    DiscoveredDevice: object({
      deviceId: text('The HAP device id, or `host:port` of a manual entry that is not identified yet.'),
      name: text(),
      model: text(),
      category: integer('The number of the HAP category.'),
      configNumber: integer('`c#`: rises when the device’s accessories change.'),
      pairable: flag('`false`: another controller holds it; remove it there first.'),
      pairedHere: flag('This relay holds a pairing with it.'),
      homeId: orNull(id('The home of that pairing.')),
      addresses: arrayOf(text()),
      port: integer(),
      via: oneOf(['mdns', 'manual']),
      lastSeenAt: time(),
    }),
  },
  operations: [
    {
      method: 'get',
      path: '/rest/discovered',
      id: 'listDiscovered',
      summary: 'Everything seen on the network, by name',
      audience: 'admin of any home',
      answer: { description: 'The devices.', schema: arrayOf(ref('DiscoveredDevice')), example: [DISCOVERED] },
    },
    {
      method: 'post',
      path: '/rest/discovered/refresh',
      id: 'refreshDiscovered',
      summary: 'Search the network again',
      description: 'Answers at once; what answers on the network shows up in the list.',
      audience: 'admin of any home',
      answer: { description: 'The question was sent.', schema: success(), example: { success: true } },
    },
    {
      method: 'post',
      path: '/rest/discovered/manual',
      id: 'addManualDevice',
      summary: 'Name a device that multicast does not reach',
      audience: 'admin of any home',
      body: { schema: ManualEntry, fields: MANUAL, examples: { 'By address': { hostPort: '192.168.1.20:8080' } } },
      answer: {
        description: 'It is looked for.',
        schema: success({ hostPort: text() }),
        example: { success: true, hostPort: '192.168.1.20:8080' },
      },
    },
    {
      method: 'delete',
      path: '/rest/discovered/manual',
      id: 'removeManualDevice',
      summary: 'Take back a manual entry',
      audience: 'admin of any home',
      body: { schema: ManualEntry, fields: MANUAL, examples: { 'By address': { hostPort: '192.168.1.20:8080' } } },
      answer: {
        description: 'It is no longer looked for.',
        schema: success({ hostPort: text() }),
        example: { success: true, hostPort: '192.168.1.20:8080' },
      },
    },
    {
      method: 'post',
      path: '/rest/discovered/:deviceId/identify',
      id: 'identifyDiscovered',
      summary: 'Let an unpaired device blink or beep',
      audience: 'admin of any home',
      pathParameters: { deviceId: 'The HAP device id, such as `1A:2B:3C:4D:5E:6F`.' },
      answer: { description: 'It was asked to.', schema: success(), example: { success: true } },
      errors: [422, 503],
    },
  ],
};
