import { MESSAGE } from './parts.ts';
import type { ShippedBlueprint, ShippedInput } from './shipped.ts';

/** A machine draws power while it runs, in pauses little, and next to none when it is done. */
export const laundry: ShippedBlueprint = {
  icon: 'washing-machine',
  inputs: [
    {
      id: 'plug',
      kind: 'accessory',
      needs: ['eve_energy_watt'],
    },
    watts('running', 10),
    watts('idle', 4),
    {
      id: 'after',
      kind: 'duration',
      default: { minutes: 3 },
    },
    MESSAGE,
  ],
  automation: {
    mode: 'single',
    triggers: [power({ above: '$(running)', for: { minutes: 1 } })],
    actions: [
      { type: 'wait_for_trigger', triggers: [power({ below: '$(idle)', for: '$(after)' })] },
      { type: 'notify', message: '$(message)' },
    ],
  },
};

function power(range: Readonly<Record<string, string | { readonly minutes: number }>>) {
  return { type: 'numeric_state', accessoryId: '$(plug)', characteristicType: 'eve_energy_watt', ...range };
}

function watts(id: string, value: number): ShippedInput {
  return { id, kind: 'number', min: 0, max: 10_000, unit: 'W', default: value };
}
