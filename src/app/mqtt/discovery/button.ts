import type { Entity, Property } from './entity.ts';

/** What is only ever written, and with what. By characteristic. */
const ROWS: Readonly<Record<string, { readonly label: string; readonly payload: string }>> = {
  AD: { label: 'Reset filter', payload: '1' },
};

/** Nothing for what has no row. */
export function knownButton({ key, binding, writable, setTopic }: Property): Entity | undefined {
  const row = ROWS[binding.characteristic.type];
  return writable && row ? buttonOf(key, row.label, setTopic, row.payload) : undefined;
}

export function buttonOf(object: string, label: string, topic: string, payload: string): Entity {
  return { component: 'button', object, label, config: { command_topic: topic, payload_press: payload } };
}
