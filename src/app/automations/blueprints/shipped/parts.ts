/** Inputs and nodes that several blueprints have. */
import type { BlueprintInput } from '../../../../contract/blueprints.ts';
import type { JsonObject } from '../../../../kernel/json.ts';
import type { PickText } from './shipped.ts';

/** What can be switched to light a room. */
export const LAMP_TYPES = ['light', 'switch', 'outlet'];

/** The name of the accessory that triggered the run. */
export const TRIGGER_NAME = "{{ state_attr(trigger.accessory_id, 'name') }}";

export function motionSensors(t: PickText): BlueprintInput {
  return {
    id: 'sensors',
    name: t('Motion sensors', 'Bewegungsmelder'),
    kind: 'accessory',
    multiple: true,
    anyOf: ['motion_detected', 'occupancy_detected'],
  };
}

export function lamps(t: PickText): BlueprintInput {
  return {
    id: 'lights',
    name: t('Lights', 'Lichter'),
    kind: 'accessory',
    multiple: true,
    needs: ['power_state'],
    types: LAMP_TYPES,
  };
}

/** The thermostats that a mode can be set on. */
export function heating(t: PickText, more: Partial<BlueprintInput> = {}): BlueprintInput {
  return { id: 'heating', name: t('Heating', 'Heizungen'), kind: 'accessory', multiple: true, ...more };
}

export function percent(input: Pick<BlueprintInput, 'id' | 'name'> & Partial<BlueprintInput>): BlueprintInput {
  return { kind: 'number', min: 1, max: 100, unit: '%', ...input };
}

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
