import { beforeEach, describe, expect, it } from 'vitest';
import type { Condition, ConditionOf } from '../../../../src/app/automations/conditions/index.ts';
import type { Comparison } from '../../../../src/app/automations/conditions/state.ts';
import type { CharacteristicValue } from '../../../../src/home/model.ts';
import { HOME_ID } from '../expressions/expression-home.ts';
import { type ConditionHome, createConditionHome } from './condition-home.ts';

const GROUP_ID = '00000000-0000-4000-8000-0000000000a1';

let home: ConditionHome;
beforeEach(() => {
  home = createConditionHome();
});

function stateOf(
  name: string,
  characteristicType: string,
  value: CharacteristicValue,
  operator?: Comparison,
): ConditionOf<'state'> {
  const target = { type: 'state', accessoryId: home.idOf(name), characteristicType, value } as const;
  return operator === undefined ? target : { ...target, operator };
}

function numberOf(name: string, characteristicType: string, bounds: { above?: number; below?: number }): Condition {
  return { type: 'numeric_state', accessoryId: home.idOf(name), characteristicType, ...bounds };
}

describe('a state condition', () => {
  it('holds while the value is the one named', () => {
    expect(home.holds(stateOf('Lamp', 'power_state', true))).toBe(false);
    home.set('Lamp', '9', true);
    expect(home.holds(stateOf('Lamp', 'power_state', true))).toBe(true);
  });

  it('takes true, 1, "1" and "true" for the same', () => {
    home.set('Lamp', '9', true);
    for (const value of [true, 1, '1', 'true']) expect(home.holds(stateOf('Lamp', 'power_state', value))).toBe(true);
    home.state.applyValue(home.idOf('Lamp'), '9', 1, 'device');
    expect(home.holds(stateOf('Lamp', 'power_state', true))).toBe(true);
  });

  it.each([
    ['eq', 50, true],
    ['eq', 51, false],
    ['neq', 51, true],
    ['neq', 50, false],
    ['above', 49, true],
    ['above', 50, false],
    ['below', 51, true],
    ['below', 50, false],
    ['at_least', 50, true],
    ['at_least', 51, false],
    ['at_most', 50, true],
    ['at_most', 49, false],
  ] as const)('compares a brightness of 50: %s %d is %s', (operator, value, passed) => {
    expect(home.holds(stateOf('Lamp', 'brightness', value, operator))).toBe(passed);
  });

  it.each(['eq', 'neq', 'above', 'at_most'] as const)('does not hold (%s) while nothing is known', (operator) => {
    home.set('Lamp', '10', null);
    expect(home.holds(stateOf('Lamp', 'brightness', 10, operator))).toBe(false);
  });

  it.each(['eq', 'neq'] as const)('does not hold (%s) for what is gone, and reports it', (operator) => {
    const condition = stateOf('Lamp', 'power_state', true, operator);
    home.state.removeAccessories([home.idOf('Lamp')]);
    expect(home.holds(condition)).toBe(false);
    expect(home.found(condition)).toEqual({ value: null, error: 'It is not in this home any more' });
  });

  it('does not hold for an accessory that vanished, of another home, or without such a characteristic', () => {
    const lamp = home.state.accessory(home.idOf('Lamp'));
    if (!lamp) throw new Error('There is no lamp');
    const condition = stateOf('Lamp', 'power_state', false);
    expect(home.holds(condition)).toBe(true);
    home.state.putAccessories([{ ...lamp, vanishedAt: 1 }]);
    expect(home.holds(condition)).toBe(false);
    home.state.putAccessories([{ ...lamp, vanishedAt: null, homeId: '00000000-0000-4000-8000-0000000000f2' }]);
    expect(home.holds(condition)).toBe(false);
    expect(home.found(stateOf('Motion', 'brightness', 1))).toMatchObject({ value: null });
  });

  it('has the last value of what can not be reached', () => {
    home.state.setReachable(home.idOf('Lamp'), true);
    expect(home.found(stateOf('Lamp', 'brightness', 50))).toEqual({ value: 50 });
    home.state.setReachable(home.idOf('Lamp'), false);
    expect(home.found(stateOf('Lamp', 'brightness', 50))).toEqual({ value: 50, reachable: false });
  });

  it('looks at a service group as at one accessory', () => {
    const members = ['Lamp', 'Lamp 2'].map((name) => ({ accessoryId: home.idOf(name), serviceIid: '8' }));
    const place = { id: GROUP_ID, homeId: HOME_ID, name: 'All Lamps', icon: null, createdAt: 0 };
    const group = { ...place, kind: 'light', members } as const;
    home.state.serviceGroups.put(group);
    const condition = {
      type: 'state',
      serviceGroupId: GROUP_ID,
      characteristicType: 'power_state',
      value: true,
    } as const;
    expect(home.holds(condition)).toBe(false);
    home.set('Lamp 2', '9', true);
    expect(home.holds(condition)).toBe(true);
    home.state.serviceGroups.remove(GROUP_ID);
    expect(home.holds(condition)).toBe(false);
  });
});

describe('a numeric condition', () => {
  it.each([
    [{ above: 20 }, true],
    [{ above: 20.5 }, false],
    [{ below: 21 }, true],
    [{ below: 20.5 }, false],
    [{ above: 20, below: 21 }, true],
    [{ above: 21, below: 22 }, false],
  ])('of 20.5 degrees, %o: %s', (bounds, passed) => {
    expect(home.holds(numberOf('Thermostat', 'current_temperature', bounds))).toBe(passed);
  });

  it('does not hold while nothing is known, for texts, or for what is gone', () => {
    const condition = numberOf('Lamp', 'brightness', { below: 1_000 });
    expect(home.holds(condition)).toBe(true);
    home.set('Lamp', '10', null);
    expect(home.holds(condition)).toBe(false);
    expect(home.holds(numberOf('Egg Timer', 'virtual_timer', { below: 1_000 }))).toBe(false);
    home.state.removeAccessories([home.idOf('Lamp')]);
    expect(home.holds(condition)).toBe(false);
  });
});
