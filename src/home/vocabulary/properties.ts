/**
 * The simplified properties: one row per property, for reading and writing. A characteristic without a row is shown
 * under its snake_case name with its plain value; one with a row only if the row has `alsoPlain`.
 *
 * To add a property, add a row.
 */
import { CHARACTERISTIC, characteristicTypesNamed } from '../../hap-spec/characteristics.ts';
import { serviceTypesNamed } from '../../hap-spec/services.ts';
import {
  type Conversion,
  doorPosition,
  flag,
  flagWhen,
  plain,
  tenths,
  thermostatActive,
  thermostatState,
  whole,
  words,
} from './conversions.ts';
import { DESCRIBING_CHARACTERISTICS, DESCRIBING_SERVICES } from './plumbing.ts';

export interface PropertyRow {
  readonly property: string;
  /** Canonical characteristic type. */
  readonly type: string;
  readonly conversion: Conversion;
  /** The characteristic is shown under its own snake_case name too. */
  readonly alsoPlain?: true;
  /** Only for accessories that have no characteristic of this type anywhere. */
  readonly unless?: string;
  /** Writing the word `off` sets this characteristic of the same service to zero instead. */
  readonly offSwitch?: string;
}

/** For pages that show a door by its position, and a lock by its locked state. */
export const TARGET_DOOR_STATE = CHARACTERISTIC.targetDoorState;
export const LOCK_CURRENT_STATE = CHARACTERISTIC.lockCurrentState;

/** Shown in addition to its own name. */
const alsoPlain = { alsoPlain: true } as const;
const alarm = words('home', 'away', 'night', 'off', 'triggered');

export const PROPERTIES: readonly PropertyRow[] = [
  { property: 'on', type: CHARACTERISTIC.powerState, conversion: flag },
  { property: 'active', type: CHARACTERISTIC.active, conversion: flag },
  // A fan of the second generation has only `active`; clients use `on` for a fan.
  { property: 'on', type: CHARACTERISTIC.active, conversion: flag, unless: CHARACTERISTIC.powerState },
  { property: 'status_active', type: CHARACTERISTIC.statusActive, conversion: flag },

  { property: 'brightness', type: CHARACTERISTIC.brightness, conversion: whole },
  { property: 'hue', type: CHARACTERISTIC.hue, conversion: plain },
  { property: 'saturation', type: CHARACTERISTIC.saturation, conversion: plain },
  { property: 'color_temp', type: CHARACTERISTIC.colorTemperature, conversion: tenths },

  { property: 'current_temp', type: CHARACTERISTIC.currentTemperature, conversion: tenths },
  { property: 'target_temp', type: CHARACTERISTIC.targetTemperature, conversion: tenths },
  { property: 'heat_target', type: CHARACTERISTIC.heatingThreshold, conversion: tenths },
  { property: 'cool_target', type: CHARACTERISTIC.coolingThreshold, conversion: tenths },
  {
    property: 'hvac_mode',
    type: CHARACTERISTIC.targetHeaterCoolerState,
    conversion: words('auto', 'heat', 'cool'),
    offSwitch: CHARACTERISTIC.active,
  },
  {
    property: 'hvac_state',
    type: CHARACTERISTIC.currentHeaterCoolerState,
    conversion: words('inactive', 'idle', 'heating', 'cooling'),
  },
  // A thermostat (service 4A) keeps power and mode in one characteristic.
  { property: 'active', type: CHARACTERISTIC.heatingCoolingTarget, conversion: thermostatActive },
  {
    property: 'hvac_mode',
    type: CHARACTERISTIC.heatingCoolingTarget,
    conversion: words('off', 'heat', 'cool', 'auto'),
    ...alsoPlain,
  },
  { property: 'hvac_state', type: CHARACTERISTIC.heatingCoolingCurrent, conversion: thermostatState, ...alsoPlain },

  { property: 'locked', type: CHARACTERISTIC.lockCurrentState, conversion: flagWhen(1) },
  { property: 'lock_target', type: CHARACTERISTIC.lockTargetState, conversion: flag },
  { property: 'alarm_state', type: CHARACTERISTIC.securitySystemCurrentState, conversion: alarm },
  { property: 'alarm_target', type: CHARACTERISTIC.securitySystemTargetState, conversion: alarm },

  { property: 'motion', type: CHARACTERISTIC.motionDetected, conversion: flag },
  { property: 'occupancy', type: CHARACTERISTIC.occupancyDetected, conversion: flag, ...alsoPlain },
  // 0 is contact detected: closed. True is open.
  { property: 'contact', type: CHARACTERISTIC.contactState, conversion: flag },
  { property: 'ambient_light', type: CHARACTERISTIC.currentAmbientLightLevel, conversion: plain, ...alsoPlain },
  { property: 'battery', type: CHARACTERISTIC.batteryLevel, conversion: whole },
  { property: 'low_battery', type: CHARACTERISTIC.statusLowBattery, conversion: flag },

  { property: 'volume', type: CHARACTERISTIC.volume, conversion: whole },
  { property: 'mute', type: CHARACTERISTIC.mute, conversion: flag },
  { property: 'speed', type: CHARACTERISTIC.rotationSpeed, conversion: whole },

  { property: 'target', type: CHARACTERISTIC.targetPosition, conversion: whole },
  { property: 'position', type: CHARACTERISTIC.currentPosition, conversion: whole, ...alsoPlain },
  { property: 'target', type: CHARACTERISTIC.targetDoorState, conversion: doorPosition, ...alsoPlain },
  { property: 'position', type: CHARACTERISTIC.currentDoorState, conversion: doorPosition, ...alsoPlain },
];

export const SKIPPED_CHARACTERISTICS: ReadonlySet<string> = new Set(
  characteristicTypesNamed(...DESCRIBING_CHARACTERISTICS),
);

export const SKIPPED_SERVICES: ReadonlySet<string> = new Set(serviceTypesNamed(...DESCRIBING_SERVICES));
