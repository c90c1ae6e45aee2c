import texts from 'texts:pickers';
import { describe, expect, it } from 'vitest';
import {
  nearest,
  roundTemperature,
  stepTemperature,
} from '../../../src/web/dashboard/devices/controls/temperature-steps.ts';
import { climateModeWrites, readClimate } from '../../../src/web/dashboard/devices/kinds/climate.ts';
import { kelvinOf, miredsOf, roundKelvin, WHITES } from '../../../src/web/dashboard/devices/light-colours.ts';
import {
  characteristicLabel,
  characteristicText,
  unitSuffix,
} from '../../../src/web/dashboard/devices/panels/characteristic-text.ts';
import { clockText } from '../../../src/web/dashboard/devices/panels/clock-text.ts';
import { controlledServices } from '../../../src/web/dashboard/devices/panels/shown-services.ts';
import { choicesOf, rangeOf } from '../../../src/web/dashboard/devices/reading.ts';
import { accessoryOf, type Services } from '../home/sample-home.ts';
import { plainFormat } from './plain-format.ts';

const en = texts.in('en');

const TARGET = { min: 10, max: 30, step: 0.1 };

function climateOf(services: Services) {
  const accessory = accessoryOf('climate', 'climate', services);
  const [service] = accessory.services;
  if (!service) throw new Error('It has no service');
  return { accessory, service };
}

describe('steps of temperature', () => {
  it.each([
    { from: 21, steps: 1, unit: 'celsius', to: 21.5 },
    { from: 21.3, steps: 1, unit: 'celsius', to: 21.5 },
    { from: 21.3, steps: -1, unit: 'celsius', to: 21 },
    { from: 30, steps: 1, unit: 'celsius', to: 30 },
    { from: 20, steps: 1, unit: 'fahrenheit', to: 20.6 },
    { from: 20.6, steps: -1, unit: 'fahrenheit', to: 20 },
  ] as const)('$from °C and $steps in $unit is $to °C', ({ from, steps, unit, to }) => {
    expect(stepTemperature(from, steps, unit, TARGET)).toBe(to);
  });

  it('never stand still in Fahrenheit on a device that takes tenths', () => {
    let celsius = 10;
    for (let shown = 51; shown <= 86; shown += 1) {
      celsius = stepTemperature(celsius, 1, 'fahrenheit', TARGET);
      expect(Math.round(celsius * 1.8 + 32)).toBe(shown);
    }
  });

  it('end on what the device takes, wherever a finger is', () => {
    expect(roundTemperature(21.37, 'celsius', TARGET)).toBe(21.5);
    expect(roundTemperature(99, 'celsius', TARGET)).toBe(30);
    expect(nearest(18.26, { min: 16, max: 30, step: 1 })).toBe(18);
  });
});

describe('a thermostat and a heater cooler', () => {
  it('offer the modes that they take, and turn what counts in each', () => {
    const thermostat = climateOf({
      thermostat: {
        heating_cooling_target: { value: 1, validValues: ['0', '1'] },
        heating_cooling_current: 0,
        target_temperature: 21,
      },
    });
    expect(readClimate(thermostat.service)).toMatchObject({ modes: ['off', 'heat'], mode: 'heat', doing: 'idle' });
    expect(readClimate(thermostat.service).target?.value).toBe(21);

    const cooler = climateOf({
      heater_cooler: { active: 1, target_heater_cooler_state: 0, heating_threshold: 18, cooling_threshold: 25 },
    });
    const { mode, heatTo, coolTo } = readClimate(cooler.service);
    expect([mode, heatTo?.value, coolTo?.value]).toEqual(['auto', 18, 25]);
  });

  it('are switched in their own words', () => {
    const { accessory, service } = climateOf({ heater_cooler: { active: 0, target_heater_cooler_state: 0 } });
    const writes = (mode: 'off' | 'cool') =>
      climateModeWrites(accessory, service, mode).map(({ characteristicType, value }) => [characteristicType, value]);
    expect(writes('off')).toEqual([['active', 0]]);
    expect(writes('cool')).toEqual([
      ['active', 1],
      ['target_heater_cooler_state', 2],
    ]);
  });
});

describe('what has no words of its own', () => {
  const textOf = (type: string, value: unknown, more: object = {}) => {
    const { services } = accessoryOf('thing', 'other', { service: { [type]: { value, format: 'float', ...more } } });
    const characteristic = services[0]?.characteristics[0];
    return characteristic && characteristicText(characteristic, { texts: en, format: plainFormat });
  };

  it.each([
    ['charging_state', 1, {}, 'Charging'],
    ['current_temperature', 20.5, { unit: 'celsius' }, '20.5 °C'],
    ['pm2_5_density', 11, {}, '11 µg/m³'],
    ['filter_life_level', 64, {}, '64 %'],
    ['battery_level', 8, { unit: 'percentage' }, '8 %'],
    ['voltage', 230.25, { unit: 'V', minStep: 0.1 }, '230.3 V'],
    ['anything', null, {}, undefined],
    ['anything', false, {}, 'No'],
    ['blob', 'A'.repeat(200), { format: 'string' }, `${'A'.repeat(80)} …`],
    ['anything', '<script>', { format: 'string' }, '<script>'],
  ])('%s %j is shown', (type, value, more, text) => {
    expect(textOf(type, value, more)).toBe(text);
  });

  it('is typed with its unit behind it', () => {
    expect(unitSuffix({ type: 'anything', unit: 'percentage' })).toBe(' %');
    expect(unitSuffix({ type: 'pm2_5_density', unit: null })).toBe(' µg/m³');
    expect(unitSuffix({ type: 'anything', unit: 'V' })).toBe(' V');
    expect(unitSuffix({ type: 'anything', unit: null })).toBe('');
  });

  it('has a readable name, or is marked as its maker’s', () => {
    expect(characteristicLabel('target_fan_direction', en)).toBe('Target fan direction');
    expect(characteristicLabel('e863f10a-079e-48ff-8f27-9c2605a29f52', en)).toBe('Custom (E863F10A)');
  });

  it('has ranges and choices only where the device gives some', () => {
    const [service] = accessoryOf('thing', 'other', {
      service: { a: { value: 1, minStep: 0 }, b: { value: 1, validValues: ['0', 'x'] } },
    }).services;
    expect(rangeOf(service?.characteristics[0], TARGET)).toEqual(TARGET);
    expect(choicesOf(service?.characteristics[0])).toBeUndefined();
    expect(choicesOf(service?.characteristics[1])).toEqual([0]);
  });
});

describe('the sheet', () => {
  it('hides what makers made up for their own apps wherever there is something else', () => {
    const own = 'E863F007-079E-48FF-8F27-9C2605A29F52';
    const typesOf = (services: Services) =>
      controlledServices(accessoryOf('thing', 'other', services)).map(({ type }) => type);
    expect(typesOf({ [own]: { a: 1 }, outlet: { power_state: true } })).toEqual(['outlet']);
    expect(typesOf({ [own]: { a: 1 } })).toEqual([own]);
  });

  it('has one panel for all keys of a remote', () => {
    const keys = { 'stateless_programmable_switch 1': {}, 'stateless_programmable_switch 2': {} };
    expect(controlledServices(accessoryOf('remote', 'button', keys))).toHaveLength(1);
  });
});

describe('clocks and whites', () => {
  it.each([
    [245_000, '4:05'],
    [3_600_000, '1:00:00'],
    [400, '0:01'],
    [-5, '0:00'],
  ])('%d ms are %s', (ms, text) => {
    expect(clockText(ms)).toBe(text);
  });

  it('are the same white again from Kelvin to mireds and back', () => {
    for (const { kelvin } of WHITES) expect(roundKelvin(kelvinOf(miredsOf(kelvin)))).toBe(kelvin);
  });
});
