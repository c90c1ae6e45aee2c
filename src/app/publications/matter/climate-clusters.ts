/** Thermostats and fans. */
import type { CharacteristicName } from '../../../hap-spec/characteristics.ts';
import type { MatterAttributes } from '../../../home/matter-port.ts';
import { type ClusterRow, clamp, type HapSettings, numberIn, scaled } from './cluster-row.ts';
import type { HapServiceView } from './hap-service-view.ts';

const HUNDREDTHS = 100;
const SYSTEM_MODE = { off: 0, auto: 1, cool: 3, heat: 4 } as const;
type Mode = keyof typeof SYSTEM_MODE;
const MODES = Object.keys(SYSTEM_MODE) as readonly Mode[];
/** `controlSequenceOfOperation`. */
const SEQUENCE = { cool: 0, heat: 2, both: 4 } as const;
/** HAP’s ranges, for a characteristic without one. */
const DEFAULT_RANGE = { min: 10, max: 38 };

/** How a HAP service keeps the mode and the temperatures. */
interface ClimateService {
  readonly target: CharacteristicName;
  /** The values of `target`; without `off` it is `active` that switches it off. */
  readonly values: Readonly<Partial<Record<Mode, number>>>;
  /** Used for heating and cooling outside of auto, if the service has it. */
  readonly single: CharacteristicName | undefined;
}

const THERMOSTAT_SERVICE: ClimateService = {
  target: 'heating_cooling_target',
  values: { off: 0, heat: 1, cool: 2, auto: 3 },
  single: 'target_temperature',
};
const HEATER_COOLER_SERVICE: ClimateService = {
  target: 'target_heater_cooler_state',
  values: { auto: 0, heat: 1, cool: 2 },
  single: undefined,
};

function climate(kind: ClimateService): ClusterRow {
  return {
    cluster: 'thermostat',
    features: (service) => featuresOf(kind, service),
    fixed: (service) => limitsOf(kind, service),
    read: (service) => {
      const { heat, cool } = setpointsOf(kind, service);
      const features = featuresOf(kind, service);
      return {
        localTemperature: scaled(service.number('current_temperature'), HUNDREDTHS),
        systemMode: SYSTEM_MODE[shownMode(kind, service)],
        ...(features.includes('Heating') ? { occupiedHeatingSetpoint: Math.round(heat * HUNDREDTHS) } : {}),
        ...(features.includes('Cooling') ? { occupiedCoolingSetpoint: Math.round(cool * HUNDREDTHS) } : {}),
      };
    },
    write: (changes, service) => climateSettings(kind, changes, service),
  };
}

export const THERMOSTAT = climate(THERMOSTAT_SERVICE);
export const HEATER_COOLER = climate(HEATER_COOLER_SERVICE);

/** Both setpoints can be set at once only if the service has a characteristic for each. */
function featuresOf(kind: ClimateService, service: HapServiceView): readonly string[] {
  const allows = (mode: Mode): boolean => {
    const value = kind.values[mode];
    return value !== undefined && service.allows(kind.target, value);
  };
  const canHeat = allows('heat') && has(kind, service, 'heating_threshold');
  const canCool = allows('cool') && has(kind, service, 'cooling_threshold');
  const hasBoth = service.has('heating_threshold') && service.has('cooling_threshold');
  if (!canHeat && !canCool) return ['Heating'];
  return [
    ...(canHeat ? ['Heating'] : []),
    ...(canCool ? ['Cooling'] : []),
    ...(canHeat && canCool && hasBoth && allows('auto') ? ['AutoMode'] : []),
  ];
}

function has({ single }: ClimateService, service: HapServiceView, threshold: CharacteristicName): boolean {
  return service.has(threshold) || (single !== undefined && service.has(single));
}

function modeOf({ target, values }: ClimateService, service: HapServiceView): Mode {
  if (values.off === undefined && !service.isOn('active')) return 'off';
  const value = service.number(target);
  return MODES.find((mode) => values[mode] === value) ?? 'off';
}

/** Without both setpoints, auto is shown as what it does now. */
function shownMode(kind: ClimateService, service: HapServiceView): Mode {
  const mode = modeOf(kind, service);
  const features = featuresOf(kind, service);
  if (mode === 'off' || (mode === 'auto' && features.includes('AutoMode'))) return mode;
  if (mode === 'auto') return service.number('heating_cooling_current') === 2 ? coolIf(features) : heatIf(features);
  return mode === 'cool' ? coolIf(features) : heatIf(features);
}

function heatIf(features: readonly string[]): Mode {
  return features.includes('Heating') ? 'heat' : 'cool';
}

function coolIf(features: readonly string[]): Mode {
  return features.includes('Cooling') ? 'cool' : 'heat';
}

/** The characteristic of a setpoint while the service is in a mode. */
function setpointName(kind: ClimateService, mode: Mode, side: 'heat' | 'cool', service: HapServiceView) {
  const threshold = side === 'heat' ? 'heating_threshold' : 'cooling_threshold';
  const isSingle = kind.single !== undefined && service.has(kind.single);
  return isSingle && !(mode === 'auto' && service.has(threshold)) ? kind.single : threshold;
}

function setpointsOf(kind: ClimateService, service: HapServiceView): { readonly heat: number; readonly cool: number } {
  const mode = modeOf(kind, service);
  const { heat: heatLimits, cool: coolLimits } = rangesOf(kind, service);
  const value = (side: 'heat' | 'cool') => {
    const threshold = service.number(side === 'heat' ? 'heating_threshold' : 'cooling_threshold');
    const single = kind.single === undefined ? undefined : service.number(kind.single);
    const isOwn = mode === side || (mode !== 'auto' && threshold === undefined);
    return (isOwn ? (single ?? threshold) : (threshold ?? single)) ?? 20;
  };
  const heat = clamp(value('heat'), heatLimits.min, heatLimits.max);
  const cool = clamp(value('cool'), coolLimits.min, coolLimits.max);
  // Matter keeps heating below cooling; the one in use counts.
  return mode === 'cool' ? { heat: Math.min(heat, cool), cool } : { heat, cool: Math.max(heat, cool) };
}

function rangesOf(kind: ClimateService, service: HapServiceView) {
  const range = (threshold: CharacteristicName) => {
    const names = kind.single === undefined ? [threshold] : [kind.single, threshold];
    const found = names.flatMap((name) => service.find(name) ?? []);
    const mins = found.map(({ minValue }) => minValue ?? DEFAULT_RANGE.min);
    const maxs = found.map(({ maxValue }) => maxValue ?? DEFAULT_RANGE.max);
    return {
      min: mins.length > 0 ? Math.min(...mins) : DEFAULT_RANGE.min,
      max: maxs.length > 0 ? Math.max(...maxs) : DEFAULT_RANGE.max,
    };
  };
  const [heat, cool] = [range('heating_threshold'), range('cooling_threshold')];
  // Where both exist, heating begins and ends below cooling.
  return {
    heat: { min: Math.min(heat.min, cool.min), max: Math.min(heat.max, cool.max) },
    cool: { min: Math.max(heat.min, cool.min), max: Math.max(heat.max, cool.max) },
  };
}

function limitsOf(kind: ClimateService, service: HapServiceView): MatterAttributes {
  const features = featuresOf(kind, service);
  const { heat, cool } = rangesOf(kind, service);
  const isBoth = features.includes('Heating') && features.includes('Cooling');
  return {
    controlSequenceOfOperation: isBoth ? SEQUENCE.both : features.includes('Cooling') ? SEQUENCE.cool : SEQUENCE.heat,
    ...(features.includes('Heating') ? limits('Heat', heat) : {}),
    ...(features.includes('Cooling') ? limits('Cool', cool) : {}),
    ...(features.includes('AutoMode') ? { minSetpointDeadBand: 0 } : {}),
  };
}

function limits(side: 'Heat' | 'Cool', { min, max }: { readonly min: number; readonly max: number }): MatterAttributes {
  const [low, high] = [Math.round(min * HUNDREDTHS), Math.round(max * HUNDREDTHS)];
  return {
    [`absMin${side}SetpointLimit`]: low,
    [`absMax${side}SetpointLimit`]: high,
    [`min${side}SetpointLimit`]: low,
    [`max${side}SetpointLimit`]: high,
  };
}

function climateSettings(kind: ClimateService, changes: MatterAttributes, service: HapServiceView): HapSettings {
  const systemMode = numberIn(changes, 'systemMode');
  const wanted = MODES.find((mode) => SYSTEM_MODE[mode] === systemMode);
  const settings: Record<string, number> = {};
  if (wanted !== undefined) Object.assign(settings, modeSettings(kind, wanted));
  const mode = wanted ?? modeOf(kind, service);
  const sides = [
    { side: 'heat', value: numberIn(changes, 'occupiedHeatingSetpoint') },
    { side: 'cool', value: numberIn(changes, 'occupiedCoolingSetpoint') },
  ] as const;
  for (const { side, value } of sides) {
    // The one that does not count now is moved along by the library, and must not overwrite the single target.
    const isOther = kind.single !== undefined && mode !== 'auto' && mode !== 'off' && mode !== side;
    const name = setpointName(kind, mode, side, service);
    if (value !== undefined && name !== undefined && !isOther && service.canWrite(name)) {
      settings[name] = value / HUNDREDTHS;
    }
  }
  return settings;
}

function modeSettings({ target, values }: ClimateService, mode: Mode): HapSettings {
  const value = values[mode];
  if (value === undefined) return { active: 0 };
  return values.off === undefined ? { active: 1, [target]: value } : { [target]: value };
}

const FAN_MODE = { off: 0, low: 1, medium: 2, high: 3, on: 4, auto: 5 } as const;
/** `fanModeSequence`: which of the modes there are. */
const LOW_TO_HIGH = 0;
const LOW_TO_HIGH_AUTO = 2;
const FULL = 100;
const PERCENT: Readonly<Record<number, number>> = {
  [FAN_MODE.low]: 33,
  [FAN_MODE.medium]: 66,
  [FAN_MODE.high]: FULL,
};

/** @param automatic the characteristic that is 1 while the device decides on the speed */
export function fan(automatic: 'target_fan_state' | 'target_air_purifier_state'): ClusterRow {
  return {
    cluster: 'fanControl',
    features: (service) => [
      ...(service.canWrite(automatic) ? ['Auto'] : []),
      ...(service.canWrite('swing_mode') ? ['Rocking'] : []),
      ...(service.canWrite('rotation_direction') ? ['AirflowDirection'] : []),
    ],
    fixed: (service) => ({
      fanModeSequence: service.canWrite(automatic) ? LOW_TO_HIGH_AUTO : LOW_TO_HIGH,
      ...(service.canWrite('swing_mode') ? { rockSupport: { rockLeftRight: true } } : {}),
    }),
    read: (service) => {
      const percent = isRunning(service) ? Math.round(service.number('rotation_speed') ?? FULL) : 0;
      const isAutomatic = percent > 0 && service.canWrite(automatic) && service.isOn(automatic);
      return {
        fanMode: isAutomatic ? FAN_MODE.auto : fanModeOf(percent),
        percentSetting: isAutomatic ? null : percent,
        percentCurrent: percent,
        ...(service.canWrite('swing_mode') ? { rockSetting: { rockLeftRight: service.isOn('swing_mode') } } : {}),
        ...(service.canWrite('rotation_direction')
          ? { airflowDirection: service.number('rotation_direction') ?? 0 }
          : {}),
      };
    },
    write: (changes, service) => fanSettings(changes, service, automatic),
  };
}

function fanSettings(changes: MatterAttributes, service: HapServiceView, automatic: CharacteristicName): HapSettings {
  const { rockSetting } = changes;
  const direction = numberIn(changes, 'airflowDirection');
  const fanMode = numberIn(changes, 'fanMode');
  const percent = numberIn(changes, 'percentSetting') ?? (fanMode === undefined ? undefined : PERCENT[fanMode]);
  const isAutomatic = fanMode === FAN_MODE.auto;
  const isOn = percent === undefined ? (fanMode === undefined ? undefined : fanMode !== FAN_MODE.off) : percent > 0;
  return {
    ...(isOn === undefined ? {} : power(service, isOn)),
    ...(isOn && service.canWrite(automatic) ? { [automatic]: Number(isAutomatic) } : {}),
    ...(percent !== undefined && percent > 0 && service.canWrite('rotation_speed') ? { rotation_speed: percent } : {}),
    ...(direction === undefined ? {} : { rotation_direction: direction }),
    ...(typeof rockSetting === 'object' && rockSetting !== null
      ? { swing_mode: Number(Object.values(rockSetting).includes(true)) }
      : {}),
  };
}

/** Fans of the first generation have a power state. */
function power(service: HapServiceView, isOn: boolean): HapSettings {
  return service.has('active') ? { active: Number(isOn) } : { power_state: isOn };
}

function isRunning(service: HapServiceView): boolean {
  return service.isOn(service.has('active') ? 'active' : 'power_state');
}

function fanModeOf(percent: number): number {
  if (percent === 0) return FAN_MODE.off;
  return percent <= 33 ? FAN_MODE.low : percent <= 66 ? FAN_MODE.medium : FAN_MODE.high;
}
