/** The attributes that the home knows better than the bridge's storage: it sets all of them at each start. */

interface HomeValues {
  /** What controllers change is handed to the home. */
  readonly controlled: readonly string[];
  /** Other attributes that the library would store. */
  readonly reported?: readonly string[];
}

/** By cluster. Changes of other attributes (names, options, scenes) stay in the bridge. */
export const HOME_VALUES: Readonly<Record<string, HomeValues>> = {
  onOff: { controlled: ['onOff'] },
  levelControl: { controlled: ['currentLevel'] },
  colorControl: {
    controlled: ['colorMode', 'currentHue', 'currentSaturation', 'currentX', 'currentY', 'colorTemperatureMireds'],
    reported: ['enhancedColorMode', 'enhancedCurrentHue'],
  },
  // Its commands come with a PIN: `lock-server.ts` hands them to the home.
  doorLock: { controlled: [], reported: ['lockState'] },
  fanControl: {
    controlled: ['fanMode', 'percentSetting', 'rockSetting', 'airflowDirection'],
    reported: ['percentCurrent'],
  },
  thermostat: {
    controlled: ['systemMode', 'occupiedHeatingSetpoint', 'occupiedCoolingSetpoint'],
    reported: ['localTemperature', 'thermostatRunningMode'],
  },
  valveConfigurationAndControl: { controlled: ['targetState'], reported: ['currentState'] },
  windowCovering: {
    controlled: ['targetPositionLiftPercent100ths', 'targetPositionTiltPercent100ths'],
    reported: ['currentPositionLiftPercent100ths', 'currentPositionTiltPercent100ths'],
  },
};
