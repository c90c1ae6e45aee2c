/** Home Assistant entities of each kind of virtual accessory. Read-only ones are sensors. */
import type { VirtualConfig } from '../../../home/model.ts';
import { binarySensorOf } from './binary-sensor.ts';
import { buttonOf } from './button.ts';
import type { Entity, EntityConfig, Property, ServicePart } from './entity.ts';
import { numberOf } from './number.ts';
import { textSelect } from './select.ts';
import { sensorOf } from './sensor.ts';
import { switchOf } from './switch.ts';
import { textEntity } from './text.ts';

const TIMER_STATES = ['idle', 'active', 'paused'];

/** ISO 8601 without a zone, as `text-rules` accepts it; the pattern is also valid in Python. */
const DATE = '\\d{4}-\\d{2}-\\d{2}';
const TIME = '\\d{2}:\\d{2}(:\\d{2})?';
const MAX_DATETIME_LENGTH = 'YYYY-MM-DDThh:mm:ss'.length;

/** The first entity shows the value; the others are its actions. */
export function describeVirtual(part: ServicePart, config: VirtualConfig): readonly Entity[] {
  const [binding] = part.service.characteristics;
  const property = binding && part.use(binding.type);
  if (!property) return [];
  return property.writable ? describeControl(part, property, config) : [describeDisplay(property, config)];
}

function describeControl(part: ServicePart, property: Property, config: VirtualConfig): readonly Entity[] {
  switch (config.virtualType) {
    case 'input_boolean':
      return [switchOf(property, 'Switch')];
    case 'input_select':
      return [textSelect(property, 'Selection', config.options)];
    case 'input_number':
      return listOf(numberOf(property, 'Number', numberConfig(config.unit, config.control)));
    case 'counter':
      return [
        ...listOf(numberOf(property, 'Count', { mode: 'box' })),
        ...operations(part, ['increment', 'decrement', 'reset']),
      ];
    case 'input_text':
      // The pattern is JavaScript and may be invalid in Home Assistant, so it is omitted; the relay checks it.
      return [textEntity(property, 'Text', { min: config.minLength, max: config.maxLength })];
    case 'input_datetime':
      return [textEntity(property, 'Time', { max: MAX_DATETIME_LENGTH, pattern: momentPattern(config) })];
    case 'timer':
      return [timerSensor(property), ...operations(part, ['start', 'pause', 'resume', 'cancel', 'finish'])];
  }
}

function describeDisplay(property: Property, config: VirtualConfig): Entity {
  switch (config.virtualType) {
    case 'input_boolean':
      return binarySensorOf(property, 'State');
    case 'timer':
      return timerSensor(property);
    case 'input_number':
      return sensorOf(property, 'Number', config.unit === null ? {} : { unit_of_measurement: config.unit });
    default:
      return sensorOf(property, 'Value');
  }
}

function timerSensor(property: Property): Entity {
  return sensorOf(property, 'Timer', { device_class: 'enum', options: TIMER_STATES });
}

function operations({ setTopic }: ServicePart, names: readonly string[]): readonly Entity[] {
  return names.map((operation) =>
    buttonOf(
      operation,
      operation.charAt(0).toUpperCase() + operation.slice(1),
      setTopic,
      JSON.stringify({ operation }),
    ),
  );
}

function numberConfig(unit: string | null, control: 'stepper' | 'field'): EntityConfig {
  return { ...(unit !== null && { unit_of_measurement: unit }), mode: control === 'field' ? 'box' : 'auto' };
}

function momentPattern({ hasDate, hasTime }: { readonly hasDate: boolean; readonly hasTime: boolean }): string {
  if (hasDate && hasTime) return `${DATE}[T ]${TIME}`;
  return hasDate ? DATE : TIME;
}

function listOf(entity: Entity | undefined): readonly Entity[] {
  return entity ? [entity] : [];
}
