import { MESSAGE, set, TRIGGER_NAME } from './parts.ts';
import type { ShippedBlueprint } from './shipped.ts';

/** Water: the valve first, then people. A valve that does not answer stops no message. */
export const leak: ShippedBlueprint = {
  icon: 'droplet',
  inputs: [
    {
      id: 'sensors',
      kind: 'accessory',
      multiple: true,
      needs: ['leak_detected'],
      all: true,
    },
    {
      id: 'valves',
      kind: 'accessory',
      multiple: true,
      optional: true,
      needs: ['power_state'],
      types: ['valve', 'outlet', 'switch'],
    },
    MESSAGE,
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
};
