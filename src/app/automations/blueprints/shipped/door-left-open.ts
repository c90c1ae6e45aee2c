import { MESSAGE, TRIGGER_NAME } from './parts.ts';
import type { ShippedBlueprint } from './shipped.ts';

const IS_OPEN = "is_state(trigger.accessory_id, 'contact_state', 1)";

/** A message for each door, and again while it stays open. */
export const doorLeftOpen: ShippedBlueprint = {
  icon: 'door-open',
  inputs: [
    {
      id: 'doors',
      kind: 'accessory',
      multiple: true,
      needs: ['contact_state'],
    },
    { id: 'after', kind: 'duration', default: { minutes: 10 } },
    {
      id: 'times',
      kind: 'number',
      min: 1,
      max: 20,
      default: 3,
    },
    MESSAGE,
  ],
  automation: {
    mode: 'parallel',
    triggers: [
      {
        $each: 'doors',
        type: 'state',
        accessoryId: '$(doors)',
        characteristicType: 'contact_state',
        to: true,
        for: '$(after)',
      },
    ],
    actions: [
      {
        type: 'repeat',
        mode: 'count',
        count: '$(times)',
        sequence: [
          { type: 'notify', title: TRIGGER_NAME, message: '$(message)' },
          { type: 'wait_for_template', expression: `!${IS_OPEN}`, timeout: '$(after)' },
          {
            type: 'choose',
            choices: [
              {
                conditions: { operator: 'not', conditions: [{ type: 'template', expression: IS_OPEN }] },
                actions: [{ type: 'stop' }],
              },
            ],
          },
        ],
      },
    ],
  },
};
