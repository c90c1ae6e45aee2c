import {
  all,
  DARK,
  DIM_LIGHTS,
  LAMPS,
  MOTION_SENSORS,
  MOTION_TRIGGERS,
  NO_MOTION,
  ONLY_DARK,
  percent,
  switchLights,
} from './parts.ts';
import type { ShippedBlueprint } from './shipped.ts';

/** Light while something moves, and some minutes after. A new movement begins the minutes again. */
export const motionLight: ShippedBlueprint = {
  icon: 'lightbulb',
  inputs: [
    MOTION_SENSORS,
    LAMPS,
    {
      id: 'after',
      kind: 'duration',
      default: { minutes: 5 },
    },
    percent({ id: 'brightness', optional: true }),
    ONLY_DARK,
    {
      id: 'light_sensor',
      kind: 'accessory',
      optional: true,
      needs: ['current_ambient_light_level'],
    },
    {
      id: 'lux',
      kind: 'number',
      min: 0,
      max: 100_000,
      unit: 'lx',
      default: 50,
    },
  ],
  automation: {
    mode: 'restart',
    triggers: MOTION_TRIGGERS,
    actions: [
      {
        type: 'choose',
        choices: [
          {
            conditions: all(
              { type: 'template', expression: 'bool(trigger.to_value)' },
              { $if: 'only_dark', $unless: 'light_sensor', ...DARK },
              {
                $if: 'light_sensor',
                type: 'numeric_state',
                accessoryId: '$(light_sensor)',
                characteristicType: 'current_ambient_light_level',
                below: '$(lux)',
              },
            ),
            actions: [switchLights(true), DIM_LIGHTS],
          },
          { conditions: all(NO_MOTION), actions: [{ type: 'delay', duration: '$(after)' }, switchLights(false)] },
        ],
      },
    ],
  },
};
