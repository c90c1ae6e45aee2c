import type { Entity, EntityConfig, Property } from './entity.ts';
import { OFF, ON, ON_OFF, wordOf } from './templates.ts';

interface BinarySensorRow {
  readonly label: string;
  readonly deviceClass?: string;
  readonly isDiagnostic?: true;
}

const DIAGNOSTIC = { isDiagnostic: true } as const;

/** By characteristic. Home Assistant's classes say what "on" means: open, wet, low, a problem. */
const ROWS: Readonly<Record<string, BinarySensorRow>> = {
  '22': { label: 'Motion', deviceClass: 'motion' },
  '71': { label: 'Occupancy', deviceClass: 'occupancy' },
  '6A': { label: 'Contact', deviceClass: 'opening' },
  '70': { label: 'Leak', deviceClass: 'moisture' },
  '76': { label: 'Smoke', deviceClass: 'smoke' },
  '69': { label: 'Carbon monoxide', deviceClass: 'carbon_monoxide' },
  '92': { label: 'Carbon dioxide', deviceClass: 'gas' },
  '24': { label: 'Obstruction', deviceClass: 'problem' },
  '78': { label: 'Jam', deviceClass: 'problem' },
  '79': { label: 'Low battery', deviceClass: 'battery', ...DIAGNOSTIC },
  '8F': { label: 'Charging', deviceClass: 'battery_charging', ...DIAGNOSTIC },
  '77': { label: 'Fault', deviceClass: 'problem', ...DIAGNOSTIC },
  '7A': { label: 'Tampering', deviceClass: 'tamper', ...DIAGNOSTIC },
  AC: { label: 'Change filter', deviceClass: 'problem', ...DIAGNOSTIC },
  '26': { label: 'In use', deviceClass: 'power' },
  D2: { label: 'In use', deviceClass: 'running' },
  '8E': { label: 'Alarm', deviceClass: 'problem', ...DIAGNOSTIC },
};

/** Nothing for what has no row. */
export function knownBinarySensor(property: Property): Entity | undefined {
  const row = ROWS[property.binding.characteristic.type];
  if (!row) return undefined;
  return binarySensorOf(property, row.label, {
    ...(row.deviceClass !== undefined && { device_class: row.deviceClass }),
    ...(row.isDiagnostic && { entity_category: 'diagnostic' }),
  });
}

/** Any property with two states; whatever else it may be is unknown. */
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
