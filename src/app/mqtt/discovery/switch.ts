import type { Describe, Entity, Property } from './entity.ts';
import { OFF, ON, ON_OFF, wordOf } from './templates.ts';

/** Switches and outlets, and what has nothing but a switch. */
export const switchEntity: Describe = (part) => {
  const on = part.useWritable('25') ?? part.useWritable('B0');
  return (
    on &&
    switchOf(on, part.service.type === '47' ? 'Outlet' : 'Switch', {
      device_class: part.service.type === '47' ? 'outlet' : 'switch',
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
