import { CHARACTERISTIC } from '../../../hap-spec/characteristics.ts';
import type { Entity, EntityConfig, Property } from './entity.ts';
import { OFF, ON, ON_OFF, wordOf } from './templates.ts';

interface BinarySensorRow {
  readonly label: string;
  readonly deviceClass?: string;
  readonly isDiagnostic?: true;
}

const DIAGNOSTIC = { isDiagnostic: true } as const;

/** By characteristic. Home Assistant's device classes define what "on" means: open, wet, low, a problem. */
const ROWS: Readonly<Record<string, BinarySensorRow>> = {
  [CHARACTERISTIC.motionDetected]: { label: 'Motion', deviceClass: 'motion' },
  [CHARACTERISTIC.occupancyDetected]: { label: 'Occupancy', deviceClass: 'occupancy' },
  [CHARACTERISTIC.contactState]: { label: 'Contact', deviceClass: 'opening' },
  [CHARACTERISTIC.leakDetected]: { label: 'Leak', deviceClass: 'moisture' },
  [CHARACTERISTIC.smokeDetected]: { label: 'Smoke', deviceClass: 'smoke' },
  [CHARACTERISTIC.carbonMonoxideDetected]: { label: 'Carbon monoxide', deviceClass: 'carbon_monoxide' },
  [CHARACTERISTIC.carbonDioxideDetected]: { label: 'Carbon dioxide', deviceClass: 'gas' },
  [CHARACTERISTIC.obstructionDetected]: { label: 'Obstruction', deviceClass: 'problem' },
  [CHARACTERISTIC.statusJammed]: { label: 'Jam', deviceClass: 'problem' },
  [CHARACTERISTIC.statusLowBattery]: { label: 'Low battery', deviceClass: 'battery', ...DIAGNOSTIC },
  [CHARACTERISTIC.chargingState]: { label: 'Charging', deviceClass: 'battery_charging', ...DIAGNOSTIC },
  [CHARACTERISTIC.statusFault]: { label: 'Fault', deviceClass: 'problem', ...DIAGNOSTIC },
  [CHARACTERISTIC.statusTampered]: { label: 'Tampering', deviceClass: 'tamper', ...DIAGNOSTIC },
  [CHARACTERISTIC.filterChangeIndication]: { label: 'Change filter', deviceClass: 'problem', ...DIAGNOSTIC },
  [CHARACTERISTIC.outletInUse]: { label: 'In use', deviceClass: 'power' },
  [CHARACTERISTIC.inUse]: { label: 'In use', deviceClass: 'running' },
  [CHARACTERISTIC.securitySystemAlarmType]: { label: 'Alarm', deviceClass: 'problem', ...DIAGNOSTIC },
};

/** `undefined` if the property has no row. */
export function knownBinarySensor(property: Property): Entity | undefined {
  const row = ROWS[property.binding.characteristic.type];
  if (!row) return undefined;
  return binarySensorOf(property, row.label, {
    ...(row.deviceClass !== undefined && { device_class: row.deviceClass }),
    ...(row.isDiagnostic && { entity_category: 'diagnostic' }),
  });
}

/** Any property with two states; any other value is unknown. */
export function binarySensorOf(property: Property, label: string, config: EntityConfig = {}): Entity {
  return {
    component: 'binary_sensor',
    object: property.key,
    label,
    config: {
      ...config,
      state_topic: property.stateTopic,
      value_template: wordOf(property.key, ON_OFF),
      payload_on: ON,
      payload_off: OFF,
    },
  };
}
