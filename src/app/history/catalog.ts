/**
 * Recordable characteristics and their recording interval, one row per characteristic (wire-facts §13). A
 * characteristic without a row is never recorded; this includes buttons. Rows are ordered by how informative they are,
 * so "at most six" are the first six.
 */
import type { HistorySeries } from '../../contract/history.ts';
import { characteristicByName, characteristicByType } from '../../hap-spec/characteristics.ts';
import { foldWord } from '../../hap-spec/words.ts';

/** `string` series hold texts. The store holds only numbers; a text is stored as its id in the dictionary. */
export type SeriesKind = HistorySeries['kind'];

export interface CatalogRow {
  /** The characteristic's snake_case name. */
  readonly name: string;
  readonly kind: SeriesKind;
  readonly unit: string | null;
  /** Minimum time between two samples; 0 = every change is kept. */
  readonly minIntervalMs: number;
  /** Minimum distance of a value from the last recorded one; 0 = any change. */
  readonly deadband: number;
  /** `percent`: of the last recorded value. */
  readonly deadbandOf: 'value' | 'percent';
  /** Whether it is recorded by default. */
  readonly byDefault: boolean;
  /** 0 is the most informative. */
  readonly rank: number;
  /** Names of the states of a bool or an enum. */
  readonly words: ReadonlyMap<number, string>;
}

type RowOverrides = Partial<Omit<CatalogRow, 'words' | 'rank'>> & { readonly valueWords?: string };

const SECOND_MS = 1_000;

/** @param every minimum number of seconds between samples. */
const numeric = (
  name: string,
  every: number,
  deadband: number,
  unit: string | null,
  ...parts: readonly RowOverrides[]
): Draft =>
  Object.assign({ name, kind: 'numeric' as const, minIntervalMs: every * SECOND_MS, deadband, unit }, ...parts);
/** @param valueWords names of 0 and 1. */
const bool = (name: string, valueWords = 'off on', ...parts: readonly RowOverrides[]): Draft =>
  Object.assign({ name, kind: 'bool' as const, valueWords }, ...parts);
/** The state names are HAP's unless `valueWords` is given. */
const states = (name: string, ...parts: readonly RowOverrides[]): Draft =>
  Object.assign({ name, kind: 'enum' as const }, ...parts);
const text = (name: string): Draft => ({ name, kind: 'string' });

type Draft = RowOverrides & { readonly name: string; readonly kind: SeriesKind };

/** Names of 0, 1, 2 …, where people use a shorter word than HAP. */
const valueWords = (words: string): RowOverrides => ({ valueWords: words });
const onRequest: RowOverrides = { byDefault: false };
const DETECTED = 'clear detected';
const IN_USE = 'not_in_use in_use';
const ALARM = valueWords('home away night off triggered');

// biome-ignore format: one row, one line
const ROWS: readonly Draft[] = [
  numeric('current_temperature', 60, 0.1, '°C'),
  numeric('relative_humidity', 60, 1, '%'),
  numeric('current_ambient_light_level', 300, 10, 'lux', { deadbandOf: 'percent' }),
  numeric('carbon_dioxide_level', 300, 25, 'ppm'),
  states('air_quality', { minIntervalMs: 300 * SECOND_MS }),
  numeric('pm2_5_density', 300, 2, 'µg/m³'),
  numeric('pm10_density', 300, 2, 'µg/m³'),
  numeric('voc_density', 300, 10, 'µg/m³'),
  numeric('carbon_monoxide_level', 300, 1, 'ppm'),
  numeric('eve_energy_watt', 60, 1, 'W'),
  numeric('eve_energy_kwh', 300, 0.01, 'kWh'),
  bool('power_state'),
  bool('active', 'inactive active'),
  states('contact_state', valueWords('closed open')),
  bool('motion_detected', DETECTED),
  bool('occupancy_detected', DETECTED),
  states('lock_current_state', valueWords('unlocked locked jammed unknown')),
  states('current_door_state'),
  states('security_system_current_state', ALARM),
  bool('smoke_detected', DETECTED),
  bool('carbon_monoxide_detected', DETECTED),
  bool('carbon_dioxide_detected', DETECTED),
  bool('leak_detected', DETECTED),
  states('heating_cooling_current'),
  states('current_heater_cooler_state'),
  numeric('target_temperature', 60, 0.1, '°C'),
  states('heating_cooling_target'),
  states('target_heater_cooler_state'),
  numeric('heating_threshold', 60, 0.1, '°C'),
  numeric('cooling_threshold', 60, 0.1, '°C'),
  numeric('target_humidity', 300, 1, '%'),
  numeric('current_position', 5, 1, '%'),
  numeric('brightness', 5, 1, '%'),
  numeric('rotation_speed', 30, 1, '%'),
  numeric('current_tilt_angle', 30, 1, '°'),
  numeric('virtual_number', 0, 0, null),
  numeric('virtual_count', 0, 0, null),
  text('virtual_mode'),
  text('virtual_timer'),
  bool('in_use', IN_USE),
  bool('outlet_in_use', IN_USE),
  numeric('water_level', 300, 1, '%'),
  numeric('eve_air_pressure', 300, 1, 'hPa'),
  numeric('carbon_dioxide_peak_level', 900, 25, 'ppm'),
  numeric('carbon_monoxide_peak_level', 900, 1, 'ppm'),
  bool('obstruction_detected', DETECTED),
  numeric('eve_voltage', 60, 1, 'V', onRequest),
  numeric('eve_ampere', 60, 0.1, 'A', onRequest),
  numeric('hue', 30, 5, '°', onRequest),
  numeric('saturation', 30, 5, '%', onRequest),
  numeric('color_temperature', 30, 5, 'mired', onRequest),
  numeric('volume', 30, 1, '%', onRequest),
  bool('mute', undefined, onRequest),
  states('security_system_target_state', ALARM, onRequest),
  states('charging_state', onRequest),
  states('current_fan_state', onRequest),
  states('current_air_purifier_state', onRequest),
  states('current_humidifier_dehumidifier_state', onRequest),
  bool('status_low_battery', 'normal low'),
  numeric('battery_level', 3600, 1, '%'),
];

export const CATALOG: readonly CatalogRow[] = ROWS.map(({ valueWords: own, ...draft }, rank) => ({
  unit: null,
  minIntervalMs: 0,
  deadband: 0,
  deadbandOf: 'value',
  byDefault: true,
  ...draft,
  rank,
  words: wordsOf(draft.name, own),
}));

const byName: ReadonlyMap<string, CatalogRow> = new Map(CATALOG.map((row) => [foldWord(row.name), row]));
/** The number of a second service: `power_state_2`. No name in the catalog ends with a number. */
const NUMBER_BEHIND = /_\d+$/;

/**
 * The row of a characteristic.
 * @param typeOrName canonical type, or any spelling of its name, with or without the number of a second service.
 */
export function recordable(typeOrName: string): CatalogRow | undefined {
  const known = characteristicByType(typeOrName);
  if (known) return byName.get(foldWord(known.name));
  const word = typeOrName.trim().replace(NUMBER_BEHIND, '');
  return byName.get(foldWord(characteristicByName(word)?.name ?? word));
}

/** The name of a state; its number if it has no name. */
export function stateWord(row: CatalogRow, value: number): string {
  return row.words.get(value) ?? `unknown_${value}`;
}

function wordsOf(name: string, own: string | undefined): ReadonlyMap<number, string> {
  if (own !== undefined) return new Map(own.split(' ').map((word, value) => [value, word]));
  const values = Object.entries(characteristicByName(name)?.values ?? {});
  return new Map(values.map(([word, value]) => [value, word]));
}
