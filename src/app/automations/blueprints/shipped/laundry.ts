import { shipped } from './shipped.ts';

/** A machine draws power while it runs, in pauses little, and next to none when it is done. */
export const laundry = shipped((t) => ({
  name: t('Laundry done', 'Wäsche fertig'),
  description: t(
    'Sends a message when a machine at a measuring plug has finished.',
    'Schickt eine Nachricht, wenn eine Maschine an einer messenden Steckdose fertig ist.',
  ),
  inputs: [
    {
      id: 'plug',
      name: t('Plug', 'Steckdose'),
      description: t('One that measures power.', 'Eine, die die Leistung misst.'),
      kind: 'accessory',
      needs: ['eve_energy_watt'],
    },
    watts('running', t('Runs above', 'Läuft über'), 10),
    watts('idle', t('Done below', 'Fertig unter'), 4),
    {
      id: 'after',
      name: t('For at least', 'Für mindestens'),
      description: t('Pauses of the program are shorter.', 'Pausen im Programm sind kürzer.'),
      kind: 'duration',
      default: { minutes: 3 },
    },
    {
      id: 'message',
      name: t('Message', 'Nachricht'),
      kind: 'text',
      default: t('The laundry is done.', 'Die Wäsche ist fertig.'),
    },
  ],
  automation: {
    mode: 'single',
    triggers: [power({ above: '$(running)', for: { minutes: 1 } })],
    actions: [
      { type: 'wait_for_trigger', triggers: [power({ below: '$(idle)', for: '$(after)' })] },
      { type: 'notify', message: '$(message)' },
    ],
  },
}));

function power(range: Readonly<Record<string, string | { readonly minutes: number }>>) {
  return { type: 'numeric_state', accessoryId: '$(plug)', characteristicType: 'eve_energy_watt', ...range };
}

function watts(id: string, name: string, value: number) {
  return { id, name, kind: 'number', min: 0, max: 10_000, unit: 'W', default: value } as const;
}
