import { SERVICE } from '../../../hap-spec/services.ts';
import { takesNumber } from '../../../home/vocabulary/values.ts';
import { PRESS_TYPES, type PublishedThing, propertyEventTopic } from '../published-thing.ts';
import type { Entity, Property } from './entity.ts';

/** Home Assistant's event type for a doorbell press. */
const RING = 'ring';

/** A button, or a doorbell. */
export function eventOf(thing: PublishedThing, property: Property): Entity {
  const { service, characteristic } = property.binding;
  const isDoorbell = service.type === SERVICE.doorbell;
  const presses = PRESS_TYPES.filter((_, value) => takesNumber(characteristic, value));
  const names = presses.map((press) => (isDoorbell && press === 'single' ? RING : press));
  return {
    component: 'event',
    object: property.key,
    label: isDoorbell ? 'Doorbell' : 'Button',
    config: {
      device_class: isDoorbell ? 'doorbell' : 'button',
      event_types: names,
      state_topic: propertyEventTopic(thing.topics, property.key),
      ...(isDoorbell && { value_template: renamed(presses, names) }),
    },
  };
}

function renamed(presses: readonly string[], names: readonly string[]): string {
  const entries = presses.map((press, index) => `'${press}': '${names[index]}'`);
  return `{"event_type": "{{ {${entries.join(', ')}}.get(value_json.get('event_type'), 'None') }}"}`;
}
