/**
 * Eve's vendor characteristics, used by Eve's own devices and by bridges that support the Eve app. The `data` ones are
 * Eve's history protocol and device programs; they have names only to distinguish them, their content is not parsed.
 */
import { also, CONTROL, NOTIFY, PERCENT, READ_WRITE, range, row, unit, WRITE } from '../characteristic-row.ts';

/** @param digits the three digits that distinguish Eve's types. */
function eve<const Digits extends string, const Name extends string>(digits: Digits, name: Name, ...rest: RowRest) {
  return row(`E863F${digits}-079E-48FF-8F27-9C2605A29F52`, name, name.replaceAll('_', '-'), ...rest);
}

type RowRest = Parameters<typeof row> extends [string, string, string, ...infer Rest] ? Rest : never;

/** Sensitivity of a motion sensor: Eve leaves gaps between its three levels. */
const SENSITIVITY = { ...range(0, 7), values: { high: 0, medium: 4, low: 7 } };

// biome-ignore format: one row, one line of meaning
export const EVE = [
  eve('10D', 'eve_energy_watt', 'float', NOTIFY, range(0, 12_000, 0.1), unit('W'), also('eve_current_consumption')),
  eve('10C', 'eve_energy_kwh', 'float', NOTIFY, range(0, 1_000_000, 0.01), unit('kWh'), also('eve_total_consumption')),
  eve('10A', 'eve_voltage', 'float', NOTIFY, range(0, 380, 0.1), unit('V')),
  eve('126', 'eve_ampere', 'float', NOTIFY, range(0, 48, 0.01), unit('A')),
  eve('116', 'eve_history_status', 'data', NOTIFY),
  eve('117', 'eve_history_entries', 'data', NOTIFY),
  eve('11C', 'eve_history_request', 'data', WRITE),
  eve('112', 'eve_reset_total', 'uint32', CONTROL, unit('seconds')),
  eve('11E', 'eve_firmware', 'data', READ_WRITE),
  eve('121', 'eve_set_time', 'data', WRITE),
  eve('136', 'eve_weather_trend', 'uint8', NOTIFY, range(0, 15, 1)),
  eve('130', 'eve_elevation', 'int', CONTROL, range(-450, 9000, 1), unit('m')),
  eve('10F', 'eve_air_pressure', 'float', NOTIFY, range(700, 1100, 0.1), unit('hPa')),
  eve('120', 'eve_sensitivity', 'uint8', CONTROL, SENSITIVITY, also('eve_motion_sensitivity')),
  eve('12D', 'eve_duration', 'uint16', CONTROL, range(5, 54_000), unit('seconds')),
  eve('11A', 'eve_last_activation', 'uint32', NOTIFY, unit('seconds')),
  eve('118', 'eve_closed_duration', 'uint32', CONTROL, unit('seconds')),
  eve('119', 'eve_open_duration', 'uint32', CONTROL, unit('seconds')),
  eve('129', 'eve_times_opened', 'uint32', NOTIFY),
  eve('11D', 'eve_command', 'data', WRITE),
  eve('12F', 'eve_program_data', 'data', NOTIFY),
  eve('12C', 'eve_program_command', 'data', WRITE),
  eve('12E', 'eve_valve_position', 'uint8', NOTIFY, PERCENT),
  eve('158', 'eve_blinds_movement', 'data', READ_WRITE),
  eve('131', 'eve_calibration_data', 'data', NOTIFY),
] as const;
