/**
 * What is published of a home: accessories, groups and scenes, each with its topics and what can be read and set there. Made anew when
 * the layout changes; values are not in it, they are read when they are published.
 */
import type { Accessory } from '../../home/model.ts';
import type { Binding } from '../../home/vocabulary/bindings.ts';

/** Where a thing is found. */
export interface ThingTopics {
  /** Retained: a JSON object with every property that has a value now. */
  readonly state: string;
  /** Takes a JSON object of properties, or of a virtual accessory `{"operation": "increment", "value": 2}`. */
  readonly set: string;
  /** Retained: `online` or `offline`. */
  readonly availability: string;
  /** Not retained: presses of all its buttons, `{"event_type": "single", "property": "programmable_switch_event_2"}`. */
  readonly event: string;
  /** Not retained: a sentence for each command that failed. */
  readonly error: string;
  /** Retained: the members of a group, a JSON array of `{id, name, topic}`; `null` for an accessory. */
  readonly members: string | null;
}

/** One property may be set by itself: `<state>/<property>/set` takes its value as plain text or JSON. */
export function propertySetTopic({ state }: Pick<ThingTopics, 'state'>, property: string): string {
  return `${state}/${property}/set`;
}

/** Presses of one button alone: `<state>/<property>/event`, `{"event_type": "single", …}`. */
export function propertyEventTopic({ state }: Pick<ThingTopics, 'state'>, property: string): string {
  return `${state}/${property}/event`;
}

/** What buttons do, in Home Assistant's words; their values 0, 1 and 2 in HAP. */
export const PRESS_TYPES = ['single', 'double', 'long'] as const;

/** What an accessory says of itself; `null` where it does not. */
export interface DeviceInformation {
  readonly manufacturer: string | null;
  readonly model: string | null;
  readonly serialNumber: string | null;
  readonly firmwareRevision: string | null;
  readonly hardwareRevision: string | null;
}

interface PublishedBase {
  readonly id: string;
  /** `homecast_` and the first 8 hex digits of the id; all of them where two in the home begin alike. */
  readonly discoveryId: string;
  readonly name: string;
  readonly homeId: string;
  readonly homeName: string;
  /** Retained: `online` while the home can be commanded through this broker, `offline` else. */
  readonly homeStatusTopic: string;
}

/** An accessory, or a group seen as one. */
export interface PublishedThing extends PublishedBase {
  readonly kind: 'accessory' | 'group';
  /** `null` in the default room, which stands for none. */
  readonly roomName: string | null;
  /** `light`, `climate` …, of a virtual accessory `input_number` …. */
  readonly deviceType: string;
  readonly topics: ThingTopics;
  /**
   * In the order of the accessory. `property` is the key in states and commands, `writable` whether commands take it, `isButton`
   * that it is never in the state. States have what `publishedValue` makes of it: see there.
   */
  readonly properties: readonly Binding[];
  readonly device: DeviceInformation;
  /** Live. */
  readonly accessory: Accessory;
}

export interface PublishedScene extends PublishedBase {
  readonly kind: 'scene';
  readonly topics: {
    /** Takes anything but an empty message, such as `ON`. */
    readonly execute: string;
    readonly error: string;
  };
}

export type PublishedSubject = PublishedThing | PublishedScene;

/** What Home Assistant is told of a subject, retained; an object that is written as JSON. */
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

/** As `Discover`, of the home itself. */
export type DiscoverHome = (home: PublishedHome, discoveryPrefix: string) => readonly DiscoveryMessage[];
