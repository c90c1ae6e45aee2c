import { CHARACTERISTIC, characteristicByType } from '../../../hap-spec/characteristics.ts';
import type { Entity, EntityConfig, Property } from './entity.ts';
import { plainValue, wordOf } from './templates.ts';

interface SensorRow {
  readonly label: string;
  readonly deviceClass?: string;
  readonly unit?: string;
  readonly isDiagnostic?: true;
  /** The value only increases. */
  readonly isTotal?: true;
}

const DENSITY = 'µg/m³';
const PARTS = 'ppm';

/** By characteristic. Units are HAP's in Home Assistant's spelling; both use °C for temperatures. */
const ROWS: Readonly<Record<string, SensorRow>> = {
  [CHARACTERISTIC.currentTemperature]: { label: 'Temperature', deviceClass: 'temperature', unit: '°C' },
  [CHARACTERISTIC.relativeHumidity]: { label: 'Humidity', deviceClass: 'humidity', unit: '%' },
  [CHARACTERISTIC.currentAmbientLightLevel]: { label: 'Light', deviceClass: 'illuminance', unit: 'lx' },
  [CHARACTERISTIC.carbonMonoxideLevel]: { label: 'Carbon monoxide level', deviceClass: 'carbon_monoxide', unit: PARTS },
  [CHARACTERISTIC.carbonMonoxidePeakLevel]: {
    label: 'Carbon monoxide peak',
    deviceClass: 'carbon_monoxide',
    unit: PARTS,
  },
  [CHARACTERISTIC.carbonDioxideLevel]: { label: 'Carbon dioxide level', deviceClass: 'carbon_dioxide', unit: PARTS },
  [CHARACTERISTIC.carbonDioxidePeakLevel]: { label: 'Carbon dioxide peak', deviceClass: 'carbon_dioxide', unit: PARTS },
  [CHARACTERISTIC.ozoneDensity]: { label: 'Ozone', deviceClass: 'ozone', unit: DENSITY },
  [CHARACTERISTIC.nitrogenDioxideDensity]: {
    label: 'Nitrogen dioxide',
    deviceClass: 'nitrogen_dioxide',
    unit: DENSITY,
  },
  [CHARACTERISTIC.sulphurDioxideDensity]: { label: 'Sulphur dioxide', deviceClass: 'sulphur_dioxide', unit: DENSITY },
  [CHARACTERISTIC.pm25Density]: { label: 'PM2.5', deviceClass: 'pm25', unit: DENSITY },
  [CHARACTERISTIC.pm10Density]: { label: 'PM10', deviceClass: 'pm10', unit: DENSITY },
  [CHARACTERISTIC.vocDensity]: { label: 'VOC', deviceClass: 'volatile_organic_compounds', unit: DENSITY },
  [CHARACTERISTIC.airParticulateDensity]: { label: 'Particulates', unit: DENSITY },
  [CHARACTERISTIC.batteryLevel]: { label: 'Battery', deviceClass: 'battery', unit: '%', isDiagnostic: true },
  [CHARACTERISTIC.filterLifeLevel]: { label: 'Filter life', unit: '%', isDiagnostic: true },
  [CHARACTERISTIC.waterLevel]: { label: 'Water level', unit: '%' },
  [CHARACTERISTIC.remainingDuration]: { label: 'Remaining', deviceClass: 'duration', unit: 's' },
  [CHARACTERISTIC.eveEnergyWatt]: { label: 'Power', deviceClass: 'power', unit: 'W' },
  [CHARACTERISTIC.eveEnergyKwh]: { label: 'Energy', deviceClass: 'energy', unit: 'kWh', isTotal: true },
  [CHARACTERISTIC.eveVoltage]: { label: 'Voltage', deviceClass: 'voltage', unit: 'V' },
  [CHARACTERISTIC.eveAmpere]: { label: 'Current', deviceClass: 'current', unit: 'A' },
  [CHARACTERISTIC.eveAirPressure]: { label: 'Pressure', deviceClass: 'atmospheric_pressure', unit: 'hPa' },
  [CHARACTERISTIC.eveValvePosition]: { label: 'Valve position', unit: '%' },
};

/** Named sensors shown by default; others are disabled by default. */
const WORDS_SHOWN: Readonly<Record<string, string>> = {
  [CHARACTERISTIC.airQuality]: 'Air quality',
};

/** `undefined` if the property has no row. */
export function knownSensor(property: Property): Entity | undefined {
  const { type } = property.binding.characteristic;
  const shown = WORDS_SHOWN[type];
  if (shown !== undefined) return wordSensor(property, shown);
  const row = ROWS[type];
  return row && numberSensor(property, row);
}

/** Any read-only property as a sensor. */
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

/** A sensor with a word for each number; `undefined` if the specification defines no words. */
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
