/** What people choose for the lamps of a room, or for one lamp. */

/** Of a room or a lamp; `inherit`: as the level above. */
export const ADAPTIVE_SETTINGS = ['on', 'off', 'inherit'] as const;
export type AdaptiveSetting = (typeof ADAPTIVE_SETTINGS)[number];
