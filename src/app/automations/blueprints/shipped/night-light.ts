import { all, DIM_LIGHTS, lamps, MOTION_TRIGGERS, motionSensors, NO_MOTION, percent, switchLights } from './parts.ts';
import { shipped } from './shipped.ts';

const [MOVES] = MOTION_TRIGGERS;

/**
 * A dim light at night. One run turns the lights on and off again, so that lights which people turned on stay as they
 * are. Every change of a sensor begins the wait again.
 */
export const nightLight = shipped((t) => ({
  name: t('Night light', 'Nachtlicht'),
  description: t(
    'At night, turns lights on dimly when something moves. Nothing happens while one of them is on already.',
    'Schaltet nachts Lichter gedimmt ein, wenn sich etwas bewegt. Ist eines davon schon an, geschieht nichts.',
  ),
  inputs: [
    motionSensors(t),
    lamps(t),
    { id: 'from', name: t('From', 'Von'), kind: 'time', default: '22:00' },
    { id: 'until', name: t('Until', 'Bis'), kind: 'time', default: '06:00' },
    percent({ id: 'brightness', name: t('Brightness', 'Helligkeit'), default: 10 }),
    { id: 'after', name: t('Turn off after', 'Ausschalten nach'), kind: 'duration', default: { minutes: 2 } },
  ],
  automation: {
    mode: 'single',
    triggers: [{ ...MOVES }],
    conditions: all(
      { type: 'time', after: '$(from)', before: '$(until)' },
      { $each: 'lights', type: 'state', accessoryId: '$(lights)', characteristicType: 'power_state', value: false },
    ),
    actions: [
      DIM_LIGHTS,
      switchLights(true),
      {
        type: 'repeat',
        mode: 'until',
        untilCondition: all({ type: 'template', expression: '!wait.completed' }, NO_MOTION),
        sequence: [{ type: 'wait_for_trigger', triggers: MOTION_TRIGGERS, timeout: '$(after)' }],
        onError: 'continue',
      },
      switchLights(false),
    ],
  },
}));
