import type { Entity, EntityConfig, Property } from './entity.ts';
import { textOf } from './templates.ts';

/** Maximum length of a text in Home Assistant. */
const MAX_LENGTH = 255;

interface Lengths {
  readonly min?: number;
  readonly max?: number;
  /** Must mean the same in Python and in JavaScript. */
  readonly pattern?: string;
}

export function textEntity(property: Property, label: string, limits: Lengths = {}, config: EntityConfig = {}): Entity {
  const { min = 0, max = MAX_LENGTH, pattern } = limits;
  return {
    component: 'text',
    object: property.key,
    label,
    config: {
      ...config,
      min: Math.min(min, MAX_LENGTH),
      max: Math.min(max, MAX_LENGTH),
      ...(pattern !== undefined && { pattern }),
      state_topic: property.stateTopic,
      value_template: textOf(property.key),
      command_topic: property.setTopic,
    },
  };
}
