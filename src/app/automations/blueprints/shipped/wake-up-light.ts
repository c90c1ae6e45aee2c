import { all, LAMPS, percent, set } from './parts.ts';
import type { ShippedBlueprint } from './shipped.ts';

/** The light rises in this many steps. */
const STEPS = 20;
const THEN = 'then';
const ON = { type: 'state', accessoryId: '$(lights)', characteristicType: 'power_state', value: true };

/** A sunrise in the bedroom. A lamp that is turned off meanwhile stays off. */
export const wakeUpLight: ShippedBlueprint = {
  icon: 'alarm-clock',
  inputs: [
    { ...LAMPS, needs: ['power_state', 'brightness'], types: ['light'] },
    { id: 'at', kind: 'time', default: '06:30' },
    { id: 'weekdays', kind: 'weekdays', default: [1, 2, 3, 4, 5] },
    { id: 'over', kind: 'duration', default: { minutes: 30 } },
    percent({ id: 'brightness', default: 100 }),
  ],
  automation: {
    mode: 'restart',
    triggers: [{ type: 'time', at: '$(at)', weekdays: '$(weekdays)' }],
    actions: [
      { $each: 'lights', ...set('lights', 'brightness', 1), onError: 'continue' },
      { $each: 'lights', ...set('lights', 'power_state', true), onError: 'continue' },
      {
        type: 'repeat',
        mode: 'count',
        count: STEPS,
        sequence: [
          { type: 'delay', duration: { seconds: `{{ $(over.seconds) / ${STEPS}.0 }}` } },
          {
            $each: 'lights',
            type: 'if_then_else',
            condition: all(ON),
            [THEN]: [set('lights', 'brightness', `{{ max(1, round($(brightness) * repeat.index / ${STEPS}.0)) }}`)],
            onError: 'continue',
          },
        ],
      },
    ],
  },
};
