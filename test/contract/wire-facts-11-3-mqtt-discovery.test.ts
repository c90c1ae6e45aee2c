/** wire-facts §11.3, what Home Assistant receives: where, and as what. */
import { describe, expect, it } from 'vitest';
import { discoveryMessages } from '../../src/app/mqtt/discovery/discovery.ts';
import { HomeTopics } from '../../src/app/mqtt/topics.ts';
import { bindingsOf } from '../../src/home/vocabulary/bindings.ts';
import { deviceType } from '../../src/home/vocabulary/device-types.ts';
import { accessory, characteristic, service } from '../home/vocabulary/builders.ts';

const ID = '5c0d2c7e-6f1c-5b0e-9d7a-0242ac12a1b2';

/** The topics of an accessory with one service that has these characteristics. */
function topicsFor(name: string, types: readonly string[]): readonly string[] {
  const subject = accessory(
    [
      service(
        name,
        types.map((type) => characteristic(type)),
      ),
    ],
    { id: ID },
  );
  const topics = new HomeTopics('homecast', 'house-1111');
  const thing = {
    kind: 'accessory' as const,
    id: ID,
    discoveryId: 'homecast_5c0d2c7e',
    name: 'Thing',
    homeId: subject.homeId,
    homeName: 'House',
    homeStatusTopic: topics.status,
    roomName: null,
    deviceType: deviceType(subject),
    topics: topics.thing(undefined, 'thing-5c0d', false),
    properties: bindingsOf(subject.services).list,
    device: { manufacturer: null, model: null, serialNumber: null, firmwareRevision: null, hardwareRevision: null },
    accessory: subject,
  };
  return discoveryMessages(thing, 'homeassistant').map(({ topic }) => topic);
}

describe('Home Assistant discovery', () => {
  it('{haPrefix}/{component}/homecast_{first 8 hex}/{object}/config', () => {
    expect(topicsFor('switch', ['25'])).toEqual(['homeassistant/switch/homecast_5c0d2c7e/on/config']);
  });

  it.each([
    ['lightbulb', ['25'], 'light'],
    ['switch', ['25'], 'switch'],
    ['outlet', ['25'], 'switch'],
    ['fan', ['25'], 'fan'],
    ['lock', ['1D', '1E'], 'lock'],
    ['door', ['6D', '7C', '72'], 'cover'],
    ['window', ['6D', '7C', '72'], 'cover'],
    ['window_covering', ['6D', '7C', '72'], 'cover'],
    ['garage_door', ['E', '32', '24'], 'cover'],
    ['thermostat', ['F', '33', '11', '35', '36'], 'climate'],
    ['heater_cooler', ['B0', 'B1', 'B2', '11', '12'], 'climate'],
    ['motion_sensor', ['22'], 'binary_sensor'],
    ['occupancy_sensor', ['71'], 'binary_sensor'],
    ['contact_sensor', ['6A'], 'binary_sensor'],
    ['smoke_sensor', ['76'], 'binary_sensor'],
    ['leak_sensor', ['70'], 'binary_sensor'],
    ['temperature_sensor', ['11'], 'sensor'],
    ['humidity_sensor', ['10'], 'sensor'],
    ['light_sensor', ['6B'], 'sensor'],
    ['air_quality_sensor', ['95'], 'sensor'],
    ['security_system', ['66', '67'], 'alarm_control_panel'],
    ['valve', ['B0', 'D2', 'D5'], 'valve'],
  ] as const)('Component by service: %s', (name, types, component) => {
    expect(topicsFor(name, types).map((topic) => topic.split('/')[1])).toContain(component);
  });

  it('Speaker: Home Assistant has no media player over MQTT, so that its volume is a number and its mute a switch', () => {
    expect(topicsFor('speaker', ['119', '11A']).map((topic) => topic.split('/')[1])).toEqual(['number', 'switch']);
  });
});
