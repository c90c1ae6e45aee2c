import { all, DARK, DIM_LIGHTS, LAMPS, ONLY_DARK, PEOPLE, percent, switchLights } from './parts.ts';
import type { ShippedBlueprint } from './shipped.ts';

/** Light for those who come home, and none for an empty home. */
export const presenceLights: ShippedBlueprint = {
  icon: 'users',
  inputs: [PEOPLE, LAMPS, percent({ id: 'brightness', optional: true }), ONLY_DARK],
  automation: {
    mode: 'restart',
    triggers: [
      { id: 'came', type: 'presence', event: 'atHome', personIds: '$(people)' },
      { id: 'left', type: 'presence', event: 'lastDeparture', personIds: '$(people)' },
    ],
    actions: [
      {
        type: 'choose',
        choices: [
          {
            conditions: all({ type: 'trigger', triggerId: 'came' }, { $if: 'only_dark', ...DARK }),
            actions: [switchLights(true), DIM_LIGHTS],
          },
          { conditions: all({ type: 'trigger', triggerId: 'left' }), actions: [switchLights(false)] },
        ],
      },
    ],
  },
};
