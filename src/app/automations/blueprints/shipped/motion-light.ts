import {
  all,
  DARK,
  DIM_LIGHTS,
  lamps,
  MOTION_TRIGGERS,
  motionSensors,
  NO_MOTION,
  percent,
  switchLights,
} from './parts.ts';
import { shipped } from './shipped.ts';

/** Light while something moves, and some minutes after. A new movement begins the minutes again. */
export const motionLight = shipped((t) => ({
  name: t('Motion light', 'Licht bei Bewegung'),
  description: t(
    'Turns lights on when something moves, and off when nothing has moved for a while.',
    'Schaltet Lichter ein, wenn sich etwas bewegt, und aus, wenn sich eine Weile nichts bewegt hat.',
  ),
  inputs: [
    motionSensors(t),
    lamps(t),
    {
      id: 'after',
      name: t('Turn off after', 'Ausschalten nach'),
      description: t('How long nothing must have moved.', 'So lange darf sich nichts bewegt haben.'),
      kind: 'duration',
      default: { minutes: 5 },
    },
    percent({ id: 'brightness', name: t('Brightness', 'Helligkeit'), optional: true }),
    {
      id: 'only_dark',
      name: t('Only from sunset to sunrise', 'Nur von Sonnenuntergang bis Sonnenaufgang'),
      kind: 'flag',
      default: true,
    },
    {
      id: 'light_sensor',
      name: t('Light sensor', 'Lichtsensor'),
      description: t('Then it decides whether it is dark.', 'Dann entscheidet er, ob es dunkel ist.'),
      kind: 'accessory',
      optional: true,
      needs: ['current_ambient_light_level'],
    },
    {
      id: 'lux',
      name: t('Dark below', 'Dunkel unter'),
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
}));
