/**
 * Expressions in automations that run: the change log receives a change before the automation that the change triggers.
 */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type AutomationHome, createAutomationHome } from '../../../support/automation-home.ts';
import { systemCaller } from '../../../support/test-home.ts';

const LAMP = '10:00:00:00:00:01';
const MOTION = '10:00:00:00:00:04';

describe('expressions in a home', () => {
  let home: AutomationHome;
  beforeEach(() => {
    home = createAutomationHome({ sample: true });
    for (const deviceId of [LAMP, MOTION]) home.driver.setReachable(deviceId, true);
  });
  afterEach(async () => {
    await home.stop();
  });

  function counting(name: string, expression: string) {
    const counter = home.virtuals.create(systemCaller, { homeId: home.home.id, name, type: 'counter' });
    home.saveFlow({
      triggers: [{ type: 'state', accessoryId: home.named('Lamp').id, characteristicType: 'power_state' }],
      conditions: [{ type: 'template', expression }],
      actions: [{ type: 'virtual', accessoryId: counter.id, operation: 'increment' }],
    });
    return () => home.expressions.evaluate(`virtual("${name}")`, NO_SCOPE, home.home.id);
  }

  it('distinguish what an automation did from what a person did, in the very event', async () => {
    const byHand = counting('By hand', 'manual_override("Lamp")');
    const inAll = counting('In all', 'last_changed("Lamp") == now() and count_changed_within("Lamp", 60) >= 1');
    home.saveFlow({
      triggers: [
        { type: 'state', accessoryId: home.named('Motion').id, characteristicType: 'motion_detected', to: true },
      ],
      actions: [
        {
          type: 'set_characteristic',
          accessoryId: home.named('Lamp').id,
          characteristicType: 'power_state',
          value: '{{ not states("Lamp") }}',
        },
      ],
    });
    home.driver.event(MOTION, '1', '9', true);
    await home.settle();
    expect([byHand(), inAll()]).toEqual([0, 1]);
    await home.clock.advance(60_000);
    home.driver.event(LAMP, '1', '9', false);
    await home.settle();
    expect([byHand(), inAll()]).toEqual([1, 2]);
  });

  it('read the real timers of virtual accessories', async () => {
    const timer = home.virtuals.create(systemCaller, {
      homeId: home.home.id,
      name: 'Egg',
      type: 'timer',
      duration: { minutes: 5 },
    });
    home.virtuals.operate(systemCaller, timer.id, 'start');
    await home.clock.advance(60_000);
    const read = (field: string) => home.expressions.evaluate(`virtual("egg", "${field}")`, NO_SCOPE, home.home.id);
    expect([read('state'), read('duration'), read('remaining')]).toEqual(['active', 300, 240]);
  });
});

const NO_SCOPE = { trigger: null, variables: {}, nodes: {}, repeat: null, wait: null };
