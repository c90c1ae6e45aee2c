import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { silentLogger } from '../../../../src/kernel/logger.ts';
import { characteristic, information, plainSwitch, service, thermostat } from '../../../support/sample-accessories.ts';
import { createTempDirectory } from '../../../support/temp-directory.ts';
import { TestClock } from '../../../support/test-clock.ts';
import { systemCaller } from '../../../support/test-home.ts';
import { countListeners, createTriggerLab, LAMP, MOTION, THERMOSTAT, type TriggerLab } from './trigger-lab.ts';

const MINUTE = 60_000;
const warn = vi.fn();

let lab: TriggerLab;
beforeEach(() => {
  warn.mockClear();
  lab = createTriggerLab({ logger: { ...silentLogger, warn } });
});
afterEach(() => {
  if (lab.database.open) lab.close();
});

const warm = () => `{{ float(states('${lab.named('Thermostat').id}', 'current_temperature')) > 25 }}`;

describe('a template trigger', () => {
  it('fires when its expression becomes true, and again after it was false', () => {
    const { fired } = lab.watch({ type: 'template', expression: warm() });
    for (const value of [24, 26, 27, 24, 26]) lab.report(THERMOSTAT, '9', value);
    expect(fired).toHaveLength(2);
    expect(fired[0]?.data).toEqual({});
  });

  it('does not fire because it is true when the watching begins', () => {
    lab.report(THERMOSTAT, '9', 30);
    const { fired } = lab.watch({ type: 'template', expression: warm() });
    lab.report(THERMOSTAT, '9', 31);
    expect(fired).toEqual([]);
  });

  it('listens to the accessories that it looked at, and learns anew which those are', () => {
    const [motion, lamp] = [lab.named('Motion').id, lab.named('Lamp').id];
    const expression = `{{ is_state('${motion}', 'motion_detected', true) && is_state('${lamp}', 'power_state', true) }}`;
    const evaluations = vi.spyOn(lab.ground.expressions, 'watch');
    const { fired } = lab.watch({ type: 'template', expression });
    lab.report(LAMP, '9', true);
    lab.report(THERMOSTAT, '9', 23);
    expect(fired).toEqual([]);
    lab.report(MOTION, '9', true);
    expect(fired).toHaveLength(1);
    lab.report(LAMP, '9', false);
    lab.report(LAMP, '9', true);
    expect(fired).toHaveLength(2);
    const before = evaluations.mock.calls.length;
    lab.report(THERMOSTAT, '9', 24);
    expect(evaluations.mock.calls.length).toBe(before);
  });

  it('sees the variables of its automation as they are', () => {
    let limit = 25;
    const scope = () => ({ trigger: null, variables: { limit }, nodes: {}, repeat: null, wait: null });
    const expression = warm().replace('25', 'limit');
    const { fired } = lab.watch({ type: 'template', expression }, 'key', lab.clock.now(), scope);
    lab.report(THERMOSTAT, '9', 26);
    limit = 30;
    for (const value of [27, 31]) lab.report(THERMOSTAT, '9', value);
    expect(fired).toHaveLength(2);
  });

  it('is looked at each minute if it asked for the time', async () => {
    lab = createTriggerLab({ clock: new TestClock('2026-01-15T12:00:30Z') });
    const due = Date.parse('2026-01-15T12:10:00Z');
    const { fired } = lab.watch({ type: 'template', expression: `{{ now() >= ${due / 1_000} }}` });
    await lab.clock.advance(9 * MINUTE);
    expect(fired).toEqual([]);
    await lab.clock.advance(MINUTE);
    expect(fired.map(({ at }) => at)).toEqual([due]);
    await lab.clock.advance(5 * MINUTE);
    expect(fired).toHaveLength(1);
  });

  it('is looked at within a minute of a clock that was set back', async () => {
    const due = lab.clock.now() - 30 * MINUTE;
    const { fired } = lab.watch({ type: 'template', expression: `{{ now() < ${due / 1_000} }}` });
    await lab.clock.advance(MINUTE);
    lab.clock.jumpWallClock(-60 * MINUTE);
    await lab.clock.advance(MINUTE + 1_000);
    expect(fired).toHaveLength(1);
  });

  it('takes a fault for false, says so once, and works again when the fault has passed', () => {
    const id = lab.named('Motion').id;
    const expression = `{{ 1 / (is_state('${id}', 'motion_detected', true) ? 1 : 0) > 0 }}`;
    const { fired } = lab.watch({ type: 'template', expression });
    lab.report(MOTION, '12', 70);
    lab.report(MOTION, '12', 60);
    expect(warn).toHaveBeenCalledTimes(1);
    lab.report(MOTION, '9', true);
    expect(fired).toHaveLength(1);
  });

  it('does not take what an accessory turns out to be for a change', () => {
    lab.close();
    lab = createTriggerLab({ sample: false });
    const device = { deviceId: THERMOSTAT, name: 'Thermostat', setupCode: '031-45-155' };
    lab.attach({ ...device, accessories: [{ ...thermostat(), services: [] }] });
    const { fired } = lab.watch({ type: 'template', expression: warm() });
    const services = [information('Thermostat'), service('8', '4A', [characteristic('9', '11', 'float', 30)])];
    lab.driver.describe(THERMOSTAT, [{ ...thermostat(), services }]);
    lab.report(THERMOSTAT, '9', 31);
    expect(fired).toEqual([]);
    for (const value of [20, 26]) lab.report(THERMOSTAT, '9', value);
    expect(fired).toHaveLength(1);
  });

  it('hears of an accessory that comes only after the watching began', () => {
    const { fired } = lab.watch({
      type: 'template',
      expression: "{{ is_state('Garden Pump', 'power_state', true) }}",
    });
    lab.attach({
      deviceId: '20:00:00:00:00:01',
      name: 'Garden Pump',
      setupCode: '031-45-154',
      accessories: [plainSwitch('Garden Pump')],
    });
    lab.report('20:00:00:00:00:01', '9', true);
    expect(fired).toHaveLength(1);
  });

  it('follows the members of a group', () => {
    const lamp = lab.named('Lamp');
    const group = lab.serviceGroups.create(systemCaller, {
      homeId: lab.home.id,
      name: 'Ceiling',
      accessoryIds: [lamp.id],
    });
    const { fired } = lab.watch({ type: 'template', expression: `{{ is_state('${group.id}', 'power_state', true) }}` });
    lab.report(LAMP, '9', true);
    expect(fired).toHaveLength(1);
  });

  it('with "for" fires once it has been true for that long', async () => {
    const { fired } = lab.watch({ type: 'template', expression: warm(), for: { minutes: 2 } });
    lab.report(THERMOSTAT, '9', 26);
    await lab.clock.advance(MINUTE);
    for (const value of [24, 26]) lab.report(THERMOSTAT, '9', value);
    await lab.clock.advance(MINUTE);
    expect(fired).toEqual([]);
    await lab.clock.advance(MINUTE);
    expect(fired.map(({ durable }) => durable)).toEqual([true]);
  });

  it('takes up its hold after a restart, while its devices only confirm it', async () => {
    using directory = createTempDirectory('template');
    const path = directory.file('relay.db');
    lab.close();
    lab = createTriggerLab({ path });
    const trigger = { type: 'template', expression: warm(), for: { minutes: 5 } } as const;
    lab.watch(trigger);
    lab.report(THERMOSTAT, '9', 26);
    const due = lab.clock.now() + 5 * MINUTE;
    await lab.clock.advance(MINUTE);
    lab.kill();
    lab = createTriggerLab({ path, clock: new TestClock(lab.clock.now() + MINUTE) });
    const { fired } = lab.watch(trigger);
    lab.report(THERMOSTAT, '9', 26);
    await lab.clock.advance(5 * MINUTE);
    expect(fired.map(({ at }) => at)).toEqual([due]);
    lab.close();
  });

  it('leaves nothing behind', () => {
    const listeners = countListeners(lab);
    const pending = lab.clock.pendingTimers;
    const { stop } = lab.watch({ type: 'template', expression: `{{ now() > 0 && ${warm().slice(2, -2)} }}` });
    expect(listeners()).toBeGreaterThan(0);
    expect(lab.clock.pendingTimers).toBeGreaterThan(pending);
    stop();
    expect([listeners(), lab.clock.pendingTimers]).toEqual([0, pending]);
  });
});
