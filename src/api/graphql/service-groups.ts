/** Service groups: services of one kind that act as one. */
import {
  NewServiceGroup,
  ServiceGroupChanges,
  ServiceGroup as ServiceGroupFields,
  ServiceGroupReport,
  ServiceGroupWrite,
} from '../../contract/service-groups.ts';
import { asAccessory } from '../../home/group-accessory.ts';
import type { ServiceGroup } from '../../home/model.ts';
import { partId } from '../present/accessory.ts';
import { PlatformAccessory } from './accessory-types.ts';
import { viewAccessory } from './accessory-views.ts';
import { given, HOME_CHECK, type Maybe, requireHome } from './arguments.ts';
import { builder, LIST } from './builder.ts';
import type { GraphqlContext } from './context.ts';
import { argumentsOf, fieldsOf, meaningOf } from './contract-fields.ts';
import { type ActionResult, MutationResult, reportOutcome } from './result.ts';
import { decodeValue } from './scalars.ts';
import { firstFailure, WriteOutcome, type WriteResult } from './write-outcomes.ts';

const Listed = ServiceGroupFields.pick({
  id: true,
  name: true,
  homeId: true,
  icon: true,
  serviceIds: true,
  accessoryIds: true,
});

export const PlatformServiceGroup = builder.objectRef<ServiceGroup>('PlatformServiceGroup').implement({
  description: 'A named set of services of one kind, which act as one: the lamps of a ceiling.',
  fields: (t) => ({
    kind: t.exposeString('kind', { nullable: false, description: meaningOf(ServiceGroupFields.shape.type) }),
    ...fieldsOf(t, Listed, [], {
      serviceIds: ({ members }: ServiceGroup) =>
        members.map(({ accessoryId, serviceIid }) => partId(accessoryId, serviceIid)),
      accessoryIds: ({ members }: ServiceGroup) => [...new Set(members.map(({ accessoryId }) => accessoryId))],
    }),
    accessory: t.field({
      type: PlatformAccessory,
      description:
        'The group as if it were one accessory: `on` if any member is, numbers the mean of the members that are on; null while no member is there.',
      resolve: (group, _, { deps }) => {
        const accessory = asAccessory(group, deps.state);
        return accessory ? viewAccessory(accessory, deps.state) : null;
      },
    }),
  }),
});

interface GroupResult extends ActionResult {
  readonly groupId: string;
  readonly affectedCount: number;
  readonly failed: number;
  readonly errors: readonly string[];
  readonly outcomes: readonly WriteResult[];
  readonly characteristicType: string;
  readonly value: unknown;
}

const SetServiceGroupResult = builder.objectRef<GroupResult>('SetServiceGroupResult').implement({
  description: 'What became of a write to all members of a group. `success` only if every member took it.',
  interfaces: [MutationResult],
  fields: (t) => ({
    ...fieldsOf(t, ServiceGroupReport.omit({ success: true }), ['groupId']),
    outcomes: t.expose('outcomes', {
      type: [WriteOutcome],
      nullable: false,
      description: 'What became of each member, in the group’s order.',
    }),
    characteristicType: t.exposeString('characteristicType', { description: 'What was written, as it was asked for.' }),
    value: t.expose('value', { type: 'JSON', description: 'The value that was asked for.' }),
  }),
});

const DeleteServiceGroupResult = builder
  .objectRef<ActionResult & { groupId: string }>('DeleteServiceGroupResult')
  .implement({
    description: 'Whether a service group was deleted.',
    interfaces: [MutationResult],
    fields: (t) => ({ groupId: t.exposeString('groupId', { description: 'The group.' }) }),
  });

/** The group that arguments name. @throws `service_group_not_found` */
function getGroup({ caller, deps }: GraphqlContext, id: string, homeId: Maybe<string>): ServiceGroup {
  return requireHome(deps.serviceGroups.get(caller, id), homeId, 'service_group_not_found');
}

builder.queryFields((t) => ({
  serviceGroups: t.field({
    type: [PlatformServiceGroup],
    nullable: LIST,
    description: 'The service groups of a home, by name.',
    args: { homeId: t.arg.string({ required: true }) },
    resolve: (_, { homeId }, { caller, deps }) => deps.serviceGroups.list(caller, homeId),
  }),
}));

builder.mutationFields((t) => ({
  setServiceGroup: t.field({
    type: SetServiceGroupResult,
    description:
      'Writes one characteristic of all members at once and waits for the devices. For callers who may control the home.',
    args: {
      homeId: t.arg.string({ required: true }),
      groupId: t.arg.string({ required: true }),
      ...argumentsOf(t.arg, ServiceGroupWrite.pick({ characteristicType: true })),
      value: t.arg({ type: 'JSON', required: true, description: 'The value, or a text that holds it in JSON.' }),
    },
    resolve: (_, { homeId, groupId, characteristicType, value: input }, context) => {
      const value = decodeValue(input);
      const asked = { groupId, characteristicType, value, affectedCount: 0, failed: 0, errors: [], outcomes: [] };
      return reportOutcome(async () => {
        const { id } = getGroup(context, groupId, homeId);
        const result = await context.deps.serviceGroups.set(context.caller, id, { characteristicType, value });
        return { ...asked, ...result, ...firstFailure(result.outcomes, result.errors) };
      }, asked);
    },
  }),
  createServiceGroup: t.field({
    type: PlatformServiceGroup,
    description: 'Makes a group of at least one service; all must be of one kind. For admins of the home.',
    args: argumentsOf(t.arg, NewServiceGroup),
    resolve: (_, { homeId, name, ...members }, { caller, deps }) =>
      deps.serviceGroups.create(caller, { homeId, name, ...given(members) }),
  }),
  updateServiceGroup: t.field({
    type: PlatformServiceGroup,
    description: 'Changes what is given; members replace all that it had. For admins of its home.',
    args: {
      groupId: t.arg.string({ required: true }),
      homeId: t.arg.string({ description: HOME_CHECK }),
      ...argumentsOf(t.arg, ServiceGroupChanges),
    },
    resolve: (_, { groupId, homeId, icon, ...changes }, context) =>
      context.deps.serviceGroups.update(context.caller, getGroup(context, groupId, homeId).id, {
        ...given(changes),
        ...(icon !== undefined && { icon }),
      }),
  }),
  deleteServiceGroup: t.field({
    type: DeleteServiceGroupResult,
    description: 'Deletes a group; its members stay. For admins of its home.',
    args: { groupId: t.arg.string({ required: true }), homeId: t.arg.string({ description: HOME_CHECK }) },
    resolve: (_, { groupId, homeId }, context) =>
      reportOutcome(
        () => {
          const { id } = getGroup(context, groupId, homeId);
          context.deps.serviceGroups.delete(context.caller, id);
          return { groupId: id };
        },
        { groupId },
      ),
  }),
}));
