import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Accessory, CharacteristicValue } from '../../../src/home/model.ts';
import { resolveCharacteristic, resolveSetting } from '../../../src/home/vocabulary/settings.ts';
import { simplify } from '../../../src/home/vocabulary/simplify.ts';
import { HearthError } from '../../../src/kernel/errors.ts';
import { accessory, characteristic, service } from './builders.ts';

const one = (type: string, value: CharacteristicValue = null, overrides = {}) =>
  characteristic(type, { value, ...overrides });

const lamp = accessory([
  service('accessory_information', [one('23', 'Test Lamp'), one('14')]),
  service('lightbulb', [one('25', true), one('8', 40), one('13', 12), one('2F', 50), one('CE', 250)]),
]);
const thermostat = accessory([service('thermostat', [one('F', 1), one('33', 0), one('11', 20), one('35', 21)])]);
const heater = accessory([service('heater_cooler', [one('B0', 1), one('B1', 1), one('B2', 1), one('12', 20)])]);
const lock = accessory([service('lock', [one('1D', 1), one('1E', 1)])]);
const alarm = accessory([service('security_system', [one('66', 3), one('67', 3)])]);
const fan = accessory([service('fanv2', [one('B0', 1), one('29', 40)])]);
const garage = accessory([service('garage_door', [one('32', 1), one('E', 1)])]);
const blind = accessory([service('window_covering', [one('7C', 30), one('6D', 30), one('72', 2)])]);
const speaker = accessory([service('speaker', [one('119', 20), one('11A', false)])]);
const sensor = accessory([service('temperature_sensor', [one('11', 20)]), service('battery', [one('68', 80)])]);
const strip = accessory([service('outlet', [one('25', true)]), service('outlet', [one('25', false)])]);

function written(target: Accessory, property: string, input: unknown) {
  const {
    characteristic: { type },
    value,
  } = resolveSetting(target, property, input);
  return { type, value };
}

function refusal(act: () => unknown): HearthError {
  try {
    act();
  } catch (error) {
    if (error instanceof HearthError) return error;
    throw error;
  }
  throw new Error('was accepted');
}

describe('settings', () => {
  it.each<[string, Accessory, string, unknown, string, CharacteristicValue]>([
    ['on', lamp, 'on', true, '25', true],
    ['on, as words', lamp, 'on', 'off', '25', false],
    ['brightness', lamp, 'brightness', 40, '8', 40],
    ['hue', lamp, 'hue', 360, '13', 360],
    ['saturation', lamp, 'saturation', '77', '2F', 77],
    ['color_temp', lamp, 'color_temp', 250, 'CE', 250],
    ['active of a thermostat that is off', thermostat, 'active', true, '33', 3],
    ['active: false of a thermostat', thermostat, 'active', false, '33', 0],
    ['hvac_mode of a thermostat', thermostat, 'hvac_mode', 'heat', '33', 1],
    ['hvac_mode in any case', thermostat, 'hvac_mode', 'COOL', '33', 2],
    ['hvac_mode off', thermostat, 'hvac_mode', 'off', '33', 0],
    ['target_temp', thermostat, 'target_temp', 21.56, '35', 21.6],
    ['active of a heater', heater, 'active', false, 'B0', 0],
    ['hvac_mode of a heater', heater, 'hvac_mode', 'auto', 'B2', 0],
    ['hvac_mode off of a heater, which has a switch for it', heater, 'hvac_mode', 'off', 'B0', 0],
    ['heat_target', heater, 'heat_target', 19.5, '12', 19.5],
    ['lock_target', lock, 'lock_target', true, '1E', 1],
    ['lock_target as the number of the name-based form', lock, 'lock_target', 0, '1E', 0],
    ['alarm_target', alarm, 'alarm_target', 'away', '67', 1],
    ['alarm_target as the number of the name-based form', alarm, 'alarm_target', 2, '67', 2],
    ['speed', fan, 'speed', 55, '29', 55],
    ['on of a fan that has `active` alone', fan, 'on', true, 'B0', 1],
    ['active of a lamp that has `on` alone', lamp, 'active', false, '25', false],
    ['power_state of a fan that has `active` alone', fan, 'power_state', false, 'B0', 0],
    ['on of a thermostat', thermostat, 'on', false, '33', 0],
    ['target of a blind', blind, 'target', 60, '7C', 60],
    ['target of a garage door: open', garage, 'target', 100, '32', 0],
    ['target of a garage door: closed', garage, 'target', '0', '32', 1],
    ['volume', speaker, 'volume', 30, '119', 30],
    ['mute', speaker, 'mute', 1, '11A', true],
    ['the characteristic’s own name', fan, 'rotation_speed', 12, '29', 12],
    ['its own values with it', garage, 'target_door_state', 0, '32', 0],
    ['its own words with it', thermostat, 'heating_cooling_target', 'auto', '33', 3],
    ['a second outlet', strip, 'on_2', true, '25', true],
  ])('%s', (_name, target, property, input, type, value) => {
    expect(written(target, property, input)).toEqual({ type, value });
  });

  it.each([
    'brightness',
    'Brightness',
    'BRIGHTNESS',
    'public.hap.characteristic.brightness',
    '8',
    '08',
    '00000008-0000-1000-8000-0026BB765291',
    '00000008-0000-1000-8000-0026bb765291',
  ])('are found as %s', (spelling) => {
    expect(written(lamp, spelling, 12)).toEqual({ type: '8', value: 12 });
  });

  it.each([
    'color_temp',
    'colorTemp',
    'ColorTemp',
    'color_temperature',
    'colorTemperature',
    'ColorTemperature',
    'CE',
    'ce',
    'public.hap.characteristic.color-temperature',
    'public.hap.characteristic.color.temperature',
  ])('of two words are found as %s', (spelling) => {
    expect(written(lamp, spelling, 200)).toEqual({ type: 'CE', value: 200 });
  });

  it('reach a vendor’s characteristic by its UUID', () => {
    const type = '6EF066C1-08F8-46DE-9121-B89B77E459E7';
    const vendor = accessory([service('lightbulb', [one(type, 3, { format: 'uint8' })])]);
    expect(written(vendor, type.toLowerCase(), 9)).toEqual({ type, value: 9 });
  });

  it('reach each of several services by number, in every spelling', () => {
    const [first, second] = strip.services;
    expect(resolveSetting(strip, 'on', true).service).toBe(first);
    for (const spelling of ['on_2', 'On_2', 'power_state_2', 'PowerState_2', 'active_2', '25_2']) {
      expect(resolveSetting(strip, spelling, true).service, spelling).toBe(second);
    }
    expect(refusal(() => resolveSetting(strip, 'on_3', true)).code).toBe('characteristic_not_found');
  });

  it('keep a running thermostat’s mode when it is switched on', () => {
    const running = accessory([service('thermostat', [one('33', 2)])]);
    expect(written(running, 'active', true)).toEqual({ type: '33', value: 2 });
  });

  it('switch a thermostat on to a mode that it has', () => {
    const radiator = accessory([service('thermostat', [one('33', 0, { validValues: [0, 1] })])]);
    expect(written(radiator, 'active', true)).toEqual({ type: '33', value: 1 });
    const none = accessory([service('thermostat', [one('33', 0, { validValues: [0] })])]);
    expect(refusal(() => resolveSetting(none, 'active', true)).code).toBe('invalid_value');
  });

  it('can be given to what has no value yet', () => {
    const fresh = accessory([service('lightbulb', [one('25'), one('8')])]);
    expect(written(fresh, 'brightness', 5)).toEqual({ type: '8', value: 5 });
  });
});

describe('refused settings', () => {
  it('of unknown properties name what can be set', () => {
    const error = refusal(() => resolveSetting(lamp, 'colour', 1));
    expect(error.code).toBe('characteristic_not_found');
    expect(error.message).toBe(
      "Unknown property 'colour' on 'Test Lamp'; settable are on, brightness, hue, saturation, color_temp",
    );
    expect(refusal(() => resolveSetting(sensor, 'on', 1)).message).toContain('nothing on it can be set');
    expect(refusal(() => resolveSetting(lamp, 'x'.repeat(10_000), 1)).message.length).toBeLessThan(200);
  });

  it.each([
    [sensor, 'current_temp'],
    [sensor, 'battery'],
    [sensor, 'battery_level'],
    [lock, 'locked'],
    [alarm, 'alarm_state'],
    [garage, 'position'],
    [thermostat, 'hvac_state'],
    [lamp, 'name'],
  ] as const)('are what is read only', (target, property) => {
    const error = refusal(() => resolveSetting(target, property, 1));
    expect(error.code).toBe('characteristic_not_writable');
    expect(error.message).toMatch(/^Characteristic not writable/);
  });

  it.each([
    [lamp, 'brightness', 101, 'a whole number from 0 to 100'],
    [lamp, 'hue', 361, 'a number from 0 to 360'],
    [lamp, 'color_temp', 139, 'a whole number from 140 to 500'],
    [lamp, 'on', 'maybe', 'true or false'],
    [lamp, 'brightness', true, 'a whole number from 0 to 100'],
    [thermostat, 'target_temp', 60, 'a number from 10 to 38'],
    [thermostat, 'hvac_mode', 'dry', 'one of off, heat, cool, auto'],
    [heater, 'hvac_mode', 'dry', 'one of auto, heat, cool'],
    [alarm, 'alarm_target', 'triggered', 'one of home, away, night, off'],
    [alarm, 'alarm_target', 4, 'one of home, away, night, off'],
    [alarm, 'alarm_target', null, 'one of home, away, night, off'],
    [lock, 'lock_target', 2, 'true or false'],
    [garage, 'target', 50, '0 (closed) or 100 (open)'],
    [garage, 'target', '', '0 (closed) or 100 (open)'],
    [garage, 'target', true, '0 (closed) or 100 (open)'],
    [blind, 'target', 101, 'a whole number from 0 to 100'],
    [speaker, 'volume', -1, 'a whole number from 0 to 100'],
  ] as const)('are values outside what is taken', (target, property, input, accepted) => {
    const error = refusal(() => resolveSetting(target, property, input));
    expect(error.code).toBe('invalid_value');
    expect(error.message).toMatch(/^Invalid value /);
    expect(error.message).toContain(`for ${property}: it takes ${accepted}`);
  });

  it('offer only the words that the device takes', () => {
    const partial = accessory([service('security_system', [one('67', 3, { validValues: [1, 3] })])]);
    expect(refusal(() => resolveSetting(partial, 'alarm_target', 'home')).message).toContain('one of away, off');
    expect(written(partial, 'alarm_target', 'away')).toEqual({ type: '67', value: 1 });
  });
});

describe('characteristics', () => {
  it.each(['25', 'on', 'power_state', 'PowerState', 'public.hap.characteristic.on'])('are found as %s', (spelling) => {
    expect(resolveCharacteristic(lamp, spelling).characteristic.type).toBe('25');
  });

  it('are found by simplified property', () => {
    expect(resolveCharacteristic(thermostat, 'hvac_mode').characteristic.type).toBe('33');
    expect(resolveCharacteristic(blind, 'target').characteristic.type).toBe('7C');
  });

  it('are those of the service named, else of the first', () => {
    const [first, second] = strip.services;
    expect(resolveCharacteristic(strip, 'on').service).toBe(first);
    expect(resolveCharacteristic(strip, 'on', second?.iid).service).toBe(second);
  });

  it('stand in for each other', () => {
    expect(resolveCharacteristic(fan, 'power_state').characteristic.type).toBe('B0');
    expect(resolveCharacteristic(lamp, 'active').characteristic.type).toBe('25');
  });

  it('include those that the simplified form leaves out', () => {
    expect(resolveCharacteristic(lamp, 'identify').characteristic.type).toBe('14');
    expect(resolveCharacteristic(lamp, 'name').characteristic.value).toBe('Test Lamp');
  });

  it('that an accessory or service lacks are refused', () => {
    const error = refusal(() => resolveCharacteristic(lamp, 'volume'));
    expect(error.code).toBe('characteristic_not_found');
    expect(error.message).toBe("Characteristic not found: 'Test Lamp' has no 'volume'");
    expect(refusal(() => resolveCharacteristic(strip, 'on', '99999')).code).toBe('characteristic_not_found');
  });
});

describe('reading and writing', () => {
  const all = [lamp, thermostat, heater, lock, alarm, fan, garage, blind, speaker, strip];

  it('are one table: what is shown as settable can be written back, and changes nothing', () => {
    let checked = 0;
    for (const target of all) {
      const { properties, settable } = simplify(target, new Map());
      for (const property of settable) {
        const { characteristic: found, value } = resolveSetting(target, property, properties[property]);
        expect(Number(value), property).toBe(Number(found.value));
        checked += 1;
      }
    }
    expect(checked).toBe(25);
  });

  it('refuse anything odd with an error of ours, for every property and value', () => {
    const spelling = fc.oneof(
      fc.string(),
      fc.constantFrom('on', 'target', 'hvac_mode', 'alarm_target', 'speed', 'on_2', '__proto__'),
    );
    fc.assert(
      fc.property(fc.constantFrom(...all), spelling, fc.anything(), (target, property, input) => {
        try {
          resolveSetting(target, property, input);
        } catch (error) {
          expect(error).toBeInstanceOf(HearthError);
        }
      }),
      { numRuns: 1000 },
    );
  });
});
