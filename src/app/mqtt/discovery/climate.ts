/**
 * Thermostats and heater coolers. Temperatures are in °C in both directions, regardless of the device's display unit.
 */
import { CHARACTERISTIC } from '../../../hap-spec/characteristics.ts';
import { type Describe, type EntityConfig, numbersOf, type Property, type ServicePart, takenBy } from './entity.ts';
import { plainValue, reversed, sendForWord, valueWhere, wordOf, wordUnless } from './templates.ts';

const THERMOSTAT_ACTIONS = new Map([
  [0, 'idle'],
  [1, 'heating'],
  [2, 'cooling'],
]);

const HEATER_COOLER_ACTIONS = new Map([
  [0, 'off'],
  [1, 'idle'],
  [2, 'heating'],
  [3, 'cooling'],
]);

const SWINGS = new Map([
  [0, 'off'],
  [1, 'on'],
]);

/** Target Heater Cooler State. */
const COOLING = 2;
const MODE_OFF = 0;

export const thermostat: Describe = (part) => {
  const mode = part.useWritable(CHARACTERISTIC.heatingCoolingTarget);
  if (!mode) return undefined;
  const hasRange = Boolean(
    part.find(CHARACTERISTIC.heatingThreshold)?.writable && part.find(CHARACTERISTIC.coolingThreshold)?.writable,
  );
  const modes = takenBy(
    mode,
    new Map([
      [MODE_OFF, 'off'],
      [1, 'heat'],
      [2, 'cool'],
      [3, hasRange ? 'heat_cool' : 'auto'],
    ]),
  );
  const action = part.use(CHARACTERISTIC.heatingCoolingCurrent);
  const target = part.useWritable(CHARACTERISTIC.targetTemperature);
  const ends = hasRange
    ? ([part.use(CHARACTERISTIC.heatingThreshold), part.use(CHARACTERISTIC.coolingThreshold)] as const)
    : [];
  return {
    component: 'climate',
    object: mode.key,
    label: 'Thermostat',
    config: {
      modes: [...modes.values()],
      mode_state_topic: mode.stateTopic,
      mode_state_template: wordOf(mode.key, modes),
      mode_command_topic: mode.setTopic,
      mode_command_template: sendForWord(reversed(modes)),
      ...(action && {
        action_topic: action.stateTopic,
        action_template: wordUnless([mode.key, MODE_OFF, 'off'], action.key, THERMOSTAT_ACTIONS),
      }),
      ...(target && {
        temperature_state_topic: target.stateTopic,
        temperature_state_template: plainValue(target.key),
        temperature_command_topic: target.setTopic,
      }),
      ...describeEnds(...ends),
      ...describeLimits([target, ...ends]),
      ...describeAir(part),
    },
  };
};

export const heaterCooler: Describe = (part) => {
  const active = part.useWritable(CHARACTERISTIC.active);
  const mode = part.useWritable(CHARACTERISTIC.targetHeaterCoolerState);
  if (!active || !mode) return undefined;
  const heat = part.useWritable(CHARACTERISTIC.heatingThreshold);
  const cool = part.useWritable(CHARACTERISTIC.coolingThreshold);
  const modes = takenBy(
    mode,
    new Map([
      [0, heat && cool ? 'heat_cool' : 'auto'],
      [1, 'heat'],
      [COOLING, 'cool'],
    ]),
  );
  const action = part.use(CHARACTERISTIC.currentHeaterCoolerState);
  return {
    component: 'climate',
    object: mode.key,
    label: 'Climate',
    config: {
      modes: ['off', ...modes.values()],
      mode_state_topic: mode.stateTopic,
      mode_state_template: wordUnless([active.key, 0, 'off'], mode.key, modes),
      mode_command_topic: part.setTopic,
      mode_command_template: sendForWord(modeCommands(active, mode, modes)),
      ...(action && { action_topic: action.stateTopic, action_template: wordOf(action.key, HEATER_COOLER_ACTIONS) }),
      ...describeOneTarget(part, mode, heat, cool),
      ...describeEnds(heat, cool),
      ...describeLimits([heat, cool]),
      ...describeAir(part),
      ...describeSwing(part),
    },
  };
};

/** Power and mode are two characteristics in HAP and one in Home Assistant: each mode sets both. */
function modeCommands(
  active: Property,
  mode: Property,
  modes: ReadonlyMap<number, string>,
): ReadonlyMap<string, string> {
  const on = [...modes].map(
    ([number, word]) => [word, JSON.stringify({ [active.key]: 1, [mode.key]: number })] as const,
  );
  return new Map([['off', JSON.stringify({ [active.key]: 0 })], ...on]);
}

/** The target temperature if the device only heats or only cools. */
function describeOneTarget(
  part: ServicePart,
  mode: Property,
  heat: Property | undefined,
  cool: Property | undefined,
): EntityConfig {
  const only = heat ?? cool;
  if (!only) return {};
  if (!heat || !cool) {
    return {
      temperature_state_topic: only.stateTopic,
      temperature_state_template: plainValue(only.key),
      temperature_command_topic: only.setTopic,
    };
  }
  return {
    temperature_state_topic: only.stateTopic,
    temperature_state_template: valueWhere([mode.key, COOLING], cool.key, heat.key),
    temperature_command_topic: part.setTopic,
    temperature_command_template: `{"{{ '${cool.key}' if this.state == 'cool' else '${heat.key}' }}": {{ value }}}`,
  };
}

function describeEnds(low?: Property, high?: Property): EntityConfig {
  if (!low || !high) return {};
  return {
    temperature_low_state_topic: low.stateTopic,
    temperature_low_state_template: plainValue(low.key),
    temperature_low_command_topic: low.setTopic,
    temperature_high_state_topic: high.stateTopic,
    temperature_high_state_template: plainValue(high.key),
    temperature_high_command_topic: high.setTopic,
  };
}

/** Home Assistant has one range for all targets; the device rejects values that only another target accepts. */
function describeLimits(targets: readonly (Property | undefined)[]): EntityConfig {
  const ranges = targets.flatMap((target) => (target ? [numbersOf(target)] : []));
  if (ranges.length === 0) return {};
  const steps = ranges.flatMap(({ step }) => step ?? []);
  return {
    temperature_unit: 'C',
    min_temp: Math.min(...ranges.map(({ min }) => min ?? 0)),
    max_temp: Math.max(...ranges.map(({ max }) => max ?? 100)),
    temp_step: steps.length > 0 ? Math.min(...steps) : 0.5,
    precision: 0.1,
  };
}

function describeAir(part: ServicePart): EntityConfig {
  const temperature = part.use(CHARACTERISTIC.currentTemperature);
  const humidity = part.use(CHARACTERISTIC.relativeHumidity);
  const wanted = part.useWritable(CHARACTERISTIC.targetHumidity);
  return {
    ...(temperature && {
      current_temperature_topic: temperature.stateTopic,
      current_temperature_template: plainValue(temperature.key),
    }),
    ...(humidity && {
      current_humidity_topic: humidity.stateTopic,
      current_humidity_template: plainValue(humidity.key),
    }),
    ...(wanted && {
      target_humidity_state_topic: wanted.stateTopic,
      target_humidity_state_template: plainValue(wanted.key),
      target_humidity_command_topic: wanted.setTopic,
      min_humidity: numbersOf(wanted).min ?? 0,
      max_humidity: numbersOf(wanted).max ?? 100,
    }),
  };
}

function describeSwing(part: ServicePart): EntityConfig {
  const swing = part.useWritable(CHARACTERISTIC.swingMode);
  if (!swing) return {};
  return {
    swing_modes: [...SWINGS.values()],
    swing_mode_state_topic: swing.stateTopic,
    swing_mode_state_template: wordOf(swing.key, SWINGS),
    swing_mode_command_topic: swing.setTopic,
    swing_mode_command_template: sendForWord(reversed(SWINGS)),
  };
}
