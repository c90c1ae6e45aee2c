import { all, MESSAGE } from './parts.ts';
import type { ShippedBlueprint } from './shipped.ts';

/** One message a week with all of them. Nothing is sent if every battery is fine. */
export const lowBattery: ShippedBlueprint = {
  icon: 'battery',
  inputs: [
    {
      id: 'accessories',
      kind: 'accessory',
      multiple: true,
      anyOf: ['status_low_battery', 'battery_level'],
      all: true,
    },
    { id: 'level', kind: 'number', min: 1, max: 100, unit: '%', default: 20 },
    { id: 'weekdays', kind: 'weekdays', default: [0] },
    { id: 'at', kind: 'time', default: '10:00' },
    MESSAGE,
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
};

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
