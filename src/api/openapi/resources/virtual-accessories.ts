import { z } from 'zod';
import { Accessory } from '../../../contract/accessories.ts';
import { exampleOf } from '../../../contract/json-schema.ts';
import {
  DeletedVirtualAccessory,
  NewVirtualAccessory,
  OperatedVirtualAccessory,
  VirtualAccessoryChanges,
  VirtualOperationRequest,
} from '../../../contract/virtual-accessories.ts';
import type { Resource } from '../operation.ts';
import { ANY_HOME } from '../parameters.ts';
import { HOME_ID } from './homes.ts';

const MODE = {
  ...(exampleOf(Accessory) as object),
  name: 'Home Mode',
  type: 'input_select',
  category: 'Other',
  deviceId: 'virtual:5f0a3b1e-58b6-4c1c-9a1e-1d2c3b4a5f60',
  isVirtual: true,
  virtualType: 'input_select',
  isUserEditable: true,
  virtualIcon: null,
  virtualOperations: ['set'],
  virtualConfig: { options: ['Home', 'Away'], initialValue: 'Home' },
  virtualOptions: ['Home', 'Away'],
  services: [],
};

export const virtualAccessories: Resource = {
  tag: 'Virtual accessories',
  description:
    'Accessories without a device: switches, modes, counters, timers, numbers, texts and dates. They are read and written like any other, and listed with them.',
  operations: [
    {
      method: 'get',
      path: '/rest/virtual-accessories',
      id: 'listVirtualAccessories',
      summary: 'The virtual accessories of a home, or of all homes',
      audience: 'token',
      query: [ANY_HOME],
      answer: { description: 'The accessories.', schema: z.array(Accessory), example: [MODE] },
      errors: [400, 404],
    },
    {
      method: 'post',
      path: '/rest/virtual-accessories',
      id: 'createVirtualAccessory',
      summary: 'Make a virtual accessory',
      audience: 'admin',
      body: {
        schema: NewVirtualAccessory,
        examples: {
          'A mode': { homeId: HOME_ID, name: 'Home Mode', type: 'input_select', options: ['Home', 'Away'] },
          'A timer': { homeId: HOME_ID, name: 'Eggs', type: 'timer', duration: { minutes: 6 } },
          'A switch': { homeId: HOME_ID, name: 'Guests', type: 'input_boolean' },
        },
      },
      answer: { description: 'The accessory.', schema: Accessory, example: MODE },
      errors: [404],
    },
    {
      method: 'get',
      path: '/rest/virtual-accessories/:id',
      id: 'getVirtualAccessory',
      summary: 'One virtual accessory',
      audience: 'view',
      answer: { description: 'The accessory.', schema: Accessory, example: MODE },
    },
    {
      method: 'patch',
      path: '/rest/virtual-accessories/:id',
      id: 'updateVirtualAccessory',
      summary: 'Rename, move or reconfigure a virtual accessory',
      description: 'Its kind can’t change. A value that no longer fits becomes the initial one.',
      audience: 'admin',
      body: {
        schema: VirtualAccessoryChanges,
        examples: { 'Other options': { options: ['Home', 'Away', 'Holiday'] } },
      },
      answer: { description: 'The accessory as it is now.', schema: Accessory, example: MODE },
    },
    {
      method: 'delete',
      path: '/rest/virtual-accessories/:id',
      id: 'deleteVirtualAccessory',
      summary: 'Delete a virtual accessory',
      description: 'Refused while scenes or groups use it; the error names them.',
      audience: 'admin',
      answer: { description: 'It is gone.', schema: DeletedVirtualAccessory },
      errors: [422],
    },
    {
      method: 'post',
      path: '/rest/virtual-accessories/:id/operate',
      id: 'operateVirtualAccessory',
      summary: 'Run an operation that is not a plain write',
      description: 'Which operations an accessory has is in its `virtualOperations`.',
      audience: 'control',
      body: {
        schema: VirtualOperationRequest,
        examples: {
          'Set a mode': { operation: 'set', value: 'Away' },
          'Start a timer': { operation: 'start', value: '90s' },
        },
      },
      answer: { description: 'What it is now; of a timer, its state too.', schema: OperatedVirtualAccessory },
      errors: [503],
    },
  ],
};
