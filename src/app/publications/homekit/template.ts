/**
 * What a thing is in HomeKit, before it has ids: services and characteristics by keys that stay the same for good,
 * and where each value comes from.
 */
import type { PublicationRemark } from '../../../contract/publications.ts';
import type { CharacteristicValue, HapId } from '../../../home/model.ts';
import type { PublishedCharacteristic } from '../../../home/publication-port.ts';

export type ValueSource =
  /** Always the same until the thing itself changes. */
  | { readonly kind: 'fixed'; readonly value: CharacteristicValue }
  /** A characteristic of an accessory, unchanged. */
  | CharacteristicSource
  /** A switch: on while a characteristic has the value `on`. Switching it off writes `off`; `null`: it can't be. */
  | (Omit<CharacteristicSource, 'kind'> & { readonly kind: 'word'; readonly on: string; readonly off: string | null })
  /** A characteristic of a service group. */
  | { readonly kind: 'group'; readonly groupId: string; readonly type: string }
  /** A switch that executes a scene and goes off again. */
  | { readonly kind: 'scene'; readonly sceneId: string }
  | TransitionSource
  /** The set-up of a camera's stream: the answer to what a controller wrote. */
  | (Omit<CharacteristicSource, 'kind'> & { readonly kind: 'stream' })
  /** Makes an accessory identify itself. */
  | { readonly kind: 'identify'; readonly accessoryId: string | null };

export interface CharacteristicSource {
  readonly kind: 'characteristic';
  readonly accessoryId: string;
  readonly serviceIid: HapId;
  readonly iid: HapId;
  readonly type: string;
}

/** Adaptive lighting of a lamp: what it supports, its control point, and how many days it follows. */
export interface TransitionSource {
  readonly kind: 'transition';
  readonly part: 'supported' | 'control' | 'count';
  readonly accessoryId: string;
  readonly serviceIid: HapId;
  /** The keys of its characteristics. */
  readonly temperature: string;
  readonly brightness: string;
}

export interface CharacteristicTemplate {
  /** Unique in its thing. */
  readonly key: string;
  readonly shape: Omit<PublishedCharacteristic, 'iid'>;
  readonly source: ValueSource;
}

export interface ServiceTemplate {
  /** Unique in its thing. */
  readonly key: string;
  readonly type: string;
  readonly primary: boolean;
  readonly hidden: boolean;
  /** Keys of services. */
  readonly linked: readonly string[];
  readonly characteristics: readonly CharacteristicTemplate[];
}

export interface ThingTemplate {
  readonly name: string;
  /** What controllers see, in the words of device types: `light`. */
  readonly publishedAs: string;
  /** HAP category number. */
  readonly category: number;
  /** Whether Apple Home wants it as a server of its own. */
  readonly standsAlone: boolean;
  readonly note: PublicationRemark | null;
  /** Accessory Information first. */
  readonly services: readonly ServiceTemplate[];
}

/** A thing as an accessory, or why HomeKit has nothing for it. */
export type Described = ThingTemplate | { readonly reason: PublicationRemark };

export function isTemplate(described: Described): described is ThingTemplate {
  return 'services' in described;
}
