/**
 * The simplified properties: one row a property, read both ways. Every characteristic that has no row is shown under its
 * snake_case name with its plain value; one with a row only if the row says `alsoPlain`.
 *
 * To add a property, add a row.
 */
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

export interface PropertyRow {
  readonly property: string;
  /** Canonical characteristic type. */
  readonly type: string;
  readonly conversion: Conversion;
  /** The characteristic is shown under its own snake_case name too. */
  readonly alsoPlain?: true;
  /** Only for accessories that have no characteristic of this type anywhere. */
  readonly unless?: string;
  /** The word `off` is written to this characteristic of the same service instead, as its zero. */
  readonly offSwitch?: string;
}

/** Shown in addition to its own name. */
const alsoPlain = { alsoPlain: true } as const;

const POWER_STATE = '25';
const ACTIVE = 'B0';

const alarm = words('home', 'away', 'night', 'off', 'triggered');

export const PROPERTIES: readonly PropertyRow[] = [
  { property: 'on', type: POWER_STATE, conversion: flag },
  { property: 'active', type: ACTIVE, conversion: flag },
  // A fan of the second generation has `active` alone; clients know the word `on` for a fan.
  { property: 'on', type: ACTIVE, conversion: flag, unless: POWER_STATE },
  { property: 'status_active', type: '75', conversion: flag },

  { property: 'brightness', type: '8', conversion: whole },
  { property: 'hue', type: '13', conversion: plain },
  { property: 'saturation', type: '2F', conversion: plain },
  { property: 'color_temp', type: 'CE', conversion: tenths },

  { property: 'current_temp', type: '11', conversion: tenths },
  { property: 'target_temp', type: '35', conversion: tenths },
  { property: 'heat_target', type: '12', conversion: tenths },
  { property: 'cool_target', type: 'D', conversion: tenths },
  { property: 'hvac_mode', type: 'B2', conversion: words('auto', 'heat', 'cool'), offSwitch: ACTIVE },
  { property: 'hvac_state', type: 'B1', conversion: words('inactive', 'idle', 'heating', 'cooling') },
  // A thermostat (service 4A) keeps power and mode in one characteristic.
  { property: 'active', type: '33', conversion: thermostatActive },
  { property: 'hvac_mode', type: '33', conversion: words('off', 'heat', 'cool', 'auto'), ...alsoPlain },
  { property: 'hvac_state', type: 'F', conversion: thermostatState, ...alsoPlain },

  { property: 'locked', type: '1D', conversion: flagWhen(1) },
  { property: 'lock_target', type: '1E', conversion: flag },
  { property: 'alarm_state', type: '66', conversion: alarm },
  { property: 'alarm_target', type: '67', conversion: alarm },

  { property: 'motion', type: '22', conversion: flag },
  { property: 'occupancy', type: '71', conversion: flag, ...alsoPlain },
  // 0 is contact detected: closed. True is open.
  { property: 'contact', type: '6A', conversion: flag },
  { property: 'ambient_light', type: '6B', conversion: plain, ...alsoPlain },
  { property: 'battery', type: '68', conversion: whole },
  { property: 'low_battery', type: '79', conversion: flag },

  { property: 'volume', type: '119', conversion: whole },
  { property: 'mute', type: '11A', conversion: flag },
  { property: 'speed', type: '29', conversion: whole },

  { property: 'target', type: '7C', conversion: whole },
  { property: 'position', type: '6D', conversion: whole, ...alsoPlain },
  { property: 'target', type: '32', conversion: doorPosition, ...alsoPlain },
  { property: 'position', type: 'E', conversion: doorPosition, ...alsoPlain },
];

/** Characteristics that describe the accessory instead of its state; `/rest/accessories` shows them. */
export const SKIPPED_CHARACTERISTICS: ReadonlySet<string> = new Set([
  '23', // name
  '20', // manufacturer
  '21', // model
  '30', // serial_number
  '52', // firmware_revision
  '53', // hardware_revision
  '14', // identify
]);

/** Services that describe the accessory. The battery's is not among them: its level is state. */
export const SKIPPED_SERVICES: ReadonlySet<string> = new Set([
  '3E', // accessory_information
  'A2', // protocol_information
  'CC', // label
]);
