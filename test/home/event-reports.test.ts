/** What clients learn of a home: real state, real bus. */
import { describe, expect, it } from 'vitest';
import { type EventReport, REPORTED_EVENTS } from '../../src/home/event-reports.ts';
import { createTestHome } from '../support/test-home.ts';

function listen() {
  const home = createTestHome({ sample: true });
  const received: EventReport[] = [];
  const stop = home.reports.on((report) => received.push(report));
  return { home, received, stop };
}

describe('reports of events', () => {
  it('report a change once, with names, places and the value as its format has it', () => {
    const { home, received } = listen();
    const lamp = home.named('Lamp');
    home.driver.event('10:00:00:00:00:01', '1', '9', true);
    home.driver.event('10:00:00:00:00:01', '1', '9', true);
    const where = { homeId: home.home.id, roomId: lamp.roomId, accessoryId: lamp.id };
    expect(received).toEqual([
      {
        type: 'state.changed',
        at: home.clock.now(),
        ...where,
        data: {
          ...where,
          accessoryName: 'Lamp',
          serviceId: `${where.accessoryId}.8`,
          characteristicType: 'power_state',
          value: true,
        },
      },
    ]);
  });

  it('report each press of a button, equal or not', () => {
    const { home, received } = listen();
    for (const value of [0, 0, 1]) home.driver.event('10:00:00:00:00:05', '1', '9', value);
    expect(received.map(({ type, data }) => [type, data.characteristicType, data.value])).toEqual([
      ['state.changed', 'programmable_switch_event', 0],
      ['state.changed', 'programmable_switch_event', 0],
      ['state.changed', 'programmable_switch_event', 1],
    ]);
  });

  it('report what was removed by the name that it had', () => {
    const { home, received } = listen();
    const { id, roomId } = home.named('Lamp');
    home.state.removeAccessories([id]);
    expect(received).toMatchObject([
      { type: 'accessory.removed', roomId, data: { accessoryId: id, accessoryName: 'Lamp' } },
    ]);
  });

  it('reach other listeners besides one that fails', () => {
    const home = createTestHome({ sample: true });
    home.reports.on(() => {
      throw new Error('disk full');
    });
    const received: EventReport[] = [];
    home.reports.on((report) => received.push(report));
    home.driver.event('10:00:00:00:00:01', '1', '9', true);
    expect(received).toHaveLength(1);
  });

  it('report automations, scenes and the relay itself', () => {
    const { home, received } = listen();
    const run = { homeId: home.home.id, automationId: 'a', kind: 'flow', name: 'Dusk', runId: 'r', at: 5 } as const;
    home.bus.emit('automation.fired', run);
    home.bus.emit('automation.failed', { ...run, error: 'Accessory unreachable' });
    home.bus.emit('scene.executed', { homeId: home.home.id, sceneId: 's', name: 'Night', success: true, at: 6 });
    home.bus.emit('relay.started', { version: '1.0.0', at: 7 });
    expect(received.map(({ type, at }) => [type, at])).toEqual([
      ['automation.fired', 5],
      ['automation.failed', 5],
      ['scene.executed', 6],
      ['relay.started', 7],
    ]);
    expect(received[0]?.data).not.toHaveProperty('error');
    expect(received[1]?.data).toMatchObject({ automationName: 'Dusk', error: 'Accessory unreachable' });
    expect(received[2]?.data).toEqual({ sceneId: 's', sceneName: 'Night', success: true, homeId: home.home.id });
    expect(received[3]).toMatchObject({ homeId: null, data: { version: '1.0.0' } });
  });

  it('end with the subscription, and are all described', () => {
    const { home, received, stop } = listen();
    stop();
    home.driver.event('10:00:00:00:00:01', '1', '9', true);
    expect(received).toEqual([]);
    expect(Object.values(REPORTED_EVENTS).every((meaning) => meaning.length > 10)).toBe(true);
  });
});
