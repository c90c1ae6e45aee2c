import { CHARACTERISTIC } from '../../../hap-spec/characteristics.ts';
import type { Describe } from './entity.ts';
import { wordOf } from './templates.ts';

const STATES = new Map([
  [0, 'closed'],
  [1, 'open'],
]);

export const valve: Describe = (part) => {
  const active = part.useWritable(CHARACTERISTIC.active);
  if (!active) return undefined;
  return {
    component: 'valve',
    object: active.key,
    label: 'Valve',
    config: {
      device_class: 'water',
      reports_position: false,
      state_topic: active.stateTopic,
      value_template: wordOf(active.key, STATES),
      command_topic: active.setTopic,
      payload_open: '1',
      payload_close: '0',
    },
  };
};
