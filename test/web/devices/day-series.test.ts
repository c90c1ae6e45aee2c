import { describe, expect, it } from 'vitest';
import { daySeriesOf } from '../../../src/web/dashboard/pages/accessory/day-series.ts';
import { placeAt } from '../../../src/web/dashboard/shell/home-place.tsx';
import { accessoryOf } from '../home/sample-home.ts';

describe('the last day on a sheet', () => {
  it('is one measurement and one state: what people look for first', () => {
    const outlet = accessoryOf('Plug', 'outlet', {
      outlet: { power_state: true, eve_energy_watt: 12, eve_energy_kwh: 3 },
    });
    expect(daySeriesOf(outlet)).toEqual(['eve_energy_watt', 'power_state']);
    const sensor = accessoryOf('Sensor', 'motion', {
      motion_sensor: { motion_detected: false },
      temperature_sensor: { current_temperature: 20 },
      battery: { battery_level: 50, status_low_battery: 0 },
    });
    expect(daySeriesOf(sensor)).toEqual(['current_temperature', 'motion_detected']);
  });

  it('is nothing where history records nothing', () => {
    expect(
      daySeriesOf(
        accessoryOf('Button', 'button', { stateless_programmable_switch: { programmable_switch_event: null } }),
      ),
    ).toEqual([]);
  });
});

describe('the place of an address', () => {
  it('is the home, a room or an accessory; settings of the home are a page of their own', () => {
    expect(placeAt('/')).toEqual({});
    expect(placeAt('/rooms/r1')).toEqual({ roomId: 'r1' });
    expect(placeAt('/accessories/a%20b/')).toEqual({ accessoryId: 'a b' });
    for (const path of ['/rooms', '/rooms/settings', '/accessories', '/accessories/1/2', '/scenes/1', '/rooms/%']) {
      expect(placeAt(path)).toBeUndefined();
    }
  });
});
