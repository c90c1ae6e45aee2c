/**
 * Home Assistant entities. A describer takes one service and returns its entity. The properties it uses are marked as
 * used; the others become entities of their own.
 */
import type { Characteristic, Service } from '../../../home/model.ts';
import type { Binding } from '../../../home/vocabulary/bindings.ts';
import { doorPosition, thermostatActive } from '../../../home/vocabulary/conversions.ts';
import { type NumberRange, rangeOf } from '../../../home/vocabulary/ranges.ts';
import { formatOf, takesNumber } from '../../../home/vocabulary/values.ts';
import { type PublishedThing, propertySetTopic } from '../published-thing.ts';
import { OFF, ON, ON_OFF, wordOf } from './templates.ts';

/** The supported MQTT components of Home Assistant. */
export type Component =
  | 'alarm_control_panel'
  | 'binary_sensor'
  | 'button'
  | 'climate'
  | 'cover'
  | 'event'
  | 'fan'
  | 'humidifier'
  | 'light'
  | 'lock'
  | 'number'
  | 'scene'
  | 'select'
  | 'sensor'
  | 'switch'
  | 'text'
  | 'valve';

export type EntityConfig = Readonly<Record<string, unknown>>;

export interface Entity {
  readonly component: Component;
  /** Unique in the accessory; letters, digits and underscores. */
  readonly object: string;
  /** Added to the device's name. */
  readonly label: string;
  /** The component's own keys. */
  readonly config: EntityConfig;
}

/** Describes a service; returns `undefined` if a required property is missing. */
export type Describe = (part: ServicePart) => Entity | undefined;

/** A property as in states and commands. */
export interface Property {
  /** Its key. */
  readonly key: string;
  readonly binding: Binding;
  readonly writable: boolean;
  /** Topic of its state. */
  readonly stateTopic: string;
  /** Accepts its value alone. */
  readonly setTopic: string;
}

/** One service of a thing; tracks which characteristics are used. */
export class ServicePart {
  readonly thing: PublishedThing;
  readonly service: Service;
  readonly #used: Set<Characteristic>;

  constructor(thing: PublishedThing, service: Service, used: Set<Characteristic>) {
    this.thing = thing;
    this.service = service;
    this.#used = used;
  }

  /** Topic for a JSON object with any number of properties. */
  get setTopic(): string {
    return this.thing.topics.set;
  }

  /** The property of this characteristic, by canonical type; marks it as used. */
  use(type: string): Property | undefined {
    const property = this.find(type);
    if (property) this.#used.add(property.binding.characteristic);
    return property;
  }

  /** As `use`, only if the property is writable. */
  useWritable(type: string): Property | undefined {
    return this.find(type)?.writable ? this.use(type) : undefined;
  }

  /** As `use`, without marking it as used. */
  find(type: string): Property | undefined {
    const all = this.thing.properties.filter(
      ({ service, characteristic }) => service === this.service && characteristic.type === type,
    );
    const binding = all.find(isRaw) ?? all[0];
    return binding && propertyOf(this.thing, binding);
  }
}

export function propertyOf(thing: PublishedThing, binding: Binding): Property {
  return {
    key: binding.property,
    binding,
    writable: binding.writable,
    stateTopic: thing.topics.state,
    setTopic: propertySetTopic(thing.topics, binding.property),
  };
}

/** Whether its value is the device's raw value (see `publishedValue`). */
export function isRaw({ conversion }: Binding): boolean {
  return conversion !== doorPosition && conversion !== thermostatActive;
}

/** The numbers that the device accepts. */
export function numbersOf({ binding: { characteristic } }: Property): NumberRange {
  return rangeOf(characteristic, formatOf(characteristic));
}

/** The template keys of components with an on/off state. */
export function onOff({ key, stateTopic, setTopic }: Property): EntityConfig {
  return {
    state_topic: stateTopic,
    state_value_template: wordOf(key, ON_OFF),
    command_topic: setTopic,
    payload_on: ON,
    payload_off: OFF,
  };
}

/** The entries of a table of numbers and words that the device accepts. */
export function takenBy({ binding }: Property, words: ReadonlyMap<number, string>): ReadonlyMap<number, string> {
  return new Map([...words].filter(([number]) => takesNumber(binding.characteristic, number)));
}
