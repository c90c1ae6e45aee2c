import { all } from './parts.ts';
import { shipped } from './shipped.ts';

/** One message a week with all of them. Nothing is sent if every battery is fine. */
export const lowBattery = shipped((t) => ({
  name: t('Low batteries, weekly', 'Schwache Batterien, wöchentlich'),
  description: t(
    'Once a week, sends a message with the accessories whose battery is low.',
    'Schickt einmal in der Woche eine Nachricht mit den Geräten, deren Batterie schwach ist.',
  ),
  inputs: [
    {
      id: 'accessories',
      name: t('Accessories', 'Geräte'),
      kind: 'accessory',
      multiple: true,
      anyOf: ['status_low_battery', 'battery_level'],
      all: true,
    },
    { id: 'level', name: t('Low below', 'Schwach unter'), kind: 'number', min: 1, max: 100, unit: '%', default: 20 },
    { id: 'weekdays', name: t('Days', 'Tage'), kind: 'weekdays', default: [0] },
    { id: 'at', name: t('Time', 'Uhrzeit'), kind: 'time', default: '10:00' },
    {
      id: 'message',
      name: t('Title of the message', 'Titel der Nachricht'),
      kind: 'text',
      default: t('Batteries are low', 'Batterien sind schwach'),
    },
  ],
  automation: {
    mode: 'single',
    triggers: [{ type: 'time', at: '$(at)', weekdays: '$(weekdays)' }],
    actions: [
      { type: 'variables', variables: { low: [] } },
      {
        $each: 'accessories',
        $has: 'battery_level',
        ...ifLow({ type: 'numeric_state', characteristicType: 'battery_level', below: '$(level)' }),
      },
      {
        $each: 'accessories',
        $has: 'status_low_battery',
        ...ifLow({ type: 'state', characteristicType: 'status_low_battery', value: true }),
      },
      {
        type: 'choose',
        choices: [
          {
            conditions: all({ type: 'template', expression: 'size(low) > 0' }),
            actions: [{ type: 'notify', title: '$(message)', message: "{{ join(low, ', ') }}" }],
          },
        ],
      },
    ],
  },
}));

/** Adds the accessory’s name to the list, once. */
function ifLow(condition: Readonly<Record<string, string | boolean>>) {
  const name = "state_attr('$(accessories)', 'name')";
  return {
    type: 'choose',
    choices: [
      {
        conditions: all(
          { ...condition, accessoryId: '$(accessories)' },
          { type: 'template', expression: `!(${name} in low)` },
        ),
        actions: [{ type: 'variables', variables: { low: `{{ low + [${name}] }}` } }],
      },
    ],
  };
}
