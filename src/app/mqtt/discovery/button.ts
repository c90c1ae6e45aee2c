import { CHARACTERISTIC } from '../../../hap-spec/characteristics.ts';
import type { Entity, Property } from './entity.ts';

/** Write-only characteristics and their payloads. */
const ROWS: Readonly<Record<string, { readonly label: string; readonly payload: string }>> = {
  [CHARACTERISTIC.filterReset]: { label: 'Reset filter', payload: '1' },
};

/** `undefined` if the property has no row. */
export function knownButton({ key, binding, writable, setTopic }: Property): Entity | undefined {
  const row = ROWS[binding.characteristic.type];
  return writable && row ? buttonOf(key, row.label, setTopic, row.payload) : undefined;
}

export function buttonOf(object: string, label: string, topic: string, payload: string): Entity {
  return { component: 'button', object, label, config: { command_topic: topic, payload_press: payload } };
}
