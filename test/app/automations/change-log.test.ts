import { beforeEach, describe, expect, it } from 'vitest';
import { createExpressionHome, type ExpressionHome } from './expressions/expression-home.ts';

describe('the change log', () => {
  let house: ExpressionHome;
  let lamp: string;
  beforeEach(() => {
    house = createExpressionHome();
    lamp = house.idOf('Lamp');
  });

  it('remembers when something changed last, and knows nothing of what has not', async () => {
    expect(house.changes.lastChangedAt(lamp, '9')).toBeNull();
    house.set('Lamp', '9', true);
    const at = house.clock.now();
    await house.clock.advance(1_000);
    expect(house.changes.lastChangedAt(lamp, '9')).toBe(at);
    expect(house.changes.lastChangedAt(lamp, '10')).toBeNull();
  });

  it('takes a value that is learned for the first time for no change', () => {
    house.set('Lamp', '9', null);
    const before = house.changes.countWithin(lamp, '9', 1_000);
    house.set('Lamp', '9', true);
    expect(house.changes.countWithin(lamp, '9', 1_000)).toBe(before);
  });

  it('counts by the time that went by, whatever is done to the clock', async () => {
    house.set('Lamp', '9', true);
    house.clock.jumpWallClock(-86_400_000);
    await house.clock.advance(30_000);
    house.set('Lamp', '9', false);
    house.clock.jumpWallClock(172_800_000);
    expect(house.changes.countWithin(lamp, '9', 20_000)).toBe(1);
    expect(house.changes.countWithin(lamp, '9', 40_000)).toBe(2);
  });

  it('counts up to a hundred changes', () => {
    for (let count = 0; count < 250; count += 1) house.set('Lamp', '10', count % 100);
    expect(house.changes.countWithin(lamp, '10', 1_000)).toBe(100);
  });

  it('knows whether an automation did it, also where the device tells later what came of it', () => {
    expect(house.changes.lastWasOurs(lamp, '9')).toBeNull();
    house.causes.set(lamp, { chain: [{ automationId: 'a', name: 'A' }] });
    house.state.applyValue(lamp, '9', true, 'write');
    house.state.applyValue(lamp, '10', 20, 'device');
    expect([house.changes.lastWasOurs(lamp, '9'), house.changes.lastWasOurs(lamp, '10')]).toEqual([true, true]);
    house.causes.clear();
    house.state.applyValue(lamp, '9', false, 'write');
    expect(house.changes.lastWasOurs(lamp, '9')).toBe(false);
  });

  it('forgets accessories that are gone', () => {
    house.set('Lamp', '9', true);
    house.set('Lamp 2', '9', true);
    house.state.removeAccessories([lamp]);
    expect(house.changes.lastChangedAt(lamp, '9')).toBeNull();
    expect(house.changes.lastChangedAt(house.idOf('Lamp 2'), '9')).not.toBeNull();
  });

  it('listens from start to stop', () => {
    house.changes.stop();
    house.set('Lamp', '9', true);
    expect(house.changes.lastChangedAt(lamp, '9')).toBeNull();
    house.changes.start();
    house.changes.start();
    house.set('Lamp', '9', false);
    expect(house.changes.countWithin(lamp, '9', 1_000)).toBe(1);
  });
});
