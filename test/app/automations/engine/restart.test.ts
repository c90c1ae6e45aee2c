/**
 * What becomes of runs when the daemon is stopped or killed: they go on where they were, nothing is lost and nothing
 * done twice.
 */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { HttpSender } from '../../../../src/home/http-sender.ts';
import { type AutomationHome, createAutomationHome } from '../../../support/automation-home.ts';
import { PATIENCE_MS } from '../../../support/patience.ts';
import { createTempDirectory, type TempDirectory } from '../../../support/temp-directory.ts';
import { TestClock } from '../../../support/test-clock.ts';
import { SAMPLE_DEVICES, systemCaller } from '../../../support/test-home.ts';

let directory: TempDirectory;
let home: AutomationHome;

beforeEach(() => {
  directory = createTempDirectory('restart');
});
afterEach(async () => {
  await home.stop();
  directory.remove();
});

function open(at?: number, http?: HttpSender): void {
  home = createAutomationHome({
    path: directory.file('relay.db'),
    ...(at !== undefined && { clock: new TestClock(at) }),
    ...(http && { http }),
    prepare: ({ home: { id }, driver }) => {
      for (const device of SAMPLE_DEVICES) driver.attach(id, device);
    },
  });
}

/** The process is killed, and comes back so much later. */
async function killAndReopen(downMs: number, http?: HttpSender): Promise<void> {
  const at = home.clock.now() + downMs;
  home.kill();
  open(at, http);
  await home.settle();
}

function setLamp(value: unknown) {
  return { type: 'set_characteristic', accessoryId: home.named('Lamp').id, characteristicType: 'on', value };
}

/** Written like this it is no object that `await` would take for a promise. */
const THEN = 'then';
const delay = (seconds: number) => ({ type: 'delay', duration: { seconds } });
const statusOf = (id: string) => home.tracesOf(id)[0]?.status;
const values = () => home.driver.writes.flat().map(({ value }) => value);
const rows = (table: string) => home.database.prepare<[], { step: string }>(`SELECT * FROM ${table}`).all();

function counter(): string {
  const { id } = home.virtuals.create(systemCaller, { homeId: home.home.id, name: 'Counter', type: 'counter' });
  return id;
}

const countOf = (accessoryId: string) =>
  home.control.getCharacteristic(systemCaller, { accessoryId, characteristicType: 'virtual_count' }).value;

describe('a run that is killed in a delay', () => {
  it('goes on when the delay is over, as long as it would have taken, and does nothing twice', async () => {
    open();
    const flow = home.saveFlow({ actions: [setLamp(true), delay(60), setLamp(false)] });
    const { runId } = home.run(flow.id);
    await home.settle();
    await home.clock.advance(20_000);
    await killAndReopen(10_000);
    expect(home.tracesOf(flow.id)[0]).toMatchObject({ id: runId, status: 'running' });
    await home.clock.advance(29_000);
    expect(values()).toEqual([]);
    await home.clock.advance(2_000);
    expect([values(), statusOf(flow.id), rows('runs'), rows('run_steps')]).toEqual([[false], 'success', [], []]);
  });

  it('has its wait under a name that later versions find again', async () => {
    open();
    const flow = home.saveFlow({ actions: [delay(60), delay(60)] });
    home.run(flow.id);
    await home.settle();
    const steps = rows('run_steps').map(({ step }) => step);
    expect(steps.filter((step) => step.includes('wait'))).toEqual([expect.stringMatching(/:wait$/)]);
  });

  it('goes on at once where it came due while the daemon was down, no longer ago than five minutes', async () => {
    open();
    const flow = home.saveFlow({ actions: [delay(60), setLamp(true)] });
    home.run(flow.id);
    await home.settle();
    await killAndReopen(4 * 60_000);
    await home.clock.advance(1_000);
    expect([values(), statusOf(flow.id)]).toEqual([[true], 'success']);
  });

  it('is reported as missed where that was longer ago', async () => {
    open();
    const flow = home.saveFlow({ actions: [delay(60), setLamp(true)] });
    home.run(flow.id);
    await home.settle();
    const failed: string[] = [];
    const at = home.clock.now() + 10 * 60_000;
    home.kill();
    open(at);
    home.bus.on('automation.failed', ({ error }) => failed.push(error));
    await home.clock.advance(1_000);
    expect(values()).toEqual([]);
    expect(home.tracesOf(flow.id)[0]).toMatchObject({ status: 'stopped', blockedReason: 'missed' });
    expect(failed).toEqual([expect.stringContaining('too long ago')]);
    expect(rows('runs')).toEqual([]);
  });

  it('waits as long as it would have when the clock is set back meanwhile', async () => {
    open();
    const flow = home.saveFlow({ actions: [delay(60), setLamp(true)] });
    home.run(flow.id);
    await home.settle();
    await home.clock.advance(20_000);
    home.clock.jumpWallClock(-3_600_000);
    await home.clock.advance(2_000);
    await killAndReopen(0);
    await home.clock.advance(36_000);
    expect(values()).toEqual([]);
    await home.clock.advance(4_000);
    expect(values()).toEqual([true]);
  });

  it('waits no longer where the clock was set back while the daemon was down, by years too', async () => {
    open();
    const flow = home.saveFlow({ actions: [delay(60), setLamp(true)] });
    home.run(flow.id);
    await home.clock.advance(20_000);
    await killAndReopen(-5 * 365 * 86_400_000);
    expect(values()).toEqual([]);
    await home.clock.advance(61_000);
    expect([values(), statusOf(flow.id)]).toEqual([[true], 'success']);
  });

  it('waits as long as it would have where the clock only seemed to be set back, and is put right after the start', async () => {
    open();
    const flow = home.saveFlow({ actions: [delay(1_800), setLamp(true)] });
    home.run(flow.id);
    await home.clock.advance(600_000);
    await killAndReopen(-7_200_000);
    await home.clock.advance(10_000);
    home.clock.jumpWallClock(7_200_000);
    await home.clock.advance(1_180_000);
    expect(values()).toEqual([]);
    await home.clock.advance(20_000);
    expect([values(), statusOf(flow.id)]).toEqual([[true], 'success']);
  });

  it('keeps its variables, outputs, branch and round', async () => {
    open();
    const id = counter();
    const flow = home.saveFlow({
      variables: { sum: 0 },
      actions: [
        {
          type: 'repeat',
          mode: 'for_each',
          forEachItems: [1, 2, 3, 4],
          sequence: [
            { id: 'add', type: 'variables', variables: { sum: '{{ sum + repeat.item }}' } },
            {
              type: 'if_then_else',
              condition: {
                operator: 'and',
                conditions: [{ type: 'template', expression: '{{ repeat.item % 2 == 0 }}' }],
              },
              [THEN]: [{ type: 'virtual', accessoryId: id, operation: 'increment', step: '{{ sum }}' }],
              else: [delay(10)],
            },
          ],
        },
      ],
    });
    /** A slow machine yields between steps: how long a round takes is not known. */
    const untilWaitingIn = (round: number) =>
      vi.waitUntil(() => rows('run_steps').some(({ step }) => step.includes(`#${round}[`) && step.endsWith(':wait')), {
        timeout: PATIENCE_MS,
      });
    home.run(flow.id);
    await untilWaitingIn(1);
    await home.clock.advance(11_000);
    await untilWaitingIn(3);
    // 1 + 2 were counted in round 2.
    expect(countOf(id)).toBe(3);
    await killAndReopen(1_000);
    expect(countOf(id)).toBe(3);
    await home.clock.advance(12_000);
    await vi.waitUntil(() => rows('runs').length === 0, { timeout: PATIENCE_MS });
    expect(countOf(id)).toBe(3 + 10);
    expect(home.tracesOf(flow.id)[0]).toMatchObject({ status: 'success', variables: { sum: 10 } });
  });

  it('keeps the variables that branches set at the same time, in the order in which they did', async () => {
    open();
    const set = (name: string, value: unknown) => ({ type: 'variables', variables: { [name]: value } });
    const flow = home.saveFlow({
      variables: { last: 'nobody' },
      actions: [
        {
          type: 'parallel',
          branches: [
            [delay(5), set('last', 'first'), delay(60)],
            [delay(3), set('last', 'second'), delay(60)],
          ],
        },
      ],
    });
    home.run(flow.id);
    await home.clock.advance(10_000);
    await killAndReopen(1_000);
    await home.clock.advance(60_000);
    expect(home.tracesOf(flow.id)[0]).toMatchObject({ status: 'success', variables: { last: 'first' } });
  });

  it('goes on with the automation that it began as, even if that was switched off meanwhile', async () => {
    open();
    const flow = home.saveFlow({ actions: [delay(60), setLamp(true)] });
    home.run(flow.id);
    await home.settle();
    home.flows.setEnabled(systemCaller, flow.id, false);
    await killAndReopen(10_000);
    await home.clock.advance(60_000);
    expect(values()).toEqual([true]);
  });

  it('stays in its lane: a mode counts it after a restart too', async () => {
    open();
    const flow = home.saveFlow({ mode: 'queued', maxRunning: 3, actions: [delay(60), setLamp(true)] });
    home.run(flow.id);
    home.run(flow.id);
    home.run(flow.id);
    await home.settle();
    await killAndReopen(10_000);
    expect(home.run(flow.id).blockedReason).toBe('mode_queued');
    await home.clock.advance(200_000);
    expect(values()).toEqual([true, true, true]);
  });
});

describe('a wait', () => {
  it('for a trigger is there again after a kill, with what is left of its timeout', async () => {
    open();
    const actions = [
      {
        type: 'wait_for_trigger',
        triggers: [{ id: 't', type: 'event', eventType: 'door' }],
        timeout: { seconds: 60 },
      },
      { type: 'variables', variables: { came: '{{ wait.completed }}' } },
    ];
    const [first, second] = [home.saveFlow({ actions }), home.saveFlow({ actions })];
    home.run(first.id);
    await home.clock.advance(20_000);
    home.run(second.id);
    await home.settle();
    await killAndReopen(30_000);
    await home.clock.advance(11_000);
    expect([statusOf(first.id), statusOf(second.id)]).toEqual(['success', 'running']);
    home.automationEvents.emit({ homeId: home.home.id, eventType: 'door', eventData: null, cause: { chain: [] } });
    await home.settle();
    expect(home.tracesOf(first.id)[0]?.variables).toEqual({ came: false });
    expect(home.tracesOf(second.id)[0]?.variables).toEqual({ came: true });
    expect(home.tracesOf(first.id)[0]?.steps.map(({ result }) => result)).toEqual(['executed', 'timeout', 'executed']);
  });

  it('for an expression ends when what it looks at changes, with the variables of the run', async () => {
    open();
    const id = counter();
    const flow = home.saveFlow({
      variables: { enough: 2 },
      actions: [{ type: 'wait_for_template', expression: "{{ int(states('Counter')) >= enough }}" }, setLamp(true)],
    });
    home.run(flow.id);
    await home.settle();
    home.virtuals.operate(systemCaller, id, 'increment');
    await killAndReopen(1_000);
    expect(statusOf(flow.id)).toBe('running');
    home.virtuals.operate(systemCaller, id, 'increment');
    await home.settle();
    expect([statusOf(flow.id), values()]).toEqual(['success', [true]]);
  });

  it('for an expression that names what is not there ends when that comes, or the time does', async () => {
    open();
    const accessory = home.saveFlow({
      actions: [{ type: 'wait_for_template', expression: "{{ is_state('Counter', '0') }}" }],
    });
    const time = home.saveFlow({
      variables: { until: home.clock.now() / 1_000 + 30 },
      actions: [{ type: 'wait_for_template', expression: '{{ now() >= until }}' }],
    });
    home.run(accessory.id);
    home.run(time.id);
    await home.clock.advance(20_000);
    expect([statusOf(accessory.id), statusOf(time.id)]).toEqual(['running', 'running']);
    counter();
    await home.clock.advance(11_000);
    expect([statusOf(accessory.id), statusOf(time.id)]).toEqual(['success', 'success']);
  });

  it('leaves nothing behind when it is over', async () => {
    open();
    const flow = home.saveFlow({
      actions: [
        {
          type: 'wait_for_trigger',
          triggers: [
            { id: 'time', type: 'time', at: '18:00' },
            {
              id: 'held',
              type: 'state',
              accessoryId: home.named('Lamp').id,
              characteristicType: 'on',
              to: true,
              for: { minutes: 30 },
            },
          ],
          timeout: { minutes: 10 },
        },
      ],
    });
    home.run(flow.id);
    await home.settle();
    await home.control.setCharacteristic(systemCaller, {
      accessoryId: home.named('Lamp').id,
      characteristicType: 'on',
      value: true,
    });
    await home.settle();
    expect([rows('holds').length, rows('slots').length]).toEqual([1, 1]);
    await home.clock.advance(601_000);
    await home.settle();
    expect(statusOf(flow.id)).toBe('success');
    expect([rows('holds'), rows('slots').filter((row) => Reflect.get(row, 'next_at') !== null)]).toEqual([[], []]);
  });
});

describe('a message', () => {
  it('that was under way at a kill is not sent again: the step fails as interrupted, and follows its policy', async () => {
    let sent = 0;
    const never: HttpSender = { send: () => new Promise(() => (sent += 1)) };
    open(undefined, never);
    const flow = home.saveFlow({
      actions: [delay(5), { type: 'fire_webhook', url: 'http://192.168.7.7/x', onError: 'continue' }, setLamp(true)],
    });
    home.run(flow.id);
    await home.settle();
    await home.clock.advance(6_000);
    expect(sent).toBe(1);
    expect(rows('run_steps')).toContainEqual(expect.objectContaining({ step: 'actions[1]', output: null }));
    await killAndReopen(1_000, never);
    expect([sent, values()]).toEqual([1, [true]]);
    expect(home.tracesOf(flow.id)[0]?.steps[2]).toMatchObject({
      result: 'error',
      error: expect.stringContaining('restart'),
    });
  });
});

describe('a run begun by the clock', () => {
  const at = Date.UTC(2026, 0, 15, 12);

  it('is begun once, however often the daemon is killed around it', async () => {
    open(at - 60_000);
    const id = counter();
    home.homes.update(systemCaller, home.home.id, { timeZone: 'UTC' });
    home.saveFlow({
      triggers: [{ id: 't', type: 'time', at: '12:00' }],
      actions: [{ type: 'virtual', accessoryId: id, operation: 'increment' }],
    });
    await home.settle();
    await killAndReopen(30_000);
    await killAndReopen(60_000);
    await home.clock.advance(2_000);
    expect(countOf(id)).toBe(1);
    await killAndReopen(1_000);
    await home.clock.advance(60_000);
    expect(countOf(id)).toBe(1);
  });

  it('is reported as missed where it was due too long ago', async () => {
    open(at - 60_000);
    const flow = home.saveFlow({ triggers: [{ id: 't', type: 'time_pattern', hours: '*' }], actions: [setLamp(true)] });
    await home.settle();
    await killAndReopen(30 * 60_000);
    await home.clock.advance(1_000);
    expect(home.tracesOf(flow.id)[0]).toMatchObject({ blockedReason: 'missed' });
    expect(values()).toEqual([]);
  });
});

describe('a step whose commit fails', () => {
  it('has not been done, neither here nor on the disk', async () => {
    open();
    const id = counter();
    const increment = { type: 'virtual', accessoryId: id, operation: 'increment' };
    const flow = home.saveFlow({ actions: [delay(5), increment] });
    home.run(flow.id);
    await home.settle();
    home.database.exec(`CREATE TRIGGER broken BEFORE INSERT ON run_steps WHEN NEW.step = 'actions[1]'
      BEGIN SELECT RAISE(FAIL, 'broken'); END`);
    await home.clock.advance(6_000);
    expect([statusOf(flow.id), countOf(id)]).toEqual(['error', 0]);
    home.database.exec('DROP TRIGGER broken');
    home.run(flow.id);
    await home.settle();
    await home.clock.advance(6_000);
    expect([statusOf(flow.id), countOf(id)]).toEqual(['success', 1]);
    await killAndReopen(1_000);
    expect(countOf(id)).toBe(1);
  });
});

describe('a stop of the daemon', () => {
  it('leaves runs as they are, and they go on after the next start', async () => {
    open();
    const flow = home.saveFlow({ actions: [setLamp(true), delay(60), setLamp(false)] });
    home.run(flow.id);
    await home.settle();
    const now = home.clock.now();
    await home.stop();
    open(now + 30_000);
    await home.settle();
    expect(statusOf(flow.id)).toBe('running');
    await home.clock.advance(31_000);
    expect([values(), statusOf(flow.id)]).toEqual([[false], 'success']);
  });

  it('lets what is under way come to its end, and keeps the rest of the run', async () => {
    open();
    const flow = home.saveFlow({ actions: [setLamp(true), setLamp(false)] });
    home.driver.writeDelayMs = 500;
    home.run(flow.id);
    await home.settle();
    const now = home.clock.now();
    await home.stop();
    expect(home.driver.writes).toHaveLength(1);
    open(now + 30_000);
    await home.settle();
    expect([values(), statusOf(flow.id)]).toEqual([[false], 'success']);
  });

  it('that is asked for again meanwhile does not end before the work, and the other call waits for nothing', async () => {
    open();
    const flow = home.saveFlow({ actions: [setLamp(true)] });
    home.driver.writeDelayMs = 500;
    home.run(flow.id);
    await home.settle();
    const ended: string[] = [];
    for (const name of ['first', 'again']) void home.engine.stop().then(() => ended.push(name));
    await home.settle();
    expect(ended).toEqual(['again']);
    await home.clock.advance(5_000);
    await home.settle();
    expect(ended).toEqual(['again', 'first']);
  });

  it('lets what branches do at the same time come to its end too', async () => {
    open();
    const branches = [[setLamp(true)], [setLamp(false)], [delay(60)]];
    const flow = home.saveFlow({ actions: [{ type: 'parallel', branches }] });
    home.driver.writeDelayMs = 500;
    home.run(flow.id);
    await home.settle();
    const now = home.clock.now();
    await home.stop();
    open(now + 30_000);
    await home.clock.advance(31_000);
    expect([values(), statusOf(flow.id)]).toEqual([[], 'success']);
  });
});

describe('accessories that are still being found after a start', () => {
  it('are waited for by what came due meanwhile, for some seconds', async () => {
    open();
    const flow = home.saveFlow({ actions: [delay(60), setLamp(true)] });
    home.run(flow.id);
    await home.settle();
    const now = home.clock.now() + 90_000;
    home.kill();
    home = createAutomationHome({ path: directory.file('relay.db'), clock: new TestClock(now) });
    await home.clock.advance(5_000);
    expect(values()).toEqual([]);
    for (const device of SAMPLE_DEVICES) home.driver.attach(home.home.id, device);
    await home.clock.advance(100);
    expect([values(), statusOf(flow.id)]).toEqual([[true], 'success']);
  });

  it('do not keep a run that waits from what it waits for, but what it does then waits for them', async () => {
    open();
    const timer = home.virtuals.create(systemCaller, { homeId: home.home.id, name: 'Timer', type: 'timer' });
    const triggers = [{ type: 'event', eventType: 'timer.finished' }];
    const flow = home.saveFlow({ actions: [{ type: 'wait_for_trigger', triggers }, setLamp(true)] });
    home.run(flow.id);
    home.virtuals.operate(systemCaller, timer.id, 'start', 60);
    await home.settle();
    const now = home.clock.now() + 90_000;
    home.kill();
    home = createAutomationHome({ path: directory.file('relay.db'), clock: new TestClock(now) });
    await home.clock.advance(5_000);
    expect([values(), statusOf(flow.id)]).toEqual([[], 'running']);
    await killAndReopen(1_000);
    await home.clock.advance(100);
    expect([values(), statusOf(flow.id)]).toEqual([[true], 'success']);
  });
});
