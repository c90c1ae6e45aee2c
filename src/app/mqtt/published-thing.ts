/**
 * The published things of a home: accessories, groups and scenes, each with its topics and its readable and writable
 * properties. Rebuilt when the layout changes. Values are not included; they are read on publishing.
 */
import type { Accessory } from '../../home/model.ts';
import type { Binding } from '../../home/vocabulary/bindings.ts';

/** The topics of a thing. */
export interface ThingTopics {
  /** Retained: a JSON object with every property that has a value. */
  readonly state: string;
  /** Accepts a JSON object of properties, or for a virtual accessory `{"operation": "increment", "value": 2}`. */
  readonly set: string;
  /** Retained: `online` or `offline`. */
  readonly availability: string;
  /** Not retained: presses of all buttons, `{"event_type": "single", "property": "programmable_switch_event_2"}`. */
  readonly event: string;
  /** Not retained: one sentence per failed command. */
  readonly error: string;
  /** Retained: the members of a group, a JSON array of `{id, name, topic}`; `null` for an accessory. */
  readonly members: string | null;
}

/** Sets a single property: `<state>/<property>/set` accepts its value as plain text or JSON. */
export function propertySetTopic({ state }: Pick<ThingTopics, 'state'>, property: string): string {
  return `${state}/${property}/set`;
}

/** Presses of one button: `<state>/<property>/event`, `{"event_type": "single", …}`. */
export function propertyEventTopic({ state }: Pick<ThingTopics, 'state'>, property: string): string {
  return `${state}/${property}/event`;
}

/** Button events in Home Assistant's words; their values in HAP are 0, 1 and 2. */
export const PRESS_TYPES = ['single', 'double', 'long'] as const;

/** The accessory's own information; `null` if missing. */
export interface DeviceInformation {
  readonly manufacturer: string | null;
  readonly model: string | null;
  readonly serialNumber: string | null;
  readonly firmwareRevision: string | null;
  readonly hardwareRevision: string | null;
}

interface PublishedBase {
  readonly id: string;
  /** `homecast_` and the first 8 hex digits of the id; all digits if two in the home begin alike. */
  readonly discoveryId: string;
  readonly name: string;
  readonly homeId: string;
  readonly homeName: string;
  /** Retained: `online` while the home can be commanded through this broker, otherwise `offline`. */
  readonly homeStatusTopic: string;
}

/** An accessory, or a group as one. */
export interface PublishedThing extends PublishedBase {
  readonly kind: 'accessory' | 'group';
  /** `null` for the default room, which counts as no room. */
  readonly roomName: string | null;
  /** `light`, `climate` …; for a virtual accessory `input_number` …. */
  readonly deviceType: string;
  readonly topics: ThingTopics;
  /**
   * In the accessory's order. `property` is the key in states and commands, `writable` whether commands accept it, and
   * `isButton` that it is never in the state. States contain the result of `publishedValue`.
   */
  readonly properties: readonly Binding[];
  readonly device: DeviceInformation;
  /** The live object. */
  readonly accessory: Accessory;
}

export interface PublishedScene extends PublishedBase {
  readonly kind: 'scene';
  readonly topics: {
    /** Accepts any non-empty message, such as `ON`. */
    readonly execute: string;
    readonly error: string;
  };
}

export type PublishedSubject = PublishedThing | PublishedScene;

/** A retained discovery message of a subject; the object is serialized as JSON. */
export interface DiscoveryMessage {
  readonly topic: string;
  readonly payload: object;
}

/** Pure: the same subject gives the same messages. */
export type Discover = (subject: PublishedSubject, discoveryPrefix: string) => readonly DiscoveryMessage[];

export interface PublishedHome {
  readonly homeId: string;
  readonly homeName: string;
  readonly homeStatusTopic: string;
}

/** As `Discover`, for the home itself. */
export type DiscoverHome = (home: PublishedHome, discoveryPrefix: string) => readonly DiscoveryMessage[];
