/** Service groups: services of one kind that are read and written as one. */
import { z } from 'zod';
import { flag, id, integer, name, success, text, word } from './fields.ts';
import { iconName } from './icons.ts';
import { type Input, invalidValue, type Output } from './parse.ts';

const NAME = name('Service group name', { description: 'Unique in its home, ignoring case.', example: 'All lamps' });

const IDS = z.array(z.string(), { error: invalidValue('give a list of ids') });

/** The operation parses the members: they must exist and be of one kind. */
const FIELDS = {
  name: NAME,
  serviceIds: IDS.describe('Its members by service: the accessory’s id, a dot and the iid.').optional(),
  accessoryIds: IDS.describe('Its members by accessory; of each the service that makes it what it is.').optional(),
  icon: iconName().nullish(),
};
export const NewServiceGroup = z.strictObject({ homeId: text('The home of all its members.'), ...FIELDS });
export type NewServiceGroup = Input<typeof NewServiceGroup>;
export const ServiceGroupChanges = z.strictObject({ ...FIELDS, name: NAME.optional() });
export type ServiceGroupChanges = Input<typeof ServiceGroupChanges>;

export const ServiceGroupWrite = z.strictObject({
  characteristicType: text('In any spelling: `power_state`, `on`, `public.hap.characteristic.on` …'),
  value: z.unknown().describe('The value, within the range of every member.'),
});

export const ServiceGroup = z
  .object({
    id: id(),
    name: NAME,
    homeId: id('The home that it is in.'),
    type: word(['light', 'switch', 'outlet', 'fan', 'blind'], 'The kind of all its members.'),
    icon: iconName().nullable(),
    roomId: id('The room of its first member; null while no member exists.').nullable(),
    roomName: text('The name of that room.').nullable(),
    isReachable: flag('Whether any member is reachable.', true),
    serviceIds: z.array(z.string()).describe('Its members by service, in the group’s order.'),
    accessoryIds: z.array(id()).describe('The accessories of those services, each once.'),
    state: z.record(z.string(), z.unknown()).meta({
      description:
        'As simple properties: on if any member is on; numbers are the mean of the members that are on. Empty while no member exists.',
      examples: [{ on: true, brightness: 80 }],
    }),
    settable: z.array(z.string()).meta({
      description: 'The properties that can be written to it.',
      examples: [['on', 'brightness']],
    }),
  })
  .meta({ id: 'ServiceGroup' });
export type ServiceGroup = Output<typeof ServiceGroup>;

export const ServiceGroupReport = z
  .object({
    success: flag('Whether every member that has the characteristic accepted the value.', true),
    groupId: id(),
    affectedCount: integer('Members that accepted it.', 1),
    failed: integer('Members that did not.'),
    errors: z.array(z.string()).describe('One sentence for each of those: `<member>: <reason>`.'),
  })
  .meta({ id: 'ServiceGroupReport' });
export type ServiceGroupReport = Output<typeof ServiceGroupReport>;

export const DeletedServiceGroup = success({ groupId: id() });
