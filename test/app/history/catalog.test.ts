import { describe, expect, it } from 'vitest';
import { CATALOG, recordable, stateWord } from '../../../src/app/history/catalog.ts';
import { characteristicByName } from '../../../src/hap-spec/characteristics.ts';

const rowOf = (name: string) => {
  const row = recordable(name);
  if (!row) throw new Error(`${name} has no row`);
  return row;
};

describe('the catalog of what may be recorded', () => {
  it('is found by type, by any spelling, and by the name of a second service', () => {
    for (const spelling of ['25', 'power_state', 'PowerState', 'on', 'public.hap.characteristic.on', 'power_state_2']) {
      expect(recordable(spelling)?.name).toBe('power_state');
    }
    expect(recordable('pm2_5_density')?.name).toBe('pm2_5_density');
    expect(recordable('E863F10D-079E-48FF-8F27-9C2605A29F52')?.name).toBe('eve_energy_watt');
  });

  it('has no button, no text about the accessory and nothing unknown', () => {
    for (const name of [
      'programmable_switch_event',
      'serial_number',
      'name',
      'target_position',
      'nonsense',
      '',
      '_2',
    ]) {
      expect(recordable(name), name).toBeUndefined();
    }
  });

  it('knows every row by the name that the rest of the program uses, each once', () => {
    const names = CATALOG.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    for (const name of names) {
      expect(characteristicByName(name)?.name, name).toBe(name);
    }
  });

  it('keeps the intervals, deadbands and units that clients know', () => {
    const known: readonly [string, number, number, string | null][] = [
      ['current_temperature', 60, 0.1, '°C'],
      ['relative_humidity', 60, 1, '%'],
      ['target_humidity', 300, 1, '%'],
      ['brightness', 5, 1, '%'],
      ['battery_level', 3600, 1, '%'],
      ['eve_energy_kwh', 300, 0.01, 'kWh'],
      ['carbon_dioxide_level', 300, 25, 'ppm'],
      ['carbon_monoxide_peak_level', 900, 1, 'ppm'],
      ['virtual_number', 0, 0, null],
      ['power_state', 0, 0, null],
    ];
    for (const [name, seconds, deadband, unit] of known) {
      expect(rowOf(name)).toMatchObject({ minIntervalMs: seconds * 1000, deadband, unit });
    }
    expect(rowOf('current_ambient_light_level')).toMatchObject({ deadband: 10, deadbandOf: 'percent' });
    expect(rowOf('air_quality')).toMatchObject({ kind: 'enum', minIntervalMs: 300_000 });
    expect(rowOf('virtual_mode').kind).toBe('string');
  });

  it('leaves off by default what few want', () => {
    for (const name of ['hue', 'saturation', 'color_temperature', 'volume', 'mute', 'eve_voltage', 'charging_state']) {
      expect(rowOf(name).byDefault, name).toBe(false);
    }
    expect(rowOf('motion_detected').byDefault).toBe(true);
  });

  it('puts temperature, humidity, light and carbon dioxide first and the battery last', () => {
    const wanted = ['battery_level', 'power_state', 'carbon_dioxide_level', 'relative_humidity', 'current_temperature'];
    const ranked = [...wanted].sort((a, b) => rowOf(a).rank - rowOf(b).rank);
    expect(ranked).toEqual([...wanted].reverse());
    expect(rowOf('battery_level').rank).toBe(CATALOG.length - 1);
  });

  it('has words for states, and a name even for a state that HAP does not know', () => {
    expect(stateWord(rowOf('power_state'), 1)).toBe('on');
    expect(stateWord(rowOf('contact_state'), 1)).toBe('open');
    expect(stateWord(rowOf('heating_cooling_target'), 1)).toBe('heat');
    expect(stateWord(rowOf('lock_current_state'), 1)).toBe('locked');
    expect(stateWord(rowOf('current_door_state'), 3)).toBe('closing');
    expect(stateWord(rowOf('air_quality'), 17)).toBe('unknown_17');
    for (const row of CATALOG) {
      if (row.kind === 'bool') expect([...row.words.keys()], row.name).toEqual([0, 1]);
      if (row.kind === 'enum') expect(row.words.size, row.name).toBeGreaterThan(1);
    }
  });
});
