import { type Entity, type EntityConfig, numbersOf, type Property } from './entity.ts';
import { plainValue } from './templates.ts';

/** The finest step that Home Assistant accepts. */
const FINEST_STEP = 0.001;

/** `undefined` without a range: Home Assistant would use its own default. */
export function numberOf(property: Property, label: string, config: EntityConfig = {}): Entity | undefined {
  const { min, max, step } = numbersOf(property);
  if (min === undefined || max === undefined || min >= max) return undefined;
  return {
    component: 'number',
    object: property.key,
    label,
    config: {
      ...config,
      state_topic: property.stateTopic,
      value_template: plainValue(property.key),
      command_topic: property.setTopic,
      min,
      max,
      step: Math.max(step ?? FINEST_STEP, FINEST_STEP),
    },
  };
}
