/** Room groups: sets of rooms made for sharing. */
import { NewRoomSet, RoomGroup as RoomGroupAnswer, RoomSetChanges } from '../../contract/rooms.ts';
import type { RoomGroup } from '../../home/model.ts';
import { presentTime } from '../present/time.ts';
import { given, HOME_CHECK, type Maybe, requireHome } from './arguments.ts';
import { builder, LIST } from './builder.ts';
import type { GraphqlContext } from './context.ts';
import { argumentsOf, fieldsOf } from './contract-fields.ts';
import { type ActionResult, MutationResult, reportOutcome } from './result.ts';
import { type StoredEntity, StoredEntityFields } from './stored-entity.ts';

interface RoomGroupView extends StoredEntity {
  readonly name: string;
  readonly roomIds: readonly string[];
}

function viewRoomGroup({ id, homeId, name, roomIds, createdAt }: RoomGroup): RoomGroupView {
  const updatedAt = presentTime(createdAt);
  return { id, homeId, name, roomIds, entityType: 'room_group', data: { name, homeId, roomIds }, updatedAt };
}

const PlatformRoomGroup = builder.objectRef<RoomGroupView>('PlatformRoomGroup').implement({
  description: 'A named set of rooms, made for sharing.',
  interfaces: [StoredEntityFields],
  fields: (t) => ({
    ...fieldsOf(t, RoomGroupAnswer.omit({ id: true })),
  }),
});

const DeleteRoomGroupResult = builder.objectRef<ActionResult & { groupId: string }>('DeleteRoomGroupResult').implement({
  description: 'Whether a room group was deleted.',
  interfaces: [MutationResult],
  fields: (t) => ({ groupId: t.exposeString('groupId', { description: 'The room group.' }) }),
});

/** The room group that arguments name. @throws `not_found` */
function getGroup({ caller, deps }: GraphqlContext, id: string, homeId: Maybe<string>): RoomGroup {
  return requireHome(deps.roomGroups.get(caller, id), homeId, 'not_found');
}

builder.queryFields((t) => ({
  roomGroups: t.field({
    type: [PlatformRoomGroup],
    nullable: LIST,
    description: 'The room groups of a home, by name.',
    args: { homeId: t.arg.string({ required: true }) },
    resolve: (_, { homeId }, { caller, deps }) => deps.roomGroups.list(caller, homeId).map(viewRoomGroup),
  }),
}));

builder.mutationFields((t) => ({
  createRoomGroup: t.field({
    type: PlatformRoomGroup,
    description: 'Makes a room group. For admins of the home.',
    args: argumentsOf(t.arg, NewRoomSet),
    resolve: (_, input, { caller, deps }) => viewRoomGroup(deps.roomGroups.create(caller, input)),
  }),
  updateRoomGroup: t.field({
    type: PlatformRoomGroup,
    description: 'Changes what is given. For admins of its home.',
    args: {
      groupId: t.arg.string({ required: true }),
      homeId: t.arg.string({ description: HOME_CHECK }),
      ...argumentsOf(t.arg, RoomSetChanges),
    },
    resolve: (_, { groupId, homeId, ...changes }, context) => {
      const { id } = getGroup(context, groupId, homeId);
      return viewRoomGroup(context.deps.roomGroups.update(context.caller, id, given(changes)));
    },
  }),
  deleteRoomGroup: t.field({
    type: DeleteRoomGroupResult,
    description: 'Deletes a room group; its rooms stay. For admins of its home.',
    args: { groupId: t.arg.string({ required: true }), homeId: t.arg.string({ description: HOME_CHECK }) },
    resolve: (_, { groupId, homeId }, context) =>
      reportOutcome(
        () => {
          const { id } = getGroup(context, groupId, homeId);
          context.deps.roomGroups.delete(context.caller, id);
          return { groupId: id };
        },
        { groupId },
      ),
  }),
}));
