/** Rooms: the places in a home that accessories are put into. */
import { NewRoom, Room as RoomAnswer, RoomChanges } from '../../contract/rooms.ts';
import type { Room } from '../../home/model.ts';
import { PlatformAccessory } from './accessory-types.ts';
import { viewAccessory } from './accessory-views.ts';
import { given, HOME_CHECK, type Maybe, requireHome } from './arguments.ts';
import { builder, LIST } from './builder.ts';
import type { GraphqlContext } from './context.ts';
import { argumentsOf, fieldsOf } from './contract-fields.ts';
import { type ActionResult, MutationResult, reportOutcome } from './result.ts';

export const PlatformRoom = builder.objectRef<Room>('PlatformRoom').implement({
  description: 'A room of a home.',
  fields: (t) => ({
    ...fieldsOf(t, RoomAnswer.omit({ accessoryCount: true })),
    accessoryCount: t.int({
      nullable: false,
      description: 'How many accessories are in it.',
      resolve: ({ id }, _, { request }) => request.accessoriesOfRoom(id).length,
    }),
    accessories: t.field({
      type: [PlatformAccessory],
      nullable: false,
      description: 'The accessories in it, by name.',
      resolve: ({ id }, _, { deps, request }) =>
        request.accessoriesOfRoom(id).map((accessory) => viewAccessory(accessory, deps.state)),
    }),
  }),
});

const DeleteRoomResult = builder.objectRef<ActionResult & { roomId: string }>('DeleteRoomResult').implement({
  description: 'Whether a room was deleted.',
  interfaces: [MutationResult],
  fields: (t) => ({ roomId: t.exposeString('roomId', { description: 'The room.' }) }),
});

/** The room that arguments name. @throws `room_not_found` */
function getRoom({ caller, deps }: GraphqlContext, id: string, homeId: Maybe<string>): Room {
  return requireHome(deps.rooms.get(caller, id), homeId, 'room_not_found');
}

builder.queryFields((t) => ({
  rooms: t.field({
    type: [PlatformRoom],
    nullable: LIST,
    description: 'The rooms of a home, by name. NOT_FOUND if the caller can’t see the home.',
    args: { homeId: t.arg.string({ required: true }) },
    resolve: (_, { homeId }, { caller, deps }) => deps.rooms.list(caller, homeId),
  }),
}));

builder.mutationFields((t) => ({
  createRoom: t.field({
    type: PlatformRoom,
    description: 'Makes a room. For admins of the home. INVALID_VALUE if the name is taken or not fit for one.',
    args: argumentsOf(t.arg, NewRoom),
    resolve: (_, room, { caller, deps }) => deps.rooms.create(caller, room),
  }),
  renameRoom: t.field({
    type: PlatformRoom,
    description: 'Renames a room, the default one too. For admins of its home.',
    args: {
      roomId: t.arg.string({ required: true }),
      name: t.arg.string({ required: true }),
      homeId: t.arg.string({ description: HOME_CHECK }),
    },
    resolve: (_, { roomId, name, homeId }, context) =>
      context.deps.rooms.update(context.caller, getRoom(context, roomId, homeId).id, { name }),
  }),
  updateRoom: t.field({
    type: PlatformRoom,
    description:
      'Changes what is given; `color: null` removes the color. For admins of its home. Its picture: PUT /rest/rooms/{id}/picture.',
    args: {
      roomId: t.arg.string({ required: true }),
      ...argumentsOf(t.arg, RoomChanges),
      homeId: t.arg.string({ description: HOME_CHECK }),
    },
    resolve: (_, { roomId, homeId, color, ...changes }, context) =>
      context.deps.rooms.update(context.caller, getRoom(context, roomId, homeId).id, {
        ...given(changes),
        ...(color !== undefined && { color }),
      }),
  }),
  deleteRoom: t.field({
    type: DeleteRoomResult,
    description: 'Deletes a room; its accessories go to the default room. For admins of its home.',
    args: { roomId: t.arg.string({ required: true }), homeId: t.arg.string({ description: HOME_CHECK }) },
    resolve: (_, { roomId, homeId }, context) =>
      reportOutcome(
        () => {
          const { id } = getRoom(context, roomId, homeId);
          context.deps.rooms.delete(context.caller, id);
          return { roomId: id };
        },
        { roomId },
      ),
  }),
}));
