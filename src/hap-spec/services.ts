/**
 * Every service type of the HAP specification with its required and optional characteristics. As with characteristics,
 * unknown types pass through by their UUID.
 */
import { characteristicByName } from './characteristics.ts';
import { canonicalType, fullUuid } from './uuid.ts';
import { foldWord, indexWords, type NamedType, typesByName } from './words.ts';

export interface ServiceSpec {
  /** Canonical type, see `uuid.ts`: `43`. */
  readonly type: string;
  /** Our name, snake_case: `lightbulb`. Unique except for `fan`, which names both generations of fans. */
  readonly name: string;
  /** HAP's name, as in `public.hap.service.lightbulb`. */
  readonly hapName: string;
  readonly aliases: readonly string[];
  /** Canonical types of the required and the optional characteristics of such a service. */
  readonly required: readonly string[];
  readonly optional: readonly string[];
}

/** @param required names of characteristics, separated by blanks. */
function row<const Type extends string, const Name extends string>(
  type: Type,
  name: Name,
  hapName: string,
  required: string,
  optional: string,
  aliases: readonly string[] = [],
): ServiceSpec & NamedType<Type, Name> {
  return { type, name, hapName, aliases, required: typesOf(required), optional: typesOf(optional) };
}

function typesOf(names: string): readonly string[] {
  if (names === '') return [];
  return names.split(' ').map((name) => {
    const spec = characteristicByName(name);
    if (!spec) throw new Error(`The service table names a characteristic that does not exist: ${name}`);
    return spec.type;
  });
}

function also(...aliases: readonly string[]): readonly string[] {
  return aliases;
}

// biome-ignore format: one row, one line of meaning; then what it requires and what it allows
const ROWS = [
  row('3E', 'accessory_information', 'accessory-information',
    'identify manufacturer model name serial_number firmware_revision',
    'accessory_flags app_matching_identifier configured_name matter_firmware_revision_number hardware_finish ' +
      'hardware_revision product_data software_revision'),
  row('40', 'fan', 'fan', 'power_state', 'name rotation_direction rotation_speed'),
  row('41', 'garage_door', 'garage-door-opener',
    'current_door_state target_door_state obstruction_detected',
    'lock_current_state lock_target_state name', also('garage_door_opener')),
  row('43', 'lightbulb', 'lightbulb',
    'power_state',
    'brightness characteristic_value_active_transition_count characteristic_value_transition_control ' +
      'color_temperature hue name saturation supported_characteristic_value_transition_configuration'),
  row('44', 'lock_management', 'lock-management',
    'lock_control_point version',
    'administrator_only_access audio_feedback current_door_state lock_management_auto_security_timeout ' +
      'lock_last_known_action logs motion_detected'),
  row('45', 'lock', 'lock-mechanism', 'lock_current_state lock_target_state', 'name', also('lock_mechanism')),
  row('47', 'outlet', 'outlet', 'power_state', 'name outlet_in_use'),
  row('49', 'switch', 'switch', 'power_state', 'name'),
  row('4A', 'thermostat', 'thermostat',
    'heating_cooling_current heating_cooling_target current_temperature target_temperature temperature_units',
    'name relative_humidity target_humidity cooling_threshold heating_threshold'),
  row('55', 'pairing', 'pairing', 'list_pairings pair_setup pair_verify pairing_features', ''),
  row('56', 'tunnel', 'tunneled-btle-accessory',
    'accessory_identifier tunnel_connection_timeout tunneled_accessory_advertising tunneled_accessory_connected ' +
      'tunneled_accessory_state_number',
    ''),
  row('5A', 'cloud_relay', 'relay', 'relay_control_point relay_state relay_enabled', ''),
  row('62', 'bridging_state', 'bridging-state', 'reachable link_quality accessory_identifier category', 'name'),
  row('7E', 'security_system', 'security-system',
    'security_system_current_state security_system_target_state',
    'name security_system_alarm_type status_fault status_tampered'),
  row('7F', 'carbon_monoxide_sensor', 'sensor.carbon-monoxide',
    'carbon_monoxide_detected',
    'carbon_monoxide_level carbon_monoxide_peak_level name status_active status_fault status_low_battery status_tampered'),
  row('80', 'contact_sensor', 'sensor.contact',
    'contact_state',
    'name status_active status_fault status_low_battery status_tampered'),
  row('81', 'door', 'door', 'current_position position_state target_position', 'name obstruction_detected hold_position'),
  row('82', 'humidity_sensor', 'sensor.humidity',
    'relative_humidity',
    'name status_active status_fault status_low_battery status_tampered'),
  row('83', 'leak_sensor', 'sensor.leak', 'leak_detected', 'name status_active status_fault status_low_battery status_tampered'),
  row('84', 'light_sensor', 'sensor.light',
    'current_ambient_light_level',
    'name status_active status_fault status_low_battery status_tampered'),
  row('85', 'motion_sensor', 'sensor.motion',
    'motion_detected',
    'name status_active status_fault status_low_battery status_tampered'),
  row('86', 'occupancy_sensor', 'sensor.occupancy',
    'occupancy_detected',
    'name status_active status_fault status_low_battery status_tampered'),
  row('87', 'smoke_sensor', 'sensor.smoke', 'smoke_detected', 'name status_active status_fault status_low_battery status_tampered'),
  row('88', 'stateful_programmable_switch', 'stateful-programmable-switch',
    'programmable_switch_event programmable_switch_output_state',
    'name'),
  row('89', 'stateless_programmable_switch', 'stateless-programmable-switch', 'programmable_switch_event', 'name label_index'),
  row('8A', 'temperature_sensor', 'sensor.temperature',
    'current_temperature',
    'name status_active status_fault status_low_battery status_tampered'),
  row('8B', 'window', 'window', 'current_position position_state target_position', 'name obstruction_detected hold_position'),
  row('8C', 'window_covering', 'window-covering',
    'current_position position_state target_position',
    'current_horizontal_tilt target_horizontal_tilt name obstruction_detected hold_position current_vertical_tilt ' +
      'target_vertical_tilt'),
  row('8D', 'air_quality_sensor', 'sensor.air-quality',
    'air_quality',
    'nitrogen_dioxide_density ozone_density pm10_density pm2_5_density sulphur_dioxide_density voc_density name ' +
      'status_active status_fault status_low_battery status_tampered'),
  row('96', 'battery', 'battery', 'status_low_battery', 'battery_level charging_state name'),
  row('97', 'carbon_dioxide_sensor', 'sensor.carbon-dioxide',
    'carbon_dioxide_detected',
    'carbon_dioxide_level carbon_dioxide_peak_level name status_active status_fault status_low_battery status_tampered'),
  row('99', 'time_information', 'time-information', 'current_time day_of_the_week time_update', 'name'),
  row('A1', 'bridge_configuration', 'bridge-configuration',
    'configure_bridged_accessory_status discover_bridged_accessories discovered_bridged_accessories ' +
      'configure_bridged_accessory',
    'name'),
  row('A2', 'protocol_information', 'protocol.information.service', 'version', ''),
  row('B7', 'fan', 'fanv2',
    'active',
    'current_fan_state target_fan_state lock_physical_controls name rotation_direction rotation_speed swing_mode', also('fan_v2')),
  row('B9', 'slats', 'vertical-slat', 'current_slat_state slat_type', 'name swing_mode current_tilt_angle target_tilt_angle'),
  row('BA', 'filter_maintenance', 'filter-maintenance', 'filter_change_indication', 'filter_life_level filter_reset name'),
  row('BB', 'air_purifier', 'air-purifier',
    'active current_air_purifier_state target_air_purifier_state',
    'lock_physical_controls name rotation_speed swing_mode'),
  row('BC', 'heater_cooler', 'heater-cooler',
    'active current_heater_cooler_state target_heater_cooler_state current_temperature',
    'lock_physical_controls name rotation_speed swing_mode cooling_threshold heating_threshold temperature_units'),
  row('BD', 'humidifier_dehumidifier', 'humidifier-dehumidifier',
    'active current_humidifier_dehumidifier_state target_humidifier_dehumidifier_state relative_humidity',
    'lock_physical_controls name relative_humidity_dehumidifier_threshold relative_humidity_humidifier_threshold ' +
      'rotation_speed swing_mode water_level'),
  row('CC', 'label', 'service-label', 'label_namespace', '', also('service_label')),
  row('CF', 'irrigation_system', 'irrigation-system', 'active program_mode in_use', 'remaining_duration name status_fault'),
  row('D0', 'valve', 'valve',
    'active in_use valve_type',
    'is_configured name remaining_duration label_index set_duration status_fault'),
  row('D7', 'faucet', 'faucet', 'active', 'name status_fault'),
  row('D8', 'television', 'television',
    'active active_identifier configured_name remote_key sleep_discovery_mode',
    'brightness closed_captions display_order current_media_state target_media_state name picture_mode power_mode_selection'),
  row('D9', 'input_source', 'input-source',
    'configured_name input_source_type is_configured name current_visibility_state',
    'identifier input_device_type target_visibility_state'),
  row('DA', 'access_control', 'access-control', 'access_control_level', 'password_setting'),
  row('110', 'camera_rtp_stream_management', 'camera-rtp-stream-management',
    'selected_rtp_stream_configuration setup_endpoints streaming_status supported_audio_stream_configuration ' +
      'supported_rtp_configuration supported_video_stream_configuration',
    'active'),
  row('111', 'camera_control', 'camera-control',
    'power_state',
    'current_horizontal_tilt current_vertical_tilt target_horizontal_tilt target_vertical_tilt night_vision ' +
      'optical_zoom digital_zoom image_rotation image_mirroring name'),
  row('112', 'microphone', 'microphone', 'mute', 'volume'),
  row('113', 'speaker', 'speaker', 'mute', 'name active volume volume_control_type volume_selector'),
  row('121', 'doorbell', 'doorbell', 'programmable_switch_event', 'brightness mute name operating_state_response volume'),
  row('122', 'target_control_management', 'target-control-management',
    'target_control_supported_configuration target_control_list',
    ''),
  row('125', 'target_control', 'target-control', 'active active_identifier button_event', 'name'),
  row('127', 'audio_stream_management', 'audio-stream-management',
    'supported_audio_stream_configuration selected_audio_stream_configuration',
    ''),
  row('129', 'data_stream_transport_management', 'data-stream-transport-management',
    'setup_data_stream_transport supported_data_stream_transport_configuration version',
    ''),
  row('133', 'siri', 'siri',
    'siri_input_type',
    'multifunction_button siri_enable siri_engine_version siri_light_on_use siri_listening siri_touch_to_use'),
  row('203', 'transfer_transport_management', 'transfer-transport-management',
    'supported_transfer_transport_configuration setup_transfer_transport',
    ''),
  row('204', 'camera_recording_management', 'camera-recording-management',
    'active selected_camera_recording_configuration supported_audio_recording_configuration ' +
      'supported_camera_recording_configuration supported_video_recording_configuration',
    'recording_audio_active'),
  row('20A', 'wifi_router', 'wifi-router',
    'configured_name managed_network_enable network_access_violation_control network_client_profile_control ' +
      'network_client_status_control router_status supported_router_configuration wan_configuration_list ' +
      'wan_status_list',
    ''),
  row('20F', 'wifi_satellite', 'wifi-satellite', 'wifi_satellite_status', ''),
  row('21A', 'camera_operating_mode', 'camera-operating-mode',
    'event_snapshots_active homekit_camera_active',
    'camera_operating_mode_indicator manually_disabled night_vision periodic_snapshots_active ' +
      'third_party_camera_active diagonal_field_of_view'),
  row('221', 'power_management', 'power-management',
    'wake_configuration',
    'selected_sleep_configuration supported_sleep_configuration'),
  row('228', 'smart_speaker', 'smart-speaker',
    'current_media_state target_media_state',
    'airplay_enable configured_name mute name volume'),
  row('22A', 'wifi_transport', 'wifi-transport', 'current_transport wifi_capabilities', 'wifi_configuration_control'),
  row('22E', 'tap_management', 'tap-management', 'active crypto_hash tap_type token', ''),
  row('236', 'firmware_update', 'firmware-update',
    'firmware_update_readiness firmware_update_status',
    'firmware_update_protocol_list matter_firmware_update_status staged_firmware_version ' +
      'supported_firmware_update_configuration'),
  row('237', 'diagnostics', 'diagnostics',
    'supported_diagnostics_snapshot',
    'selected_diagnostics_modes supported_diagnostics_modes'),
  row('239', 'accessory_runtime_information', 'accessory-runtime-information',
    'ping',
    'activity_interval heart_beat sleep_interval'),
  row('253', 'siri_endpoint', 'siri-endpoint', 'siri_endpoint_session_status version', 'active_identifier manually_disabled'),
  row('260', 'access_code', 'access-code', 'access_code_control_point access_code_supported_configuration configuration_state', ''),
  row('266', 'nfc_access', 'nfc-access', 'configuration_state nfc_access_control_point nfc_access_supported_configuration', ''),
  row('267', 'asset_update', 'asset-update', 'asset_update_readiness supported_asset_types', ''),
  row('26A', 'assistant', 'assistant', 'active identifier name', ''),
  row('270', 'accessory_metrics', 'accessory-metrics', 'active metrics_buffer_full_state supported_metrics', ''),
  row('701', 'thread_transport', 'thread-transport',
    'current_transport thread_control_point thread_node_capabilities thread_status',
    'cca_energy_detect_threshold cca_signal_detect_threshold event_retransmission_maximum event_transmission_counters ' +
      'mac_retransmission_maximum mac_transmission_counters receiver_sensitivity received_signal_strength_indication ' +
      'signal_to_noise_ratio thread_openthread_version transmit_power maximum_transmit_power'),
  row('E863F001-079E-48FF-8F27-9C2605A29F52', 'eve_weather', 'eve-weather', 'current_temperature', 'relative_humidity eve_air_pressure'),
  row('E863F007-079E-48FF-8F27-9C2605A29F52', 'eve_history', 'eve-history',
    'eve_history_status eve_history_entries eve_history_request eve_set_time',
    'eve_reset_total eve_firmware eve_command eve_calibration_data eve_blinds_movement'),
  row('E863F008-079E-48FF-8F27-9C2605A29F52', 'eve_consumption', 'eve-consumption', '',
    'eve_voltage eve_ampere eve_energy_watt eve_energy_kwh status_fault lock_physical_controls'),
  row('E863F00A-079E-48FF-8F27-9C2605A29F52', 'eve_air_pressure_sensor', 'eve-air-pressure-sensor', 'eve_air_pressure eve_elevation', ''),
  // Virtual accessories: hearthd's own.
  row('48440001-8E1C-4F2D-A3B7-5D0C9E6F1A42', 'virtual_mode', 'virtual-mode', 'virtual_mode', ''),
  row('48440002-8E1C-4F2D-A3B7-5D0C9E6F1A42', 'virtual_count', 'virtual-count', 'virtual_count', ''),
  row('48440003-8E1C-4F2D-A3B7-5D0C9E6F1A42', 'virtual_timer', 'virtual-timer', 'virtual_timer', ''),
  row('48440004-8E1C-4F2D-A3B7-5D0C9E6F1A42', 'virtual_number', 'virtual-number', 'virtual_number', ''),
  row('48440005-8E1C-4F2D-A3B7-5D0C9E6F1A42', 'virtual_text', 'virtual-text', 'virtual_text', ''),
  row('48440006-8E1C-4F2D-A3B7-5D0C9E6F1A42', 'virtual_datetime', 'virtual-datetime', 'virtual_datetime', ''),
] as const;

export const SERVICES: readonly ServiceSpec[] = ROWS;

/** `lightbulb`, and all others. */
export type ServiceName = (typeof ROWS)[number]['name'];

const HAP_PREFIX = 'public.hap.service.';

/** The second generation of fans (HAP `fanv2`). Clients use one name for a fan, so it shares the name of the first. */
const FAN_V2 = 'B7';

/** Canonical types by our names in camelCase: `SERVICE.lightbulb` is `43`. */
export const SERVICE = {
  ...typesByName(ROWS.filter((spec) => spec.type !== FAN_V2)),
  fanV2: FAN_V2,
} as const;

const byType: ReadonlyMap<string, ServiceSpec> = new Map(SERVICES.map((spec) => [spec.type, spec]));
const byWord = indexWords(SERVICES, ({ type, name, hapName, aliases }) =>
  type === FAN_V2 ? [hapName, ...aliases] : [name, hapName, ...aliases],
);

/** @param type canonical. */
export function serviceByType(type: string): ServiceSpec | undefined {
  return byType.get(type);
}

/**
 * @param spelling any spelling that `characteristicByName` accepts for a characteristic; `fan` finds the first
 * generation.
 */
export function serviceByName(spelling: string): ServiceSpec | undefined {
  const trimmed = spelling.trim();
  const isPrefixed = trimmed.slice(0, HAP_PREFIX.length).toLowerCase() === HAP_PREFIX;
  const word = isPrefixed ? trimmed.slice(HAP_PREFIX.length) : trimmed;
  return byWord.get(foldWord(word)) ?? byType.get(canonicalType(word));
}

/** Canonical types in the order of the names; `fan` names both generations. */
export function serviceTypesNamed(...names: readonly ServiceName[]): readonly string[] {
  return names.flatMap((name) => ROWS.filter((spec) => spec.name === name).map(({ type }) => type));
}

/** Our name for a canonical type; the full UUID for an unknown type. */
export function serviceName(type: string): string {
  return byType.get(type)?.name ?? fullUuid(type);
}
