/** Thermostats and heater coolers: two HAP services with the same functions under different names. */
import { Flame, Snowflake, Thermometer } from 'lucide-react';
import type { HomeAccessory, HomeCharacteristic, HomeService } from '../../home/home-document.ts';
import type { Write } from '../../home/write.ts';
import { type DeviceKind, line } from '../kind.ts';
import { characteristicOf, choicesOf, flagOf, numberOf, serviceOf, writeOf } from '../reading.ts';

export type ClimateMode = 'off' | 'heat' | 'cool' | 'auto';

export interface Climate {
  /** The selected mode; `undefined` until the device reports one. */
  readonly mode: ClimateMode | undefined;
  readonly modes: readonly ClimateMode[];
  /** The current activity. */
  readonly doing: 'idle' | 'heating' | 'cooling';
  readonly current: number | undefined;
  readonly humidity: number | undefined;
  /** One temperature, or the two limits between which it keeps the room. */
  readonly target: HomeCharacteristic | undefined;
  readonly heatTo: HomeCharacteristic | undefined;
  readonly coolTo: HomeCharacteristic | undefined;
}

const THERMOSTAT_MODES: readonly ClimateMode[] = ['off', 'heat', 'cool', 'auto'];
const HEATER_COOLER_MODES: readonly ClimateMode[] = ['auto', 'heat', 'cool'];

export function readClimate(service: HomeService): Climate {
  const shared = {
    current: numberOf(service, 'current_temperature'),
    humidity: numberOf(service, 'relative_humidity'),
  };
  const heat = characteristicOf(service, 'heating_threshold');
  const cool = characteristicOf(service, 'cooling_threshold');
  if (service.type === 'heater_cooler') {
    const target = numberOf(service, 'target_heater_cooler_state') ?? -1;
    const mode = flagOf(service, 'active') === false ? 'off' : HEATER_COOLER_MODES[target];
    const choices = choicesOf(characteristicOf(service, 'target_heater_cooler_state')) ?? [0, 1, 2];
    const doing = numberOf(service, 'current_heater_cooler_state');
    return {
      ...shared,
      mode,
      modes: ['off', ...choices.flatMap((choice) => HEATER_COOLER_MODES[choice] ?? [])],
      doing: doing === 2 ? 'heating' : doing === 3 ? 'cooling' : 'idle',
      target: undefined,
      heatTo: mode === 'heat' || mode === 'auto' ? heat : undefined,
      coolTo: mode === 'cool' || mode === 'auto' ? cool : undefined,
    };
  }
  const mode = THERMOSTAT_MODES[numberOf(service, 'heating_cooling_target') ?? -1];
  const choices = choicesOf(characteristicOf(service, 'heating_cooling_target')) ?? [0, 1, 2, 3];
  const doing = numberOf(service, 'heating_cooling_current');
  const isRange = mode === 'auto' && heat !== undefined && cool !== undefined;
  return {
    ...shared,
    mode,
    modes: choices.flatMap((choice) => THERMOSTAT_MODES[choice] ?? []),
    doing: doing === 1 ? 'heating' : doing === 2 ? 'cooling' : 'idle',
    target:
      mode === undefined || mode === 'off' || isRange ? undefined : characteristicOf(service, 'target_temperature'),
    heatTo: isRange ? heat : undefined,
    coolTo: isRange ? cool : undefined,
  };
}

export function climateModeWrites(accessory: HomeAccessory, service: HomeService, mode: ClimateMode): readonly Write[] {
  if (service.type !== 'heater_cooler') {
    return writeOf(accessory, service, 'heating_cooling_target', THERMOSTAT_MODES.indexOf(mode));
  }
  if (mode === 'off') return writeOf(accessory, service, 'active', 0);
  return [
    ...writeOf(accessory, service, 'active', 1),
    ...writeOf(accessory, service, 'target_heater_cooler_state', HEATER_COOLER_MODES.indexOf(mode)),
  ];
}

const serviceOfClimate = (accessory: HomeAccessory) => serviceOf(accessory, 'thermostat', 'heater_cooler');

export const climate: DeviceKind = {
  look(accessory) {
    const service = serviceOfClimate(accessory);
    const doing = service && readClimate(service).doing;
    if (doing === 'heating') return { icon: Flame, tone: 'warm' };
    return doing === 'cooling' ? { icon: Snowflake, tone: 'cool' } : { icon: Thermometer, tone: 'off' };
  },
  describe(accessory, t, format) {
    const service = serviceOfClimate(accessory);
    if (!service) return t.unknown;
    const { mode, doing, current, target, heatTo, coolTo } = readClimate(service);
    const text = (one: HomeCharacteristic | undefined) =>
      typeof one?.value === 'number' ? format.temperature(one.value) : undefined;
    const wanted = [target, heatTo, coolTo].flatMap((one) => text(one) ?? []).join('–');
    // With two limits, the target is the one that the temperature is beyond.
    const limit = { idle: undefined, heating: text(heatTo), cooling: text(coolTo) }[doing];
    const now = current === undefined ? undefined : format.temperature(current);
    if (mode === 'off') return line(now, t.off);
    if (doing !== 'idle' && wanted) return line(now, t.climate[doing]({ target: limit ?? wanted }));
    if (mode === undefined) return line(now) || t.noValue;
    return line(now, wanted ? t.climate.keeps({ target: wanted }) : t.on);
  },
};
