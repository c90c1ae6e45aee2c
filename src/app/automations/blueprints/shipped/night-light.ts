import { all, DIM_LIGHTS, LAMPS, MOTION_SENSORS, MOTION_TRIGGERS, NO_MOTION, percent, switchLights } from './parts.ts';
import type { ShippedBlueprint } from './shipped.ts';

const [MOVES] = MOTION_TRIGGERS;

/**
 * A dim light at night. One run turns the lights on and off again, so that lights which people turned on stay as they
 * are. Every change of a sensor begins the wait again.
 */
export const nightLight: ShippedBlueprint = {
  icon: 'moon',
  inputs: [
    MOTION_SENSORS,
    LAMPS,
    { id: 'from', kind: 'time', default: '22:00' },
    { id: 'until', kind: 'time', default: '06:00' },
    percent({ id: 'brightness', default: 10 }),
    { id: 'after', kind: 'duration', default: { minutes: 2 } },
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
};
