/** Inputs and nodes that several blueprints have. */
import type { JsonObject } from '../../../../kernel/json.ts';
import type { ShippedInput } from './shipped.ts';

/** What can be switched to light a room. */
export const LAMP_TYPES = ['light', 'switch', 'outlet'];

/** The name of the accessory that triggered the run. */
export const TRIGGER_NAME = "{{ state_attr(trigger.accessory_id, 'name') }}";

export const MOTION_SENSORS: ShippedInput = {
  id: 'sensors',
  kind: 'accessory',
  multiple: true,
  anyOf: ['motion_detected', 'occupancy_detected'],
};

export const LAMPS: ShippedInput = {
  id: 'lights',
  kind: 'accessory',
  multiple: true,
  needs: ['power_state'],
  types: LAMP_TYPES,
};

export const PEOPLE: ShippedInput = { id: 'people', kind: 'person', multiple: true, optional: true };

export const ONLY_DARK: ShippedInput = { id: 'only_dark', kind: 'flag', default: true };

/** The thermostats that a mode can be set on. */
export function heating(more: Partial<ShippedInput>): ShippedInput {
  return { id: 'heating', kind: 'accessory', multiple: true, ...more };
}

export function percent(input: Pick<ShippedInput, 'id'> & Partial<ShippedInput>): ShippedInput {
  return { kind: 'number', min: 1, max: 100, unit: '%', ...input };
}

/** Its default is a text of the blueprint. */
export const MESSAGE: ShippedInput = { id: 'message', kind: 'text' };

/** Every motion sensor, when it sees something and when it no longer does. */
export const MOTION_TRIGGERS: readonly JsonObject[] = [true, false].map((to) => ({
  $each: 'sensors',
  type: 'state',
  accessoryId: '$(sensors)',
  characteristicType: '$(sensors.property)',
  to,
}));

export const NO_MOTION: JsonObject = {
  $each: 'sensors',
  type: 'state',
  accessoryId: '$(sensors)',
  characteristicType: '$(sensors.property)',
  value: false,
};

/** Every light, on or off. */
export function switchLights(value: boolean): JsonObject {
  return { $each: 'lights', ...set('lights', 'power_state', value), onError: 'continue' };
}

/** Every light that can be dimmed. */
export const DIM_LIGHTS: JsonObject = {
  $each: 'lights',
  $has: 'brightness',
  $if: 'brightness',
  ...set('lights', 'brightness', '$(brightness)'),
  onError: 'continue',
};

export const DARK: JsonObject = { type: 'sun', after: 'sunset', before: 'sunrise' };

export function set(input: string, characteristicType: string, value: boolean | number | string): JsonObject {
  return { type: 'set_characteristic', accessoryId: `$(${input})`, characteristicType, value };
}

export function all(...conditions: readonly JsonObject[]): JsonObject {
  return { operator: 'and', conditions };
}
