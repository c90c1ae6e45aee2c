import { describe, expect, it } from 'vitest';
import {
  powerToggleOf,
  type ToggleState,
  toggleOf,
  toggleSemantics,
} from '../../../src/web/dashboard/devices/reading.ts';
import { asWanted } from '../../../src/web/dashboard/home/wanted.ts';
import { accessoryOf } from '../home/sample-home.ts';

const fan = (active: unknown) => accessoryOf('fan', 'fan', { fan_v2: { active } } as never);

function stateOf(active: unknown, wanted?: number): ToggleState {
  const accessory = fan(active);
  const id = accessory.services[0]?.characteristics.find(({ type }) => type === 'active')?.id ?? '';
  const shown = asWanted(wanted === undefined ? accessory : { ...accessory, wanted: { [id]: wanted } });
  return powerToggleOf(shown, shown.services[0]);
}

describe('a toggle', () => {
  it.each<[unknown, number | undefined, ToggleState]>([
    [1, undefined, { isOn: true, confirmed: true, isSent: false }],
    [0, undefined, { isOn: false, confirmed: false, isSent: false }],
    [null, undefined, { isOn: false, confirmed: undefined, isSent: false }],
    [0, 1, { isOn: true, confirmed: false, isSent: true }],
    [1, 0, { isOn: false, confirmed: true, isSent: true }],
    [null, 1, { isOn: true, confirmed: undefined, isSent: true }],
    [null, 0, { isOn: false, confirmed: undefined, isSent: true }],
  ])('of the value %s that was set to %s', (value, wanted, expected) => {
    expect(stateOf(value, wanted)).toEqual(expected);
  });

  it('of a characteristic that the device does not have is unknown', () => {
    const accessory = fan(1);
    const expected = { isOn: false, confirmed: undefined, isSent: false };
    expect(toggleOf(accessory, accessory.services[0], 'mute')).toEqual(expected);
  });

  it('is announced as the device confirmed it, and as neither on nor off while nothing is confirmed', () => {
    const announced = (...values: Parameters<typeof stateOf>) => toggleSemantics(stateOf(...values).confirmed);
    expect(announced(1)).toEqual({ role: 'switch', 'aria-checked': true });
    expect(announced(0, 1)).toEqual({ role: 'switch', 'aria-checked': false });
    expect(announced(null)).toEqual({ role: 'checkbox', 'aria-checked': 'mixed' });
    expect(announced(null, 1)).toEqual({ role: 'checkbox', 'aria-checked': 'mixed' });
  });
});
