/**
 * What Home Assistant takes of each MQTT component: every key that its documentation has, those that it requires, and
 * the rules beyond single keys that its own checks have. Strict: what is not in here is refused here, where Home
 * Assistant would drop it silently. Sources: https://www.home-assistant.io/integrations/<component>.mqtt/ for the keys,
 * https://www.home-assistant.io/integrations/mqtt/#mqtt-discovery for device, origin and availability, and the
 * platforms' own pages (https://www.home-assistant.io/integrations/<component>/) for device classes.
 */
import { z } from 'zod';

const template = z.string().min(1);
/** A topic to publish to or one to read: no wildcards in either of ours. */
const topic = z.string().regex(/^[^+#\0]+$/);
const text = z.string();
const flag = z.boolean();
const whole = z.number().int();

const device = z
  .strictObject({
    identifiers: z.array(text.min(1)).optional(),
    connections: z.array(z.tuple([text, text])).optional(),
    configuration_url: text.optional(),
    hw_version: text.min(1).optional(),
    manufacturer: text.min(1).optional(),
    model: text.min(1).optional(),
    model_id: text.optional(),
    name: text.min(1).optional(),
    serial_number: text.min(1).optional(),
    suggested_area: text.min(1).optional(),
    sw_version: text.min(1).optional(),
    via_device: text.min(1).optional(),
  })
  .refine(({ identifiers = [], connections = [] }) => identifiers.length + connections.length > 0, 'no identifier');

const COMMON = {
  availability: z
    .array(
      z.strictObject({
        topic,
        payload_available: text.optional(),
        payload_not_available: text.optional(),
        value_template: template.optional(),
      }),
    )
    .optional(),
  availability_mode: z.enum(['all', 'any', 'latest']).optional(),
  default_entity_id: text.optional(),
  device,
  enabled_by_default: flag.optional(),
  encoding: text.optional(),
  entity_category: z.enum(['config', 'diagnostic']).optional(),
  entity_picture: text.optional(),
  icon: text.optional(),
  json_attributes_template: template.optional(),
  json_attributes_topic: topic.optional(),
  name: text.min(1).nullable(),
  origin: z.strictObject({ name: text.min(1), sw_version: text.optional(), support_url: text.optional() }),
  qos: z.union([z.literal(0), z.literal(1), z.literal(2)]).optional(),
  // Not required by the documentation, but without one no user can rename the entity.
  unique_id: text.min(1),
};

const READ = { state_topic: topic, value_template: template.optional() };
const WRITE = {
  command_topic: topic,
  command_template: template.optional(),
  retain: flag.optional(),
  optimistic: flag.optional(),
};
const ON_OFF = { payload_on: text.optional(), payload_off: text.optional() };

function has(config: object, key: string): boolean {
  return Object.hasOwn(config, key);
}

/** Optional topics, each with its template under the name that the component has for it. */
function optionals(topics: readonly string[], templates: readonly string[]) {
  return Object.fromEntries([
    ...topics.map((name) => [name, topic.optional()] as const),
    ...templates.map((name) => [name, template.optional()] as const),
  ]);
}

const light = z.strictObject({
  ...COMMON,
  ...ON_OFF,
  command_topic: topic,
  state_topic: topic.optional(),
  state_value_template: template.optional(),
  schema: z.literal('basic').optional(),
  on_command_type: z.enum(['last', 'first', 'brightness']).optional(),
  optimistic: flag.optional(),
  retain: flag.optional(),
  brightness_scale: whole.min(1).optional(),
  min_mireds: whole.positive().optional(),
  max_mireds: whole.positive().optional(),
  min_kelvin: whole.positive().optional(),
  max_kelvin: whole.positive().optional(),
  color_temp_kelvin: flag.optional(),
  effect_list: z.array(text).optional(),
  white_scale: whole.min(1).optional(),
  ...optionals(
    ['brightness', 'color_temp', 'effect', 'hs', 'rgb', 'rgbw', 'rgbww', 'xy'].flatMap((name) => [
      `${name}_command_topic`,
      `${name}_state_topic`,
    ]),
    ['brightness', 'color_temp', 'effect', 'hs', 'rgb', 'rgbw', 'rgbww', 'xy'].flatMap((name) => [
      `${name}_command_template`,
      `${name}_value_template`,
    ]),
  ),
  ...optionals(['color_mode_state_topic', 'white_command_topic'], ['color_mode_value_template']),
});

const switchSchema = z.strictObject({
  ...COMMON,
  ...READ,
  ...WRITE,
  ...ON_OFF,
  device_class: z.enum(['outlet', 'switch']).nullable().optional(),
  state_on: text.optional(),
  state_off: text.optional(),
});

const fan = z
  .strictObject({
    ...COMMON,
    ...WRITE,
    ...ON_OFF,
    state_topic: topic.optional(),
    state_value_template: template.optional(),
    payload_oscillation_on: text.optional(),
    payload_oscillation_off: text.optional(),
    payload_reset_percentage: text.optional(),
    payload_reset_preset_mode: text.optional(),
    preset_modes: z.array(text).optional(),
    speed_range_min: whole.min(1).optional(),
    speed_range_max: whole.min(1).optional(),
    ...optionals(
      ['direction', 'oscillation', 'percentage', 'preset_mode'].flatMap((name) => [
        `${name}_command_topic`,
        `${name}_state_topic`,
      ]),
      ['direction', 'oscillation', 'percentage', 'preset_mode'].flatMap((name) => [
        `${name}_command_template`,
        `${name}_value_template`,
      ]),
    ),
  })
  .refine(({ speed_range_min: min = 1, speed_range_max: max = 100 }) => min < max, 'the range of speeds is empty')
  .refine(
    (config) => has(config, 'preset_modes') === has(config, 'preset_mode_command_topic'),
    'preset_modes and their topic go together',
  );

const lock = z.strictObject({
  ...COMMON,
  ...WRITE,
  state_topic: topic.optional(),
  value_template: template.optional(),
  code_format: text.optional(),
  payload_lock: text.optional(),
  payload_unlock: text.optional(),
  payload_open: text.optional(),
  payload_reset: text.optional(),
  state_jammed: text.optional(),
  state_locked: text.optional(),
  state_locking: text.optional(),
  state_unlocked: text.optional(),
  state_unlocking: text.optional(),
});

const cover = z
  .strictObject({
    ...COMMON,
    command_topic: topic.optional(),
    retain: flag.optional(),
    optimistic: flag.optional(),
    device_class: z
      .enum(['awning', 'blind', 'curtain', 'damper', 'door', 'garage', 'gate', 'shade', 'shutter', 'window'])
      .nullable()
      .optional(),
    payload_open: text.nullable().optional(),
    payload_close: text.nullable().optional(),
    payload_stop: text.nullable().optional(),
    position_open: whole.optional(),
    position_closed: whole.optional(),
    position_topic: topic.optional(),
    position_template: template.optional(),
    set_position_topic: topic.optional(),
    set_position_template: template.optional(),
    state_topic: topic.optional(),
    value_template: template.optional(),
    state_closed: text.optional(),
    state_closing: text.optional(),
    state_open: text.optional(),
    state_opening: text.optional(),
    state_stopped: text.optional(),
    tilt_command_topic: topic.optional(),
    tilt_command_template: template.optional(),
    tilt_status_topic: topic.optional(),
    tilt_status_template: template.optional(),
    tilt_min: whole.optional(),
    tilt_max: whole.optional(),
    tilt_closed_value: whole.optional(),
    tilt_opened_value: whole.optional(),
    tilt_optimistic: flag.optional(),
  })
  .refine(
    (config) => config.set_position_topic === undefined || config.position_topic !== undefined,
    'set_position_topic must be set together with position_topic',
  )
  .refine(
    (config) => config.value_template === undefined || config.state_topic !== undefined,
    'value_template must be set together with state_topic',
  );

const CLIMATE_TOPICS = [
  'fan_mode',
  'mode',
  'preset_mode',
  'swing_mode',
  'swing_horizontal_mode',
  'target_humidity',
  'temperature',
  'temperature_high',
  'temperature_low',
];
const climate = z
  .strictObject({
    ...COMMON,
    ...ON_OFF,
    retain: flag.optional(),
    optimistic: flag.optional(),
    fan_modes: z.array(text).optional(),
    initial: z.number().optional(),
    max_humidity: z.number().max(100).optional(),
    min_humidity: z.number().optional(),
    max_temp: z.number().optional(),
    min_temp: z.number().optional(),
    modes: z.array(z.enum(['auto', 'off', 'cool', 'heat', 'heat_cool', 'dry', 'fan_only'])).optional(),
    precision: z.union([z.literal(0.1), z.literal(0.5), z.literal(1)]).optional(),
    preset_modes: z.array(text).optional(),
    swing_modes: z.array(text).optional(),
    swing_horizontal_modes: z.array(text).optional(),
    temp_step: z.number().positive().optional(),
    temperature_unit: z.enum(['C', 'F']).optional(),
    ...optionals(
      CLIMATE_TOPICS.flatMap((name) => [`${name}_command_topic`, `${name}_state_topic`]),
      CLIMATE_TOPICS.flatMap((name) => [`${name}_command_template`, `${name}_state_template`]),
    ),
    ...optionals(
      ['action_topic', 'current_humidity_topic', 'current_temperature_topic', 'power_command_topic'],
      ['action_template', 'current_humidity_template', 'current_temperature_template', 'power_command_template'],
    ),
  })
  .refine(({ min_temp: min = 7, max_temp: max = 35 }) => min < max, 'the range of temperatures is empty')
  .refine(({ min_humidity: min = 30, max_humidity: max = 99 }) => min < max, 'the range of humidities is empty')
  .refine(
    (config) => !has(config, 'target_humidity_state_topic') || has(config, 'target_humidity_command_topic'),
    'target_humidity_state_topic needs target_humidity_command_topic',
  );

const alarmControlPanel = z.strictObject({
  ...COMMON,
  ...READ,
  command_topic: topic,
  command_template: template.optional(),
  retain: flag.optional(),
  code: text.optional(),
  code_arm_required: flag.optional(),
  code_disarm_required: flag.optional(),
  code_trigger_required: flag.optional(),
  payload_arm_away: text.optional(),
  payload_arm_home: text.optional(),
  payload_arm_night: text.optional(),
  payload_arm_vacation: text.optional(),
  payload_arm_custom_bypass: text.optional(),
  payload_disarm: text.optional(),
  payload_trigger: text.optional(),
  supported_features: z
    .array(z.enum(['arm_home', 'arm_away', 'arm_night', 'arm_vacation', 'arm_custom_bypass', 'trigger']))
    .optional(),
});

const valve = z
  .strictObject({
    ...COMMON,
    command_topic: topic.optional(),
    command_template: template.optional(),
    retain: flag.optional(),
    optimistic: flag.optional(),
    device_class: z.enum(['water', 'gas']).nullable().optional(),
    payload_open: text.nullable().optional(),
    payload_close: text.nullable().optional(),
    payload_stop: text.nullable().optional(),
    position_open: whole.optional(),
    position_closed: whole.optional(),
    reports_position: flag.optional(),
    state_topic: topic.optional(),
    state_closed: text.optional(),
    state_closing: text.optional(),
    state_open: text.optional(),
    state_opening: text.optional(),
    value_template: template.optional(),
  })
  .refine(
    (config) =>
      !config.reports_position || [config.payload_open, config.payload_close].every((one) => one === undefined),
    'payload_open and payload_close are not allowed if the valve reports a position',
  );

const humidifier = z
  .strictObject({
    ...COMMON,
    ...WRITE,
    ...ON_OFF,
    state_topic: topic.optional(),
    state_value_template: template.optional(),
    device_class: z.enum(['humidifier', 'dehumidifier']).nullable().optional(),
    max_humidity: whole.max(100).optional(),
    min_humidity: whole.min(0).optional(),
    modes: z.array(text).optional(),
    payload_reset_humidity: text.optional(),
    payload_reset_mode: text.optional(),
    target_humidity_command_topic: topic,
    ...optionals(
      [
        'action_topic',
        'current_humidity_topic',
        'mode_command_topic',
        'mode_state_topic',
        'target_humidity_state_topic',
      ],
      [
        ...['action_template', 'current_humidity_template', 'mode_command_template', 'mode_state_template'],
        ...['target_humidity_command_template', 'target_humidity_state_template'],
      ],
    ),
  })
  .refine(({ min_humidity: min = 0, max_humidity: max = 100 }) => min < max, 'the range of humidities is empty')
  .refine((config) => has(config, 'modes') === has(config, 'mode_command_topic'), 'modes need a topic');

const binarySensor = z.strictObject({
  ...COMMON,
  ...READ,
  ...ON_OFF,
  device_class: z
    .enum(
      (
        'battery battery_charging carbon_monoxide cold connectivity door garage_door gas heat light lock moisture motion moving ' +
        'occupancy opening plug power presence problem running safety smoke sound tamper update vibration window'
      ).split(' '),
    )
    .nullable()
    .optional(),
  // A sensor is no setting.
  entity_category: z.literal('diagnostic').optional(),
  expire_after: whole.optional(),
  force_update: flag.optional(),
  off_delay: whole.optional(),
});

/** Of the classes that we use, the units that they may have. */
const SENSOR_UNITS: Readonly<Record<string, readonly string[]>> = {
  atmospheric_pressure: ['hPa', 'kPa', 'Pa', 'bar', 'mbar', 'inHg', 'mmHg', 'psi', 'cbar'],
  battery: ['%'],
  carbon_dioxide: ['ppm'],
  carbon_monoxide: ['ppm', 'ppb', 'mg/m³', 'µg/m³'],
  current: ['A', 'mA'],
  duration: ['d', 'h', 'min', 's', 'ms', 'µs'],
  energy: ['J', 'kJ', 'MJ', 'GJ', 'mWh', 'Wh', 'kWh', 'MWh', 'GWh', 'TWh', 'cal', 'kcal', 'Mcal', 'Gcal'],
  humidity: ['%'],
  illuminance: ['lx'],
  nitrogen_dioxide: ['µg/m³', 'ppb', 'ppm'],
  ozone: ['µg/m³', 'ppb', 'ppm'],
  pm10: ['µg/m³'],
  pm25: ['µg/m³'],
  power: ['mW', 'W', 'kW', 'MW', 'GW', 'TW'],
  sulphur_dioxide: ['µg/m³', 'ppb'],
  temperature: ['°C', '°F', 'K'],
  volatile_organic_compounds: ['µg/m³', 'mg/m³'],
  voltage: ['V', 'mV', 'µV', 'kV', 'MV'],
};

const sensor = z
  .strictObject({
    ...COMMON,
    ...READ,
    device_class: z
      .enum(['enum', ...Object.keys(SENSOR_UNITS)])
      .nullable()
      .optional(),
    entity_category: z.literal('diagnostic').optional(),
    expire_after: whole.optional(),
    force_update: flag.optional(),
    last_reset_value_template: template.optional(),
    options: z.array(text).min(1).optional(),
    state_class: z.enum(['measurement', 'measurement_angle', 'total', 'total_increasing']).optional(),
    suggested_display_precision: whole.optional(),
    unit_of_measurement: text.min(1).optional(),
  })
  .refine(
    (config) => (config.options === undefined) === (config.device_class !== 'enum'),
    'options and the class enum go together',
  )
  .refine(
    (config) => config.device_class !== 'enum' || (config.state_class ?? config.unit_of_measurement) === undefined,
    'an enum has neither state_class nor unit',
  )
  .refine(
    ({ device_class: kind, unit_of_measurement: unit }) =>
      typeof kind !== 'string' || kind === 'enum' || SENSOR_UNITS[kind]?.includes(unit ?? ''),
    'the class has other units',
  )
  .refine(
    (config) => config.device_class !== 'energy' || config.state_class !== 'measurement',
    'energy is no measurement',
  );

const number = z
  .strictObject({
    ...COMMON,
    ...WRITE,
    state_topic: topic.optional(),
    value_template: template.optional(),
    device_class: z.enum(Object.keys(SENSOR_UNITS)).nullable().optional(),
    min: z.number().optional(),
    max: z.number().optional(),
    mode: z.enum(['auto', 'box', 'slider']).optional(),
    payload_reset: text.optional(),
    step: z.number().min(0.001).optional(),
    unit_of_measurement: text.nullable().optional(),
  })
  .refine(({ min = 1, max = 100 }) => min < max, 'max must be greater than min');

const select = z.strictObject({
  ...COMMON,
  ...WRITE,
  state_topic: topic.optional(),
  value_template: template.optional(),
  options: z.array(text).min(1),
});

const textSchema = z
  .strictObject({
    ...COMMON,
    command_topic: topic,
    command_template: template.optional(),
    retain: flag.optional(),
    state_topic: topic.optional(),
    value_template: template.optional(),
    max: whole.max(255).optional(),
    min: whole.min(0).optional(),
    mode: z.enum(['text', 'password']).optional(),
    pattern: text.optional(),
  })
  .refine(({ min = 0, max = 255 }) => min <= max, 'text length min must be <= max');

const event = z.strictObject({
  ...COMMON,
  ...READ,
  device_class: z.enum(['button', 'doorbell', 'motion']).nullable().optional(),
  event_types: z.array(text).min(1),
});

const button = z.strictObject({
  ...COMMON,
  command_topic: topic,
  command_template: template.optional(),
  retain: flag.optional(),
  device_class: z.enum(['identify', 'restart', 'update']).nullable().optional(),
  payload_press: text.optional(),
});

const scene = z.strictObject({ ...COMMON, command_topic: topic, retain: flag.optional(), payload_on: text.optional() });

export const HOME_ASSISTANT_SCHEMAS: Readonly<Record<string, z.ZodType>> = {
  alarm_control_panel: alarmControlPanel,
  binary_sensor: binarySensor,
  button,
  climate,
  cover,
  event,
  fan,
  humidifier,
  light,
  lock,
  number,
  scene,
  select,
  sensor,
  switch: switchSchema,
  text: textSchema,
  valve,
};

/** `<prefix>/<component>/<node>/<object>/config`, as Home Assistant finds them. */
export const DISCOVERY_TOPIC =
  /^(?<prefix>.+)\/(?<component>[a-z_]+)\/(?<node>[a-zA-Z0-9_-]+)\/(?<object>[a-zA-Z0-9_-]+)\/config$/;
