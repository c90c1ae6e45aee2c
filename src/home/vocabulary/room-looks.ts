/** The colors that a room can have. The dashboard has each of them for light and for dark. */
export const ROOM_COLORS = ['red', 'orange', 'yellow', 'green', 'teal', 'blue', 'purple', 'pink', 'gray'] as const;
export type RoomColor = (typeof ROOM_COLORS)[number];

export function findRoomColor(text: unknown): RoomColor | undefined {
  return ROOM_COLORS.find((color) => color === text);
}

/** What a home can have behind its tiles without a picture. The dashboard has each for light and for dark. */
export const HOME_BACKGROUNDS = ['dawn', 'meadow', 'sea', 'dusk', 'stone'] as const;
export type HomeBackground = (typeof HOME_BACKGROUNDS)[number];

export function findHomeBackground(text: unknown): HomeBackground | undefined {
  return HOME_BACKGROUNDS.find((background) => background === text);
}

/** Of the picture of a room or a home: the dashboard makes pictures smaller before it sends them. */
export const MAX_PICTURE_BYTES = 200_000;
