/**
 * What Home Assistant makes of a part of an accessory: an entity. A describer looks at one service and says which entity it is;
 * whatever properties it used are spoken for, the others get an entity of their own.
 */
import type { Characteristic, Service } from '../../../home/model.ts';
import type { Binding } from '../../../home/vocabulary/bindings.ts';
import { doorPosition, thermostatActive } from '../../../home/vocabulary/conversions.ts';
import { type NumberRange, rangeOf } from '../../../home/vocabulary/ranges.ts';
import { formatOf, takesNumber } from '../../../home/vocabulary/values.ts';
import { type PublishedThing, propertySetTopic } from '../published-thing.ts';
import { OFF, ON, ON_OFF, wordOf } from './templates.ts';

/** Those of Home Assistant's MQTT components that we know to use. */
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
  /** What it is called where the device's name is not enough. */
  readonly label: string;
  /** The component's own keys. */
  readonly config: EntityConfig;
}

/** What a service is; nothing if it lacks what the component needs. */
export type Describe = (part: ServicePart) => Entity | undefined;

/** A property as the state and commands have it. */
export interface Property {
  /** Its key. */
  readonly key: string;
  readonly binding: Binding;
  readonly writable: boolean;
  /** Where it is read. */
  readonly stateTopic: string;
  /** Takes its value alone. */
  readonly setTopic: string;
}

/** One service of a thing, and which of its characteristics have been used. */
export class ServicePart {
  readonly thing: PublishedThing;
  readonly service: Service;
  readonly #used: Set<Characteristic>;

  constructor(thing: PublishedThing, service: Service, used: Set<Characteristic>) {
    this.thing = thing;
    this.service = service;
    this.#used = used;
  }

  /** Where a JSON object with any number of properties is taken. */
  get setTopic(): string {
    return this.thing.topics.set;
  }

  /** The property of this characteristic, by canonical type, and with it the characteristic is spoken for. */
  use(type: string): Property | undefined {
    const property = this.find(type);
    if (property) this.#used.add(property.binding.characteristic);
    return property;
  }

  /** As `use`, of one that can be set. */
  useWritable(type: string): Property | undefined {
    return this.find(type)?.writable ? this.use(type) : undefined;
  }

  /** As `use`, without speaking for it. */
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

/** Whether its value is the device's own (see `publishedValue`). */
export function isRaw({ conversion }: Binding): boolean {
  return conversion !== doorPosition && conversion !== thermostatActive;
}

/** Numbers that the device takes. */
export function numbersOf({ binding: { characteristic } }: Property): NumberRange {
  return rangeOf(characteristic, formatOf(characteristic));
}

/** What is on or off, for components that call its template so. */
export function onOff({ key, stateTopic, setTopic }: Property): EntityConfig {
  return {
    state_topic: stateTopic,
    state_value_template: wordOf(key, ON_OFF),
    command_topic: setTopic,
    payload_on: ON,
    payload_off: OFF,
  };
}

/** Of a table of numbers and words, those that the device takes. */
export function takenBy({ binding }: Property, words: ReadonlyMap<number, string>): ReadonlyMap<number, string> {
  return new Map([...words].filter(([number]) => takesNumber(binding.characteristic, number)));
}
