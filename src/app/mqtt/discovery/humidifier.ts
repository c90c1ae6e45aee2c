import { CHARACTERISTIC } from '../../../hap-spec/characteristics.ts';
import { type Describe, type EntityConfig, numbersOf, onOff, type ServicePart, takenBy } from './entity.ts';
import { plainValue, reversed, sendForWord, wholeValueOf, wordOf } from './templates.ts';

const MODES = new Map([
  [0, 'auto'],
  [1, 'humidifier'],
  [2, 'dehumidifier'],
]);

const ACTIONS = new Map([
  [0, 'off'],
  [1, 'idle'],
  [2, 'humidifying'],
  [3, 'drying'],
]);

/** If a device does both, the target is that of humidifying; the other is a separate number. */
export const humidifier: Describe = (part) => {
  const active = part.find(CHARACTERISTIC.active);
  const isDry = !part.find(CHARACTERISTIC.relativeHumidityHumidifierThreshold)?.writable;
  const target = active?.writable
    ? part.useWritable(
        isDry
          ? CHARACTERISTIC.relativeHumidityDehumidifierThreshold
          : CHARACTERISTIC.relativeHumidityHumidifierThreshold,
      )
    : undefined;
  if (!active || !target) return undefined;
  part.use(CHARACTERISTIC.active);
  const { min = 0, max = 100 } = numbersOf(target);
  return {
    component: 'humidifier',
    object: active.key,
    label: isDry ? 'Dehumidifier' : 'Humidifier',
    config: {
      device_class: isDry ? 'dehumidifier' : 'humidifier',
      ...onOff(active),
      target_humidity_state_topic: target.stateTopic,
      target_humidity_state_template: wholeValueOf(target.key),
      target_humidity_command_topic: target.setTopic,
      min_humidity: Math.ceil(min),
      max_humidity: Math.floor(max),
      ...describeModes(part),
      ...describeAir(part),
    },
  };
};

function describeModes(part: ServicePart): EntityConfig {
  const mode = part.useWritable(CHARACTERISTIC.targetHumidifierDehumidifierState);
  const modes = mode && takenBy(mode, MODES);
  if (!mode || !modes || modes.size === 0) return {};
  return {
    modes: [...modes.values()],
    mode_state_topic: mode.stateTopic,
    mode_state_template: wordOf(mode.key, modes),
    mode_command_topic: mode.setTopic,
    mode_command_template: sendForWord(reversed(modes)),
  };
}

function describeAir(part: ServicePart): EntityConfig {
  const action = part.use(CHARACTERISTIC.currentHumidifierDehumidifierState);
  const humidity = part.use(CHARACTERISTIC.relativeHumidity);
  return {
    ...(action && { action_topic: action.stateTopic, action_template: wordOf(action.key, ACTIONS) }),
    ...(humidity && {
      current_humidity_topic: humidity.stateTopic,
      current_humidity_template: plainValue(humidity.key),
    }),
  };
}
