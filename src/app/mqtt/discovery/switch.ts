import { CHARACTERISTIC } from '../../../hap-spec/characteristics.ts';
import { SERVICE } from '../../../hap-spec/services.ts';
import type { Describe, Entity, Property } from './entity.ts';
import { OFF, ON, ON_OFF, wordOf } from './templates.ts';

/** Switches and outlets, and services with only an on/off property. */
export const switchEntity: Describe = (part) => {
  const on = part.useWritable(CHARACTERISTIC.powerState) ?? part.useWritable(CHARACTERISTIC.active);
  return (
    on &&
    switchOf(on, part.service.type === SERVICE.outlet ? 'Outlet' : 'Switch', {
      device_class: part.service.type === SERVICE.outlet ? 'outlet' : 'switch',
    })
  );
};

/** Any property with two states. */
export function switchOf(property: Property, label: string, config: Entity['config'] = {}): Entity {
  return {
    component: 'switch',
    object: property.key,
    label,
    config: {
      ...config,
      state_topic: property.stateTopic,
      value_template: wordOf(property.key, ON_OFF),
      command_topic: property.setTopic,
      payload_on: ON,
      payload_off: OFF,
    },
  };
}
