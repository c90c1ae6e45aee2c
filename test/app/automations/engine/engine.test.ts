import { afterEach, describe, expect, it } from 'vitest';
import { type AutomationHome, createAutomationHome } from '../../../support/automation-home.ts';
import { systemCaller } from '../../../support/test-home.ts';

let home: AutomationHome;
afterEach(() => home.stop());

function start(options: Parameters<typeof createAutomationHome>[0] = {}): AutomationHome {
  home = createAutomationHome({ sample: true, ...options });
  return home;
}

const LAMP = '10:00:00:00:00:01';

function setLamp(value: unknown, more: Record<string, unknown> = {}) {
  return {
    type: 'set_characteristic',
    accessoryId: home.named('Lamp').id,
    characteristicType: 'on',
    value,
    ...more,
  };
}

function setHeater(value: unknown, more: Record<string, unknown> = {}) {
  return { ...setLamp(value, more), accessoryId: home.named('Heater').id };
}

const delay = (seconds: number) => ({ type: 'delay', duration: { seconds } });
const onEvent = (eventType: string) => ({ id: 'event', type: 'event', eventType });

function fire(eventType: string): void {
  home.automationEvents.emit({ homeId: home.home.id, eventType, eventData: {}, cause: { chain: [] } });
}

function isOn(name: string): unknown {
  const address = { accessoryId: home.named(name).id, characteristicType: 'on' };
  return home.control.getCharacteristic(systemCaller, address).value;
}

const statuses = (id: string) => home.tracesOf(id).map(({ status, blockedReason }) => blockedReason ?? status);

function failures(): string[] {
  const found: string[] = [];
  home.bus.on('automation.failed', ({ error }) => found.push(error));
  return found;
}

describe('a run', () => {
  it('does its actions in order, and its trace has the result of each', async () => {
    start();
    const flow = home.saveFlow({ actions: [setLamp(true), delay(10), setLamp(false)] });
    const { runId } = home.run(flow.id);
    await home.settle();
    expect(home.tracesOf(flow.id)[0]).toMatchObject({ id: runId, status: 'running' });
    expect(isOn('Lamp')).toBe(true);
    await home.clock.advance(11_000);
    const [trace] = home.tracesOf(flow.id);
    expect(trace?.status).toBe('success');
    expect(trace?.steps.map(({ nodeType, result, durationMs }) => [nodeType, result, durationMs])).toEqual([
      ['manual', 'executed', 0],
      ['set_characteristic', 'executed', 0],
      ['delay', 'executed', 10_000],
      ['set_characteristic', 'executed', 0],
    ]);
    expect(isOn('Lamp')).toBe(false);
  });

  it('reaches the device in the tick in which the event came, before anything is stored, timed or reported', () => {
    start();
    const motion = home.named('Motion');
    home.saveFlow({
      triggers: [{ id: 't', type: 'state', accessoryId: motion.id, characteristicType: 'motion_detected', to: true }],
      actions: [setLamp(true), delay(60), setLamp(false)],
    });
    const reported: string[] = [];
    home.bus.on('automation.fired', () => reported.push('fired'));
    const seen: unknown[] = [];
    const write = home.driver.write.bind(home.driver);
    const timersBefore = home.clock.pendingTimers;
    const changes = () => home.database.prepare<[], { n: number }>('SELECT total_changes() AS n').get()?.n;
    const changesBefore = changes();
    home.driver.write = (writes) => {
      seen.push([reported.length, home.clock.pendingTimers - timersBefore, changes() === changesBefore]);
      return write(writes);
    };
    const address = { accessoryId: motion.id, characteristicType: 'motion_detected' };
    const { iid } = home.control.getCharacteristic(systemCaller, address);
    home.driver.event('10:00:00:00:00:04', motion.address.aid, iid, true);
    expect(seen).toEqual([[0, 0, true]]);
  });

  it('writes nothing into the database of the home unless it waits', async () => {
    start();
    const flow = home.saveFlow({
      actions: [setLamp(true), { type: 'variables', variables: { a: 1 } }, setLamp(false)],
    });
    const before = home.database.prepare<[], { n: number }>('SELECT total_changes() AS n').get()?.n;
    home.run(flow.id);
    await home.settle();
    const changed = home.database.prepare<[], { n: number }>('SELECT total_changes() AS n').get()?.n;
    expect(statuses(flow.id)).toEqual(['success']);
    expect(changed).toBe(before);
  });

  it('skips disabled actions and reports it', async () => {
    start();
    const flow = home.saveFlow({ actions: [setLamp(true, { enabled: false }), setHeater(true)] });
    home.run(flow.id);
    await home.settle();
    expect(home.tracesOf(flow.id)[0]?.steps.map(({ result }) => result)).toEqual(['executed', 'skipped', 'executed']);
    expect(isOn('Lamp')).not.toBe(true);
  });

  it('is not begun where conditions do not hold, and its trace shows what they found', async () => {
    start();
    const flow = home.saveFlow({
      triggers: [onEvent('go')],
      conditions: { operator: 'and', conditions: [{ type: 'template', expression: '{{ 1 > 2 }}' }] },
      actions: [setLamp(true)],
    });
    fire('go');
    await home.settle();
    const [trace] = home.tracesOf(flow.id);
    expect(trace).toMatchObject({ status: 'stopped', blockedReason: null });
    expect(trace?.steps.map(({ type, result }) => [type, result])).toEqual([
      ['trigger', 'executed'],
      ['condition', 'failed'],
    ]);
    expect(home.driver.writes).toEqual([]);
  });

  it('gives later actions what triggers and earlier actions brought', async () => {
    start();
    const flow = home.saveFlow({
      triggers: [onEvent('go')],
      actions: [
        { id: 'first', ...setLamp(true) },
        {
          type: 'variables',
          variables: { found: "{{ nodes['first'].data.value }}", type: "{{ nodes['event'].data.eventType }}" },
        },
      ],
    });
    fire('go');
    await home.settle();
    expect(home.tracesOf(flow.id)[0]?.variables).toEqual({ found: true, type: 'go' });
  });

  it('is reported when it begins, when it fails, and to automations that watch for errors', async () => {
    start();
    const reported: string[] = [];
    home.bus.on('automation.fired', ({ runId }) => reported.push(`fired ${runId}`));
    home.bus.on('automation.failed', ({ runId, error }) => reported.push(`failed ${runId} ${error}`));
    home.automationEvents.on(home.home.id, 'automation.error', ({ eventData }) =>
      reported.push(JSON.stringify(eventData)),
    );
    const flow = home.saveFlow({ name: 'Night', actions: [{ type: 'stop', reason: 'No power', error: true }] });
    const { runId } = home.run(flow.id);
    await home.settle();
    expect(reported).toEqual([
      `fired ${runId}`,
      `failed ${runId} No power`,
      JSON.stringify({ automationId: flow.id, automationName: 'Night', error: 'No power' }),
    ]);
  });

  it('ends as stopped, without an error, at a stop action', async () => {
    start();
    const flow = home.saveFlow({ actions: [{ type: 'stop', reason: 'Enough' }, setLamp(true)] });
    const failed = failures();
    home.run(flow.id);
    await home.settle();
    expect(home.tracesOf(flow.id)[0]).toMatchObject({ status: 'stopped', error: 'Enough' });
    expect([failed, home.driver.writes]).toEqual([[], []]);
  });

  it('goes on as what it began as when its automation is changed or disabled meanwhile', async () => {
    start();
    const flow = home.saveFlow({ name: 'Night', actions: [delay(10), setLamp(true)] });
    home.run(flow.id);
    await home.settle();
    const data = { name: 'Night', triggers: [], actions: [delay(10), setHeater(true)] };
    home.flows.save(systemCaller, { homeId: home.home.id, flowId: flow.id, data });
    home.flows.setEnabled(systemCaller, flow.id, false);
    await home.clock.advance(11_000);
    expect([isOn('Lamp'), isOn('Heater')]).toEqual([true, false]);
  });

  it('ends when its automation is deleted', async () => {
    start();
    const flow = home.saveFlow({ actions: [delay(10), setLamp(true)] });
    home.run(flow.id);
    await home.settle();
    expect(home.engine.underWay).toBe(1);
    home.flows.delete(systemCaller, flow.id);
    await home.clock.advance(20_000);
    expect([home.engine.underWay, home.driver.writes]).toEqual([0, []]);
    expect(home.database.prepare('SELECT * FROM runs').all()).toEqual([]);
  });
});

describe('a failed action', () => {
  it('ends the run where its policy is to stop', async () => {
    start();
    const flow = home.saveFlow({ actions: [setLamp(true, { onError: 'stop' }), setHeater(true)] });
    home.driver.setReachable(LAMP, false);
    const failed = failures();
    home.run(flow.id);
    await home.settle();
    expect(home.tracesOf(flow.id)[0]?.status).toBe('error');
    expect(failed).toHaveLength(1);
    expect(isOn('Heater')).toBe(false);
  });

  it('is passed over where its policy is to continue', async () => {
    start();
    const flow = home.saveFlow({ actions: [setLamp(true, { onError: 'continue' }), setHeater(true)] });
    home.driver.setReachable(LAMP, false);
    home.run(flow.id);
    await home.settle();
    const [trace] = home.tracesOf(flow.id);
    expect(trace?.status).toBe('success');
    expect(trace?.steps.map(({ result }) => result)).toEqual(['executed', 'error', 'executed']);
    expect(isOn('Heater')).toBe(true);
  });

  it('is known to later actions as one that failed', async () => {
    start();
    const flow = home.saveFlow({
      actions: [
        { id: 'first', ...setLamp(true, { onError: 'continue' }) },
        { id: 'second', type: 'delay', duration: '{{ 0 - 1 }}', onError: 'continue' },
        {
          type: 'variables',
          variables: { first: "{{ nodes['first'].data.success }}", second: "{{ nodes['second'].data.success }}" },
        },
      ],
    });
    home.driver.setReachable(LAMP, false);
    home.run(flow.id);
    await home.settle();
    expect(home.tracesOf(flow.id)[0]?.variables).toEqual({ first: false, second: false });
  });

  it('is tried again after pauses that double, and then the run goes on', async () => {
    start();
    const retry = { onError: 'retry', maxRetries: 3, retryDelayMs: 1_000 };
    const flow = home.saveFlow({ actions: [setLamp(true, retry), setHeater(true)] });
    home.driver.setReachable(LAMP, false);
    const startedAt = home.clock.now();
    home.run(flow.id);
    await home.settle();
    await home.clock.advance(20_000);
    const steps = home.tracesOf(flow.id)[0]?.steps ?? [];
    expect(steps.slice(1).map((step) => [step.attempt, step.result, step.startedAt - startedAt])).toEqual([
      [1, 'error', 0],
      [2, 'error', 1_000],
      [3, 'error', 3_000],
      [4, 'error', 7_000],
      [1, 'executed', 7_000],
    ]);
    expect(isOn('Heater')).toBe(true);
  });

  it('is done with as soon as a further attempt succeeds', async () => {
    start();
    const flow = home.saveFlow({ actions: [setLamp(true, { onError: 'retry' }), setHeater(true)] });
    home.driver.setReachable(LAMP, false);
    home.run(flow.id);
    await home.settle();
    home.driver.setReachable(LAMP, true);
    await home.clock.advance(2_000);
    expect(home.tracesOf(flow.id)[0]?.steps.map(({ result }) => result)).toEqual([
      'executed',
      'error',
      'executed',
      'executed',
    ]);
    expect(isOn('Lamp')).toBe(true);
  });
});

describe('a second run of the same automation', () => {
  const flowOf = (mode: string, more: Record<string, unknown> = {}) =>
    home.saveFlow({ mode, actions: [setLamp(true), delay(10), setLamp(false)], ...more });

  it('is refused while one runs in the mode single, with a trace that has the reason', async () => {
    start();
    const flow = flowOf('single');
    home.run(flow.id);
    expect(home.run(flow.id).blockedReason).toBe('mode_single');
    await home.settle();
    expect(statuses(flow.id)).toEqual(['mode_single', 'running']);
    await home.clock.advance(11_000);
    expect(home.run(flow.id).blockedReason).toBeNull();
  });

  it('ends the first one in the mode restart', async () => {
    start();
    const flow = flowOf('restart');
    home.run(flow.id);
    await home.clock.advance(6_000);
    home.run(flow.id);
    await home.clock.advance(6_000);
    expect([isOn('Lamp'), statuses(flow.id)]).toEqual([true, ['running', 'cancelled']]);
    await home.clock.advance(6_000);
    expect([isOn('Lamp'), statuses(flow.id)]).toEqual([false, ['success', 'cancelled']]);
    expect(home.database.prepare('SELECT * FROM runs').all()).toEqual([]);
  });

  it('waits for its turn in the mode queued, up to maxRunning of them', async () => {
    start();
    const flow = flowOf('queued', { maxRunning: 3 });
    const reasons = [1, 2, 3, 4].map(() => home.run(flow.id).blockedReason);
    expect(reasons).toEqual([null, null, null, 'mode_queued']);
    await home.settle();
    expect(home.engine.runsOf(flow.id)).toHaveLength(3);
    await home.clock.advance(31_000);
    expect(statuses(flow.id).filter((status) => status === 'success')).toHaveLength(3);
    expect(home.driver.writes.flat().map(({ value }) => value)).toEqual([true, false, true, false, true, false]);
  });

  it('runs beside the first one in the mode parallel, up to maxRunning of them', async () => {
    start();
    const flow = flowOf('parallel', { maxRunning: 2 });
    const reasons = [1, 2, 3].map(() => home.run(flow.id).blockedReason);
    expect(reasons).toEqual([null, null, 'mode_parallel']);
    await home.clock.advance(11_000);
    expect(statuses(flow.id)).toEqual(['mode_parallel', 'success', 'success']);
  });
});

describe('the guards', () => {
  it('hold back an automation that runs more than ten times a minute, and report it once', async () => {
    start();
    const flow = home.saveFlow({
      mode: 'parallel',
      maxRunning: 100,
      triggers: [onEvent('go')],
      actions: [setLamp(true)],
    });
    const failed = failures();
    for (let n = 0; n < 12; n += 1) fire('go');
    await home.settle();
    expect(statuses(flow.id).filter((status) => status === 'rate_limit')).toHaveLength(2);
    expect(home.driver.writes).toHaveLength(10);
    expect(failed).toEqual(['It was triggered too often within a minute and is held back.']);
    await home.clock.advance(61_000);
    expect(home.run(flow.id).blockedReason).toBeNull();
  });

  it('stop two automations that flip each other, and name the loop', async () => {
    start();
    const heater = home.named('Heater').id;
    const kettle = home.named('Kettle').id;
    const follow = (name: string, from: string, to: string) =>
      home.saveFlow({
        name,
        mode: 'parallel',
        triggers: [{ id: 't', type: 'state', accessoryId: from, characteristicType: 'on' }],
        actions: [
          {
            type: 'set_characteristic',
            accessoryId: to,
            characteristicType: 'on',
            value: name === 'A' ? '{{ trigger.to_value }}' : '{{ !trigger.to_value }}',
          },
        ],
      });
    const a = follow('A', heater, kettle);
    const b = follow('B', kettle, heater);
    const failed = failures();
    await home.control.setCharacteristic(systemCaller, { accessoryId: heater, characteristicType: 'on', value: true });
    for (let n = 0; n < 20; n += 1) await home.settle();
    expect(failed[0]).toMatch(/A → B → A|B → A → B/);
    const blocked = [...home.tracesOf(a.id), ...home.tracesOf(b.id)].filter(
      ({ blockedReason }) => blockedReason === 'loop',
    );
    expect(blocked).toHaveLength(1);
    expect(home.tracesOf(a.id).length + home.tracesOf(b.id).length).toBeLessThanOrEqual(6);
  });

  it('stop a chain of automations that is more than five deep', async () => {
    start();
    const links = [1, 2, 3, 4, 5, 6].map((n) =>
      home.saveFlow({
        name: `Link ${n}`,
        triggers: [{ id: 't', type: 'event', eventType: `link.${n}` }],
        actions: [{ type: 'fire_event', eventType: `link.${n + 1}` }],
      }),
    );
    fire('link.1');
    await home.settle();
    expect(links.map(({ id }) => statuses(id)[0])).toEqual([
      'success',
      'success',
      'success',
      'success',
      'success',
      'depth',
    ]);
  });

  it('never let a device that does not answer hold up other automations', async () => {
    start();
    const answer = home.driver.write.bind(home.driver);
    const lamp = home.named('Lamp').address;
    home.driver.write = (writes) =>
      writes.some(({ address }) => address.source === lamp.source) ? new Promise(() => {}) : answer(writes);
    const stuck = home.saveFlow({ actions: [setLamp(true)] });
    const other = home.saveFlow({ actions: [setHeater(true)] });
    home.run(stuck.id);
    home.run(other.id);
    await home.settle();
    expect([statuses(stuck.id), statuses(other.id)]).toEqual([['running'], ['success']]);
    await home.clock.advance(6 * 60_000);
    expect(statuses(stuck.id)).toEqual(['timeout']);
    expect(home.run(stuck.id).blockedReason).toBeNull();
  });

  it('count what several branches do at the same time as work', async () => {
    start();
    home.driver.writeDelayMs = 60 * 60_000;
    const flow = home.saveFlow({
      actions: [{ type: 'parallel', branches: [[setLamp(true)], [setHeater(true)], [delay(3_600)]] }],
    });
    home.run(flow.id);
    await home.clock.advance(4 * 60_000);
    expect(statuses(flow.id)).toEqual(['running']);
    await home.clock.advance(2 * 60_000);
    expect(statuses(flow.id)).toEqual(['timeout']);
  });

  it('do not count what a run spends in delays as work', async () => {
    start();
    const flow = home.saveFlow({ actions: [delay(3_600), setLamp(true)] });
    home.run(flow.id);
    await home.settle();
    await home.clock.advance(3_700_000);
    expect([statuses(flow.id), isOn('Lamp')]).toEqual([['success'], true]);
  });

  it('give a waiting run one timer, however many branches of it wait', async () => {
    start();
    const flow = home.saveFlow({
      actions: [{ type: 'parallel', branches: [1, 2, 3, 4].map((n) => [delay(n * 100), setLamp(n % 2 === 0)]) }],
    });
    let timers = 0;
    const set = home.timers.set.bind(home.timers);
    home.timers.set = (dueAt, timer) => {
      timers += 1;
      const cancel = set(dueAt, timer);
      return () => {
        timers -= 1;
        cancel();
      };
    };
    home.run(flow.id);
    await home.settle();
    expect(timers).toBe(1);
    await home.clock.advance(500_000);
    expect(statuses(flow.id)).toEqual(['success']);
  });
});

describe('the variables of an automation', () => {
  it('are seen by expressions that fire it, and with what a run has by those that it waits for', async () => {
    start();
    const flow = home.saveFlow({
      variables: { level: 2 },
      triggers: [{ type: 'template', expression: "{{ int(states('Counter')) >= level }}" }],
      actions: [
        { type: 'variables', variables: { next: '{{ level + 2 }}' } },
        {
          type: 'wait_for_trigger',
          triggers: [{ type: 'template', expression: "{{ int(states('Counter')) >= next }}" }],
        },
        setLamp(true),
      ],
    });
    const { id } = home.virtuals.create(systemCaller, { homeId: home.home.id, name: 'Counter', type: 'counter' });
    const seen: unknown[] = [];
    for (let count = 1; count <= 4; count += 1) {
      home.virtuals.operate(systemCaller, id, 'increment');
      await home.settle();
      seen.push(statuses(flow.id)[0]);
    }
    expect(seen).toEqual([undefined, 'running', 'running', 'success']);
  });
});

describe('an engine that has been stopped', () => {
  it('begins nothing, and reports it to the caller', async () => {
    start();
    const flow = home.saveFlow({ triggers: [onEvent('go')], actions: [setLamp(true)] });
    await home.engine.stop();
    fire('go');
    expect(() => home.run(flow.id)).toThrow('about to stop');
    await home.settle();
    expect(home.driver.writes).toEqual([]);
  });
});

describe('what is due next', () => {
  it('is sent for an automation of either shape to callers who may see it', () => {
    start();
    const flow = home.saveFlow({
      triggers: [
        { id: 'a', type: 'time', at: '06:00' },
        { id: 'b', type: 'time', at: '18:00', enabled: false },
      ],
    });
    const dates = home.schedule.nextFireDates(systemCaller, flow.id, 3);
    expect(dates).toHaveLength(3);
    expect((dates[1] ?? 0) - (dates[0] ?? 0)).toBe(86_400_000);
    expect(() => home.schedule.nextFireDates(systemCaller, '00000000-0000-4000-8000-000000000000')).toThrow(
      'Automation not found',
    );
  });
});
