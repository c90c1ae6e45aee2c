import { all, heating, set } from './parts.ts';
import type { ShippedBlueprint } from './shipped.ts';

/** A computed key keeps linters from reading the object as a thenable. */
const THEN = 'then';
const MODE = 'heating_cooling_target';

/** Heating off while a window is open; afterwards each gets back the mode that it had, if it is still off. */
export const windowHeating: ShippedBlueprint = {
  icon: 'heater',
  inputs: [
    { id: 'windows', kind: 'accessory', multiple: true, needs: ['contact_state'] },
    heating({ needs: [MODE] }),
    {
      id: 'after',
      kind: 'duration',
      default: { minutes: 2 },
    },
  ],
  automation: {
    mode: 'single',
    variables: { windows: '$(windows)', heating: '$(heating)' },
    triggers: [
      {
        $each: 'windows',
        type: 'state',
        accessoryId: '$(windows)',
        characteristicType: 'contact_state',
        to: true,
        for: '$(after)',
      },
    ],
    actions: [
      { type: 'variables', variables: { modes: `{{ heating.map(one, states(one, '${MODE}')) }}` } },
      { $each: 'heating', ...set('heating', MODE, 0), onError: 'continue' },
      { type: 'wait_for_template', expression: "!windows.exists(one, is_state(one, 'contact_state', 1))" },
      {
        $each: 'heating',
        type: 'if_then_else',
        condition: all(
          { type: 'state', accessoryId: '$(heating)', characteristicType: MODE, value: 0 },
          { type: 'template', expression: 'modes[$(heating.index)] != null' },
        ),
        [THEN]: [set('heating', MODE, '{{ modes[$(heating.index)] }}')],
        onError: 'continue',
      },
    ],
  },
};
