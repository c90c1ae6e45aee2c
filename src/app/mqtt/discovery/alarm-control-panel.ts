import { CHARACTERISTIC } from '../../../hap-spec/characteristics.ts';
import { type Describe, takenBy } from './entity.ts';
import { wordOf } from './templates.ts';

/** Security System Current State. */
const STATES = new Map([
  [0, 'armed_home'],
  [1, 'armed_away'],
  [2, 'armed_night'],
  [3, 'disarmed'],
  [4, 'triggered'],
]);

/** Security System Target State; every system can be disarmed. */
const FEATURES = new Map([
  [0, 'arm_home'],
  [1, 'arm_away'],
  [2, 'arm_night'],
]);

const DISARMED = '3';

export const alarmControlPanel: Describe = (part) => {
  const target = part.useWritable(CHARACTERISTIC.securitySystemTargetState);
  if (!target) return undefined;
  const current = part.use(CHARACTERISTIC.securitySystemCurrentState) ?? target;
  const features = takenBy(target, FEATURES);
  return {
    component: 'alarm_control_panel',
    object: current.key,
    label: 'Alarm',
    config: {
      state_topic: current.stateTopic,
      value_template: wordOf(current.key, STATES),
      command_topic: target.setTopic,
      ...Object.fromEntries([...features].map(([number, feature]) => [`payload_${feature}`, String(number)])),
      payload_disarm: DISARMED,
      supported_features: [...features.values()],
      // HAP requires no code; the broker controls who may publish.
      code_arm_required: false,
      code_disarm_required: false,
    },
  };
};
