import { characteristicByType } from '../../../hap-spec/characteristics.ts';
import type { Entity, EntityConfig, Property } from './entity.ts';
import { plainValue, wordOf } from './templates.ts';

interface SensorRow {
  readonly label: string;
  readonly deviceClass?: string;
  readonly unit?: string;
  readonly isDiagnostic?: true;
  /** It only ever grows. */
  readonly isTotal?: true;
}

const DENSITY = 'µg/m³';
const PARTS = 'ppm';

/** By characteristic. Units are those of HAP, in Home Assistant's spelling; both count temperatures in °C. */
const ROWS: Readonly<Record<string, SensorRow>> = {
  '11': { label: 'Temperature', deviceClass: 'temperature', unit: '°C' },
  '10': { label: 'Humidity', deviceClass: 'humidity', unit: '%' },
  '6B': { label: 'Light', deviceClass: 'illuminance', unit: 'lx' },
  '90': { label: 'Carbon monoxide level', deviceClass: 'carbon_monoxide', unit: PARTS },
  '91': { label: 'Carbon monoxide peak', deviceClass: 'carbon_monoxide', unit: PARTS },
  '93': { label: 'Carbon dioxide level', deviceClass: 'carbon_dioxide', unit: PARTS },
  '94': { label: 'Carbon dioxide peak', deviceClass: 'carbon_dioxide', unit: PARTS },
  C3: { label: 'Ozone', deviceClass: 'ozone', unit: DENSITY },
  C4: { label: 'Nitrogen dioxide', deviceClass: 'nitrogen_dioxide', unit: DENSITY },
  C5: { label: 'Sulphur dioxide', deviceClass: 'sulphur_dioxide', unit: DENSITY },
  C6: { label: 'PM2.5', deviceClass: 'pm25', unit: DENSITY },
  C7: { label: 'PM10', deviceClass: 'pm10', unit: DENSITY },
  C8: { label: 'VOC', deviceClass: 'volatile_organic_compounds', unit: DENSITY },
  '64': { label: 'Particulates', unit: DENSITY },
  '68': { label: 'Battery', deviceClass: 'battery', unit: '%', isDiagnostic: true },
  AB: { label: 'Filter life', unit: '%', isDiagnostic: true },
  B5: { label: 'Water level', unit: '%' },
  D4: { label: 'Remaining', deviceClass: 'duration', unit: 's' },
  'E863F10D-079E-48FF-8F27-9C2605A29F52': { label: 'Power', deviceClass: 'power', unit: 'W' },
  'E863F10C-079E-48FF-8F27-9C2605A29F52': { label: 'Energy', deviceClass: 'energy', unit: 'kWh', isTotal: true },
  'E863F10A-079E-48FF-8F27-9C2605A29F52': { label: 'Voltage', deviceClass: 'voltage', unit: 'V' },
  'E863F126-079E-48FF-8F27-9C2605A29F52': { label: 'Current', deviceClass: 'current', unit: 'A' },
  'E863F10F-079E-48FF-8F27-9C2605A29F52': { label: 'Pressure', deviceClass: 'atmospheric_pressure', unit: 'hPa' },
  'E863F12E-079E-48FF-8F27-9C2605A29F52': { label: 'Valve position', unit: '%' },
};

/** Those with words of their own, which a house looks at; others are for whoever asks for them. */
const WORDS_SHOWN: Readonly<Record<string, string>> = {
  '95': 'Air quality',
};

/** Nothing for what has no row. */
export function knownSensor(property: Property): Entity | undefined {
  const { type } = property.binding.characteristic;
  const shown = WORDS_SHOWN[type];
  if (shown !== undefined) return wordSensor(property, shown);
  const row = ROWS[type];
  return row && numberSensor(property, row);
}

/** A property that only tells, whatever it is. */
export function sensorOf(property: Property, label: string, config: EntityConfig = {}): Entity {
  return wordSensor(property, label, config) ?? plainSensor(property, label, config);
}

function numberSensor(property: Property, { label, deviceClass, unit, isDiagnostic, isTotal }: SensorRow): Entity {
  return plainSensor(property, label, {
    ...(deviceClass !== undefined && { device_class: deviceClass }),
    ...(unit !== undefined && { unit_of_measurement: unit }),
    state_class: isTotal ? 'total_increasing' : 'measurement',
    ...(isDiagnostic && { entity_category: 'diagnostic' }),
  });
}

/** One that says a word for each number; nothing where the specification has no words. */
function wordSensor(property: Property, label: string, config: EntityConfig = {}): Entity | undefined {
  const values = characteristicByType(property.binding.characteristic.type)?.values;
  if (!values) return undefined;
  const words = new Map(Object.entries(values).map(([word, number]) => [number, word]));
  return {
    component: 'sensor',
    object: property.key,
    label,
    config: {
      ...config,
      device_class: 'enum',
      options: [...words.values()],
      state_topic: property.stateTopic,
      value_template: wordOf(property.key, words),
    },
  };
}

function plainSensor(property: Property, label: string, config: EntityConfig): Entity {
  return {
    component: 'sensor',
    object: property.key,
    label,
    config: { ...config, state_topic: property.stateTopic, value_template: plainValue(property.key) },
  };
}
