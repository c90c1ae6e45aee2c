/** One row for each thing that a device can be: the text of its tile, in which colour, and what a tap on it does. */
import texts from 'texts:devices';
import { describe, expect, it } from 'vitest';
import { VIRTUAL_TYPES } from '../../../src/home/model.ts';
import {
  describeState,
  deviceLevel,
  deviceLight,
  deviceTone,
  isActive,
  kindOf,
  mainActOf,
  warningsOf,
} from '../../../src/web/dashboard/devices/devices.ts';
import { levelAfter } from '../../../src/web/dashboard/devices/level.ts';
import { accessoryOf, type Services } from '../home/sample-home.ts';
import { plainFormat } from './plain-format.ts';

const en = texts.in('en');
const de = texts.in('de');

interface Row {
  readonly type: string;
  readonly services: Services;
  readonly text: string;
  readonly tone: string;
  /** What is written, or which operation is carried out; `asks` with the question before. */
  readonly tap?: string;
}

const ENUM = (value: number) => ({ value, format: 'uint8', validValues: ['0', '1', '2', '3'] });
const READ_ONLY = (value: unknown) => ({ value, canWrite: false });

const ROWS: readonly Row[] = [
  {
    type: 'light',
    services: { lightbulb: { power_state: true, brightness: 40 } },
    text: 'On · 40 %',
    tone: 'on',
    tap: 'power_state=false',
  },
  {
    type: 'light',
    services: { lightbulb: { power_state: false, brightness: 40 } },
    text: 'Off',
    tone: 'off',
    tap: 'power_state=true',
  },
  { type: 'light', services: { lightbulb: { power_state: READ_ONLY(true) } }, text: 'On', tone: 'on' },
  { type: 'switch', services: { switch: { power_state: false } }, text: 'Off', tone: 'off', tap: 'power_state=true' },
  { type: 'outlet', services: { outlet: { power_state: true } }, text: 'On', tone: 'on', tap: 'power_state=false' },
  {
    type: 'outlet',
    services: { 'outlet 1': { power_state: true }, 'outlet 2': { power_state: false } },
    text: '1 of 2 on',
    tone: 'on',
  },
  {
    type: 'climate',
    services: {
      thermostat: {
        heating_cooling_target: ENUM(1),
        heating_cooling_current: ENUM(1),
        current_temperature: 21.5,
        target_temperature: 22,
      },
    },
    text: '21.5 °C · heating to 22 °C',
    tone: 'warm',
  },
  {
    type: 'climate',
    services: {
      thermostat: {
        heating_cooling_target: ENUM(3),
        heating_cooling_current: ENUM(0),
        current_temperature: 21,
        heating_threshold: 19,
        cooling_threshold: 24,
      },
    },
    text: '21 °C · set to 19 °C–24 °C',
    tone: 'off',
  },
  {
    type: 'climate',
    services: {
      thermostat: {
        heating_cooling_target: ENUM(3),
        heating_cooling_current: ENUM(1),
        heating_threshold: 19,
        cooling_threshold: 24,
      },
    },
    text: 'heating to 19 °C',
    tone: 'warm',
  },
  {
    type: 'climate',
    services: { heater_cooler: { active: 0, current_temperature: 21, target_heater_cooler_state: 1 } },
    text: '21 °C · Off',
    tone: 'off',
  },
  {
    type: 'climate',
    services: {
      heater_cooler: {
        active: 1,
        current_heater_cooler_state: 3,
        target_heater_cooler_state: 2,
        cooling_threshold: 20,
      },
    },
    text: 'cooling to 20 °C',
    tone: 'cool',
  },
  {
    type: 'lock',
    services: { lock: { lock_current_state: 1, lock_target_state: 1 } },
    text: 'Locked',
    tone: 'off',
    tap: 'asks unlock: lock_target_state=0',
  },
  {
    type: 'lock',
    services: { lock: { lock_current_state: 0, lock_target_state: 0 } },
    text: 'Unlocked',
    tone: 'note',
    tap: 'lock_target_state=1',
  },
  {
    type: 'lock',
    services: { lock: { lock_current_state: 1, lock_target_state: 0 } },
    text: 'Unlocking …',
    tone: 'note',
    tap: 'lock_target_state=1',
  },
  {
    type: 'lock',
    services: { lock: { lock_current_state: 2, lock_target_state: 1 } },
    text: 'Jammed',
    tone: 'bad',
    tap: 'lock_target_state=1',
  },
  {
    type: 'alarm',
    services: { security_system: { security_system_current_state: 1, security_system_target_state: 1 } },
    text: 'Away',
    tone: 'good',
  },
  {
    type: 'alarm',
    services: { security_system: { security_system_current_state: 3, security_system_target_state: 1 } },
    text: 'Changing to “Away” …',
    tone: 'off',
  },
  {
    type: 'alarm',
    services: { security_system: { security_system_current_state: 4, security_system_target_state: 1 } },
    text: 'Alarm',
    tone: 'bad',
  },
  {
    type: 'blind',
    services: { window_covering: { current_position: 30, target_position: 30, position_state: 2 } },
    text: '30 % open',
    tone: 'plain',
    tap: 'target_position=0',
  },
  {
    type: 'blind',
    services: { window_covering: { current_position: 0, target_position: 0, position_state: 2 } },
    text: 'Closed',
    tone: 'off',
    tap: 'target_position=100',
  },
  {
    type: 'blind',
    services: { window_covering: { current_position: 30, target_position: 100 } },
    text: 'Opening …',
    tone: 'plain',
    tap: 'target_position=0',
  },
  {
    type: 'blind',
    services: { window: { current_position: 100, target_position: 100, obstruction_detected: true } },
    text: 'Obstructed · Open',
    tone: 'bad',
  },
  {
    type: 'blind',
    services: { garage_door: { current_door_state: 1, target_door_state: 1 } },
    text: 'Closed',
    tone: 'off',
    tap: 'asks openGarage: target_door_state=0',
  },
  {
    type: 'blind',
    services: { garage_door: { current_door_state: 0, target_door_state: 0 } },
    text: 'Open',
    tone: 'note',
    tap: 'asks closeGarage: target_door_state=1',
  },
  {
    type: 'motion',
    services: { motion_sensor: { motion_detected: true }, light_sensor: { current_ambient_light_level: 12.4 } },
    text: 'Motion · 12 lx',
    tone: 'plain',
  },
  { type: 'motion', services: { occupancy_sensor: { occupancy_detected: 0 } }, text: 'Not occupied', tone: 'off' },
  { type: 'contact', services: { contact_sensor: { contact_state: 1 } }, text: 'Open', tone: 'plain' },
  {
    type: 'temperature',
    services: { temperature_sensor: { current_temperature: 21.24 }, humidity_sensor: { relative_humidity: 51 } },
    text: '21.2 °C · 51 % humidity',
    tone: 'off',
  },
  {
    type: 'light_sensor',
    services: { light_sensor: { current_ambient_light_level: 0.32 } },
    text: '0.3 lx',
    tone: 'off',
  },
  { type: 'sensor', services: { leak_sensor: { leak_detected: 1 } }, text: 'Leak', tone: 'bad' },
  { type: 'sensor', services: { smoke_sensor: { smoke_detected: 0 } }, text: 'No smoke', tone: 'off' },
  {
    type: 'sensor',
    services: { carbon_dioxide_sensor: { carbon_dioxide_detected: 1, carbon_dioxide_level: 1400 } },
    text: 'Too much CO₂ · 1400 ppm',
    tone: 'bad',
  },
  {
    type: 'sensor',
    services: { carbon_monoxide_sensor: { carbon_monoxide_detected: 0 } },
    text: 'No carbon monoxide',
    tone: 'off',
  },
  { type: 'sensor', services: { air_quality_sensor: { air_quality: 5 } }, text: 'Very bad air', tone: 'note' },
  { type: 'sensor', services: { leak_sensor: { leak_detected: null } }, text: 'No value yet', tone: 'off' },
  {
    type: 'fan',
    services: { fan: { active: 1, rotation_speed: 40 } },
    text: 'On · 40 %',
    tone: 'cool',
    tap: 'active=0',
  },
  { type: 'fan', services: { fan: { power_state: false } }, text: 'Off', tone: 'off', tap: 'power_state=true' },
  {
    type: 'purifier',
    services: { air_purifier: { active: 1, current_air_purifier_state: 1 } },
    text: 'On · idle',
    tone: 'good',
    tap: 'active=0',
  },
  {
    type: 'humidifier',
    services: {
      humidifier_dehumidifier: { active: 1, current_humidifier_dehumidifier_state: 2, relative_humidity: 44 },
    },
    text: 'On · humidifying · 44 %',
    tone: 'cool',
    tap: 'active=0',
  },
  { type: 'valve', services: { valve: { active: 1, in_use: 1 } }, text: 'Running', tone: 'cool', tap: 'active=0' },
  {
    type: 'valve',
    services: { valve: { active: 1, in_use: 0 } },
    text: 'Open, no water',
    tone: 'cool',
    tap: 'active=0',
  },
  {
    type: 'speaker',
    services: { speaker: { mute: false, volume: 35 } },
    text: 'Volume 35 %',
    tone: 'off',
    tap: 'mute=true',
  },
  {
    type: 'button',
    services: { stateless_programmable_switch: { programmable_switch_event: 1 } },
    text: 'Pressed twice',
    tone: 'plain',
  },
  { type: 'doorbell', services: { doorbell: { programmable_switch_event: null } }, text: 'Ready', tone: 'off' },
  {
    type: 'camera',
    services: { camera_rtp_stream_management: {}, motion_sensor: { motion_detected: true } },
    text: 'Ready · Motion',
    tone: 'plain',
  },
  {
    type: 'input_boolean',
    services: { switch: { power_state: true } },
    text: 'On',
    tone: 'on',
    tap: 'power_state=false',
  },
  {
    type: 'input_number',
    services: { virtual_number: { virtual_number: { value: 2.5, format: 'float', minStep: 0.5, unit: 'kWh' } } },
    text: '2.5 kWh',
    tone: 'off',
  },
  {
    type: 'input_select',
    services: { virtual_mode: { virtual_mode: '<b>Away</b>' } },
    text: '<b>Away</b>',
    tone: 'off',
  },
  { type: 'input_text', services: { virtual_text: { virtual_text: '' } }, text: 'Empty', tone: 'off' },
  { type: 'input_datetime', services: { virtual_datetime: { virtual_datetime: '07:30' } }, text: '07:30', tone: 'off' },
  { type: 'counter', services: { virtual_count: { virtual_count: 12 } }, text: '12', tone: 'off' },
  {
    type: 'timer',
    services: { virtual_timer: { virtual_timer: 'idle' } },
    text: 'Not running',
    tone: 'off',
    tap: 'start',
  },
  {
    type: 'timer',
    services: { virtual_timer: { virtual_timer: 'active' } },
    text: 'Running',
    tone: 'on',
    tap: 'pause',
  },
  { type: 'timer', services: { virtual_timer: { virtual_timer: READ_ONLY('paused') } }, text: 'Paused', tone: 'on' },
  {
    type: 'speaker',
    services: {
      speaker: { mute: false, volume: 20 },
      television: { active: 1, active_identifier: 2 },
      'input_source 1': { identifier: 1, configured_name: 'HDMI' },
      'input_source 2': { identifier: 2, configured_name: '<b>Films</b>' },
    },
    text: 'On · <b>Films</b>',
    tone: 'on',
    tap: 'active=0',
  },
  { type: 'other', services: { television: { active: 0 } }, text: 'Off', tone: 'off', tap: 'active=1' },
  {
    type: 'other',
    services: { smart_speaker: { current_media_state: 0, mute: false, volume: 35 } },
    text: 'Playing · Volume 35 %',
    tone: 'on',
    tap: 'mute=true',
  },
  // An unknown value does not count as off, closed or standing still.
  {
    type: 'light',
    services: { lightbulb: { power_state: null } },
    text: 'No value yet',
    tone: 'off',
    tap: 'power_state=true',
  },
  { type: 'climate', services: { thermostat: { heating_cooling_target: null } }, text: 'No value yet', tone: 'off' },
  { type: 'fan', services: { fan: { active: null } }, text: 'No value yet', tone: 'off', tap: 'active=1' },
  { type: 'valve', services: { valve: { active: null } }, text: 'No value yet', tone: 'off', tap: 'active=1' },
  {
    type: 'blind',
    services: { window_covering: { current_position: null, target_position: null } },
    text: 'No value yet',
    tone: 'off',
    tap: 'target_position=0',
  },
  { type: 'other', services: { accessory_information: { name: 'Bridge' } }, text: 'Nothing to show', tone: 'off' },
  { type: 'of the next version', services: { something: { value: 3 } }, text: 'Ready', tone: 'off' },
];

it('A bridge is connected: it has nothing else to show', () => {
  const information = { accessory_information: { name: 'Hub' } };
  const textOf = (more: object) =>
    describeState(accessoryOf('Hub', 'other', information, { category: 'Bridge', ...more }), en, plainFormat);
  expect(textOf({})).toBe('Connected');
  expect(textOf({ isReachable: false })).toBe('No response');
});

it('The state of a climate sensor leaves out the word humidity where it is brief', () => {
  const services = { temperature_sensor: { current_temperature: 21.24 }, humidity_sensor: { relative_humidity: 51 } };
  for (const type of ['temperature', 'other']) {
    const sensor = accessoryOf('Thing', type, services);
    const textOf = (isBrief: boolean) =>
      describeState(sensor, en, plainFormat, false, isBrief).replaceAll('\u00a0', ' ');
    expect(textOf(true)).toBe('21.2 °C · 51 %');
    expect(textOf(false)).toBe('21.2 °C · 51 % humidity');
  }
});

describe('a group of which some are on', () => {
  it.each([
    ['light', { lightbulb: { power_state: true, brightness: 40 } }, '1 of 3 on · 40 %'],
    ['fan', { fan: { power_state: true, rotation_speed: 30 } }, '1 of 3 on · 30 %'],
    ['outlet', { outlet: { power_state: true } }, '1 of 3 on'],
  ])('shows how many: %s', (type, services, words) => {
    const text = (running: { on: number; all: number }) =>
      describeState(accessoryOf('All', type, services, { running }), en, plainFormat);
    expect(text({ on: 1, all: 3 })).toBe(words);
    expect(text({ on: 3, all: 3 })).toBe(words.replace('1 of 3 on', 'On'));
  });
});

describe('the light of a lamp', () => {
  const lightOf = (lightbulb: Services[string], more = {}) =>
    deviceLight(accessoryOf('Lamp', 'light', { lightbulb }, more));

  it('has its hue, or the white of its colour temperature where it has none', () => {
    expect(lightOf({ power_state: true, hue: 225, saturation: 100, color_temperature: 400 })).toBe('hsl(225 95% 64%)');
    expect(lightOf({ power_state: true, hue: 30, saturation: 50 })).toBe('hsl(30 95% 77%)');
    expect(lightOf({ power_state: true, hue: 0, saturation: 0, color_temperature: 500 })).toBe('#ffb46b');
    expect(lightOf({ power_state: true, color_temperature: 250 })).toBe('color-mix(in srgb, #ffe4c8 100%, #ffc98a)');
    expect(lightOf({ power_state: true, color_temperature: 300 })).toBe('color-mix(in srgb, #ffe4c8 49%, #ffc98a)');
    expect(lightOf({ power_state: true, color_temperature: 100 })).toBe('#e8f0ff');
    expect(lightOf({ power_state: true, hue: 0, saturation: 0 })).toBe('#ffe4c8');
  });

  it('is none while it is off or does not answer, or where it reports no colour', () => {
    expect(lightOf({ power_state: false, hue: 225, saturation: 100 })).toBeUndefined();
    expect(lightOf({ power_state: null, hue: 225, saturation: 100 })).toBeUndefined();
    expect(lightOf({ power_state: true, hue: 225, saturation: 100 }, { isReachable: false })).toBeUndefined();
    expect(lightOf({ power_state: true, brightness: 40 })).toBeUndefined();
    expect(deviceLight(accessoryOf('Door', 'lock', { lock: { lock_current_state: 1 } }))).toBeUndefined();
  });
});

describe('a finger along the tile', () => {
  const levelOf = (type: string, services: Services) => deviceLevel(accessoryOf('Thing', type, services));
  const written = (level: ReturnType<typeof levelOf>, value: number) =>
    level?.writesOf(value).map(({ characteristicType, value: set }) => `${characteristicType}=${set}`);

  it('dims a lamp, never to nothing, and switches it on with that', () => {
    const off = levelOf('light', { lightbulb: { power_state: false, brightness: 40 } });
    expect(off).toMatchObject({ value: 0, range: { min: 1, max: 100 }, isSentAtEnd: false });
    expect(written(off, 30)).toEqual(['brightness=30', 'power_state=true']);
    expect(written(levelOf('light', { lightbulb: { power_state: true, brightness: 40 } }), 1)).toEqual([
      'brightness=1',
    ]);
  });

  it('asks a blind where to go once, and a speaker to be silent', () => {
    const blind = levelOf('blind', { window_covering: { current_position: 20, target_position: 30 } });
    expect(blind).toMatchObject({ value: 30, isSentAtEnd: true, range: { min: 0 } });
    expect(written(blind, 0)).toEqual(['target_position=0']);
    expect(levelOf('speaker', { speaker: { mute: false, volume: 35, active: 1 } })?.range.min).toBe(0);
  });

  it('finds none on what has no such number, may not be set, or moves where people stand', () => {
    expect(levelOf('light', { lightbulb: { power_state: true } })).toBeUndefined();
    expect(levelOf('light', { lightbulb: { power_state: true, brightness: READ_ONLY(40) } })).toBeUndefined();
    expect(levelOf('blind', { door: { current_position: 0, target_position: 0 } })).toBeUndefined();
    const silent = accessoryOf(
      'Thing',
      'light',
      { lightbulb: { power_state: true, brightness: 40 } },
      { isReachable: false },
    );
    expect(deviceLevel(silent)).toBeUndefined();
  });

  it('goes in steps of the device and stays within what it takes', () => {
    const quarters = { min: 25, max: 100, step: 25 };
    expect(levelAfter(50, 0.3, quarters)).toBe(75);
    expect(levelAfter(50, -9, quarters)).toBe(25);
    expect(levelAfter(0, 0.4, { min: 0, max: 100, step: 1 })).toBe(40);
  });
});

describe('the tile of a device', () => {
  it.each(ROWS)('$type: $text', ({ type, services, text: message, tone, tap }) => {
    const accessory = accessoryOf('Thing', type, services);
    // Dots of what goes on stay on its line.
    expect(describeState(accessory, en, plainFormat).replaceAll('\u00a0', ' ')).toBe(message);
    expect(deviceTone(accessory)).toBe(tone);
    expect(isActive(accessory)).toBe(tone !== 'off');
    const act = mainActOf(accessory);
    const writes = act?.writes?.map(({ characteristicType, value }) => `${characteristicType}=${value}`).join(', ');
    const reported =
      act && [act.question && `asks ${act.question}:`, act.operation ?? writes].filter(Boolean).join(' ');
    expect(reported).toBe(tap);
  });

  it('never shows anything but that it is silent while it does not answer, and does nothing then', () => {
    for (const { type, services } of ROWS) {
      const accessory = accessoryOf('Thing', type, services, { isReachable: false });
      expect(describeState(accessory, en, plainFormat)).toBe('No response');
      expect(describeState(accessory, en, plainFormat, true)).toBe('Paused');
      expect(deviceTone(accessory)).toBe('off');
      expect(mainActOf(accessory)).toBeUndefined();
    }
  });

  it('is neither on nor off until it confirms that', () => {
    const lamp = accessoryOf('Lamp', 'light', { lightbulb: { power_state: false, brightness: 40 } });
    const [power, brightness] = lamp.services[0]?.characteristics.map(({ id }) => id) ?? [];
    const textWith = (wanted: Record<string, unknown>, of = lamp) =>
      describeState({ ...of, isPending: true, wanted }, en, plainFormat);
    expect(textWith({ [String(power)]: true })).toBe('Turning on …');
    expect(textWith({ [String(brightness)]: 50 })).toBe('Sending …');
    const lit = accessoryOf('Lamp', 'light', { lightbulb: { power_state: true } });
    expect(textWith({ [String(lit.services[0]?.characteristics[0]?.id)]: false }, lit)).toBe('Turning off …');
    expect(describeState({ ...lamp, isPending: true, isWaiting: true }, en, plainFormat)).toBe(
      'Waiting for the device',
    );
  });

  it('of every kind shows something without any value, in both languages', () => {
    for (const { type, services } of ROWS) {
      const empty = Object.fromEntries(Object.keys(services).map((name) => [name, {}]));
      expect(describeState(accessoryOf('Thing', type, empty), en, plainFormat)).not.toBe('');
      expect(describeState(accessoryOf('Thing', type, {}), de, plainFormat)).not.toBe('');
    }
  });

  it('is known for every kind of virtual accessory', () => {
    const other = kindOf(accessoryOf('Thing', 'other', {}));
    for (const type of VIRTUAL_TYPES) expect(kindOf(accessoryOf('Thing', type, {}))).not.toBe(other);
  });

  it('warns of batteries, faults and filters, in each service that has them', () => {
    const accessory = accessoryOf('Thing', 'purifier', {
      air_purifier: { active: 0 },
      filter_maintenance: { filter_change_indication: 1 },
      battery: { status_low_battery: 1 },
      leak_sensor: { status_fault: 0, status_tampered: 0 },
    });
    expect(warningsOf(accessory)).toEqual(['batteryLow', 'filter']);
  });
});
