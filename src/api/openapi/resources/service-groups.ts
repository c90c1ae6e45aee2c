import { z } from 'zod';
import {
  DeletedServiceGroup,
  NewServiceGroup,
  ServiceGroup,
  ServiceGroupChanges,
  ServiceGroupReport,
  ServiceGroupWrite,
} from '../../../contract/service-groups.ts';
import type { Resource } from '../operation.ts';
import { ANY_HOME } from '../parameters.ts';
import { ACCESSORY_ID } from './accessories.ts';
import { HOME_ID } from './homes.ts';

const MEMBERS = [`${ACCESSORY_ID}.8`];

export const serviceGroups: Resource = {
  tag: 'Service groups',
  description:
    'Services of one kind under one name, read and written as one. In the state tree they stand beside the accessories.',
  operations: [
    {
      method: 'get',
      path: '/rest/service-groups',
      id: 'listServiceGroups',
      summary: 'The service groups of a home, or of all homes',
      audience: 'token',
      query: [ANY_HOME],
      answer: { description: 'The groups, by name.', schema: z.array(ServiceGroup) },
      errors: [400, 404],
    },
    {
      method: 'post',
      path: '/rest/service-groups',
      id: 'createServiceGroup',
      summary: 'Make a service group',
      description: 'Give `serviceIds`, `accessoryIds` or both; all must be of one kind.',
      audience: 'admin',
      body: {
        schema: NewServiceGroup,
        examples: { 'Of accessories': { homeId: HOME_ID, name: 'All Lamps', accessoryIds: [ACCESSORY_ID] } },
      },
      answer: { description: 'The group.', schema: ServiceGroup },
      errors: [404],
    },
    {
      method: 'get',
      path: '/rest/service-groups/:id',
      id: 'getServiceGroup',
      summary: 'One service group',
      audience: 'view',
      answer: { description: 'The group.', schema: ServiceGroup },
    },
    {
      method: 'patch',
      path: '/rest/service-groups/:id',
      id: 'updateServiceGroup',
      summary: 'Rename a service group, or give it other members',
      audience: 'admin',
      body: {
        schema: ServiceGroupChanges,
        examples: { 'Rename it': { name: 'Ceiling' }, 'Replace its members': { serviceIds: MEMBERS } },
      },
      answer: { description: 'The group as it is now.', schema: ServiceGroup },
    },
    {
      method: 'delete',
      path: '/rest/service-groups/:id',
      id: 'deleteServiceGroup',
      summary: 'Delete a service group',
      description: 'Its members stay as they are.',
      audience: 'admin',
      answer: {
        description: 'It is gone.',
        schema: DeletedServiceGroup,
      },
    },
    {
      method: 'post',
      path: '/rest/service-groups/:id/set',
      id: 'setServiceGroup',
      summary: 'Set a characteristic of all members',
      description: 'Waits for the devices. A member that fails does not stop the others.',
      audience: 'control',
      body: {
        schema: ServiceGroupWrite,
        examples: { 'All on': { characteristicType: 'power_state', value: true } },
      },
      answer: {
        description: 'What became of it.',
        schema: ServiceGroupReport,
      },
      errors: [503],
    },
  ],
};
