/**
 * Entities of properties that no component of their service used. Important ones have a row with their component. Home
 * Assistant gets the others too, but disabled by default.
 */
import { CLIMATE } from '../../../hap-spec/characteristics/climate.ts';
import { EVE } from '../../../hap-spec/characteristics/eve.ts';
import { LIGHT_AND_POWER } from '../../../hap-spec/characteristics/light-and-power.ts';
import { MEDIA } from '../../../hap-spec/characteristics/media.ts';
import { OPENINGS } from '../../../hap-spec/characteristics/openings.ts';
import { SENSORS } from '../../../hap-spec/characteristics/sensors.ts';
import { CHARACTERISTIC, characteristicName } from '../../../hap-spec/characteristics.ts';
import { formatOf } from '../../../home/vocabulary/values.ts';
import type { PublishedThing } from '../published-thing.ts';
import { binarySensorOf, knownBinarySensor } from './binary-sensor.ts';
import { knownButton } from './button.ts';
import { type Entity, isRaw, numbersOf, type Property } from './entity.ts';
import { eventOf } from './event.ts';
import { numberOf } from './number.ts';
import { selectOf } from './select.ts';
import { knownSensor, sensorOf } from './sensor.ts';
import { switchOf } from './switch.ts';
import { textEntity } from './text.ts';

/** Properties that describe the home. The rest describe the device's network, pairing and firmware. */
const PUBLISHED: ReadonlySet<string> = new Set(
  [...LIGHT_AND_POWER, ...CLIMATE, ...OPENINGS, ...SENSORS, ...MEDIA, ...EVE].map(({ type }) => type),
);

const ON: ReadonlySet<string> = new Set([CHARACTERISTIC.powerState, CHARACTERISTIC.active]);

/** Settings that are enabled by default: nothing else of their accessory can be controlled. */
const SHOWN: Readonly<Record<string, string>> = {
  [CHARACTERISTIC.volume]: 'Volume',
  [CHARACTERISTIC.mute]: 'Mute',
  [CHARACTERISTIC.setDuration]: 'Duration',
};

/** The entity of a single property; `undefined` if it is not published. */
export function describeLeftover(thing: PublishedThing, property: Property): Entity | undefined {
  const { characteristic, isButton } = property.binding;
  if (isButton) return eventOf(thing, property);
  const known = knownButton(property) ?? knownBinarySensor(property) ?? knownSensor(property);
  if (known) return known;
  const { permissions, type } = characteristic;
  if (!permissions.includes('pr') || !PUBLISHED.has(type) || !isRaw(property.binding)) return undefined;
  if (ON.has(type) && property.writable) return switchOf(property, 'Power');
  const shown = SHOWN[type];
  if (shown !== undefined && property.writable) return describeSetting(property, shown, {});
  const label = titleOf(characteristicName(type));
  return property.writable
    ? describeSetting(property, label, { entity_category: 'config', enabled_by_default: false })
    : describeReading(property, label, { entity_category: 'diagnostic', enabled_by_default: false });
}

function describeSetting(property: Property, label: string, config: Entity['config']): Entity | undefined {
  switch (formatOf(property.binding.characteristic)) {
    case 'bool':
      return switchOf(property, label, config);
    case 'string':
      return textEntity(property, label, {}, config);
    case 'data':
    case 'tlv8':
    case 'unknown':
      return undefined;
    default:
      return isSwitch(property)
        ? switchOf(property, label, config)
        : (selectOf(property, label, config) ?? numberOf(property, label, config));
  }
}

function describeReading(property: Property, label: string, config: Entity['config']): Entity | undefined {
  switch (formatOf(property.binding.characteristic)) {
    case 'bool':
      return binarySensorOf(property, label, config);
    case 'data':
    case 'tlv8':
    case 'unknown':
      return undefined;
    default:
      return sensorOf(property, label, config);
  }
}

/** Exactly 0 and 1, without words for them. */
function isSwitch(property: Property): boolean {
  const { min, max, only, integer } = numbersOf(property);
  const isTwo = only ? only.length === 2 && only.includes(0) && only.includes(1) : integer && min === 0 && max === 1;
  return isTwo && selectOf(property, '') === undefined;
}

/** `pm2_5_density`: Pm2 5 density. */
function titleOf(name: string): string {
  const words = name.replace(/^eve_/, '').replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
