import { Characteristic } from '@homebridge/hap-nodejs';
import { characteristicFromUuid } from 'hap-controller/lib/model/characteristic.js';
import { describe, expect, it } from 'vitest';
import {
  CHARACTERISTICS,
  characteristicByName,
  characteristicByType,
  characteristicName,
} from '../../src/hap-spec/characteristics.ts';
import { FORMATS, PERMISSIONS } from '../../src/hap-spec/formats.ts';
import { canonicalType, fullUuid } from '../../src/hap-spec/uuid.ts';

const HAP_PREFIX = 'public.hap.characteristic.';

/** Types of early HAP that HAP-NodeJS has dropped. */
const DROPPED = ['63', '98', '9A', '9B', '9C', '9D', '9E', '9F', 'A0', 'A3', 'A5', 'AE', 'BE'];

interface Definition {
  readonly title: string;
  readonly instance: Characteristic;
  readonly values: Readonly<Record<string, number>>;
}

/** HAP-NodeJS's own definitions, which were generated from Apple's. */
const definitions: readonly Definition[] = Object.values(Characteristic)
  .filter((member): member is typeof Characteristic & (new () => Characteristic) => {
    return typeof member === 'function' && 'UUID' in member && typeof member.UUID === 'string';
  })
  .map((definition) => ({
    title: definition.name,
    instance: new definition(),
    values: Object.fromEntries(
      Object.entries(definition).filter(([key, value]) => typeof value === 'number' && !key.endsWith('_BIT_MASK')),
    ),
  }));

const isVendor = (type: string): boolean => type.length > 8;

describe('the characteristic table against HAP-NodeJS', () => {
  it('finds its definitions', () => {
    expect(definitions.length).toBeGreaterThanOrEqual(247);
  });

  it.each(definitions.map((definition) => [definition.title, definition] as const))(
    'describes %s alike',
    (_title, { title, instance, values }) => {
      const spec = characteristicByType(canonicalType(instance.UUID));
      const { props } = instance;
      expect(spec).toBeDefined();
      expect(spec?.format).toBe(props.format);
      expect([...(spec?.permissions ?? [])].sort()).toEqual([...props.perms].sort());
      expect(spec?.unit).toBe(props.unit);
      expect(spec?.maxLength).toBe(props.maxLen);
      expect(spec?.minStep).toBe(props.minStep);
      // Where HAP-NodeJS lists values instead of a range, ours is the range that they span.
      const listed = props.validValues ?? [];
      const hasRange = props.minValue !== undefined || listed.length === 0;
      expect(spec?.minValue).toBe(hasRange ? props.minValue : Math.min(...listed));
      expect(spec?.maxValue).toBe(hasRange ? props.maxValue : Math.max(...listed));
      const named = Object.entries(values).map(([name, value]) => [name.toLowerCase(), value] as const);
      // `_2_5_m` and `_10_m` (sizes of particles) are called `pm2_5` and `pm10` here.
      const isNamed = named.every(([name]) => !name.startsWith('_'));
      if (isNamed) expect(spec?.values ?? {}).toEqual(Object.fromEntries(named));
      else expect(Object.values(spec?.values ?? {})).toEqual(named.map(([, value]) => value));
      expect(characteristicByName(title)).toBe(spec);
      expect(characteristicByName(instance.displayName)).toBe(spec);
    },
  );

  it('has no further types but the dropped ones and Eve’s', () => {
    const known = new Set(definitions.map(({ instance }) => canonicalType(instance.UUID)));
    const further = CHARACTERISTICS.map(({ type }) => type).filter((type) => !known.has(type) && !isVendor(type));
    expect(further.sort()).toEqual([...DROPPED].sort());
  });
});

describe('the characteristic table', () => {
  it('names HAP types as hap-controller prints them', () => {
    let compared = 0;
    for (const { type, hapName } of CHARACTERISTICS) {
      const printed = characteristicFromUuid(fullUuid(type));
      if (!printed.startsWith(HAP_PREFIX)) continue;
      expect(`${HAP_PREFIX}${hapName}`).toBe(printed);
      compared += 1;
    }
    expect(compared).toBe(249);
  });

  it('uses each type and each name once, in snake_case', () => {
    expect(new Set(CHARACTERISTICS.map(({ type }) => type)).size).toBe(CHARACTERISTICS.length);
    expect(new Set(CHARACTERISTICS.map(({ name }) => name)).size).toBe(CHARACTERISTICS.length);
    expect(new Set(CHARACTERISTICS.map(({ hapName }) => hapName)).size).toBe(CHARACTERISTICS.length);
    for (const { name, aliases } of CHARACTERISTICS) {
      for (const word of [name, ...aliases]) expect(word).toMatch(/^[a-z][a-z0-9]*(_[a-z0-9]+)*$/);
    }
  });

  it('uses only formats and permissions that HAP has, and ranges that are ranges', () => {
    for (const { format, permissions, minValue, maxValue, minStep, values } of CHARACTERISTICS) {
      expect(FORMATS.has(format)).toBe(true);
      expect(permissions.every((permission) => permission in PERMISSIONS)).toBe(true);
      expect(minValue ?? 0).toBeLessThanOrEqual(maxValue ?? Number.POSITIVE_INFINITY);
      expect(minStep ?? 1).toBeGreaterThan(0);
      for (const value of Object.values(values ?? {})) {
        expect(value).toBeGreaterThanOrEqual(minValue ?? 0);
        expect(value).toBeLessThanOrEqual(maxValue ?? 1);
      }
    }
  });

  it('is read both ways: every spelling of every row leads back to it', () => {
    for (const spec of CHARACTERISTICS) {
      const camel = spec.name.replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase());
      const spellings = [
        spec.name,
        spec.name.toUpperCase(),
        camel,
        camel.slice(0, 1).toUpperCase() + camel.slice(1),
        spec.hapName,
        `${HAP_PREFIX}${spec.hapName}`,
        `${HAP_PREFIX}${spec.hapName.replaceAll('-', '.')}`,
        `${HAP_PREFIX}${spec.hapName.replaceAll('.', '-')}`,
        `${HAP_PREFIX}${spec.name}`,
        ...spec.aliases,
        spec.type,
        spec.type.toLowerCase(),
        fullUuid(spec.type),
        fullUuid(spec.type).toLowerCase(),
      ];
      for (const spelling of spellings) expect(characteristicByName(spelling), spelling).toBe(spec);
      expect(characteristicByType(spec.type)).toBe(spec);
      expect(characteristicName(spec.type)).toBe(spec.name);
    }
  });

  it('lets unknown types through by their UUID', () => {
    expect(characteristicByName('d8b76298-42e7-5ffd-b1d6-1782d9a1f936')).toBeUndefined();
    expect(characteristicName('D8B76298-42E7-5FFD-B1D6-1782D9A1F936')).toBe('D8B76298-42E7-5FFD-B1D6-1782D9A1F936');
    expect(characteristicName('FFF')).toBe('00000FFF-0000-1000-8000-0026BB765291');
    expect(characteristicByName('')).toBeUndefined();
    expect(characteristicByName('__proto__')).toBeUndefined();
    expect(characteristicByName('public.hap.characteristic.')).toBeUndefined();
  });
});

/** The names that existing clients know (characteristics of the API's own word list). */
describe('the words that clients know', () => {
  it.each(
    Object.entries({
      power_state: '25',
      brightness: '8',
      hue: '13',
      saturation: '2F',
      color_temperature: 'CE',
      current_temperature: '11',
      target_temperature: '35',
      heating_cooling_current: 'F',
      heating_cooling_target: '33',
      heating_threshold: '12',
      cooling_threshold: 'D',
      relative_humidity: '10',
      target_humidity: '34',
      temperature_units: '36',
      current_heater_cooler_state: 'B1',
      target_heater_cooler_state: 'B2',
      swing_mode: 'B6',
      lock_physical_controls: 'A7',
      current_fan_state: 'AF',
      target_fan_state: 'BF',
      current_air_purifier_state: 'A9',
      target_air_purifier_state: 'A8',
      current_humidifier_dehumidifier_state: 'B3',
      target_humidifier_dehumidifier_state: 'B4',
      water_level: 'B5',
      current_tilt_angle: 'C1',
      target_tilt_angle: 'C2',
      slat_type: 'C0',
      current_slat_state: 'AA',
      obstruction_detected: '24',
      hold_position: '6F',
      current_horizontal_tilt: '6C',
      target_horizontal_tilt: '7B',
      current_vertical_tilt: '6E',
      target_vertical_tilt: '7D',
      active: 'B0',
      in_use: 'D2',
      is_configured: 'D6',
      program_mode: 'D1',
      status_active: '75',
      lock_current_state: '1D',
      lock_target_state: '1E',
      current_position: '6D',
      target_position: '7C',
      position_state: '72',
      motion_detected: '22',
      occupancy_detected: '71',
      contact_state: '6A',
      smoke_detected: '76',
      carbon_monoxide_detected: '69',
      carbon_dioxide_detected: '92',
      current_ambient_light_level: '6B',
      air_quality: '95',
      leak_detected: '70',
      current_door_state: 'E',
      carbon_monoxide_level: '90',
      carbon_monoxide_peak_level: '91',
      carbon_dioxide_level: '93',
      carbon_dioxide_peak_level: '94',
      pm2_5_density: 'C6',
      pm10_density: 'C7',
      voc_density: 'C8',
      battery_level: '68',
      charging_state: '8F',
      status_low_battery: '79',
      rotation_speed: '29',
      rotation_direction: '28',
      outlet_in_use: '26',
      security_system_current_state: '66',
      security_system_target_state: '67',
      volume: '119',
      mute: '11A',
      night_vision: '11B',
      event_snapshots_active: '223',
      diagonal_field_of_view: '224',
      periodic_snapshots_active: '225',
      recording_audio_active: '226',
      manually_disabled: '227',
      name: '23',
      identify: '14',
      manufacturer: '20',
      model: '21',
      serial_number: '30',
      firmware_revision: '52',
      hardware_revision: '53',
      configured_name: 'E3',
      label_index: 'CB',
      label_namespace: 'CD',
      version: '37',
      accessory_flags: 'A6',
      product_data: '220',
      target_door_state: '32',
      programmable_switch_event: '73',
      status_fault: '77',
      status_tampered: '7A',
      set_duration: 'D3',
      remaining_duration: 'D4',
      valve_type: 'D5',
      filter_life_level: 'AB',
      filter_change_indication: 'AC',
      filter_reset: 'AD',
      nitrogen_dioxide_density: 'C4',
      ozone_density: 'C3',
      sulphur_dioxide_density: 'C5',
      eve_energy_watt: 'E863F10D-079E-48FF-8F27-9C2605A29F52',
      eve_energy_kwh: 'E863F10C-079E-48FF-8F27-9C2605A29F52',
      eve_air_pressure: 'E863F10F-079E-48FF-8F27-9C2605A29F52',
    }),
  )('%s is %s', (name, type) => {
    expect(characteristicName(type)).toBe(name);
  });

  it('takes the older words too', () => {
    expect(characteristicByName('on')?.name).toBe('power_state');
    expect(characteristicByName('eve_current_consumption')?.name).toBe('eve_energy_watt');
    expect(characteristicByName('eve_total_consumption')?.name).toBe('eve_energy_kwh');
    expect(characteristicByName('eve_motion_sensitivity')?.name).toBe('eve_sensitivity');
    expect(characteristicByName('targetTemperature')?.type).toBe('35');
    expect(characteristicByName('lockTargetState')?.type).toBe('1E');
  });
});
