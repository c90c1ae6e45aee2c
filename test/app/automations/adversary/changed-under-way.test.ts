/**
 * Automations that are changed, switched off or deleted, and homes and accessories that go, while something is under
 * way.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Flow } from '../../../../src/app/automations/flow.ts';
import { silentLogger } from '../../../../src/kernel/logger.ts';
import { DisposableDatabase } from '../../../../src/storage/disposable-database.ts';
import { type AutomationHome, createAutomationHome } from '../../../support/automation-home.ts';
import { lamp } from '../../../support/sample-accessories.ts';
import { systemCaller } from '../../../support/test-home.ts';

const TEN_SECONDS = { name: 'Slow', actions: [{ type: 'delay', duration: { seconds: 10 } }] };

const TABLES = [
  'flows',
  'flow_versions',
  'automations',
  'scenes',
  'slots',
  'holds',
  'runs',
  'run_steps',
  'people',
  'notifications',
] as const;

function rowsOf({ database }: AutomationHome): Readonly<Record<string, unknown>> {
  const count = (table: string): unknown => database.prepare(`SELECT count(*) FROM ${table}`).pluck().get();
  return Object.fromEntries(TABLES.map((table) => [table, count(table)]));
}

function replace(home: AutomationHome, flow: Flow, data: object): void {
  home.flows.save(systemCaller, { homeId: home.home.id, flowId: flow.id, data });
}

function emit(home: AutomationHome, eventType: string, homeId = home.home.id): void {
  home.automationEvents.emit({ homeId, eventType, eventData: {}, cause: { chain: [] } });
}

/** One of every kind of trigger that keeps or listens to something. */
function triggersOf(accessoryId: string): readonly object[] {
  const target = { accessoryId, characteristicType: 'power_state' };
  return [
    { type: 'state', ...target, to: true, for: { minutes: 5 } },
    { type: 'numeric_state', accessoryId, characteristicType: 'brightness', above: 1, for: { minutes: 5 } },
    { type: 'device_availability', accessoryId, to: 'unavailable', for: { minutes: 1 } },
    { type: 'template', expression: 'now() > 0', for: { minutes: 5 } },
    { type: 'time', at: '07:00' },
    { type: 'time_pattern', minutes: '/5' },
    { type: 'calendar', components: { hour: 3 } },
    { type: 'timer', fireDate: '2030-01-01T00:00:00Z' },
    { type: 'event', eventType: 'knock' },
    { type: 'webhook' },
    { type: 'system', event: 'relay_connected' },
    { type: 'presence', event: 'firstArrival' },
    { type: 'location', latitude: 1, longitude: 1, radius: 100, notifyOnEntry: true, notifyOnExit: true },
  ];
}

/** Waits in all the ways there are at once. */
function waitingFlow(accessoryId: string, name: string): Record<string, unknown> {
  const triggers = triggersOf(accessoryId);
  const branches = [
    [{ type: 'wait_for_trigger', triggers, timeout: { hours: 1 } }],
    [{ type: 'wait_for_template', expression: 'now() < 0', timeout: { hours: 2 } }],
    [{ type: 'delay', duration: { hours: 2 } }],
  ];
  return { name, triggers, actions: [{ type: 'parallel', branches }] };
}

describe('a flow that is queued', () => {
  it.each(['single', 'restart'])(
    'and becomes %s while others wait their turn never runs twice at once',
    async (mode) => {
      const home = createAutomationHome();
      const flow = home.saveFlow({ ...TEN_SECONDS, mode: 'queued', maxRunning: 5 });
      for (let count = 0; count < 4; count += 1) home.run(flow.id);
      replace(home, flow, { ...TEN_SECONDS, mode });
      home.run(flow.id);
      const ends: number[] = [];
      for (let second = 0; second < 60; second += 1) {
        await home.clock.advance(1_000);
        await home.settle();
        ends.push(home.tracesOf(flow.id).filter(({ status }) => status === 'success').length);
      }
      expect(Math.max(...ends.map((count, index) => count - (ends[index - 1] ?? 0)))).toBe(1);
      expect(home.engine.runsOf(flow.id)).toEqual([]);
      await home.stop();
    },
  );
});

describe('nothing is left', () => {
  it('of flows that are deleted in the middle of everything: no row, no timer, no trace', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'hearth-left-'));
    const path = join(folder, 'relay.db');
    const home = createAutomationHome({ sample: true, path });
    const accessoryId = home.named('Lamp').id;
    await home.clock.advance(2_000);
    const before = { rows: rowsOf(home), timers: home.clock.pendingTimers };
    for (let round = 0; round < 5; round += 1) {
      const { id } = home.saveFlow(waitingFlow(accessoryId, 'Waits'));
      home.run(id);
      await home.clock.advance(1_500);
      expect(rowsOf(home)).not.toEqual(before.rows);
      home.flows.delete(systemCaller, id);
      await home.settle();
    }
    await home.clock.advance(20_000);
    expect({ rows: rowsOf(home), timers: home.clock.pendingTimers }).toEqual(before);
    await home.stop();
    const history = new DisposableDatabase({ path: `${path}.history`, clock: home.clock, logger: silentLogger });
    history.start();
    expect(history.current.prepare('SELECT count(*) FROM traces').pluck().get()).toBe(0);
    history.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('of the automations, runs, people and messages of a home that is deleted', async () => {
    const home = createAutomationHome({ sample: true });
    await home.clock.advance(2_000);
    const before = rowsOf(home);
    const barn = home.homes.create(systemCaller, { name: 'Barn' });
    const device = {
      deviceId: '30:00:00:00:00:01',
      name: 'Barn',
      setupCode: '031-45-154',
      accessories: [lamp('Barn')],
    };
    home.driver.attach(barn.id, device);
    const { id: accessoryId } = home.named('Barn');
    const data = waitingFlow(accessoryId, 'Waits');
    const flow = home.flows.save(systemCaller, { homeId: barn.id, data });
    const reports = { name: 'Tells', triggers: [], actions: [{ type: 'notify', message: 'Hello' }] };
    const teller = home.flows.save(systemCaller, { homeId: barn.id, data: reports });
    home.automations.create(systemCaller, {
      homeId: barn.id,
      name: 'Morning',
      trigger: { type: 'timer', hour: 3, recurrenceType: 'daily' },
      actions: [{ accessoryId, characteristicType: 'on', targetValue: true }],
    });
    home.people.create(systemCaller, { homeId: barn.id, name: 'Ada' });
    for (const { id } of [flow, teller]) home.run(id);
    await home.clock.advance(2_000);
    await home.driver.unpair(device.deviceId, true);
    home.homes.delete(systemCaller, barn.id);
    await home.clock.advance(20_000);
    expect(rowsOf(home)).toEqual(before);
    expect(home.engine.find(flow.id)).toBeUndefined();
    emit(home, 'knock', barn.id);
    await home.settle();
    expect(rowsOf(home)).toEqual(before);
    await home.stop();
  });
});

describe('a run', () => {
  it('of a flow that is deleted while a device takes its time sends nothing more', async () => {
    const home = createAutomationHome({ sample: true });
    const set = { type: 'set_device', accessoryId: home.named('Lamp').id, characteristicType: 'power_state' };
    const flow = home.saveFlow({
      actions: [
        { ...set, value: true },
        { ...set, value: false },
      ],
    });
    home.driver.writeDelayMs = 3_000;
    home.run(flow.id);
    await home.clock.advance(1_000);
    home.flows.delete(systemCaller, flow.id);
    await home.clock.advance(10_000);
    expect(home.driver.writes).toHaveLength(1);
    expect(home.engine.runsOf(flow.id)).toEqual([]);
    await home.stop();
  });

  it('that a device holds up is followed by the next one of its mode, and the late answer does no harm', async () => {
    const home = createAutomationHome({ sample: true });
    const set = { type: 'set_device', accessoryId: home.named('Lamp').id, characteristicType: 'power_state' };
    const flow = home.saveFlow({
      mode: 'restart',
      actions: [
        { ...set, value: true },
        { ...set, value: false },
      ],
    });
    home.driver.writeDelayMs = 3_000;
    for (let count = 0; count < 3; count += 1) {
      home.run(flow.id);
      await home.clock.advance(1_000);
    }
    await home.clock.advance(20_000);
    expect(home.tracesOf(flow.id).map(({ status }) => status)).toEqual(['success', 'cancelled', 'cancelled']);
    // One of each that was cancelled, both of the last.
    expect(home.driver.writes).toHaveLength(4);
    await home.stop();
  });

  it('of a flow that switches itself off and deletes nothing comes to its end', async () => {
    const home = createAutomationHome();
    const flow = home.saveFlow({ name: 'Once', triggers: [{ type: 'event', eventType: 'go' }] });
    replace(home, flow, {
      name: 'Once',
      triggers: [{ type: 'event', eventType: 'go' }],
      actions: [
        { type: 'toggle_automation', automationId: flow.id, action: 'disable' },
        { type: 'delay', duration: { seconds: 3 } },
        { type: 'fire_event', eventType: 'gone' },
      ],
    });
    emit(home, 'go');
    await home.clock.advance(5_000);
    await home.settle();
    emit(home, 'go');
    await home.settle();
    expect(home.tracesOf(flow.id).map(({ status }) => status)).toEqual(['success']);
    expect(home.flows.get(systemCaller, flow.id).enabled).toBe(false);
    await home.stop();
  });

  it('whose accessory is unpaired while it waits fails with the reason', async () => {
    const home = createAutomationHome({ sample: true });
    const set = { type: 'set_device', accessoryId: home.named('Lamp').id, characteristicType: 'power_state' };
    const flow = home.saveFlow({
      actions: [
        { type: 'delay', duration: { seconds: 5 } },
        { ...set, id: 'set', value: true },
      ],
    });
    home.run(flow.id);
    await home.driver.unpair('10:00:00:00:00:01', true);
    await home.clock.advance(10_000);
    await home.settle();
    const [trace] = home.tracesOf(flow.id);
    expect(trace).toMatchObject({ status: 'error', error: 'Accessory not found' });
    expect(await home.flows.export(systemCaller, flow.id, 'yaml')).toContain(set.accessoryId);
    await home.stop();
  });

  it('lasts as long if the clock is set in the middle of it, and its trace has no negative times', async () => {
    for (const jump of [-365 * 86_400_000, -3_600_000, 3_600_000, 86_400_000]) {
      const home = createAutomationHome();
      const flow = home.saveFlow({ actions: [{ type: 'parallel', branches: [[...TEN_SECONDS.actions], []] }] });
      home.run(flow.id);
      await home.clock.advance(5_000);
      home.clock.jumpWallClock(jump);
      await home.clock.advance(6_000);
      await home.settle();
      const [trace] = home.tracesOf(flow.id);
      expect(trace?.status).toBe(jump === 86_400_000 || jump === 3_600_000 ? 'stopped' : 'success');
      for (const { durationMs } of trace?.steps ?? []) expect(durationMs).toBeGreaterThanOrEqual(0);
      await home.stop();
    }
  });
});
