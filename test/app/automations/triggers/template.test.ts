import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { silentLogger } from '../../../../src/kernel/logger.ts';
import { characteristic, information, plainSwitch, service, thermostat } from '../../../support/sample-accessories.ts';
import { createTempDirectory } from '../../../support/temp-directory.ts';
import { TestClock } from '../../../support/test-clock.ts';
import { systemCaller } from '../../../support/test-home.ts';
import {
  countListeners,
  createTriggerFixture,
  LAMP,
  MOTION,
  THERMOSTAT,
  type TriggerFixture,
} from './trigger-fixture.ts';

const MINUTE = 60_000;
const warn = vi.fn();

let fixture: TriggerFixture;
beforeEach(() => {
  warn.mockClear();
  fixture = createTriggerFixture({ logger: { ...silentLogger, warn } });
});
afterEach(() => {
  if (fixture.database.open) fixture.close();
});

const warm = () => `{{ float(states('${fixture.named('Thermostat').id}', 'current_temperature')) > 25 }}`;

describe('a template trigger', () => {
  it('fires when its expression becomes true, and again after it was false', () => {
    const { fired } = fixture.watch({ type: 'template', expression: warm() });
    for (const value of [24, 26, 27, 24, 26]) fixture.report(THERMOSTAT, '9', value);
    expect(fired).toHaveLength(2);
    expect(fired[0]?.data).toEqual({});
  });

  it('does not fire because it is true when the watching begins', () => {
    fixture.report(THERMOSTAT, '9', 30);
    const { fired } = fixture.watch({ type: 'template', expression: warm() });
    fixture.report(THERMOSTAT, '9', 31);
    expect(fired).toEqual([]);
  });

  it('listens to the accessories that it looked at, and updates which those are', () => {
    const [motion, lamp] = [fixture.named('Motion').id, fixture.named('Lamp').id];
    const expression = `{{ is_state('${motion}', 'motion_detected', true) && is_state('${lamp}', 'power_state', true) }}`;
    const evaluations = vi.spyOn(fixture.triggerDeps.expressions, 'watch');
    const { fired } = fixture.watch({ type: 'template', expression });
    fixture.report(LAMP, '9', true);
    fixture.report(THERMOSTAT, '9', 23);
    expect(fired).toEqual([]);
    fixture.report(MOTION, '9', true);
    expect(fired).toHaveLength(1);
    fixture.report(LAMP, '9', false);
    fixture.report(LAMP, '9', true);
    expect(fired).toHaveLength(2);
    const before = evaluations.mock.calls.length;
    fixture.report(THERMOSTAT, '9', 24);
    expect(evaluations.mock.calls.length).toBe(before);
  });

  it('sees the variables of its automation as they are', () => {
    let limit = 25;
    const scope = () => ({ trigger: null, variables: { limit }, nodes: {}, repeat: null, wait: null });
    const expression = warm().replace('25', 'limit');
    const { fired } = fixture.watch({ type: 'template', expression }, 'key', fixture.clock.now(), scope);
    fixture.report(THERMOSTAT, '9', 26);
    limit = 30;
    for (const value of [27, 31]) fixture.report(THERMOSTAT, '9', value);
    expect(fired).toHaveLength(2);
  });

  it('is looked at each minute if it asked for the time', async () => {
    fixture = createTriggerFixture({ clock: new TestClock('2026-01-15T12:00:30Z') });
    const due = Date.parse('2026-01-15T12:10:00Z');
    const { fired } = fixture.watch({ type: 'template', expression: `{{ now() >= ${due / 1_000} }}` });
    await fixture.clock.advance(9 * MINUTE);
    expect(fired).toEqual([]);
    await fixture.clock.advance(MINUTE);
    expect(fired.map(({ at }) => at)).toEqual([due]);
    await fixture.clock.advance(5 * MINUTE);
    expect(fired).toHaveLength(1);
  });

  it('is looked at within a minute of a clock that was set back', async () => {
    const due = fixture.clock.now() - 30 * MINUTE;
    const { fired } = fixture.watch({ type: 'template', expression: `{{ now() < ${due / 1_000} }}` });
    await fixture.clock.advance(MINUTE);
    fixture.clock.jumpWallClock(-60 * MINUTE);
    await fixture.clock.advance(MINUTE + 1_000);
    expect(fired).toHaveLength(1);
  });

  it('takes a fault for false, reports it once, and works again when the fault has passed', () => {
    const id = fixture.named('Motion').id;
    const expression = `{{ 1 / (is_state('${id}', 'motion_detected', true) ? 1 : 0) > 0 }}`;
    const { fired } = fixture.watch({ type: 'template', expression });
    fixture.report(MOTION, '12', 70);
    fixture.report(MOTION, '12', 60);
    expect(warn).toHaveBeenCalledTimes(1);
    fixture.report(MOTION, '9', true);
    expect(fired).toHaveLength(1);
  });

  it('does not take what an accessory turns out to be for a change', () => {
    fixture.close();
    fixture = createTriggerFixture({ sample: false });
    const device = { deviceId: THERMOSTAT, name: 'Thermostat', setupCode: '031-45-155' };
    fixture.attach({ ...device, accessories: [{ ...thermostat(), services: [] }] });
    const { fired } = fixture.watch({ type: 'template', expression: warm() });
    const services = [information('Thermostat'), service('8', '4A', [characteristic('9', '11', 'float', 30)])];
    fixture.driver.describe(THERMOSTAT, [{ ...thermostat(), services }]);
    fixture.report(THERMOSTAT, '9', 31);
    expect(fired).toEqual([]);
    for (const value of [20, 26]) fixture.report(THERMOSTAT, '9', value);
    expect(fired).toHaveLength(1);
  });

  it('sees an accessory that comes only after the watching began', () => {
    const { fired } = fixture.watch({
      type: 'template',
      expression: "{{ is_state('Garden Pump', 'power_state', true) }}",
    });
    fixture.attach({
      deviceId: '20:00:00:00:00:01',
      name: 'Garden Pump',
      setupCode: '031-45-154',
      accessories: [plainSwitch('Garden Pump')],
    });
    fixture.report('20:00:00:00:00:01', '9', true);
    expect(fired).toHaveLength(1);
  });

  it('follows the members of a group', () => {
    const lamp = fixture.named('Lamp');
    const group = fixture.serviceGroups.create(systemCaller, {
      homeId: fixture.home.id,
      name: 'Ceiling',
      accessoryIds: [lamp.id],
    });
    const { fired } = fixture.watch({
      type: 'template',
      expression: `{{ is_state('${group.id}', 'power_state', true) }}`,
    });
    fixture.report(LAMP, '9', true);
    expect(fired).toHaveLength(1);
  });

  it('with "for" fires once it has been true for that long', async () => {
    const { fired } = fixture.watch({ type: 'template', expression: warm(), for: { minutes: 2 } });
    fixture.report(THERMOSTAT, '9', 26);
    await fixture.clock.advance(MINUTE);
    for (const value of [24, 26]) fixture.report(THERMOSTAT, '9', value);
    await fixture.clock.advance(MINUTE);
    expect(fired).toEqual([]);
    await fixture.clock.advance(MINUTE);
    expect(fired.map(({ durable }) => durable)).toEqual([true]);
  });

  it('takes up its hold after a restart, while its devices only confirm it', async () => {
    using directory = createTempDirectory('template');
    const path = directory.file('relay.db');
    fixture.close();
    fixture = createTriggerFixture({ path });
    const trigger = { type: 'template', expression: warm(), for: { minutes: 5 } } as const;
    fixture.watch(trigger);
    fixture.report(THERMOSTAT, '9', 26);
    const due = fixture.clock.now() + 5 * MINUTE;
    await fixture.clock.advance(MINUTE);
    fixture.kill();
    fixture = createTriggerFixture({ path, clock: new TestClock(fixture.clock.now() + MINUTE) });
    const { fired } = fixture.watch(trigger);
    fixture.report(THERMOSTAT, '9', 26);
    await fixture.clock.advance(5 * MINUTE);
    expect(fired.map(({ at }) => at)).toEqual([due]);
    fixture.close();
  });

  it('leaves nothing behind', () => {
    const listeners = countListeners(fixture);
    const pending = fixture.clock.pendingTimers;
    const { stop } = fixture.watch({ type: 'template', expression: `{{ now() > 0 && ${warm().slice(2, -2)} }}` });
    expect(listeners()).toBeGreaterThan(0);
    expect(fixture.clock.pendingTimers).toBeGreaterThan(pending);
    stop();
    expect([listeners(), fixture.clock.pendingTimers]).toEqual([0, pending]);
  });
});
