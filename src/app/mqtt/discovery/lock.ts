import { CHARACTERISTIC } from '../../../hap-spec/characteristics.ts';
import type { Describe } from './entity.ts';
import { wordOf } from './templates.ts';

/** Lock Current State; 3 is "unknown". */
const STATES = new Map([
  [0, 'UNLOCKED'],
  [1, 'LOCKED'],
  [2, 'JAMMED'],
]);

export const lock: Describe = (part) => {
  const target = part.useWritable(CHARACTERISTIC.lockTargetState);
  if (!target) return undefined;
  const current = part.use(CHARACTERISTIC.lockCurrentState) ?? target;
  return {
    component: 'lock',
    object: current.key,
    label: 'Lock',
    config: {
      state_topic: current.stateTopic,
      value_template: wordOf(current.key, STATES),
      state_locked: 'LOCKED',
      state_unlocked: 'UNLOCKED',
      state_jammed: 'JAMMED',
      command_topic: target.setTopic,
      payload_lock: '1',
      payload_unlock: '0',
    },
  };
};
