import { z } from 'zod';
import { Accessory, AccessoryChanges, AccessoryUse } from '../../../contract/accessories.ts';
import { success } from '../../../contract/fields.ts';
import { id } from '../json-schema.ts';
import type { Resource } from '../operation.ts';
import { ANY_HOME } from '../parameters.ts';
import { ROOM_ID } from './rooms.ts';

export const ACCESSORY_ID = '0d6c3a0b-93a5-5a0e-9b7f-3f0c5d1e9f3c';

export const accessories: Resource = {
  tag: 'Accessories',
  description: 'Devices and virtual accessories, with all their services and characteristics.',
  operations: [
    {
      method: 'get',
      path: '/rest/accessories',
      id: 'listAccessories',
      summary: 'Accessories with everything about them',
      audience: 'token',
      query: [
        ANY_HOME,
        { name: 'room', description: 'Only those of the room with this id.', schema: id() },
        { name: 'type', description: 'A device type, a service’s name or a category’s title.' },
        { name: 'name', description: 'A part of the name, ignoring case.' },
      ],
      answer: {
        description: 'The accessories.',
        schema: z.array(Accessory),
        headers: { ETag: 'For If-None-Match.' },
      },
      errors: [304, 400, 403, 404],
    },
    {
      method: 'get',
      path: '/rest/accessories/:id',
      id: 'getAccessory',
      summary: 'One accessory',
      audience: 'view',
      answer: { description: 'The accessory.', schema: Accessory, headers: { ETag: 'For If-None-Match.' } },
      errors: [304],
    },
    {
      method: 'get',
      path: '/rest/accessories/:id/uses',
      id: 'listAccessoryUses',
      summary: 'What uses an accessory',
      description:
        'The automations, scenes and service groups that it is part of. The id may be that of a service group.',
      audience: 'view',
      answer: { description: 'What uses it, by kind and name.', schema: z.array(AccessoryUse) },
    },
    {
      method: 'patch',
      path: '/rest/accessories/:id',
      id: 'updateAccessory',
      summary: 'Rename or move an accessory, or set its icon',
      audience: 'admin',
      body: {
        schema: AccessoryChanges,
        examples: {
          'Rename it': { name: 'Reading Lamp' },
          'Move it': { roomId: ROOM_ID },
          'Set its icon': { icon: 'lamp-desk' },
        },
      },
      answer: { description: 'The accessory as it is now.', schema: Accessory },
    },
    {
      method: 'post',
      path: '/rest/accessories/:id/identify',
      id: 'identifyAccessory',
      summary: 'Let an accessory blink or beep',
      audience: 'control',
      answer: { description: 'It was asked to.', schema: success({}) },
      errors: [422, 503],
    },
  ],
};
