import { afterAll, describe, expect, it } from 'vitest';
import { parseSettings } from '../../../src/app/mqtt/command-payload.ts';
import { discoveryMessages, homeDiscovery } from '../../../src/app/mqtt/discovery/discovery.ts';
import { takeInventory } from '../../../src/app/mqtt/inventory.ts';
import { type PublishedThing, propertyEventTopic, propertySetTopic } from '../../../src/app/mqtt/published-thing.ts';
import { publishedValue } from '../../../src/app/mqtt/published-value.ts';
import { HomeTopics } from '../../../src/app/mqtt/topics.ts';
import { characteristicByName, characteristicByType } from '../../../src/hap-spec/characteristics.ts';
import { serviceByName } from '../../../src/hap-spec/services.ts';
import { asAccessory } from '../../../src/home/group-accessory.ts';
import { type Accessory, type Characteristic, VIRTUAL_TYPES } from '../../../src/home/model.ts';
import { bindingsOf } from '../../../src/home/vocabulary/bindings.ts';
import { deviceType } from '../../../src/home/vocabulary/device-types.ts';
import { resolveSetting } from '../../../src/home/vocabulary/settings.ts';
import { accessory, characteristic, recordedDatabases, service } from '../../home/vocabulary/builders.ts';
import { DISCOVERY_TOPIC, HOME_ASSISTANT_SCHEMAS } from '../../support/home-assistant-schemas.ts';
import { renderTemplate } from '../../support/home-assistant-templates.ts';
import { createTestHome, systemCaller } from '../../support/test-home.ts';

const PREFIX = 'homeassistant';
const HOME = { homeId: '11111111-1111-4111-8111-111111111111', homeName: 'House' };
const TOPICS = new HomeTopics('homecast', 'house-1111');

/** A value that each characteristic may have, so that every property is in the state. */
function filled(name: string, overrides: Partial<Characteristic> = {}): Characteristic {
  const type = characteristicByName(name)?.type;
  if (!type) throw new Error(`No such characteristic: ${name}`);
  const spec = characteristicByType(type);
  const value = spec?.format === 'bool' ? true : spec?.format === 'string' ? 'text' : (spec?.minValue ?? 0);
  return characteristic(type, { value, ...overrides });
}

function device(...services: readonly (readonly [name: string, ...characteristics: readonly string[]])[]): Accessory {
  return accessory(
    services.map(([name, ...types]) =>
      service(
        name,
        types.map((type) => filled(type)),
      ),
    ),
  );
}

/** Every device type, by accessories as products have them. */
const DEVICES: Readonly<Record<string, Accessory>> = {
  light: device(['lightbulb', 'power_state', 'brightness', 'hue', 'saturation', 'color_temperature']),
  switch: device(['switch', 'power_state']),
  outlet: device(['outlet', 'power_state', 'outlet_in_use'], ['eve_consumption', 'eve_energy_watt', 'eve_energy_kwh']),
  climate: device([
    ...(['thermostat', 'heating_cooling_current', 'heating_cooling_target', 'current_temperature'] as const),
    ...['target_temperature', 'heating_threshold', 'cooling_threshold', 'temperature_units', 'relative_humidity'],
    'target_humidity',
  ]),
  lock: device(['lock', 'lock_current_state', 'lock_target_state'], ['battery', 'battery_level', 'status_low_battery']),
  alarm: device(['security_system', 'security_system_current_state', 'security_system_target_state']),
  doorbell: device(['doorbell', 'programmable_switch_event'], ['motion_sensor', 'motion_detected']),
  camera: device(['camera_rtp_stream_management', 'streaming_status'], ['microphone', 'mute', 'volume']),
  purifier: device(
    ['air_purifier', 'active', 'current_air_purifier_state', 'target_air_purifier_state', 'rotation_speed'],
    ['filter_maintenance', 'filter_change_indication', 'filter_life_level', 'filter_reset'],
    ['air_quality_sensor', 'air_quality', 'pm2_5_density', 'pm10_density', 'voc_density', 'ozone_density'],
  ),
  humidifier: device([
    ...(['humidifier_dehumidifier', 'active', 'current_humidifier_dehumidifier_state', 'relative_humidity'] as const),
    ...['target_humidifier_dehumidifier_state', 'relative_humidity_humidifier_threshold', 'water_level'],
    'relative_humidity_dehumidifier_threshold',
  ]),
  blind: device([
    ...(['window_covering', 'current_position', 'target_position', 'position_state', 'hold_position'] as const),
    ...['current_horizontal_tilt', 'target_horizontal_tilt', 'obstruction_detected'],
  ]),
  motion: device(['motion_sensor', 'motion_detected', 'status_active', 'status_tampered']),
  contact: device(['contact_sensor', 'contact_state', 'status_fault']),
  temperature: device(['temperature_sensor', 'current_temperature']),
  fan: device([
    'fan_v2',
    'active',
    'current_fan_state',
    'target_fan_state',
    'rotation_speed',
    'rotation_direction',
    'swing_mode',
  ]),
  valve: device(['valve', 'active', 'in_use', 'valve_type', 'set_duration', 'remaining_duration']),
  speaker: device(['speaker', 'mute', 'volume']),
  light_sensor: device(['light_sensor', 'current_ambient_light_level']),
  button: device(['stateless_programmable_switch', 'programmable_switch_event']),
  sensor: device(
    ['leak_sensor', 'leak_detected'],
    ['smoke_sensor', 'smoke_detected'],
    ['humidity_sensor', 'relative_humidity'],
  ),
  other: device(['slats', 'current_slat_state', 'slat_type', 'target_tilt_angle']),
};

/** Further products: the other services of a device type, and those that lack what their type usually has. */
const VARIANTS: Readonly<Record<string, Accessory>> = {
  'a garage door': device(['garage_door', 'current_door_state', 'target_door_state', 'obstruction_detected']),
  'a door': device(['door', 'current_position', 'target_position', 'position_state']),
  'a window': device(['window', 'current_position', 'target_position', 'position_state']),
  'a heater cooler': device([
    ...(['heater_cooler', 'active', 'current_heater_cooler_state', 'target_heater_cooler_state'] as const),
    ...['current_temperature', 'heating_threshold', 'cooling_threshold', 'rotation_speed', 'swing_mode'],
    'lock_physical_controls',
  ]),
  'a heater': device([
    ...(['heater_cooler', 'active', 'target_heater_cooler_state', 'current_temperature', 'heating_threshold'] as const),
  ]),
  'a dehumidifier': device(['humidifier_dehumidifier', 'active', 'relative_humidity_dehumidifier_threshold']),
  'a humidifier without a threshold': device(['humidifier_dehumidifier', 'active', 'relative_humidity']),
  'a lamp that is only on or off': device(['lightbulb', 'power_state']),
  'a warm lamp': device(['lightbulb', 'power_state', 'brightness', 'color_temperature']),
  'a fan of the first generation': device(['fan', 'power_state', 'rotation_speed', 'rotation_direction']),
  'an occupancy sensor': device(['occupancy_sensor', 'occupancy_detected']),
  'sensors of gases': device(
    ['carbon_monoxide_sensor', 'carbon_monoxide_detected', 'carbon_monoxide_level', 'carbon_monoxide_peak_level'],
    ['carbon_dioxide_sensor', 'carbon_dioxide_detected', 'carbon_dioxide_level', 'carbon_dioxide_peak_level'],
  ),
  'a television': device(
    ['television', 'active', 'active_identifier', 'configured_name', 'picture_mode', 'remote_key'],
    ['speaker', 'mute', 'volume', 'volume_selector'],
  ),
  'an irrigation system': device(
    ['irrigation_system', 'active', 'program_mode', 'in_use', 'remaining_duration'],
    ['valve', 'active', 'in_use', 'valve_type'],
    ['valve', 'active', 'in_use', 'valve_type'],
  ),
  'a power strip': device(['outlet', 'power_state'], ['outlet', 'power_state'], ['outlet', 'power_state']),
  'a remote with four buttons': device(
    ...Array.from({ length: 4 }, () => ['stateless_programmable_switch', 'programmable_switch_event'] as const),
  ),
  'a lock that nobody may turn': accessory([
    service('lock', [filled('lock_current_state'), filled('lock_target_state', { permissions: ['pr', 'ev'] })]),
  ]),
  'a weather station': device(
    ['eve_weather', 'current_temperature', 'relative_humidity', 'eve_air_pressure', 'eve_weather_trend'],
    ['battery', 'battery_level', 'charging_state', 'status_low_battery'],
  ),
  'a device of nothing': accessory([]),
};

function publish(subject: Accessory, overrides: Partial<PublishedThing> = {}): PublishedThing {
  return {
    kind: 'accessory',
    id: subject.id,
    discoveryId: 'homecast_5c0d2c7e',
    name: subject.name,
    ...HOME,
    homeStatusTopic: TOPICS.status,
    roomName: 'Living Room',
    deviceType: deviceType(subject),
    topics: TOPICS.thing('living-room-2222', 'lamp-5c0d', false),
    properties: bindingsOf(subject.services).list,
    device: { manufacturer: 'Acme', model: null, serialNumber: 'A1', firmwareRevision: '1.2', hardwareRevision: null },
    accessory: subject,
    ...overrides,
  };
}

interface Reported {
  readonly topic: string;
  readonly component: string;
  readonly object: string;
  readonly config: Readonly<Record<string, unknown>>;
}

function reportError(thing: Parameters<typeof discoveryMessages>[0]): readonly Reported[] {
  return discoveryMessages(thing, PREFIX).map(({ topic, payload }) => {
    const groups = DISCOVERY_TOPIC.exec(topic)?.groups ?? {};
    expect(groups.prefix).toBe(PREFIX);
    const { component = '', object = '' } = groups;
    return { topic, component, object, config: JSON.parse(JSON.stringify(payload)) };
  });
}

function stateOf({ properties }: PublishedThing): Record<string, unknown> {
  const values = properties.map((binding) => [binding.property, publishedValue(binding)] as const);
  return JSON.parse(JSON.stringify(Object.fromEntries(values.filter(([, value]) => value !== null))));
}

/**
 * What a message on a command topic comes down to: the characteristics that are written. @throws as the operation would
 */
function carryOut(thing: PublishedThing, topic: string, payload: string): Record<string, unknown> {
  const settings =
    topic === thing.topics.set
      ? parseSettings(Buffer.from(payload)).settings
      : { [topic.slice(thing.topics.state.length + 1, -'/set'.length)]: payload };
  const { operation } = settings;
  if (thing.accessory.virtual && typeof operation === 'string') return { operation };
  return Object.fromEntries(
    Object.entries(settings).map(([property, input]) => {
      const { characteristic: target, value } = resolveSetting(thing.accessory, property, input);
      return [characteristicByType(target.type)?.name ?? target.type, value];
    }),
  );
}

/** Everything that Home Assistant may ever send by a configuration: the topic, and the payload once it is rendered. */
function* commandsOf({ component, config }: Reported): Generator<readonly [topic: string, payload: string]> {
  const value = (key: string): unknown => config[key];
  const send = (
    topicKey: string,
    templateKey: string,
    variables: Record<string, unknown>,
  ): readonly [string, string] => {
    const template = value(templateKey);
    const plain = String(Object.values(variables)[0]);
    const scope = { ...variables, this: { state: 'heat' } };
    return [String(value(topicKey)), typeof template === 'string' ? renderTemplate(template, scope) : plain];
  };
  for (const [key, payload] of Object.entries(config)) {
    const isPayload = key.startsWith('payload_') && typeof payload === 'string';
    if (isPayload && 'command_topic' in config && !key.includes('oscillation')) {
      yield [String(value('command_topic')), payload];
    }
    if (isPayload && key.includes('oscillation')) yield [String(value('oscillation_command_topic')), payload];
  }
  const lists = [
    ['modes', 'mode_command_topic', 'mode_command_template'],
    ['preset_modes', 'preset_mode_command_topic', 'preset_mode_command_template'],
    ['swing_modes', 'swing_mode_command_topic', 'swing_mode_command_template'],
    ['options', 'command_topic', 'command_template'],
  ] as const;
  for (const [list, topicKey, templateKey] of lists) {
    if (!(topicKey in config)) continue;
    for (const word of (value(list) as readonly string[] | undefined) ?? [])
      yield send(topicKey, templateKey, { value: word });
  }
  const numbers = [
    ['command_topic', 'command_template', value('min'), value('max')],
    ['brightness_command_topic', '', 1, value('brightness_scale')],
    ['color_temp_command_topic', '', value('min_mireds'), value('max_mireds')],
    ['percentage_command_topic', '', value('speed_range_min'), value('speed_range_max')],
    ['set_position_topic', '', 0, 100],
    ['tilt_command_topic', '', value('tilt_opened_value'), value('tilt_closed_value')],
    ['target_humidity_command_topic', '', value('min_humidity'), value('max_humidity')],
    ['temperature_command_topic', 'temperature_command_template', 20, 25],
    ['temperature_low_command_topic', '', 20, 21],
    ['temperature_high_command_topic', '', 24, 25],
  ] as const;
  for (const [topicKey, templateKey, ...ends] of numbers) {
    if (!(topicKey in config) || (topicKey === 'command_topic' && component !== 'number')) continue;
    for (const end of ends) if (typeof end === 'number') yield send(topicKey, templateKey, { value: end });
  }
  if ('hs_command_topic' in config) {
    const template = String(value('hs_command_template'));
    for (const [hue, sat] of [
      [0, 0],
      [359.5, 100],
    ]) {
      yield [String(value('hs_command_topic')), renderTemplate(template, { hue, sat })];
    }
  }
  for (const word of 'direction_command_topic' in config ? ['forward', 'reverse'] : []) {
    yield send('direction_command_topic', 'direction_command_template', { value: word });
  }
}

/** Templates that read a state, and what they may render: one of some words, a number, or anything. */
function expectedOf(key: string, config: Reported['config'], component: string): readonly string[] | 'number' | 'any' {
  if (key === 'value_template' && component === 'text') return 'any';
  const words: Readonly<Record<string, unknown>> = {
    state_value_template: [config.payload_on, config.payload_off],
    mode_state_template: config.modes,
    preset_mode_value_template: config.preset_modes,
    swing_mode_state_template: config.swing_modes,
    direction_value_template: ['forward', 'reverse'],
    oscillation_value_template: [config.payload_oscillation_on, config.payload_oscillation_off],
    color_mode_value_template: ['hs', 'color_temp'],
    action_template: ['off', 'idle', 'heating', 'cooling', 'humidifying', 'drying'],
    value_template: {
      lock: ['LOCKED', 'UNLOCKED', 'JAMMED'],
      cover: ['open', 'opening', 'closed', 'closing', 'stopped'],
      valve: ['open', 'closed'],
      alarm_control_panel: ['armed_home', 'armed_away', 'armed_night', 'disarmed', 'triggered'],
      switch: [config.payload_on, config.payload_off],
      binary_sensor: [config.payload_on, config.payload_off],
      select: config.options,
      sensor: config.options ?? (config.unit_of_measurement === undefined ? 'any' : 'number'),
    }[component],
  };
  return (words[key] as readonly string[] | undefined) ?? 'number';
}

/** Holds one thing's messages to everything that must hold of all. */
function check(thing: PublishedThing): readonly Reported[] {
  const all = reportError(thing);
  const state = stateOf(thing);
  expect(new Set(all.map(({ topic }) => topic)).size).toBe(all.length);
  expect(new Set(all.map(({ config }) => config.unique_id)).size).toBe(all.length);
  const names = all.map(({ config, component }) => `${component} ${config.name}`);
  expect(new Set(names).size).toBe(names.length);
  const { properties, topics } = thing;
  const read = [
    topics.state,
    ...properties.filter((one) => one.isButton).map((one) => propertyEventTopic(topics, one.property)),
  ];
  const written = [
    topics.set,
    ...properties.filter((one) => one.writable).map((one) => propertySetTopic(topics, one.property)),
  ];
  for (const reported of all) {
    const { component, config } = reported;
    const schema = HOME_ASSISTANT_SCHEMAS[component];
    const parsed = schema?.safeParse(config);
    expect(parsed?.error?.issues ?? (schema ? [] : [component]), `${reported.topic} ${JSON.stringify(config)}`).toEqual(
      [],
    );
    for (const [key, value] of Object.entries(config)) {
      const isCommand = /command_topic$|^set_position_topic$/.test(key);
      if (key.endsWith('_topic')) expect(isCommand ? written : read, `${component} ${key}`).toContain(value);
      if (key.endsWith('_template') && !key.includes('command') && component !== 'event') {
        const answered = renderTemplate(String(value), { value_json: state });
        const expected = expectedOf(key, config, component);
        const isKnown = typeof expected !== 'object' || [...expected, 'None'].includes(answered);
        const label = `${component} ${key}: ${answered} of ${JSON.stringify(state)}`;
        expect(isKnown, label).toBe(true);
        if (expected === 'number') expect(answered.replace(',', ''), label).toMatch(/^-?[\d.]+$|^None$/);
        // A state without the property renders to that.
        expect(() => renderTemplate(String(value), { value_json: {} })).not.toThrow();
      }
    }
    for (const [topic, payload] of commandsOf(reported)) {
      expect(() => carryOut(thing, topic, payload), `${component} ${topic} ${payload}`).not.toThrow();
    }
  }
  return all;
}

function only(subject: Accessory, component: string): Reported {
  const found = check(publish(subject)).find((reported) => reported.component === component);
  if (!found) throw new Error(`There is no ${component}`);
  return found;
}

describe('what Home Assistant discovers of a home', () => {
  it('is something of every device type, valid for its component, over topics that exist', () => {
    const kinds = Object.entries(DEVICES).map(([type, subject]) => {
      expect(deviceType(subject)).toBe(type);
      return [type, [...new Set(check(publish(subject)).map(({ component }) => component))]];
    });
    expect(Object.fromEntries(kinds)).toEqual({
      light: ['light'],
      switch: ['switch'],
      outlet: ['switch', 'binary_sensor', 'sensor'],
      climate: ['climate', 'select'],
      lock: ['lock', 'sensor', 'binary_sensor'],
      alarm: ['alarm_control_panel'],
      doorbell: ['event', 'binary_sensor'],
      camera: ['switch', 'number'],
      purifier: ['fan', 'sensor', 'binary_sensor', 'button'],
      humidifier: ['humidifier', 'sensor', 'number'],
      blind: ['cover', 'binary_sensor'],
      motion: ['binary_sensor'],
      contact: ['binary_sensor'],
      temperature: ['sensor'],
      fan: ['fan', 'sensor'],
      valve: ['valve', 'binary_sensor', 'sensor', 'number'],
      speaker: ['switch', 'number'],
      light_sensor: ['sensor'],
      button: ['event'],
      sensor: ['binary_sensor', 'sensor'],
      other: ['sensor', 'number'],
    });
  });

  it('knows every device type that there is', () => {
    // `blind` and others have several services: each type is reached by a device above.
    const types = Object.values(DEVICES).map(deviceType);
    const services = [
      'lightbulb',
      'switch',
      'outlet',
      'thermostat',
      'heater_cooler',
      'lock',
      'security_system',
      'doorbell',
    ];
    const more = [
      'camera_rtp_stream_management',
      'air_purifier',
      'humidifier_dehumidifier',
      'garage_door',
      'door',
      'window',
    ];
    const rest = [
      'motion_sensor',
      'occupancy_sensor',
      'contact_sensor',
      'temperature_sensor',
      'fan',
      'window_covering',
      'valve',
    ];
    const last = [
      'speaker',
      'microphone',
      'light_sensor',
      'stateless_programmable_switch',
      'humidity_sensor',
      'battery',
    ];
    for (const name of [...services, ...more, ...rest, ...last]) {
      expect(serviceByName(name), name).toBeDefined();
      expect(types).toContain(deviceType(accessory([service(name, [])])));
    }
  });

  it.each(Object.entries(VARIANTS))('is valid of %s', (_, subject) => {
    check(publish(subject));
  });

  it('is valid of every product as recorded', () => {
    const all = recordedDatabases().flatMap(({ accessories }) => accessories);
    expect(all.length).toBeGreaterThan(25);
    const reported = all.map((subject) => check(publish(subject)).length);
    expect(reported.filter((count) => count > 0).length).toBeGreaterThan(0);
  });

  it('leaves nothing out for a device whose values are not known yet', () => {
    const known = DEVICES.climate as Accessory;
    const services = known.services.map((one) => ({
      ...one,
      characteristics: one.characteristics.map((each) => ({ ...each, value: null })),
    }));
    const unknown = publish({ ...known, services });
    expect(check(unknown).map(({ topic }) => topic)).toEqual(check(publish(known)).map(({ topic }) => topic));
  });

  it('is the same each time', () => {
    for (const subject of Object.values(DEVICES)) {
      expect(discoveryMessages(publish(subject), PREFIX)).toEqual(discoveryMessages(publish(subject), PREFIX));
    }
  });

  it('declares where a device is, whose it is, and that both it and the home must be there', () => {
    const { topic, config } = only(DEVICES.switch as Accessory, 'switch');
    expect(topic).toBe('homeassistant/switch/homecast_5c0d2c7e/on/config');
    expect(config).toMatchObject({
      name: null,
      unique_id: 'homecast_5c0d2c7e-6f1c-5b0e-9d7a-0242ac12a1b2_on',
      availability_mode: 'all',
      availability: [
        { topic: 'homecast/house-1111/living-room-2222/lamp-5c0d/availability' },
        { topic: 'homecast/house-1111/status' },
      ],
      device: {
        identifiers: ['homecast_5c0d2c7e-6f1c-5b0e-9d7a-0242ac12a1b2'],
        name: 'Test Lamp',
        manufacturer: 'Acme',
        serial_number: 'A1',
        sw_version: '1.2',
        suggested_area: 'Living Room',
        via_device: `homecast_${HOME.homeId}`,
      },
      origin: { name: 'hearthd' },
    });
  });

  it('calls the entities of a device by what their services are called, no two alike', () => {
    const outlet = (name: string) => service('outlet', [filled('power_state'), filled('name', { value: name })]);
    const strip = accessory([outlet('Left'), outlet('Right'), outlet('Right')]);
    expect(check(publish(strip)).map(({ config }) => config.name)).toEqual(['Left', 'Right', 'Right 2']);
    const remote = check(publish(VARIANTS['a remote with four buttons'] as Accessory));
    expect(remote.map(({ config }) => config.name)).toEqual([null, 'Button', 'Button 2', 'Button 3']);
  });

  it('describes a home as a device of its own, and its scenes there', () => {
    const [home] = homeDiscovery({ ...HOME, homeStatusTopic: TOPICS.status }, PREFIX);
    expect(HOME_ASSISTANT_SCHEMAS.binary_sensor?.safeParse(home?.payload).error).toBeUndefined();
    expect(home).toMatchObject({
      topic: 'homeassistant/binary_sensor/homecast_11111111/connection/config',
      payload: { state_topic: 'homecast/house-1111/status', payload_on: 'online', payload_off: 'offline' },
    });
    const execute = 'homecast/house-1111/scene/movie-9999/execute';
    const [scene] = reportError({
      kind: 'scene',
      id: '99999999-9999-4999-8999-999999999999',
      discoveryId: 'homecast_99999999',
      name: 'Movie',
      ...HOME,
      homeStatusTopic: TOPICS.status,
      topics: { execute, error: 'homecast/house-1111/scene/movie-9999/error' },
    });
    expect(HOME_ASSISTANT_SCHEMAS.scene?.safeParse(scene?.config).error).toBeUndefined();
    expect(scene).toMatchObject({ config: { name: 'Movie', command_topic: execute, payload_on: 'ON' } });
    expect(scene?.config.device).toMatchObject({ identifiers: [`homecast_${HOME.homeId}`] });
  });
});

/** Enumerations both ways: what Home Assistant sends, what the device gets, and what Home Assistant then reads. */
const ROUND_TRIPS: readonly (readonly [
  device: string,
  component: string,
  send: readonly [key: string, word?: string],
  written: Readonly<Record<string, unknown>>,
  read: readonly [template: string, after: Readonly<Record<string, unknown>>, message: string],
])[] = [
  ['switch', 'switch', ['payload_on'], { power_state: true }, ['value_template', { on: true }, '1']],
  ['switch', 'switch', ['payload_off'], { power_state: false }, ['value_template', { on: false }, '0']],
  ['light', 'light', ['payload_on'], { power_state: true }, ['state_value_template', { on: true }, '1']],
  ['lock', 'lock', ['payload_lock'], { lock_target_state: 1 }, ['value_template', { lock_current_state: 1 }, 'LOCKED']],
  [
    'lock',
    'lock',
    ['payload_unlock'],
    { lock_target_state: 0 },
    ['value_template', { lock_current_state: 0 }, 'UNLOCKED'],
  ],
  ['lock', 'lock', ['payload_lock'], { lock_target_state: 1 }, ['value_template', { lock_current_state: 2 }, 'JAMMED']],
  ['lock', 'lock', ['payload_lock'], { lock_target_state: 1 }, ['value_template', { lock_current_state: 3 }, 'None']],
  ...(
    [
      ['payload_arm_home', 0, 0, 'armed_home'],
      ['payload_arm_away', 1, 1, 'armed_away'],
      ['payload_arm_night', 2, 2, 'armed_night'],
      ['payload_disarm', 3, 3, 'disarmed'],
      ['payload_disarm', 3, 4, 'triggered'],
    ] as const
  ).map(
    ([key, target, current, message]) =>
      [
        ...(['alarm', 'alarm_control_panel', [key], { security_system_target_state: target }] as const),
        ['value_template', { security_system_current_state: current }, message],
      ] as const,
  ),
  ...(
    [
      ['off', 0],
      ['heat', 1],
      ['cool', 2],
      ['heat_cool', 3],
    ] as const
  ).map(
    ([word, value]) =>
      [
        ...(['climate', 'climate', ['mode', word], { heating_cooling_target: value }] as const),
        ['mode_state_template', { heating_cooling_target: value }, word],
      ] as const,
  ),
  [
    'a heater cooler',
    'climate',
    ['mode', 'off'],
    { active: 0 },
    ['mode_state_template', { active: 0, target_heater_cooler_state: 1 }, 'off'],
  ],
  ...(
    [
      ['heat_cool', 0],
      ['heat', 1],
      ['cool', 2],
    ] as const
  ).map(
    ([word, value]) =>
      [
        ...(['a heater cooler', 'climate', ['mode', word], { active: 1, target_heater_cooler_state: value }] as const),
        ['mode_state_template', { active: 1, target_heater_cooler_state: value }, word],
      ] as const,
  ),
  [
    'a heater cooler',
    'climate',
    ['swing_mode', 'on'],
    { swing_mode: 1 },
    ['swing_mode_state_template', { swing_mode: 1 }, 'on'],
  ],
  [
    'a garage door',
    'cover',
    ['payload_open'],
    { target_door_state: 0 },
    ['value_template', { current_door_state: 2 }, 'opening'],
  ],
  [
    'a garage door',
    'cover',
    ['payload_close'],
    { target_door_state: 1 },
    ['value_template', { current_door_state: 1 }, 'closed'],
  ],
  [
    'a garage door',
    'cover',
    ['payload_open'],
    { target_door_state: 0 },
    ['value_template', { current_door_state: 0 }, 'open'],
  ],
  ['blind', 'cover', ['payload_open'], { target_position: 100 }, ['value_template', { position_state: 1 }, 'opening']],
  ['blind', 'cover', ['payload_close'], { target_position: 0 }, ['value_template', { position_state: 0 }, 'closing']],
  ['blind', 'cover', ['payload_stop'], { hold_position: true }, ['position_template', { current_position: 40 }, '40']],
  ['fan', 'fan', ['payload_on'], { active: 1 }, ['state_value_template', { active: 1 }, '1']],
  [
    'fan',
    'fan',
    ['preset_mode', 'auto'],
    { target_fan_state: 1 },
    ['preset_mode_value_template', { target_fan_state: 1 }, 'auto'],
  ],
  [
    'fan',
    'fan',
    ['direction', 'reverse'],
    { rotation_direction: 1 },
    ['direction_value_template', { rotation_direction: 1 }, 'reverse'],
  ],
  [
    'purifier',
    'fan',
    ['preset_mode', 'manual'],
    { target_air_purifier_state: 0 },
    ['preset_mode_value_template', { target_air_purifier_state: 0 }, 'manual'],
  ],
  ['humidifier', 'humidifier', ['payload_on'], { active: 1 }, ['state_value_template', { active: 1 }, '1']],
  [
    'humidifier',
    'humidifier',
    ['mode', 'dehumidifier'],
    { target_humidifier_dehumidifier_state: 2 },
    ['action_template', { current_humidifier_dehumidifier_state: 3 }, 'drying'],
  ],
  ['valve', 'valve', ['payload_open'], { active: 1 }, ['value_template', { active: 1 }, 'open']],
  ['valve', 'valve', ['payload_close'], { active: 0 }, ['value_template', { active: 0 }, 'closed']],
];

describe('Home Assistant’s words', () => {
  it.each(ROUND_TRIPS.map((row) => [...row, row[2].join(' ')] as const))(
    'of %s, a %s, mean what the device means',
    (name, component, [key, word], written, [template, after, message]) => {
      const subject = DEVICES[name] ?? VARIANTS[name];
      if (!subject) throw new Error(`There is no ${name}`);
      const thing = publish(subject);
      const { config } = only(subject, component);
      const topic = config[word === undefined ? 'command_topic' : `${key}_command_topic`];
      const payload =
        word === undefined ? config[key] : renderTemplate(String(config[`${key}_command_template`]), { value: word });
      expect(carryOut(thing, String(topic), String(payload))).toEqual(written);
      // States have the properties under the names that the thing has for them.
      const state = Object.fromEntries(
        Object.entries(after).flatMap(([characteristicName, value]) => {
          const type = characteristicByName(characteristicName)?.type;
          const keys = thing.properties.filter((one) => one.characteristic.type === type).map((one) => one.property);
          return keys.length > 0 ? keys.map((one) => [one, value]) : [[characteristicName, value]];
        }),
      );
      expect(renderTemplate(String(config[template]), { value_json: state })).toBe(message);
    },
  );

  it('for a press are what buttons do, and a doorbell rings', () => {
    const button = only(DEVICES.button as Accessory, 'event');
    expect(button.config).toMatchObject({ device_class: 'button', event_types: ['single', 'double', 'long'] });
    expect(button.config.value_template).toBeUndefined();
    const bell = only(DEVICES.doorbell as Accessory, 'event');
    expect(bell.config).toMatchObject({ device_class: 'doorbell', event_types: ['ring', 'double', 'long'] });
    const answered = renderTemplate(String(bell.config.value_template), { value_json: { event_type: 'single' } });
    expect(JSON.parse(answered)).toEqual({ event_type: 'ring' });
  });

  it('for one temperature are the one that counts while a heater cooler heats or cools', () => {
    const subject = VARIANTS['a heater cooler'] as Accessory;
    const { config } = only(subject, 'climate');
    const template = String(config.temperature_command_template);
    const send = (state: string) =>
      carryOut(
        publish(subject),
        String(config.temperature_command_topic),
        renderTemplate(template, { value: 22, this: { state } }),
      );
    expect([send('cool'), send('heat')]).toEqual([{ cooling_threshold: 22 }, { heating_threshold: 22 }]);
    const read = (mode: number) =>
      renderTemplate(String(config.temperature_state_template), {
        value_json: { hvac_mode: mode, heat_target: 19, cool_target: 26 },
      });
    expect([read(1), read(2)]).toEqual(['19', '26']);
  });

  it('for a color come and go as one, and white is a temperature', () => {
    const subject = DEVICES.light as Accessory;
    const { config } = only(subject, 'light');
    const sent = renderTemplate(String(config.hs_command_template), { hue: 120, sat: 50 });
    expect(carryOut(publish(subject), String(config.hs_command_topic), sent)).toEqual({ hue: 120, saturation: 50 });
    const value_json = { hue: 120, saturation: 50 };
    expect(renderTemplate(String(config.hs_value_template), { value_json })).toBe('120,50');
    const modeOf = (saturation: number) =>
      renderTemplate(String(config.color_mode_value_template), { value_json: { saturation } });
    expect([modeOf(50), modeOf(0)]).toEqual(['hs', 'color_temp']);
  });
});

describe('virtual accessories and groups', () => {
  const home = createTestHome({ sample: true });
  afterAll(() => home.close());

  function inventory() {
    const found = takeInventory(home.state, home.home.id, { prefix: 'homecast', scenes: [] });
    if (!found) throw new Error('There is no such home');
    return found;
  }

  it.each([
    ['input_boolean', {}, ['switch']],
    ['input_select', { options: ['Home', 'Away'] }, ['select']],
    ['counter', {}, ['number', 'button', 'button', 'button']],
    ['timer', {}, ['sensor', 'button', 'button', 'button', 'button', 'button']],
    ['input_number', { min: 5, max: 30, step: 0.5, unit: '°C' }, ['number']],
    ['input_text', { minLength: 2, maxLength: 20, initialValue: 'ab' }, ['text']],
    ['input_datetime', { hasDate: true, hasTime: true }, ['text']],
  ] as const)('of kind %s are what can be done with them', (type, fields, components) => {
    const { id } = home.virtuals.create(systemCaller, { homeId: home.home.id, name: `A ${type}`, type, ...fields });
    const thing = inventory().subjects.get(id) as PublishedThing;
    expect(check(thing).map(({ component }) => component)).toEqual(components);
    // A user who may not change it sees it.
    const locked = { ...fields, name: `Locked ${type}`, homeId: home.home.id, type, controllable: false };
    const { id: lockedId } = home.virtuals.create(systemCaller, locked);
    const shown = inventory().subjects.get(lockedId) as PublishedThing;
    const commands = check(shown).filter(({ config }) => 'command_topic' in config);
    expect(shown.properties.every(({ writable }) => !writable) ? commands : []).toEqual([]);
  });

  it('of every kind have a row', () => {
    const types = home.state.accessories().flatMap(({ virtual }) => virtual?.virtualType ?? []);
    expect(new Set(types)).toEqual(new Set(VIRTUAL_TYPES));
  });

  it('that are groups are described like accessories', () => {
    const accessoryIds = ['Heater', 'Kettle'].map((name) => home.named(name).id);
    const group = home.serviceGroups.create(systemCaller, { homeId: home.home.id, name: 'Kitchen', accessoryIds });
    const thing = inventory().subjects.get(group.id) as PublishedThing;
    expect(asAccessory(group, home.state)).toBeDefined();
    expect(check(thing)).toMatchObject([{ component: 'switch', config: { name: null } }]);
  });
});
