/** Rooms, and the named sets of rooms: zones and room groups, which differ in their purpose and not in their shape. */
import { z } from 'zod';
import { ROOM_COLORS } from '../home/vocabulary/room-looks.ts';
import { flag, id, integer, name, success, text, word } from './fields.ts';
import type { Input, Output } from './parse.ts';

const ROOM_NAME = name('Room name', { description: 'Unique in its home, ignoring case.', example: 'Living Room' });

const COLOR = word(ROOM_COLORS, 'The color of its heading; null for none.');

export const NewRoom = z.strictObject({
  homeId: text('The home that it is in.'),
  name: ROOM_NAME,
  color: COLOR.nullish(),
});
export type NewRoom = Input<typeof NewRoom>;
export const RoomChanges = z.strictObject({ name: ROOM_NAME.optional(), color: COLOR.nullish() });
export type RoomChanges = Input<typeof RoomChanges>;

export const Room = z
  .object({
    id: id(),
    name: ROOM_NAME,
    homeId: id('The home that it is in.'),
    accessoryCount: integer('How many accessories are in it.', 4),
    isDefault: flag('Whether accessories without a place of their own are here. Every home has exactly one such room.'),
    color: COLOR.nullable(),
    pictureHash: text(
      'Changes with its picture, GET /rest/rooms/{id}/picture; null without one.',
      '3q2-7wAAAAAAAAAAAAAAAAAAAAA',
    ).nullable(),
  })
  .meta({ id: 'Room' });
export type Room = Output<typeof Room>;

export const DeletedRoom = success({ roomId: id() });

const SET_NAME = 'Unique among them in its home, ignoring case.';
const ROOM_IDS = z
  .array(z.string())
  .meta({ description: 'Rooms of this home.', examples: [['5f9d3c0e-7a51-4a3b-8a55-2b1d0e4f3c4d']] });

/** The operation parses the name and the rooms: its sentences name the kind. */
export const NewRoomSet = z.strictObject({
  homeId: text('The home of all its rooms.'),
  name: text(SET_NAME),
  roomIds: ROOM_IDS,
});
export type NewRoomSet = Input<typeof NewRoomSet>;
export const RoomSetChanges = z.strictObject({ name: text(SET_NAME), roomIds: ROOM_IDS }).partial();
export type RoomSetChanges = Input<typeof RoomSetChanges>;

const SET = z.object({
  id: id(),
  name: text(SET_NAME, 'Upstairs'),
  homeId: id('The home that it is in.'),
  roomIds: ROOM_IDS,
});
export const Zone = SET.meta({ id: 'Zone' });
export const RoomGroup = SET.meta({ id: 'RoomGroup' });
export type RoomSet = Output<typeof SET>;

export const DeletedZone = success({ zoneId: id() });
export const DeletedRoomGroup = success({ groupId: id() });
