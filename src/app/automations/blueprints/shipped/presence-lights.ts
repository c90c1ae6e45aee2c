import { all, DARK, DIM_LIGHTS, lamps, percent, switchLights } from './parts.ts';
import { shipped } from './shipped.ts';

/** Light for those who come home, and none for an empty home. */
export const presenceLights = shipped((t) => ({
  name: t('Presence lights', 'Licht bei Anwesenheit'),
  description: t(
    'Turns lights on when someone comes home in the dark, and off when the last person leaves.',
    'Schaltet Lichter ein, wenn im Dunkeln jemand heimkommt, und aus, wenn die letzte Person geht.',
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
    lamps(t),
    percent({ id: 'brightness', name: t('Brightness', 'Helligkeit'), optional: true }),
    {
      id: 'only_dark',
      name: t('Only from sunset to sunrise', 'Nur von Sonnenuntergang bis Sonnenaufgang'),
      kind: 'flag',
      default: true,
    },
  ],
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
}));
