import { all, heating, LAMP_TYPES, lamps, set, switchLights } from './parts.ts';
import { shipped } from './shipped.ts';

/** What a home saves while it is empty. */
export const awayMode = shipped((t) => ({
  name: t('Away mode', 'Abwesenheit'),
  description: t(
    'Turns lights off and heating down when the last person leaves, and heating up when the first comes home.',
    'Schaltet Lichter aus und regelt die Heizung herunter, wenn die letzte Person geht, und herauf, wenn die erste kommt.',
  ),
  inputs: [
    {
      id: 'people',
      name: t('People', 'Personen'),
      description: t('Only they count; all if none is chosen.', 'Nur sie zählen; alle, wenn niemand gewählt ist.'),
      kind: 'person',
      multiple: true,
      optional: true,
    },
    { ...lamps(t), all: true, optional: true, types: LAMP_TYPES },
    heating(t, { needs: ['target_temperature'], optional: true, all: true }),
    temperature('away_temperature', t('Temperature when away', 'Temperatur bei Abwesenheit'), 17),
    temperature('home_temperature', t('Temperature when at home', 'Temperatur bei Anwesenheit'), 21),
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
}));

function heat(value: string) {
  return { $each: 'heating', ...set('heating', 'target_temperature', value), onError: 'continue' };
}

function temperature(id: string, name: string, value: number) {
  return { id, name, kind: 'number', min: 5, max: 30, unit: '°C', default: value } as const;
}
