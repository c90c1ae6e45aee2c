import { CHARACTERISTIC } from '../../../hap-spec/characteristics.ts';
import { SERVICE } from '../../../hap-spec/services.ts';
import {
  type Describe,
  type EntityConfig,
  numbersOf,
  onOff,
  type Property,
  type ServicePart,
  takenBy,
} from './entity.ts';
import { OFF, ON, ON_OFF, reversed, sendForWord, wholeValueOf, wordOf } from './templates.ts';

const MODES = new Map([
  [0, 'manual'],
  [1, 'auto'],
]);

const DIRECTIONS = new Map([
  [0, 'forward'],
  [1, 'reverse'],
]);

/** Fans of both generations, and air purifiers, for which Home Assistant has no component. */
export const fan: Describe = (part) => {
  const on = part.useWritable(CHARACTERISTIC.powerState) ?? part.useWritable(CHARACTERISTIC.active);
  if (!on) return undefined;
  return {
    component: 'fan',
    object: on.key,
    label: part.service.type === SERVICE.airPurifier ? 'Purifier' : 'Fan',
    config: {
      ...onOff(on),
      ...describeSpeed(part),
      ...describeModes(part),
      ...describeDirection(part),
      ...describeOscillation(part),
    },
  };
};

/** Home Assistant counts speeds from 1; lower is off. */
function describeSpeed(part: ServicePart): EntityConfig {
  const found = part.find(CHARACTERISTIC.rotationSpeed);
  const fastest = Math.floor((found && numbersOf(found).max) ?? 100);
  const speed = fastest > 1 ? part.useWritable(CHARACTERISTIC.rotationSpeed) : undefined;
  if (!speed) return {};
  return {
    percentage_state_topic: speed.stateTopic,
    percentage_value_template: wholeValueOf(speed.key),
    percentage_command_topic: speed.setTopic,
    speed_range_min: 1,
    speed_range_max: fastest,
  };
}

/** Automatic or manual mode. */
function describeModes(part: ServicePart): EntityConfig {
  const mode =
    part.useWritable(CHARACTERISTIC.targetFanState) ?? part.useWritable(CHARACTERISTIC.targetAirPurifierState);
  if (!mode) return {};
  const modes = takenBy(mode, MODES);
  return {
    preset_modes: [...modes.values()],
    preset_mode_state_topic: mode.stateTopic,
    preset_mode_value_template: wordOf(mode.key, modes),
    preset_mode_command_topic: mode.setTopic,
    preset_mode_command_template: sendForWord(reversed(modes)),
  };
}

function describeDirection(part: ServicePart): EntityConfig {
  const direction = part.useWritable(CHARACTERISTIC.rotationDirection);
  if (!direction) return {};
  return {
    direction_state_topic: direction.stateTopic,
    direction_value_template: wordOf(direction.key, DIRECTIONS),
    direction_command_topic: direction.setTopic,
    direction_command_template: sendForWord(reversed(DIRECTIONS)),
  };
}

function describeOscillation(part: ServicePart): EntityConfig {
  const swing: Property | undefined = part.useWritable(CHARACTERISTIC.swingMode);
  if (!swing) return {};
  return {
    oscillation_state_topic: swing.stateTopic,
    oscillation_value_template: wordOf(swing.key, ON_OFF),
    oscillation_command_topic: swing.setTopic,
    payload_oscillation_on: ON,
    payload_oscillation_off: OFF,
  };
}
