import { all, heating, LAMP_TYPES, LAMPS, PEOPLE, set, switchLights } from './parts.ts';
import type { ShippedBlueprint, ShippedInput } from './shipped.ts';

/** What a home saves while it is empty. */
export const awayMode: ShippedBlueprint = {
  icon: 'log-out',
  inputs: [
    PEOPLE,
    { ...LAMPS, all: true, optional: true, types: LAMP_TYPES },
    heating({ needs: ['target_temperature'], optional: true, all: true }),
    temperature('away_temperature', 17),
    temperature('home_temperature', 21),
  ],
  automation: {
    mode: 'restart',
    triggers: [
      { id: 'left', type: 'presence', event: 'lastDeparture', personIds: '$(people)' },
      { id: 'came', type: 'presence', event: 'firstArrival', personIds: '$(people)' },
    ],
    actions: [
      {
        type: 'choose',
        choices: [
          {
            conditions: all({ type: 'trigger', triggerId: 'left' }),
            actions: [switchLights(false), heat('$(away_temperature)')],
          },
          { conditions: all({ type: 'trigger', triggerId: 'came' }), actions: [heat('$(home_temperature)')] },
        ],
      },
    ],
  },
};

function heat(value: string) {
  return { $each: 'heating', ...set('heating', 'target_temperature', value), onError: 'continue' };
}

function temperature(id: string, value: number): ShippedInput {
  return { id, kind: 'number', min: 5, max: 30, unit: '°C', default: value };
}
