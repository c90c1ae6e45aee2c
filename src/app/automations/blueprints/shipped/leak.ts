import { set, TRIGGER_NAME } from './parts.ts';
import { shipped } from './shipped.ts';

/** Water: the valve first, then people. A valve that does not answer stops no message. */
export const leak = shipped((t) => ({
  name: t('Water leak', 'Wasser läuft aus'),
  description: t(
    'When a sensor finds water, closes valves and sends a message.',
    'Schließt Ventile und schickt eine Nachricht, wenn ein Sensor Wasser findet.',
  ),
  inputs: [
    {
      id: 'sensors',
      name: t('Leak sensors', 'Wassersensoren'),
      kind: 'accessory',
      multiple: true,
      needs: ['leak_detected'],
      all: true,
    },
    {
      id: 'valves',
      name: t('Valves', 'Ventile'),
      description: t('Or the plugs and switches of pumps.', 'Oder Steckdosen und Schalter von Pumpen.'),
      kind: 'accessory',
      multiple: true,
      optional: true,
      needs: ['power_state'],
      types: ['valve', 'outlet', 'switch'],
    },
    { id: 'message', name: t('Message', 'Nachricht'), kind: 'text', default: t('Water!', 'Wasser!') },
  ],
  automation: {
    mode: 'parallel',
    triggers: [
      {
        $each: 'sensors',
        type: 'state',
        accessoryId: '$(sensors)',
        characteristicType: 'leak_detected',
        to: true,
      },
    ],
    actions: [
      { $each: 'valves', ...set('valves', 'power_state', false), onError: 'continue' },
      { type: 'notify', title: '$(message)', message: TRIGGER_NAME },
    ],
  },
}));
