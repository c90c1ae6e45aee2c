/** What a room measures. */
import { characteristicOf, servicesOf } from '../../devices/reading.ts';
import type { HomeAccessory } from '../../home/home-document.ts';
import type { SeriesRef } from '../history/window.ts';

/** What measures a room, the best first: a lamp or a plug measures itself. */
const MEASURED = [
  ['current_temperature', ['temperature_sensor', 'thermostat', 'heater_cooler']],
  ['relative_humidity', ['humidity_sensor', 'humidifier_dehumidifier', 'thermostat']],
] as const;

/** One series of each quantity, of an accessory that responds if there is one. @param accessories in their order */
export function measuredIn(accessories: readonly HomeAccessory[]): readonly SeriesRef[] {
  const sorted = accessories.toSorted((a, b) => Number(b.isReachable) - Number(a.isReachable));
  return MEASURED.flatMap(([characteristicType, types]) => {
    const measures = (type: string) => (accessory: HomeAccessory) =>
      servicesOf(accessory, type).some((service) => characteristicOf(service, characteristicType));
    const found = types.map((type) => sorted.find(measures(type))).find((accessory) => accessory !== undefined);
    return found ? [{ accessoryId: found.id, characteristicType }] : [];
  });
}
