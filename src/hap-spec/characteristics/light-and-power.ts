/** Light, power and their common types: switching, dimming, colour, and the active state. */
import { also, CONTROL, EXCHANGE, NOTIFY, oneOf, PERCENT, READ, range, row, unit } from '../characteristic-row.ts';

// biome-ignore format: one row, one line of meaning
export const LIGHT_AND_POWER = [
  row('25', 'power_state', 'on', 'bool', CONTROL, also('on')),
  row('8', 'brightness', 'brightness', 'int', CONTROL, PERCENT),
  row('13', 'hue', 'hue', 'float', CONTROL, range(0, 360, 1), unit('arcdegrees')),
  row('2F', 'saturation', 'saturation', 'float', CONTROL, PERCENT),
  row('CE', 'color_temperature', 'color-temperature', 'int', CONTROL, range(140, 500, 1)),
  row('B0', 'active', 'active', 'uint8', CONTROL, oneOf('inactive active')),
  row('26', 'outlet_in_use', 'outlet-in-use', 'bool', NOTIFY),
  row('143', 'characteristic_value_transition_control', 'characteristic-value-transition-control', 'tlv8', EXCHANGE),
  row('144', 'supported_characteristic_value_transition_configuration', 'supported-characteristic-value-transition-configuration', 'tlv8', READ),
  row('24B', 'characteristic_value_active_transition_count', 'characteristic-value-active-transition-count', 'uint8', NOTIFY),
] as const;
