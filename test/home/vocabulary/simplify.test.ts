import { describe, expect, it } from 'vitest';
import type { Accessory, CharacteristicValue, Service } from '../../../src/home/model.ts';
import { simplify } from '../../../src/home/vocabulary/simplify.ts';
import { accessory, characteristic, service } from './builders.ts';

const NO_PRESSES = new Map();

const one = (type: string, value: CharacteristicValue, overrides = {}) => characteristic(type, { value, ...overrides });

function shown(...services: readonly Service[]) {
  return simplify(accessory(services), NO_PRESSES);
}

/** The properties that a single characteristic is shown as. */
function propertyOf(serviceName: string, type: string, value: CharacteristicValue) {
  return shown(service(serviceName, [one(type, value)])).properties;
}

describe('each row of the property table', () => {
  it.each<[string, string, CharacteristicValue, Record<string, unknown>]>([
    ['lightbulb', '25', true, { on: true }],
    ['lightbulb', '25', 0, { on: false }],
    ['air_purifier', 'B0', 1, { active: true, on: true }],
    ['air_purifier', 'B0', 0, { active: false, on: false }],
    ['motion_sensor', '75', true, { status_active: true }],
    ['lightbulb', '8', 40.4, { brightness: 40 }],
    ['lightbulb', '13', 120.5, { hue: 120.5 }],
    ['lightbulb', '2F', 33, { saturation: 33 }],
    ['lightbulb', 'CE', 250.06, { color_temp: 250.1 }],
    ['temperature_sensor', '11', 21.399999618530273, { current_temp: 21.4 }],
    ['thermostat', '35', 21.06, { target_temp: 21.1 }],
    ['thermostat', '12', 18, { heat_target: 18 }],
    ['thermostat', 'D', 25.04, { cool_target: 25 }],
    ['heater_cooler', 'B2', 0, { hvac_mode: 'auto' }],
    ['heater_cooler', 'B2', 1, { hvac_mode: 'heat' }],
    ['heater_cooler', 'B2', 2, { hvac_mode: 'cool' }],
    ['heater_cooler', 'B2', 9, { hvac_mode: 'unknown_9' }],
    ['heater_cooler', 'B1', 0, { hvac_state: 'inactive' }],
    ['heater_cooler', 'B1', 1, { hvac_state: 'idle' }],
    ['heater_cooler', 'B1', 2, { hvac_state: 'heating' }],
    ['heater_cooler', 'B1', 3, { hvac_state: 'cooling' }],
    ['heater_cooler', 'B1', 4, { hvac_state: 'unknown_4' }],
    ['lock', '1D', 1, { locked: true }],
    ['lock', '1D', 0, { locked: false }],
    ['lock', '1D', 2, { locked: false }],
    ['lock', '1D', true, { locked: true }],
    ['lock', '1E', 1, { lock_target: true }],
    ['lock', '1E', 0, { lock_target: false }],
    ['security_system', '66', 0, { alarm_state: 'home' }],
    ['security_system', '66', 1, { alarm_state: 'away' }],
    ['security_system', '66', 2, { alarm_state: 'night' }],
    ['security_system', '66', 3, { alarm_state: 'off' }],
    ['security_system', '66', 4, { alarm_state: 'triggered' }],
    ['security_system', '66', 7, { alarm_state: 'unknown_7' }],
    ['security_system', '67', 2, { alarm_target: 'night' }],
    ['motion_sensor', '22', 1, { motion: true }],
    ['occupancy_sensor', '71', 1, { occupancy: true, occupancy_detected: 1 }],
    ['contact_sensor', '6A', 0, { contact: false }],
    ['contact_sensor', '6A', 1, { contact: true }],
    ['battery', '68', 87.6, { battery: 88 }],
    ['battery', '79', 1, { low_battery: true }],
    ['battery', '8F', 2, { charging_state: 2 }],
    ['speaker', '119', 30, { volume: 30 }],
    ['speaker', '11A', 0, { mute: false }],
    ['fan', '29', 66.7, { speed: 67 }],
    ['window_covering', '7C', 100, { target: 100 }],
    ['window_covering', '6D', 42, { position: 42, current_position: 42 }],
    ['garage_door', '32', 0, { target: 100, target_door_state: 0 }],
    ['garage_door', '32', 1, { target: 0, target_door_state: 1 }],
    ['garage_door', 'E', 0, { position: 100, current_door_state: 0 }],
    ['garage_door', 'E', 1, { position: 0, current_door_state: 1 }],
    ['garage_door', 'E', 2, { position: 50, current_door_state: 2 }],
    ['garage_door', 'E', 4, { position: 50, current_door_state: 4 }],
    ['light_sensor', '6B', 120.5, { ambient_light: 120.5, current_ambient_light_level: 120.5 }],
    // All others under their own names.
    ['humidity_sensor', '10', 45, { relative_humidity: 45 }],
    ['outlet', '26', true, { outlet_in_use: true }],
    ['leak_sensor', '70', 1, { leak_detected: 1 }],
    ['fan', '28', 1, { rotation_direction: 1 }],
    ['window_covering', 'C2', -45, { target_tilt_angle: -45 }],
    ['outlet', 'E863F10D-079E-48FF-8F27-9C2605A29F52', 4.5, { eve_energy_watt: 4.5 }],
  ])('%s: %s of %j is %j', (serviceName, type, value, properties) => {
    expect(propertyOf(serviceName, type, value)).toEqual(properties);
  });
});

describe('what is left out', () => {
  it.each([
    ['a value that is not known', 'lightbulb', '25', null],
    ['the name', 'lightbulb', '23', 'Lamp'],
    ['identify', 'lightbulb', '14', true],
    ['the manufacturer, wherever it is', 'lightbulb', '20', 'Maker'],
    ['everything of the accessory information service', 'accessory_information', 'A6', 0],
    ['everything of the label service', 'label', 'CD', 1],
    ['the version of the protocol, which every accessory has', 'protocol_information', '37', '1.1.0'],
    ['types that have no name', 'lightbulb', '6EF066C1-08F8-46DE-9121-B89B77E459E7', 5],
    ['TLV8', 'camera_rtp_stream_management', '120', 'AQEA'],
    ['text where a number belongs', 'lightbulb', '8', 'NULL'],
  ])('is %s', (_name, serviceName, type, value) => {
    expect(propertyOf(serviceName, type, value)).toEqual({});
  });
});

describe('the settable list', () => {
  it('holds what is writable and has a value now', () => {
    const { settable } = shown(
      service('lightbulb', [
        one('25', true),
        one('8', null),
        one('13', 20),
        one('2F', 30, { permissions: ['pr', 'ev'] }),
        one('23', 'Lamp'),
      ]),
    );
    expect(settable).toEqual(['on', 'hue']);
  });

  it('is empty for sensors', () => {
    expect(shown(service('motion_sensor', [one('22', true)])).settable).toEqual([]);
  });

  it('has no word twice', () => {
    const { settable } = shown(service('fanv2', [one('B0', 1), one('29', 40)]));
    expect(settable).toEqual(['active', 'on', 'speed']);
  });
});

/** The keys that the Home Assistant integration reads and writes, by device type. */
describe('what clients need', () => {
  const homes: readonly [string, Accessory, Record<string, unknown>, readonly string[]][] = [
    [
      'light',
      accessory([service('lightbulb', [one('25', true), one('8', 40), one('13', 12), one('2F', 50), one('CE', 250)])]),
      { on: true, brightness: 40, hue: 12, saturation: 50, color_temp: 250 },
      ['on', 'brightness', 'hue', 'saturation', 'color_temp'],
    ],
    ['switch', accessory([service('switch', [one('25', false)])]), { on: false }, ['on']],
    ['outlet', accessory([service('outlet', [one('25', true), one('26', true)])]), { on: true }, ['on']],
    [
      'climate',
      accessory([
        service('thermostat', [one('F', 1), one('33', 3), one('11', 20.5), one('35', 21), one('12', 18), one('D', 25)]),
      ]),
      {
        active: true,
        hvac_mode: 'auto',
        hvac_state: 'heating',
        current_temp: 20.5,
        target_temp: 21,
        heat_target: 18,
        cool_target: 25,
      },
      ['active', 'hvac_mode', 'target_temp', 'heat_target', 'cool_target'],
    ],
    [
      'climate',
      accessory([service('heater_cooler', [one('B0', 1), one('B1', 2), one('B2', 1), one('11', 20), one('12', 22)])]),
      { active: true, hvac_mode: 'heat', hvac_state: 'heating', current_temp: 20, heat_target: 22 },
      ['active', 'hvac_mode', 'heat_target'],
    ],
    [
      'lock',
      accessory([service('lock', [one('1D', 1), one('1E', 1)])]),
      { locked: true, lock_target: true },
      ['lock_target'],
    ],
    ['blind', accessory([service('window_covering', [one('7C', 30), one('6D', 40)])]), { target: 30 }, ['target']],
    ['blind', accessory([service('garage_door', [one('32', 1), one('E', 1)])]), { target: 0, position: 0 }, ['target']],
    ['fan', accessory([service('fanv2', [one('B0', 1), one('29', 40)])]), { on: true, speed: 40 }, ['on', 'speed']],
    ['fan', accessory([service('fan', [one('25', true), one('29', 40)])]), { on: true, speed: 40 }, ['on', 'speed']],
    [
      'alarm',
      accessory([service('security_system', [one('66', 4), one('67', 1)])]),
      { alarm_state: 'triggered', alarm_target: 'away' },
      ['alarm_target'],
    ],
    [
      'motion',
      accessory([service('motion_sensor', [one('22', true)]), service('battery', [one('68', 80), one('79', 0)])]),
      { motion: true, battery: 80, low_battery: false },
      [],
    ],
    ['contact', accessory([service('contact_sensor', [one('6A', 1)])]), { contact: true }, []],
    ['temperature', accessory([service('temperature_sensor', [one('11', 19.04)])]), { current_temp: 19 }, []],
    ['light_sensor', accessory([service('light_sensor', [one('6B', 7)])]), { ambient_light: 7 }, []],
  ];

  it.each(homes)('%s', (type, target, properties, settable) => {
    const result = simplify(target, NO_PRESSES);
    expect(result.type).toBe(type);
    expect(result.properties).toMatchObject(properties);
    expect(result.settable).toEqual(expect.arrayContaining([...settable]));
  });
});

describe('thermostats', () => {
  it.each([
    [0, 0, { active: false, hvac_mode: 'off', hvac_state: 'inactive' }],
    [1, 0, { active: true, hvac_mode: 'heat', hvac_state: 'idle' }],
    [1, 1, { active: true, hvac_mode: 'heat', hvac_state: 'heating' }],
    [2, 2, { active: true, hvac_mode: 'cool', hvac_state: 'cooling' }],
    [3, 0, { active: true, hvac_mode: 'auto', hvac_state: 'idle' }],
  ])('of target %d and current state %d', (target, current, properties) => {
    const result = shown(service('thermostat', [one('F', current), one('33', target)])).properties;
    expect(result).toEqual({ ...properties, heating_cooling_target: target, heating_cooling_current: current });
  });
});

describe('buttons and doorbells', () => {
  const button = characteristic('73');
  const bell = accessory([service('doorbell', [button])]);
  const pressed = (value: number) => new Map([[button.iid, { value }]]);

  it('show the press that is to be shown', () => {
    expect(simplify(bell, pressed(0)).properties).toEqual({ programmable_switch_event: 0 });
    expect(simplify(bell, pressed(2)).properties).toEqual({ programmable_switch_event: 2 });
    expect(simplify(bell, NO_PRESSES).properties).toEqual({});
  });

  it('never show a device’s value on a read', () => {
    const stale = accessory([service('doorbell', [characteristic('73', { value: 1 })])]);
    expect(simplify(stale, NO_PRESSES).properties).toEqual({});
  });

  it('of a remote with several buttons keep their numbers whichever is pressed', () => {
    const second = characteristic('73');
    const remote = accessory([
      service('stateless_programmable_switch', [characteristic('73'), one('CB', 1)]),
      service('stateless_programmable_switch', [second, one('CB', 2)]),
    ]);
    expect(simplify(remote, new Map([[second.iid, { value: 1 }]])).properties).toEqual({
      label_index: 1,
      programmable_switch_event_2: 1,
      label_index_2: 2,
    });
  });
});

describe('accessories with several services alike', () => {
  const outlet = (on: boolean, overrides = {}) => service('outlet', [one('25', on)], overrides);

  it('number the further ones from 2, in service order, settable alike', () => {
    const { properties, settable } = shown(outlet(true), outlet(false), outlet(true));
    expect(properties).toEqual({ on: true, on_2: false, on_3: true });
    expect(settable).toEqual(['on', 'on_2', 'on_3']);
  });

  it('give the plain name to the primary service', () => {
    expect(shown(outlet(false), outlet(true, { primary: true }), outlet(false)).properties).toEqual({
      on_2: false,
      on: true,
      on_3: false,
    });
  });

  it('without a primary one, to the service that makes them what they are', () => {
    const fan = service('fan', [one('25', false)]);
    const lamp = service('lightbulb', [one('25', true)]);
    expect(shown(fan, lamp)).toMatchObject({ type: 'light', properties: { on: true, on_2: false } });
  });

  it('keep the numbers when a value is missing', () => {
    expect(shown(service('outlet', [characteristic('25')]), outlet(true)).properties).toEqual({ on_2: true });
  });

  it('number what stands in for `on` alike', () => {
    const valve = (active: number) => service('valve', [one('B0', active)]);
    expect(shown(valve(1), valve(0)).properties).toEqual({ active: true, on: true, active_2: false, on_2: false });
  });

  it('show no stand-in where both words are there', () => {
    const both = shown(service('lightbulb', [one('25', true)]), service('humidifier_dehumidifier', [one('B0', 0)]));
    expect(both.properties).toEqual({ on: true, active: false });
  });
});

describe('values that change', () => {
  it('show at once, for what is remembered is the shape alone', () => {
    const on = { ...characteristic('25'), value: false as CharacteristicValue };
    const lamp = accessory([service('lightbulb', [on])]);
    expect(simplify(lamp, NO_PRESSES).properties).toEqual({ on: false });
    on.value = true;
    expect(simplify(lamp, NO_PRESSES).properties).toEqual({ on: true });
  });
});
