import { describe, expect, it } from 'vitest';
import { deviceType, matchesTypeFilter } from '../../../src/home/vocabulary/device-types.ts';
import { accessory, recordedDatabases, service } from './builders.ts';

const withServices = (...names: readonly string[]) => accessory(names.map((name) => service(name, [])));

describe('device types', () => {
  it.each([
    [['lightbulb'], 'light'],
    [['switch'], 'switch'],
    [['outlet'], 'outlet'],
    [['heater_cooler'], 'climate'],
    [['thermostat'], 'climate'],
    [['lock'], 'lock'],
    [['security_system'], 'alarm'],
    [['motion_sensor'], 'motion'],
    [['occupancy_sensor'], 'motion'],
    [['contact_sensor'], 'contact'],
    [['temperature_sensor'], 'temperature'],
    [['fan'], 'fan'],
    [['fanv2'], 'fan'],
    [['window_covering'], 'blind'],
    [['garage_door'], 'blind'],
    [['door'], 'blind'],
    [['window'], 'blind'],
    [['valve'], 'valve'],
    [['faucet'], 'valve'],
    [['irrigation_system'], 'valve'],
    [['speaker'], 'speaker'],
    [['microphone'], 'speaker'],
    [['light_sensor'], 'light_sensor'],
    [['doorbell'], 'doorbell'],
    [['stateless_programmable_switch'], 'button'],
    [['camera_rtp_stream_management'], 'camera'],
    [['air_purifier'], 'purifier'],
    [['humidifier_dehumidifier'], 'humidifier'],
    [['humidity_sensor'], 'sensor'],
    [['leak_sensor'], 'sensor'],
    [['smoke_sensor'], 'sensor'],
    [['carbon_monoxide_sensor'], 'sensor'],
    [['carbon_dioxide_sensor'], 'sensor'],
    [['air_quality_sensor'], 'sensor'],
    [['television'], 'other'],
    [['accessory_information'], 'other'],
    [[], 'other'],
  ] as const)('%j is %s', (services, type) => {
    expect(deviceType(withServices('accessory_information', ...services))).toBe(type);
  });

  it.each([
    ['a fan with a lamp', ['fan', 'lightbulb'], 'light'],
    [
      'a thermostat with motion and temperature sensors',
      ['motion_sensor', 'temperature_sensor', 'thermostat'],
      'climate',
    ],
    [
      'a motion sensor that measures temperature and light',
      ['light_sensor', 'temperature_sensor', 'motion_sensor'],
      'motion',
    ],
    [
      'a video doorbell',
      ['camera_rtp_stream_management', 'microphone', 'speaker', 'motion_sensor', 'doorbell'],
      'doorbell',
    ],
    ['a camera that hears and sees motion', ['motion_sensor', 'microphone', 'camera_rtp_stream_management'], 'camera'],
    ['a purifier with sensors', ['air_quality_sensor', 'temperature_sensor', 'air_purifier'], 'purifier'],
    ['a garage door opener with sensors', ['motion_sensor', 'contact_sensor', 'garage_door'], 'blind'],
    ['a thermostat with a lit display', ['lightbulb', 'thermostat'], 'climate'],
    ['a heater with a switch', ['switch', 'heater_cooler'], 'climate'],
    ['a camera with a night light', ['lightbulb', 'camera_rtp_stream_management'], 'camera'],
    ['a doorbell with a chime switch', ['switch', 'camera_rtp_stream_management', 'doorbell'], 'doorbell'],
    ['a humidifier with a lamp', ['lightbulb', 'humidifier_dehumidifier'], 'humidifier'],
    ['a faucet that measures its water', ['valve', 'faucet', 'leak_sensor'], 'valve'],
    ['a climate sensor', ['humidity_sensor', 'temperature_sensor'], 'temperature'],
  ] as const)('%s: the first rule that matches wins', (_name, services, type) => {
    expect(deviceType(withServices(...services))).toBe(type);
  });

  it.each([
    ['a fan with a lamp', ['fan'], ['lightbulb'], 'fan'],
    ['a purifier with a night light', ['air_purifier'], ['lightbulb'], 'purifier'],
    ['a lamp with a camera', ['lightbulb'], ['camera_rtp_stream_management'], 'light'],
    ['a garage door opener with a light', ['garage_door'], ['lightbulb'], 'blind'],
    ['an irrigation system that measures temperature', ['irrigation_system'], ['temperature_sensor', 'valve'], 'valve'],
    ['two primary services', ['fan', 'thermostat'], ['lightbulb'], 'climate'],
    ['a primary service that no row names', ['battery'], ['lightbulb'], 'light'],
  ] as const)('%s: the primary service decides', (_name, primary, others, type) => {
    const flagged = primary.map((name) => service(name, [], { primary: true }));
    const plain = others.map((name) => service(name, []));
    expect(deviceType(accessory([...plain, ...flagged]))).toBe(type);
    expect(deviceType(accessory([...flagged, ...plain]))).toBe(type);
  });

  it.each([
    [5, 'light'],
    [6, 'lock'],
    [7, 'outlet'],
    [8, 'switch'],
    [9, 'climate'],
    [2, 'other'],
  ])('without a distinctive service, category %d is %s', (category, type) => {
    expect(deviceType(accessory([service('accessory_information', [])], { category }))).toBe(type);
    expect(deviceType(accessory([service('lightbulb', [])], { category }))).toBe('light');
  });

  it.for([
    ['aqara_gateway.json', ['light']],
    ['eve_energy.json', ['outlet']],
    ['ecobee3_no_sensors.json', ['climate']],
    ['koogeek_ls1.json', ['light']],
    ['lennox_e30.json', ['climate']],
    ['vocolinc_flowerbud.json', ['humidifier']],
    ['home_assistant_bridge_fan.json', ['other', 'fan', 'fan']],
  ] as const)('%s holds %j', ([name, types]) => {
    const recorded = recordedDatabases().find(({ file }) => file === name);
    expect(recorded?.accessories.map(deviceType)).toEqual(types);
  });
});

describe('the type filter', () => {
  const lamp = withServices('accessory_information', 'lightbulb', 'switch');

  it('is an exact device type, in any case', () => {
    expect(matchesTypeFilter(lamp, 'light')).toBe(true);
    expect(matchesTypeFilter(lamp, ' LIGHT ')).toBe(true);
    expect(matchesTypeFilter(lamp, 'lights')).toBe(false);
    expect(matchesTypeFilter(lamp, 'switch')).toBe(false);
  });

  it('or the name of a service', () => {
    expect(matchesTypeFilter(lamp, 'lightbulb')).toBe(true);
    expect(matchesTypeFilter(lamp, 'thermostat')).toBe(false);
    expect(matchesTypeFilter(withServices('garage_door'), 'garage_door_opener')).toBe(true);
    expect(matchesTypeFilter(withServices('fanv2'), 'fanv2')).toBe(true);
  });

  it.each(['', 'toaster', '__proto__', 'constructor'])('matches nothing for %j', (filter) => {
    expect(matchesTypeFilter(lamp, filter)).toBe(false);
  });
});
