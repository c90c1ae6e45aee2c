/**
 * What is known of each kind of device: one row per kind. The device type, the category of a bridge's child, scenes,
 * Home Assistant, share pages and the dashboard derive from it. Only data, because the browser loads it too.
 *
 * The order is the rule for the device type: of an accessory's services, the one in the first matching row decides.
 */
import type { CharacteristicName } from '../../hap-spec/characteristics.ts';
import type { ServiceName } from '../../hap-spec/services.ts';

interface DeviceService {
  readonly name: ServiceName;
  /** The HAP category of a bridge's child that has this service (`hap-spec/categories.ts`). */
  readonly category?: number;
  /** Of several services, the one with the lowest rank decides the category; in equal ranks the order of the rows. */
  readonly categoryRank?: number;
  /**
   * What a scene captures, in the order in which it is set: `power_state` or `active` if the service has it, then these
   * while it is on. Services that need a rule of their own have it in `app/scenes/capture.ts`; others are not captured.
   */
  readonly captures?: readonly CharacteristicName[];
  /** The Home Assistant entity; without one, each property becomes an entity. */
  readonly entity?: HomeAssistantEntity;
}

interface DeviceKindRow {
  /** The simplified device type (API §2.2); absent: these services do not decide it. */
  readonly type?: string;
  readonly services: readonly DeviceService[];
  /** The icon on share pages. */
  readonly icon?: DeviceIconName;
}

/** `app/mqtt/discovery/discovery.ts` has the file of each. */
export type HomeAssistantEntity =
  | 'alarm_control_panel'
  | 'cover'
  | 'fan'
  | 'heater_cooler'
  | 'humidifier'
  | 'light'
  | 'lock'
  | 'switch'
  | 'thermostat'
  | 'valve';

/** `api/share/icons.tsx` draws them. */
export type DeviceIconName =
  | 'bell'
  | 'blind'
  | 'bulb'
  | 'door'
  | 'drop'
  | 'eye'
  | 'fan'
  | 'padlock'
  | 'plug'
  | 'power'
  | 'speaker'
  | 'thermometer';

/** A sensor decides the category only if no other service does. */
export const SENSOR_CATEGORY = 10;
const sensor = (...names: readonly ServiceName[]): readonly DeviceService[] =>
  names.map((name) => ({ name, category: SENSOR_CATEGORY }));

const FAN_SETTINGS = ['target_fan_state', 'rotation_speed', 'rotation_direction', 'swing_mode'] as const;
const TILTS = ['target_horizontal_tilt', 'target_vertical_tilt'] as const;
const HUMIDITY = ['relative_humidity_humidifier_threshold', 'relative_humidity_dehumidifier_threshold'] as const;

// biome-ignore format: one service, one line
const ROWS = [
  // Before the light and the switch, which these devices contain: a camera has a night light, a thermostat a lit
  // display, a humidifier a lamp. Nearly every doorbell has a camera.
  { type: 'doorbell', icon: 'bell', services: [{ name: 'doorbell', category: 18 }] },
  { type: 'camera', icon: 'eye', services: [{ name: 'camera_rtp_stream_management', category: 17 }] },
  { type: 'climate', icon: 'thermometer', services: [
    { name: 'thermostat', category: 9, entity: 'thermostat' },
    { name: 'heater_cooler', category: 21, entity: 'heater_cooler' }, // its category: air conditioner
  ] },
  { type: 'humidifier', icon: 'drop', services: [
    { name: 'humidifier_dehumidifier', category: 22, entity: 'humidifier',
      captures: ['target_humidifier_dehumidifier_state', ...HUMIDITY] },
  ] },
  { type: 'light', icon: 'bulb', services: [{ name: 'lightbulb', category: 5, entity: 'light' }] },
  { type: 'switch', icon: 'power', services: [{ name: 'switch', category: 8, categoryRank: 9, entity: 'switch', captures: [] }] },
  { type: 'outlet', icon: 'plug', services: [{ name: 'outlet', category: 7, categoryRank: 8, entity: 'switch', captures: [] }] },
  { type: 'lock', icon: 'padlock', services: [{ name: 'lock', category: 6, entity: 'lock' }] },
  { type: 'alarm', icon: 'bell', services: [
    { name: 'security_system', category: 11, categoryRank: 2, entity: 'alarm_control_panel' },
  ] },
  // Before the sensors, which nearly every purifier and garage door opener contains.
  { type: 'purifier', icon: 'fan', services: [
    { name: 'air_purifier', category: 19, categoryRank: 6, entity: 'fan', captures: ['target_air_purifier_state', 'rotation_speed'] },
  ] },
  { type: 'blind', icon: 'blind', services: [
    { name: 'garage_door', category: 4, categoryRank: 1, entity: 'cover' },
    { name: 'window', category: 13, categoryRank: 4, entity: 'cover' },
    { name: 'door', category: 12, categoryRank: 4, entity: 'cover' },
  ] },
  { type: 'motion', icon: 'eye', services: sensor('motion_sensor', 'occupancy_sensor') },
  { type: 'contact', icon: 'door', services: sensor('contact_sensor') },
  { type: 'temperature', icon: 'thermometer', services: sensor('temperature_sensor') },
  // Both generations.
  { type: 'fan', icon: 'fan', services: [{ name: 'fan', category: 3, categoryRank: 5, entity: 'fan', captures: FAN_SETTINGS }] },
  { type: 'blind', icon: 'blind', services: [
    { name: 'window_covering', category: 14, categoryRank: 3, entity: 'cover', captures: ['target_position', ...TILTS] },
  ] },
  { type: 'valve', icon: 'drop', services: [
    { name: 'irrigation_system', category: 28, categoryRank: 7 },
    { name: 'faucet', category: 29, categoryRank: 7 },
    { name: 'valve', category: 28, categoryRank: 7, entity: 'valve' },
  ] },
  { services: [{ name: 'television', category: 31, categoryRank: 11 }] },
  { type: 'speaker', icon: 'speaker', services: [{ name: 'speaker', category: 26, categoryRank: 12 }, { name: 'microphone' }] },
  { type: 'light_sensor', services: sensor('light_sensor') },
  { type: 'button', services: [{ name: 'stateless_programmable_switch', category: 15, categoryRank: 10 }] },
  { type: 'sensor', services: sensor(
    'humidity_sensor', 'leak_sensor', 'smoke_sensor', 'carbon_monoxide_sensor', 'carbon_dioxide_sensor', 'air_quality_sensor',
  ) },
] as const satisfies readonly DeviceKindRow[];

export type DeviceTypeName = Extract<(typeof ROWS)[number], { readonly type: string }>['type'];

export const DEVICE_KINDS: readonly DeviceKindRow[] = ROWS;

export const DEVICE_SERVICES: readonly DeviceService[] = DEVICE_KINDS.flatMap(({ services }) => services);
