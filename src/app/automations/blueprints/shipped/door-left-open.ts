import { TRIGGER_NAME } from './parts.ts';
import { shipped } from './shipped.ts';

const IS_OPEN = "is_state(trigger.accessory_id, 'contact_state', 1)";

/** A message for each door, and again while it stays open. */
export const doorLeftOpen = shipped((t) => ({
  name: t('Door left open', 'Tür steht offen'),
  description: t(
    'Sends a message when a door or window has been open for some time, and reminds you.',
    'Schickt eine Nachricht, wenn eine Tür oder ein Fenster lange offen steht, und erinnert daran.',
  ),
  inputs: [
    {
      id: 'doors',
      name: t('Doors and windows', 'Türen und Fenster'),
      kind: 'accessory',
      multiple: true,
      needs: ['contact_state'],
    },
    { id: 'after', name: t('Open for', 'Offen seit'), kind: 'duration', default: { minutes: 10 } },
    {
      id: 'times',
      name: t('Messages at most', 'Nachrichten höchstens'),
      description: t('Each after the same time again.', 'Jede nach derselben Zeit wieder.'),
      kind: 'number',
      min: 1,
      max: 20,
      default: 3,
    },
    {
      id: 'message',
      name: t('Message', 'Nachricht'),
      kind: 'text',
      default: t('This is still open.', 'Hier ist noch offen.'),
    },
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
}));
