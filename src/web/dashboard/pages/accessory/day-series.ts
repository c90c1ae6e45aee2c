/** Which recorded values of an accessory its sheet shows: what people look for first, one plot and one band at most. */
import { characteristicOf } from '../../devices/reading.ts';
import type { HomeAccessory } from '../../home/home-document.ts';

/** Names that history records, the most informative first. */
const PLOTTED = [
  ...['eve_energy_watt', 'current_temperature', 'relative_humidity', 'carbon_dioxide_level'],
  ...['current_ambient_light_level', 'pm2_5_density', 'voc_density', 'current_position', 'virtual_number'],
  'virtual_count',
];
const BANDS = [
  ...['smoke_detected', 'carbon_monoxide_detected', 'carbon_dioxide_detected', 'leak_detected', 'contact_state'],
  ...['motion_detected', 'occupancy_detected', 'lock_current_state', 'current_door_state'],
  ...['security_system_current_state', 'heating_cooling_current', 'current_heater_cooler_state', 'power_state'],
  ...['active', 'air_quality', 'virtual_mode', 'virtual_timer'],
];

/** @returns the names of the characteristics; none if nothing of the accessory is recorded */
export function daySeriesOf(accessory: HomeAccessory): readonly string[] {
  const first = (names: readonly string[]) =>
    names.find((name) => accessory.services.some((service) => characteristicOf(service, name)));
  return [first(PLOTTED), first(BANDS)].filter((name) => name !== undefined);
}
