import { beforeEach, describe, expect, it } from 'vitest';
import { createExpressionHome, type ExpressionHome } from './expressions/expression-home.ts';

describe('the change log', () => {
  let home: ExpressionHome;
  let lamp: string;
  beforeEach(() => {
    home = createExpressionHome();
    lamp = home.idOf('Lamp');
  });

  it('remembers when something changed last, and knows nothing of what has not', async () => {
    expect(home.changes.lastChangedAt(lamp, '9')).toBeNull();
    home.set('Lamp', '9', true);
    const at = home.clock.now();
    await home.clock.advance(1_000);
    expect(home.changes.lastChangedAt(lamp, '9')).toBe(at);
    expect(home.changes.lastChangedAt(lamp, '10')).toBeNull();
  });

  it('takes a value that is learned for the first time for no change', () => {
    home.set('Lamp', '9', null);
    const before = home.changes.countWithin(lamp, '9', 1_000);
    home.set('Lamp', '9', true);
    expect(home.changes.countWithin(lamp, '9', 1_000)).toBe(before);
  });

  it('counts by the time that went by, regardless of the clock', async () => {
    home.set('Lamp', '9', true);
    home.clock.jumpWallClock(-86_400_000);
    await home.clock.advance(30_000);
    home.set('Lamp', '9', false);
    home.clock.jumpWallClock(172_800_000);
    expect(home.changes.countWithin(lamp, '9', 20_000)).toBe(1);
    expect(home.changes.countWithin(lamp, '9', 40_000)).toBe(2);
  });

  it('counts up to a hundred changes', () => {
    for (let count = 0; count < 250; count += 1) home.set('Lamp', '10', count % 100);
    expect(home.changes.countWithin(lamp, '10', 1_000)).toBe(100);
  });

  it('knows whether an automation did it, also where the device reports the result later', () => {
    expect(home.changes.lastWasOurs(lamp, '9')).toBeNull();
    home.causes.set(lamp, { chain: [{ automationId: 'a', name: 'A' }] });
    home.state.applyValue(lamp, '9', true, 'write');
    home.state.applyValue(lamp, '10', 20, 'device');
    expect([home.changes.lastWasOurs(lamp, '9'), home.changes.lastWasOurs(lamp, '10')]).toEqual([true, true]);
    home.causes.clear();
    home.state.applyValue(lamp, '9', false, 'write');
    expect(home.changes.lastWasOurs(lamp, '9')).toBe(false);
  });

  it('drops what changed longest ago where more has changed than a home has', async () => {
    const ofHome = {
      homeId: 'home',
      serviceIid: '8',
      type: '25',
      previous: false,
      value: true,
      origin: 'device',
    } as const;
    const change = (accessoryId: string): void => {
      home.bus.emit('state.changed', { ...ofHome, accessoryId, iid: '9', at: home.clock.now() });
    };
    home.set('Lamp', '9', true);
    await home.clock.advance(1_000);
    for (let n = 0; n < 19_999; n += 1) change(`accessory ${n}`);
    await home.clock.advance(1_000);
    change('accessory 0');
    change('one more');
    expect(home.changes.lastChangedAt(lamp, '9')).toBeNull();
    expect(home.changes.lastChangedAt('accessory 1', '9')).toBeNull();
    for (const id of ['accessory 0', 'accessory 19998', 'one more']) {
      expect(home.changes.lastChangedAt(id, '9'), id).not.toBeNull();
    }
    // What was dropped is counted again from its next change on.
    change('accessory 1');
    expect(home.changes.countWithin('accessory 1', '9', 60_000)).toBe(1);
  });

  it('forgets accessories that are gone', () => {
    home.set('Lamp', '9', true);
    home.set('Lamp 2', '9', true);
    home.state.removeAccessories([lamp]);
    expect(home.changes.lastChangedAt(lamp, '9')).toBeNull();
    expect(home.changes.lastChangedAt(home.idOf('Lamp 2'), '9')).not.toBeNull();
  });

  it('listens from start to stop', () => {
    home.changes.stop();
    home.set('Lamp', '9', true);
    expect(home.changes.lastChangedAt(lamp, '9')).toBeNull();
    home.changes.start();
    home.changes.start();
    home.set('Lamp', '9', false);
    expect(home.changes.countWithin(lamp, '9', 1_000)).toBe(1);
  });
});
