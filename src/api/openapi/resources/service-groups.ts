import { NewServiceGroup, ServiceGroupChanges, ServiceGroupWrite } from '../../rest/service-groups.ts';
import {
  anyValue,
  arrayOf,
  flag,
  id,
  integer,
  mapOf,
  object,
  oneOf,
  orNull,
  ref,
  success,
  text,
} from '../json-schema.ts';
import type { Resource } from '../operation.ts';
import { ACCESSORY_ID } from './accessories.ts';
import { HOME_ID } from './homes.ts';
import { ROOM_ID } from './rooms.ts';

const GROUP_ID = 'e2a4c7d1-3b5f-4f0e-9c8d-7a6b5c4d3e2f';
const MEMBERS = [`${ACCESSORY_ID}.8`];

const GROUP = {
  id: GROUP_ID,
  name: 'All Lamps',
  homeId: HOME_ID,
  type: 'light',
  roomId: ROOM_ID,
  roomName: 'Living Room',
  isReachable: true,
  serviceIds: MEMBERS,
  accessoryIds: [ACCESSORY_ID],
  state: { on: true, brightness: 80 },
  settable: ['on', 'brightness'],
};

const FIELDS = {
  name: 'What it is called.',
  serviceIds: 'Its members by service: the accessory’s id, a dot and the iid.',
  accessoryIds: 'Its members by accessory; of each the service that makes it what it is.',
};

export const serviceGroups: Resource = {
  tag: 'Service groups',
  description:
    'Services of one kind under one name, read and written as one. In the state tree they stand beside the accessories.',
  schemas: {
    ServiceGroup: object({
      id: id(),
      name: text(),
      homeId: id(),
      type: oneOf(['light', 'switch', 'outlet', 'fan', 'blind'], 'What all its members are.'),
      roomId: orNull(id('The room of its first member.')),
      roomName: orNull(text()),
      isReachable: flag('Any member is.'),
      serviceIds: arrayOf(text(), 'Its members by service.'),
      accessoryIds: arrayOf(id(), 'The accessories that they belong to.'),
      state: mapOf(
        anyValue('A property.'),
        'As simple properties: on if any member is on; numbers are the mean of the members that are on.',
      ),
      settable: arrayOf(text(), 'The properties that can be written to it.'),
    }),
    ServiceGroupReport: object({
      success: flag('Every member took it.'),
      groupId: id(),
      affectedCount: integer('Members that took it.'),
      failed: integer('Members that did not.'),
      errors: arrayOf(text(), 'One sentence for each of them.'),
    }),
  },
  operations: [
    {
      method: 'get',
      path: '/rest/service-groups',
      id: 'listServiceGroups',
      summary: 'The service groups of a home, or of all homes',
      audience: 'token',
      query: [{ name: 'home', description: 'The id of a home; all that the token may see if left out.', schema: id() }],
      answer: { description: 'The groups, by name.', schema: arrayOf(ref('ServiceGroup')), example: [GROUP] },
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
        fields: { homeId: 'The home of all its members.', ...FIELDS },
        examples: { 'Of accessories': { homeId: HOME_ID, name: 'All Lamps', accessoryIds: [ACCESSORY_ID] } },
      },
      answer: { description: 'The group.', schema: ref('ServiceGroup'), example: GROUP },
      errors: [404],
    },
    {
      method: 'get',
      path: '/rest/service-groups/:id',
      id: 'getServiceGroup',
      summary: 'One service group',
      audience: 'view',
      answer: { description: 'The group.', schema: ref('ServiceGroup'), example: GROUP },
    },
    {
      method: 'patch',
      path: '/rest/service-groups/:id',
      id: 'updateServiceGroup',
      summary: 'Rename a service group, or give it other members',
      audience: 'admin',
      body: {
        schema: ServiceGroupChanges,
        fields: FIELDS,
        examples: { 'Rename it': { name: 'Ceiling' }, 'Replace its members': { serviceIds: MEMBERS } },
      },
      answer: { description: 'The group as it is now.', schema: ref('ServiceGroup'), example: GROUP },
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
        schema: success({ groupId: id() }),
        example: { success: true, groupId: GROUP_ID },
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
        fields: {
          characteristicType: 'In any spelling: `power_state`, `on`, `public.hap.characteristic.on` …',
          value: anyValue('The value, within the range of every member.'),
        },
        examples: { 'All on': { characteristicType: 'power_state', value: true } },
      },
      answer: {
        description: 'What became of it.',
        schema: ref('ServiceGroupReport'),
        example: { success: true, groupId: GROUP_ID, affectedCount: 1, failed: 0, errors: [] },
      },
      errors: [503],
    },
  ],
};
