/** The words of the activity log, which need no parser. */

/** What an entry is about. */
export const ACTIVITY_KINDS = [
  /** Switched on or off. */
  'power',
  'lock',
  /** Doors, windows, garage doors. */
  'door',
  /** Blinds and curtains. */
  'cover',
  'motion',
  'security',
  /** Smoke, gas or water. */
  'hazard',
  /** The wanted temperature or mode. */
  'climate',
  /** The mode of a virtual accessory. */
  'mode',
  'button',
  /** An accessory went offline, or is online again. */
  'connection',
  /** A person came home or left. */
  'presence',
  'scene',
  'automation',
  /** A button of a notification was pressed. */
  'notification',
] as const;
export type ActivityKind = (typeof ACTIVITY_KINDS)[number];

export const ACTOR_KINDS = [
  /** A person who signed in. */
  'user',
  /** A person without an account. */
  'person',
  'access_token',
  'app',
  'share_link',
  'automation',
  'mqtt_broker',
  /** Another ecosystem, such as Apple Home. */
  'publication',
  /** The relay itself, or its command line. */
  'relay',
  /** The device itself: used by hand, by its own app, or on its own. */
  'device',
] as const;
export type ActorKind = (typeof ACTOR_KINDS)[number];

export const MAX_ACTIVITY = 500;
