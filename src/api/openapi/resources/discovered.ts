import { z } from 'zod';
import { success } from '../../../contract/fields.ts';
import { DiscoveredDevice, ManualEntry, ManualEntryDone } from '../../../contract/pairings.ts';
import type { Resource } from '../operation.ts';

export const discovered: Resource = {
  tag: 'Discovered devices',
  description: 'Accessory servers seen on the network, paired or not.',
  operations: [
    {
      method: 'get',
      path: '/rest/discovered',
      id: 'listDiscovered',
      summary: 'Everything seen on the network, by name',
      audience: 'admin of any home',
      answer: { description: 'The devices.', schema: z.array(DiscoveredDevice) },
    },
    {
      method: 'post',
      path: '/rest/discovered/refresh',
      id: 'refreshDiscovered',
      summary: 'Search the network again',
      description: 'Answers at once; what answers on the network shows up in the list.',
      audience: 'admin of any home',
      answer: { description: 'The question was sent.', schema: success({}) },
    },
    {
      method: 'post',
      path: '/rest/discovered/manual',
      id: 'addManualDevice',
      summary: 'Name a device that multicast does not reach',
      audience: 'admin of any home',
      body: { schema: ManualEntry, examples: { 'By address': { hostPort: '192.168.1.20:8080' } } },
      answer: {
        description: 'It is looked for.',
        schema: ManualEntryDone,
      },
    },
    {
      method: 'delete',
      path: '/rest/discovered/manual',
      id: 'removeManualDevice',
      summary: 'Take back a manual entry',
      audience: 'admin of any home',
      body: { schema: ManualEntry, examples: { 'By address': { hostPort: '192.168.1.20:8080' } } },
      answer: {
        description: 'It is no longer looked for.',
        schema: ManualEntryDone,
      },
    },
    {
      method: 'post',
      path: '/rest/discovered/:deviceId/identify',
      id: 'identifyDiscovered',
      summary: 'Let an unpaired device blink or beep',
      audience: 'admin of any home',
      pathParameters: { deviceId: 'The HAP device id, such as `1A:2B:3C:4D:5E:6F`.' },
      answer: { description: 'It was asked to.', schema: success({}) },
      errors: [422, 503],
    },
  ],
};
