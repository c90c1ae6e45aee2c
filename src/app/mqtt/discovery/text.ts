import type { Entity, EntityConfig, Property } from './entity.ts';
import { textOf } from './templates.ts';

/** Home Assistant holds no longer text. */
const LONGEST = 255;

interface Limits {
  readonly min?: number;
  readonly max?: number;
  /** Python's dialect and JavaScript's must agree on it. */
  readonly pattern?: string;
}

export function textEntity(property: Property, label: string, limits: Limits = {}, config: EntityConfig = {}): Entity {
  const { min = 0, max = LONGEST, pattern } = limits;
  return {
    component: 'text',
    object: property.key,
    label,
    config: {
      ...config,
      min: Math.min(min, LONGEST),
      max: Math.min(max, LONGEST),
      ...(pattern !== undefined && { pattern }),
      state_topic: property.stateTopic,
      value_template: textOf(property.key),
      command_topic: property.setTopic,
    },
  };
}
