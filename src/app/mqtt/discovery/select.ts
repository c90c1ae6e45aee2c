import { characteristicByType } from '../../../hap-spec/characteristics.ts';
import { type Entity, type EntityConfig, type Property, takenBy } from './entity.ts';
import { plainValue, reversed, sendForWord, wordOf } from './templates.ts';

/** Options are the specification's words; `undefined` if there are none. */
export function selectOf(property: Property, label: string, config: EntityConfig = {}): Entity | undefined {
  const values = characteristicByType(property.binding.characteristic.type)?.values;
  const words = takenBy(property, new Map(Object.entries(values ?? {}).map(([word, number]) => [number, word])));
  if (words.size === 0) return undefined;
  return {
    component: 'select',
    object: property.key,
    label,
    config: {
      ...config,
      options: [...words.values()],
      state_topic: property.stateTopic,
      value_template: wordOf(property.key, words),
      command_topic: property.setTopic,
      command_template: sendForWord(reversed(words)),
    },
  };
}

/** A select of these texts, unchanged. */
export function textSelect(property: Property, label: string, options: readonly string[]): Entity {
  return {
    component: 'select',
    object: property.key,
    label,
    config: {
      options,
      state_topic: property.stateTopic,
      value_template: plainValue(property.key),
      command_topic: property.setTopic,
    },
  };
}
