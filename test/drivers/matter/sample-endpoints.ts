/** One endpoint of each device type that the home can publish. */
import type { MatterDeviceType, MatterEndpoint } from '../../../src/home/matter-port.ts';
import { endpoint } from './fake-home.ts';

const LIGHT = { onOff: ['Lighting'], levelControl: ['OnOff', 'Lighting'] };
const MEASURED = ['NumericMeasurement'];
const CONCENTRATION = {
  measuredValue: 12,
  minMeasuredValue: 0,
  maxMeasuredValue: 10_000,
  measurementUnit: 0,
  measurementMedium: 0,
};

export const SAMPLES: Readonly<Record<MatterDeviceType, MatterEndpoint>> = {
  onOffLight: endpoint('light', 'onOffLight', { onOff: { onOff: false } }, { onOff: ['Lighting'] }),
  dimmableLight: endpoint(
    'lamp',
    'dimmableLight',
    { onOff: { onOff: false }, levelControl: { currentLevel: 100 } },
    LIGHT,
  ),
  colorTemperatureLight: endpoint(
    'white',
    'colorTemperatureLight',
    {
      onOff: { onOff: false },
      levelControl: { currentLevel: 100 },
      colorControl: {
        colorMode: 2,
        enhancedColorMode: 2,
        colorTemperatureMireds: 300,
        colorTempPhysicalMinMireds: 153,
        colorTempPhysicalMaxMireds: 500,
        coupleColorTempToLevelMinMireds: 153,
      },
    },
    { ...LIGHT, colorControl: ['ColorTemperature'] },
  ),
  extendedColorLight: endpoint(
    'color',
    'extendedColorLight',
    {
      onOff: { onOff: false },
      levelControl: { currentLevel: 100 },
      colorControl: {
        colorMode: 0,
        enhancedColorMode: 0,
        currentHue: 0,
        currentSaturation: 0,
        currentX: 20_493,
        currentY: 21_564,
        colorTemperatureMireds: 300,
        colorTempPhysicalMinMireds: 153,
        colorTempPhysicalMaxMireds: 500,
        coupleColorTempToLevelMinMireds: 153,
      },
    },
    { ...LIGHT, colorControl: ['HueSaturation', 'Xy', 'ColorTemperature'] },
  ),
  onOffPlugInUnit: endpoint('plug', 'onOffPlugInUnit', { onOff: { onOff: false } }, { onOff: ['Lighting'] }),
  contactSensor: endpoint(
    'contact',
    'contactSensor',
    {
      booleanState: { stateValue: true },
      powerSource: {
        status: 1,
        order: 0,
        description: 'Battery',
        batPercentRemaining: 160,
        batChargeLevel: 0,
        batReplacementNeeded: false,
        batReplaceability: 0,
      },
    },
    { powerSource: ['Battery'] },
  ),
  occupancySensor: endpoint(
    'motion',
    'occupancySensor',
    { occupancySensing: { occupancy: { occupied: false } } },
    { occupancySensing: ['PassiveInfrared', 'OccupancyEvent'] },
  ),
  temperatureSensor: endpoint('temperature', 'temperatureSensor', {
    temperatureMeasurement: { measuredValue: 2_150, minMeasuredValue: null, maxMeasuredValue: null },
  }),
  humiditySensor: endpoint('humidity', 'humiditySensor', {
    relativeHumidityMeasurement: { measuredValue: 4_500, minMeasuredValue: 0, maxMeasuredValue: 10_000 },
  }),
  lightSensor: endpoint('daylight', 'lightSensor', {
    illuminanceMeasurement: { measuredValue: 20_000, minMeasuredValue: 1, maxMeasuredValue: 65_534 },
  }),
  pressureSensor: endpoint('weather', 'pressureSensor', {
    pressureMeasurement: { measuredValue: 1_013, minMeasuredValue: null, maxMeasuredValue: null },
  }),
  waterLeakDetector: endpoint('leak', 'waterLeakDetector', { booleanState: { stateValue: false } }),
  smokeCoAlarm: endpoint(
    'smoke',
    'smokeCoAlarm',
    {
      smokeCoAlarm: {
        expressedState: 0,
        smokeState: 0,
        coState: 0,
        batteryAlert: 0,
        testInProgress: false,
        hardwareFaultAlert: false,
        endOfServiceAlert: 0,
      },
    },
    { smokeCoAlarm: ['SmokeAlarm', 'CoAlarm'] },
  ),
  airQualitySensor: endpoint(
    'air',
    'airQualitySensor',
    {
      airQuality: { airQuality: 1 },
      pm25ConcentrationMeasurement: CONCENTRATION,
      carbonDioxideConcentrationMeasurement: CONCENTRATION,
    },
    {
      airQuality: ['Fair', 'Moderate', 'VeryPoor'],
      pm25ConcentrationMeasurement: MEASURED,
      carbonDioxideConcentrationMeasurement: MEASURED,
    },
  ),
  doorLock: endpoint('lock', 'doorLock', {
    doorLock: { lockState: 1, lockType: 0, actuatorEnabled: true, operatingMode: 0 },
  }),
  thermostat: endpoint(
    'heating',
    'thermostat',
    {
      thermostat: {
        localTemperature: 2_050,
        occupiedHeatingSetpoint: 2_000,
        occupiedCoolingSetpoint: 2_600,
        minHeatSetpointLimit: 700,
        maxHeatSetpointLimit: 3_000,
        absMinHeatSetpointLimit: 700,
        absMaxHeatSetpointLimit: 3_000,
        minCoolSetpointLimit: 1_600,
        maxCoolSetpointLimit: 3_200,
        absMinCoolSetpointLimit: 1_600,
        absMaxCoolSetpointLimit: 3_200,
        minSetpointDeadBand: 0,
        controlSequenceOfOperation: 4,
        systemMode: 4,
        thermostatRunningMode: 0,
      },
    },
    { thermostat: ['Heating', 'Cooling', 'AutoMode'] },
  ),
  fan: endpoint(
    'fan',
    'fan',
    { fanControl: { fanMode: 0, fanModeSequence: 2, percentSetting: 0, percentCurrent: 0 } },
    { fanControl: ['Auto'] },
  ),
  airPurifier: endpoint(
    'purifier',
    'airPurifier',
    {
      fanControl: { fanMode: 0, fanModeSequence: 2, percentSetting: 0, percentCurrent: 0 },
    },
    { fanControl: ['Auto'] },
  ),
  windowCovering: endpoint(
    'blind',
    'windowCovering',
    {
      windowCovering: {
        type: 8,
        endProductType: 14,
        currentPositionLiftPercent100ths: 0,
        targetPositionLiftPercent100ths: 0,
        currentPositionTiltPercent100ths: 0,
        targetPositionTiltPercent100ths: 0,
      },
    },
    { windowCovering: ['Lift', 'Tilt', 'PositionAwareLift', 'PositionAwareTilt'] },
  ),
  waterValve: endpoint('valve', 'waterValve', {
    valveConfigurationAndControl: {
      currentState: 0,
      targetState: 0,
      openDuration: null,
      defaultOpenDuration: null,
      remainingDuration: null,
    },
  }),
  genericSwitch: endpoint(
    'button',
    'genericSwitch',
    { switch: { numberOfPositions: 2, currentPosition: 0, multiPressMax: 2 } },
    { switch: ['MomentarySwitch', 'MomentarySwitchRelease', 'MomentarySwitchLongPress', 'MomentarySwitchMultiPress'] },
  ),
};
