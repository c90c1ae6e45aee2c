/** The colors that a room can have. The dashboard has each of them for light and for dark. */
export const ROOM_COLORS = ['red', 'orange', 'yellow', 'green', 'teal', 'blue', 'purple', 'pink', 'gray'] as const;
export type RoomColor = (typeof ROOM_COLORS)[number];

export function findRoomColor(text: unknown): RoomColor | undefined {
  return ROOM_COLORS.find((color) => color === text);
}

/** Of the picture of a room: the dashboard makes pictures smaller before it sends them. */
export const MAX_PICTURE_BYTES = 200_000;
