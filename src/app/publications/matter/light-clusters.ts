/** Power, level and color. */
import type { MatterAttributes } from '../../../home/matter-port.ts';
import { type ClusterRow, clamp, type HapSettings, numberIn } from './cluster-row.ts';
import { fromMireds, fromXy, type HueSaturation, toXy } from './colors.ts';
import type { HapServiceView } from './hap-service-view.ts';

/** Matter levels are 1 to 254, HAP's are percent. */
const MAX_LEVEL = 254;
const LEVEL_PER_PERCENT = MAX_LEVEL / 100;
const MAX_HUE = 254;
/** x and y of 1 (Matter application clusters §3.2.7.3). */
const XY_SCALE = 65_536;
const MAX_XY = 65_279;
const DEFAULT_MIREDS = { min: 140, max: 500 };
/** Above, a lamp without a mode is shown by its color. */
const COLORED_SATURATION = 20;

const MODE = { hueSaturation: 0, xy: 1, temperature: 2 } as const;

/** @param power the characteristic that has it */
export function onOff(power: 'power_state' | 'active', features: readonly string[]): ClusterRow {
  return {
    cluster: 'onOff',
    features: () => features,
    read: (service) => ({ onOff: service.isOn(power) }),
    write: ({ onOff: isOn }) => {
      if (typeof isOn !== 'boolean') return {};
      return { [power]: power === 'active' ? Number(isOn) : isOn };
    },
  };
}

export const LEVEL: ClusterRow = {
  cluster: 'levelControl',
  features: () => ['OnOff', 'Lighting'],
  fixed: () => ({ minLevel: 1, maxLevel: MAX_LEVEL }),
  read: (service) => ({
    currentLevel: clamp(Math.round((service.number('brightness') ?? 100) * LEVEL_PER_PERCENT), 1, MAX_LEVEL),
  }),
  write: (changes) => {
    const level = numberIn(changes, 'currentLevel');
    return level === undefined ? {} : { brightness: clamp(Math.round(level / LEVEL_PER_PERCENT), 1, 100) };
  },
};

export const COLOR_TEMPERATURE: ClusterRow = {
  cluster: 'colorControl',
  features: () => ['ColorTemperature'],
  fixed: miredsRange,
  read: (service) => ({ ...mireds(service), ...mode(MODE.temperature) }),
  write: (changes, service) => temperatureSettings(changes, service),
};

/** An extended color light has a color temperature too; those that have none show and take it as a color. */
export const COLOR: ClusterRow = {
  cluster: 'colorControl',
  features: () => ['HueSaturation', 'Xy', 'ColorTemperature'],
  fixed: miredsRange,
  read: (service) => {
    const color = colorOf(service);
    const { x, y } = toXy(color);
    const isColored = !service.has('color_temperature') || color.saturation > COLORED_SATURATION;
    return {
      ...mireds(service),
      currentHue: Math.round((color.hue / 360) * MAX_HUE),
      currentSaturation: Math.round((color.saturation / 100) * MAX_HUE),
      currentX: clamp(Math.round(x * XY_SCALE), 0, MAX_XY),
      currentY: clamp(Math.round(y * XY_SCALE), 0, MAX_XY),
      ...mode(isColored ? MODE.hueSaturation : MODE.temperature),
    };
  },
  write: (changes, service) => {
    switch (changes.colorMode) {
      case MODE.temperature:
        return temperatureSettings(changes, service);
      case MODE.xy: {
        const current = toXy(colorOf(service));
        const { currentX = current.x * XY_SCALE, currentY = current.y * XY_SCALE } = changes;
        return { ...fromXy({ x: Number(currentX) / XY_SCALE, y: Number(currentY) / XY_SCALE }) };
      }
      default:
        return hueSettings(changes);
    }
  },
};

function hueSettings(changes: MatterAttributes): HapSettings {
  const [hue, saturation] = [numberIn(changes, 'currentHue'), numberIn(changes, 'currentSaturation')];
  return {
    ...(hue === undefined ? {} : { hue: Math.round((hue / MAX_HUE) * 360) }),
    ...(saturation === undefined ? {} : { saturation: Math.round((saturation / MAX_HUE) * 100) }),
  };
}

function temperatureSettings(changes: MatterAttributes, service: HapServiceView): HapSettings {
  const wanted = numberIn(changes, 'colorTemperatureMireds');
  if (wanted === undefined) return {};
  if (!service.has('color_temperature')) return { ...fromMireds(wanted) };
  const { min, max } = rangeOf(service);
  return { color_temperature: clamp(wanted, min, max) };
}

function colorOf(service: HapServiceView): HueSaturation {
  return { hue: service.number('hue') ?? 0, saturation: service.number('saturation') ?? 0 };
}

function mireds(service: HapServiceView): MatterAttributes {
  const { min, max } = rangeOf(service);
  return { colorTemperatureMireds: clamp(Math.round(service.number('color_temperature') ?? 300), min, max) };
}

function miredsRange(service: HapServiceView): MatterAttributes {
  const { min, max } = rangeOf(service);
  return {
    colorTempPhysicalMinMireds: min,
    colorTempPhysicalMaxMireds: max,
    coupleColorTempToLevelMinMireds: min,
    startUpColorTemperatureMireds: null,
  };
}

function rangeOf(service: HapServiceView): { readonly min: number; readonly max: number } {
  const { minValue, maxValue } = service.find('color_temperature') ?? {};
  return { min: Math.round(minValue ?? DEFAULT_MIREDS.min), max: Math.round(maxValue ?? DEFAULT_MIREDS.max) };
}

function mode(colorMode: number): MatterAttributes {
  return { colorMode, enhancedColorMode: colorMode };
}
