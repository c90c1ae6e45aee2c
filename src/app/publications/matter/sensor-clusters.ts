/** Sensors, alarms, buttons and batteries. */
import type { CharacteristicName } from '../../../hap-spec/characteristics.ts';
import { type ClusterRow, clamp, scaled } from './cluster-row.ts';

const HUNDREDTHS = 100;
/** Illuminance is 10,000 × log10 of lux, and 1 (Matter application clusters §2.2.5.1). */
const LUX_SCALE = 10_000;
const MAX_ILLUMINANCE = 65_534;

/** `stateValue` of a contact is true while it is closed; of a leak, while there is water. */
export function booleanState(name: CharacteristicName, trueAt: 0 | 1): ClusterRow {
  return {
    cluster: 'booleanState',
    read: (service) => ({ stateValue: (service.number(name) ?? 0) === trueAt }),
  };
}

export function occupancy(name: 'motion_detected' | 'occupancy_detected'): ClusterRow {
  return {
    cluster: 'occupancySensing',
    features: () => [name === 'motion_detected' ? 'PassiveInfrared' : 'Other', 'OccupancyEvent'],
    fixed: () => ({ occupancySensorType: 0, occupancySensorTypeBitmap: { pir: true } }),
    read: (service) => ({ occupancy: { occupied: service.isOn(name) } }),
  };
}

export const TEMPERATURE: ClusterRow = {
  cluster: 'temperatureMeasurement',
  fixed: () => ({ minMeasuredValue: null, maxMeasuredValue: null }),
  read: (service) => ({ measuredValue: scaled(service.number('current_temperature'), HUNDREDTHS) }),
};

export const HUMIDITY: ClusterRow = {
  cluster: 'relativeHumidityMeasurement',
  fixed: () => ({ minMeasuredValue: 0, maxMeasuredValue: 100 * HUNDREDTHS }),
  read: (service) => ({ measuredValue: scaled(service.number('relative_humidity'), HUNDREDTHS) }),
};

export const ILLUMINANCE: ClusterRow = {
  cluster: 'illuminanceMeasurement',
  fixed: () => ({ minMeasuredValue: 1, maxMeasuredValue: MAX_ILLUMINANCE }),
  read: (service) => {
    const lux = service.number('current_ambient_light_level');
    if (lux === undefined) return { measuredValue: null };
    if (lux < 1) return { measuredValue: 0 };
    return { measuredValue: clamp(Math.round(LUX_SCALE * Math.log10(lux)) + 1, 1, MAX_ILLUMINANCE) };
  },
};

/** Matter counts tenths of a kilopascal, which are hectopascals. */
export const PRESSURE: ClusterRow = {
  cluster: 'pressureMeasurement',
  fixed: () => ({ minMeasuredValue: null, maxMeasuredValue: null }),
  read: (service) => ({ measuredValue: scaled(service.number('eve_air_pressure'), 1) }),
};

const NORMAL = 0;
const WARNING = 1;
const CRITICAL = 2;
const EXPRESSED = { smoke: 1, co: 2, battery: 3 } as const;

export function smokeOrCo(kind: 'smoke' | 'co'): ClusterRow {
  const detected = kind === 'smoke' ? 'smoke_detected' : 'carbon_monoxide_detected';
  return {
    cluster: 'smokeCoAlarm',
    features: () => [kind === 'smoke' ? 'SmokeAlarm' : 'CoAlarm'],
    fixed: () => ({ testInProgress: false, endOfServiceAlert: NORMAL }),
    read: (service) => {
      const isAlarm = service.isOn(detected);
      const isLow = service.isOn('status_low_battery');
      return {
        [`${kind}State`]: isAlarm ? CRITICAL : NORMAL,
        batteryAlert: isLow ? WARNING : NORMAL,
        hardwareFaultAlert: service.isOn('status_fault'),
        expressedState: isAlarm ? EXPRESSED[kind] : isLow ? EXPRESSED.battery : NORMAL,
      };
    },
  };
}

/** HAP: unknown, excellent, good, fair, inferior, poor. Matter: unknown, good, fair, moderate, poor, very poor. */
const AIR_QUALITIES = [0, 1, 1, 2, 3, 4] as const;

export const AIR_QUALITY: ClusterRow = {
  cluster: 'airQuality',
  features: () => ['Fair', 'Moderate', 'VeryPoor'],
  read: (service) => ({ airQuality: AIR_QUALITIES[service.number('air_quality') ?? 0] ?? 0 }),
};

/** Units of concentration: parts per million, micrograms in a cubic metre. */
const PPM = 0;
const MICROGRAMS = 4;
const IN_AIR = 0;

function concentration(cluster: string, name: CharacteristicName, unit: number): Concentration {
  return {
    name,
    row: {
      cluster: `${cluster}ConcentrationMeasurement`,
      features: () => ['NumericMeasurement'],
      fixed: (service) => ({
        minMeasuredValue: null,
        maxMeasuredValue: service.find(name)?.maxValue ?? null,
        measurementUnit: unit,
        measurementMedium: IN_AIR,
      }),
      read: (service) => ({ measuredValue: service.number(name) ?? null }),
    },
  };
}

interface Concentration {
  readonly name: CharacteristicName;
  readonly row: ClusterRow;
}

/** Each only where the service has it. */
export const CONCENTRATIONS: readonly Concentration[] = [
  concentration('pm25', 'pm2_5_density', MICROGRAMS),
  concentration('pm10', 'pm10_density', MICROGRAMS),
  concentration('totalVolatileOrganicCompounds', 'voc_density', MICROGRAMS),
  concentration('ozone', 'ozone_density', MICROGRAMS),
  concentration('nitrogenDioxide', 'nitrogen_dioxide_density', MICROGRAMS),
  concentration('carbonDioxide', 'carbon_dioxide_level', PPM),
];

export const BUTTON: ClusterRow = {
  cluster: 'switch',
  features: () => [
    'MomentarySwitch',
    'MomentarySwitchRelease',
    'MomentarySwitchLongPress',
    'MomentarySwitchMultiPress',
  ],
  fixed: () => ({ numberOfPositions: 2, currentPosition: 0, multiPressMax: 2 }),
  read: () => ({}),
};

const ACTIVE = 1;
/** Battery percent are halves in Matter. */
const HALVES = 2;

/** Of the accessory's battery service. */
export const BATTERY: ClusterRow = {
  cluster: 'powerSource',
  features: () => ['Battery'],
  fixed: () => ({ status: ACTIVE, order: 0, description: 'Battery', batReplaceability: 0 }),
  read: (service) => {
    const isLow = service.isOn('status_low_battery');
    const level = service.number('battery_level');
    return {
      batChargeLevel: isLow ? WARNING : NORMAL,
      batReplacementNeeded: isLow,
      batPercentRemaining: level === undefined ? null : clamp(Math.round(level * HALVES), 0, 200),
    };
  },
};

export const MAINS = {
  cluster: 'powerSource',
  features: ['Wired'],
  attributes: { status: ACTIVE, order: 0, description: 'Mains', wiredCurrentType: 0 },
} as const;
