/** The results of dry runs: what would be done, when, and why. */
import { afterEach, describe, expect, it } from 'vitest';
import type { SimulationReport } from '../../../../src/app/automations/simulation/simulation.ts';
import { systemCaller } from '../../../support/test-home.ts';
import { fixture, power, type SimulationFixture, seconds } from './simulation-fixture.ts';

let open: SimulationFixture | undefined;

afterEach(async () => {
  await open?.close();
  open = undefined;
});

function simulated(): SimulationFixture {
  open = fixture();
  return open;
}

const writes = (report: SimulationReport) =>
  report.writes.map(({ at, accessoryName, value }) => [seconds(report, at), accessoryName, value]);
const triggers = (report: SimulationReport) => report.runs.map(({ triggerData }) => triggerData.type);

describe('A dry run', () => {
  it('shows what a flow would write when a sensor changes, delays and all', async () => {
    const { id, simulate, motion } = simulated();
    const report = await simulate({
      data: {
        triggers: [{ type: 'state', ...motion(), to: true }],
        actions: [power(id('Lamp'), true), { type: 'delay', duration: { minutes: 3 } }, power(id('Lamp'), false)],
      },
      scenario: { events: [{ at: 60, set: { ...motion(), value: true } }] },
    });
    expect(writes(report)).toEqual([
      [60, 'Lamp', true],
      [240, 'Lamp', false],
    ]);
    expect(report.runs.map(({ status }) => status)).toEqual(['success']);
    expect(report.runs[0]?.steps.map(({ nodeSummary }) => nodeSummary)).toEqual([
      'Motion detected of Motion becomes on',
      'Set power state of Lamp to on',
      'Wait for 3 minutes',
      'Set power state of Lamp to off',
    ]);
    expect(seconds(report, report.endedAt)).toBe(240);
    expect(report.writes.every(({ runId }) => runId === report.runs[0]?.id)).toBe(true);
  });

  it('begins now, and lasts a day where the clock fires', async () => {
    const { home, id, simulate } = simulated();
    const report = await simulate({
      data: { triggers: [{ type: 'time_pattern', hours: '/6' }], actions: [power(id('Lamp'), true)] },
    });
    expect(report.startedAt).toBe(home.clock.now());
    expect(seconds(report, report.endedAt)).toBe(24 * 3_600);
    // It is noon: that one, three more, and the next noon, which is its end.
    expect(report.runs).toHaveLength(5);
    expect(report.nextFireDates).toHaveLength(5);
    expect(report.nextFireDates.every((at) => at > report.endedAt)).toBe(true);
  });

  it('fires what is due at its very start, by the clocks of the zone that it is given', async () => {
    const { id, simulate } = simulated();
    const data = { triggers: [{ type: 'time', at: '07:00' }], actions: [power(id('Lamp'), true)] };
    const report = await simulate({
      data,
      scenario: { start: '2027-07-01T07:00:00+09:00', durationS: 60, timeZone: 'Asia/Tokyo' },
    });
    expect(writes(report)).toEqual([[0, 'Lamp', true]]);
    const byClock = await simulate({ data, scenario: { start: '06:59', durationS: 60, timeZone: 'Asia/Tokyo' } });
    expect(new Date(byClock.startedAt).toISOString().slice(11, 16)).toBe('21:59');
    expect(writes(byClock)).toEqual([[60, 'Lamp', true]]);
  });

  it('knows daylight saving time of years to come', async () => {
    const { id, simulate } = simulated();
    const report = await simulate({
      data: { triggers: [{ type: 'time', at: '02:30' }], actions: [power(id('Lamp'), true)] },
      scenario: { start: '2031-03-30T00:00:00Z', durationS: 86_400, timeZone: 'Europe/Berlin' },
    });
    // Clocks leap from two to three at 01:00 UTC.
    expect(writes(report)[0]).toEqual([3_600, 'Lamp', true]);
  });

  it('waits for what lasts a while, and not for what does not', async () => {
    const { id, simulate, motion } = simulated();
    const data = {
      triggers: [{ type: 'state', ...motion(), to: true, for: { minutes: 2 } }],
      actions: [power(id('Lamp'), true)],
    };
    const set = (at: number, value: boolean) => ({ at, set: { ...motion(), value } });
    const report = await simulate({ data, scenario: { events: [set(0, true), set(90, false), set(100, true)] } });
    expect(writes(report)).toEqual([[220, 'Lamp', true]]);
  });

  it('sets the flow off at its start, by a trigger of it or by hand', async () => {
    const { id, simulate, motion } = simulated();
    const data = {
      triggers: [{ id: 'seen', type: 'state', ...motion(), to: true }],
      variables: { level: 10 },
      actions: [
        { type: 'set_characteristic', accessoryId: id('Lamp'), characteristicType: 'brightness', value: '{{ level }}' },
        { type: 'notify', message: '{{ trigger.type }} {{ trigger.to_value }}' },
      ],
    };
    const byTrigger = await simulate({
      data,
      scenario: { trigger: { triggerId: 'seen', data: { to_value: true }, variables: { level: 70 } } },
    });
    expect(writes(byTrigger)).toEqual([[0, 'Lamp', 70]]);
    expect(byTrigger.notifications.map(({ message }) => message)).toEqual(['state true']);
    const byHand = await simulate({ data, scenario: { trigger: {} } });
    expect(writes(byHand)).toEqual([[0, 'Lamp', 10]]);
    expect(triggers(byHand)).toEqual(['manual']);
  });

  it('gives what servers would answer, and shows what they would be sent', async () => {
    const { simulate } = simulated();
    const call = (id: string, path: string) => ({
      id,
      type: 'fire_webhook',
      url: `https://example.com${path}`,
      method: 'POST',
      body: { path },
    });
    const report = await simulate({
      data: {
        actions: [
          call('weather', '/weather'),
          call('other', '/other'),
          call('down', '/down'),
          { type: 'notify', message: "{{ nodes['weather'].data.body.rain }} {{ nodes['down'].data.ok }}" },
        ],
      },
      scenario: {
        trigger: {},
        http: [
          { url: 'https://example.com/weather', body: { rain: 3 }, headers: { 'content-type': 'application/json' } },
          { url: 'https://example.com/down', error: 'timeout' },
        ],
      },
    });
    expect(report.requests.map(({ url, status }) => [url, status])).toEqual([
      ['https://example.com/weather', 200],
      ['https://example.com/other', 200],
      ['https://example.com/down', null],
    ]);
    expect(report.requests[0]?.body).toBe('{"path":"/weather"}');
    expect(report.notifications[0]?.message).toBe('3 false');
  });

  it('lets people come and go', async () => {
    const { home, id, simulate } = simulated();
    const person = home.people.create(systemCaller, { homeId: home.home.id, name: 'Ada' });
    const report = await simulate({
      data: {
        triggers: [{ type: 'presence', event: 'firstArrival' }],
        conditions: { operator: 'and', conditions: [{ type: 'presence', event: 'atHome', who: 'anyone' }] },
        actions: [power(id('Lamp'), true)],
      },
      scenario: { events: [{ at: 5, presence: { personId: person.id, atHome: true } }] },
    });
    expect(writes(report)).toEqual([[5, 'Lamp', true]]);
    expect(home.people.people(home.home.id)[0]?.atHome).not.toBe(true);
  });

  it('moves people over the edge of a circle', async () => {
    const { home, id, simulate } = simulated();
    home.homes.update(systemCaller, home.home.id, { location: { latitude: 52, longitude: 13 } });
    const person = home.people.create(systemCaller, { homeId: home.home.id, name: 'Ada' });
    const place = { latitude: 52, longitude: 13 };
    const report = await simulate({
      data: {
        triggers: [{ type: 'location', ...place, radius: 200, notifyOnEntry: true, notifyOnExit: false }],
        actions: [power(id('Lamp'), true)],
      },
      scenario: {
        events: [
          { at: 1, move: { personId: person.id, latitude: 52.1, longitude: 13 } },
          { at: 2, move: { personId: person.id, ...place } },
        ],
      },
    });
    expect(writes(report)).toEqual([[2, 'Lamp', true]]);
  });

  it('presses buttons, calls webhooks, fires events and cuts the home off', async () => {
    const { id, simulate } = simulated();
    const button = { accessoryId: id('Button'), characteristicType: 'programmable_switch_event' };
    const report = await simulate({
      data: {
        mode: 'parallel',
        triggers: [
          { id: 'press', type: 'state', ...button },
          { id: 'hook', type: 'webhook' },
          { id: 'bell', type: 'event', eventType: 'bell', eventData: { who: 'x' } },
          { id: 'off', type: 'system', event: 'relay_disconnected' },
        ],
        actions: [{ type: 'notify', message: '{{ trigger.id }}' }],
      },
      scenario: {
        events: [
          { at: 1, press: { accessoryId: id('Button'), value: 'double' } },
          { at: 2, webhook: { payload: { a: 1 } } },
          { at: 3, event: { eventType: 'bell', eventData: { who: 'y' } } },
          { at: 4, event: { eventType: 'bell', eventData: { who: 'x' } } },
          { at: 5, connected: { connected: false } },
        ],
      },
    });
    expect(report.notifications.map(({ at, message }) => [seconds(report, at), message])).toEqual([
      [1, 'press'],
      [2, 'hook'],
      [4, 'bell'],
      [5, 'off'],
    ]);
    expect(report.runs[1]?.triggerData.webhook_payload).toEqual({ a: 1 });
  });

  it('fails what is sent to a device that can’t be reached, and then follows the flow', async () => {
    const { id, simulate } = simulated();
    const report = await simulate({
      data: {
        actions: [{ ...power(id('Lamp'), true), onError: 'continue' }, power(id('Thermostat'), true, 'on')],
      },
      scenario: { trigger: {}, events: [{ at: 0, reachable: { accessoryId: id('Lamp'), reachable: false } }] },
    });
    expect(report.writes).toHaveLength(2);
    const later = await simulate({
      data: {
        triggers: [{ type: 'device_availability', accessoryId: id('Lamp'), to: 'unavailable', for: { minutes: 1 } }],
        actions: [power(id('Lamp'), true)],
      },
      scenario: { events: [{ at: 10, reachable: { accessoryId: id('Lamp'), reachable: false } }] },
    });
    expect(later.runs.map(({ status, startedAt }) => [status, seconds(later, startedAt)])).toEqual([['error', 70]]);
    expect(later.writes.map(({ error }) => error)).toEqual([expect.stringContaining('reached')]);
  });

  it('lets virtual timers tick and everything virtual be operated', async () => {
    const { home, id, simulate } = simulated();
    const make = (fields: Record<string, unknown> & { name: string; type: string }) =>
      home.virtuals.create(systemCaller, { homeId: home.home.id, ...fields }).id;
    const timer = make({ name: 'Egg', type: 'timer', duration: 300 });
    const counter = make({ name: 'Eggs', type: 'counter' });
    const report = await simulate({
      data: {
        mode: 'parallel',
        triggers: [{ type: 'event', eventType: 'timer.finished', eventData: { accessoryId: timer } }],
        actions: [{ type: 'virtual', accessoryId: counter, operation: 'increment' }, power(id('Lamp'), true)],
      },
      scenario: { events: [{ at: 10, set: { accessoryId: timer, characteristicType: 'timer', value: 'active' } }] },
    });
    expect(writes(report)).toEqual([
      [310, 'Eggs', 1],
      [310, 'Lamp', true],
    ]);
    expect(report.writes[0]?.operation).toBe('increment');
    expect(home.virtuals.timerOf(timer)?.status).toBe('idle');
    expect(home.state.accessory(counter)?.services[0]?.characteristics[0]?.value).toBe(0);
  });

  it('takes up a virtual timer that runs now with as much as it has left', async () => {
    const { home, id, simulate } = simulated();
    const timer = home.virtuals.create(systemCaller, {
      homeId: home.home.id,
      name: 'Egg',
      type: 'timer',
      duration: 300,
    }).id;
    home.virtuals.operate(systemCaller, timer, 'start');
    await home.clock.advance(100_000);
    const report = await simulate({
      data: {
        triggers: [{ type: 'event', eventType: 'timer.finished' }],
        actions: [power(id('Lamp'), true)],
      },
      scenario: { start: '2030-01-01T00:00:00Z' },
    });
    expect(writes(report)).toEqual([[200, 'Lamp', true]]);
    expect(home.virtuals.timerOf(timer)?.status).toBe('active');
  });

  it('executes scenes and sets groups in the copy of the home', async () => {
    const { home, id, simulate } = simulated();
    const scene = home.scenes.create(systemCaller, {
      homeId: home.home.id,
      name: 'Evening',
      actions: [{ accessoryId: id('Lamp'), characteristicType: 'on', targetValue: true }],
    });
    const group = home.serviceGroups.create(systemCaller, {
      homeId: home.home.id,
      name: 'Lights',
      accessoryIds: [id('Lamp')],
    });
    const report = await simulate({
      data: {
        actions: [
          { type: 'execute_scene', sceneId: scene.id },
          { type: 'set_service_group', groupId: group.id, characteristicType: 'brightness', value: 30 },
        ],
      },
      scenario: { trigger: {} },
    });
    expect(report.runs[0]?.error).toBeNull();
    expect(writes(report)).toEqual([
      [0, 'Lamp', true],
      [0, 'Lamp', 30],
    ]);
  });

  it('shows what is asked of other automations, and lets them take part only if the scenario allows it', async () => {
    const { home, id, simulate } = simulated();
    const other = home.saveFlow({ name: 'Other', actions: [power(id('Lamp'), true)] });
    const data = {
      actions: [
        { type: 'toggle_automation', automationId: other.id, action: 'trigger' },
        { type: 'toggle_automation', automationId: other.id, action: 'disable' },
        { type: 'toggle_automation', automationId: other.id, action: 'toggle' },
      ],
    };
    const actions = (report: SimulationReport) => report.commands.map(({ action }) => action);
    const alone = await simulate({ data, scenario: { trigger: {} } });
    expect(actions(alone)).toEqual(['trigger', 'disable', 'enable']);
    expect([alone.runs.length, alone.writes.length]).toEqual([1, 0]);
    const together = await simulate({ data, scenario: { trigger: {}, others: true } });
    expect(actions(together)).toEqual(['trigger', 'disable', 'enable']);
    expect(writes(together)).toEqual([[0, 'Lamp', true]]);
    expect(together.runs.map(({ automationName }) => automationName)).toEqual(['Dry', 'Other']);
    expect(home.flows.get(systemCaller, other.id).enabled).toBe(true);
  });

  it('runs the actions of another flow that is called as a script', async () => {
    const { home, id, simulate } = simulated();
    const script = home.saveFlow({ name: 'Script', actions: [power(id('Lamp'), true)] });
    const report = await simulate({
      data: { actions: [{ type: 'call_script', scriptId: script.id }] },
      scenario: { trigger: {} },
    });
    expect(writes(report)).toEqual([[0, 'Lamp', true]]);
  });

  it('takes a stored flow, also one that is disabled, and what it would become', async () => {
    const { home, id, simulate } = simulated();
    const flow = home.saveFlow({ name: 'Stored', enabled: false, actions: [power(id('Lamp'), true)] });
    const stored = await simulate({ automationId: flow.id, scenario: { trigger: {} } });
    expect(writes(stored)).toEqual([[0, 'Lamp', true]]);
    expect([stored.automationId, stored.automationName]).toEqual([flow.id, 'Stored']);
    const changed = await simulate({
      automationId: flow.id,
      data: { name: 'Changed', actions: [power(id('Lamp'), false)] },
      scenario: { trigger: {} },
    });
    expect(changed.writes.map(({ value }) => value)).toEqual([false]);
    expect(changed.automationId).toBe(flow.id);
    expect(home.flows.get(systemCaller, flow.id).name).toBe('Stored');
  });

  it('takes an exported flow, with what it refers to by name', async () => {
    const { home, id, simulate } = simulated();
    const flow = home.saveFlow({ name: 'Stored', actions: [power(id('Lamp'), true)] });
    const document = await home.flows.export(systemCaller, flow.id, 'yaml');
    home.flows.delete(systemCaller, flow.id);
    const report = await simulate({ document, scenario: { trigger: {} } });
    expect(writes(report)).toEqual([[0, 'Lamp', true]]);
  });

  it('takes a native automation, ends it when its time is over, and fires what acts once only once', async () => {
    const { home, id, simulate, motion } = simulated();
    const make = (name: string, trigger: Record<string, unknown>) =>
      home.automations.create(systemCaller, {
        homeId: home.home.id,
        name,
        trigger: { type: 'event', events: [{ type: 'characteristic', ...motion(), triggerValue: true }], ...trigger },
        actions: [{ accessoryId: id('Lamp'), characteristicType: 'on', targetValue: true }],
      });
    const ends = make('Ends', { endEvents: [{ type: 'duration', durationSeconds: 60 }] });
    const once = make('Once', { executeOnce: true });
    const set = (at: number, value: boolean) => ({ at, set: { ...motion(), value } });
    const events = [set(0, true), set(10, false), set(200, true)];
    const ending = await simulate({ automationId: ends.id, scenario: { events } });
    expect(writes(ending)).toEqual([
      [0, 'Lamp', true],
      [60, 'Lamp', false],
      [200, 'Lamp', true],
      [260, 'Lamp', false],
    ]);
    expect(writes(await simulate({ automationId: once.id, scenario: { events } }))).toEqual([[0, 'Lamp', true]]);
    expect(home.automations.get(systemCaller, once.id).enabled).toBe(true);
  });

  it('shows when a native automation fires next, on its days', async () => {
    const { home, id, simulate } = simulated();
    const calendar = { type: 'calendar', calendarComponents: { hour: 7, minute: 0 } };
    const { id: automationId } = home.automations.create(systemCaller, {
      homeId: home.home.id,
      name: 'Mondays',
      trigger: { type: 'event', events: [calendar], recurrences: [{ weekday: 2 }] },
      actions: [{ accessoryId: id('Lamp'), characteristicType: 'on', targetValue: true }],
    });
    const { nextFireDates } = await simulate({ automationId, scenario: { durationS: 0, timeZone: 'UTC' } });
    expect(nextFireDates.map((at) => new Date(at).getUTCDay())).toEqual([1, 1, 1, 1, 1]);
  });

  it('shows what fired and became no run', async () => {
    const { id, simulate } = simulated();
    const report = await simulate({
      data: {
        triggers: [{ type: 'event', eventType: 'x' }],
        actions: [power(id('Lamp'), true), { type: 'delay', duration: { minutes: 1 } }],
      },
      scenario: { events: [0, 1, 2].map((at) => ({ at, event: { eventType: 'x' } })) },
    });
    expect(report.blocked.map(({ at, reason }) => [seconds(report, at), reason])).toEqual([
      [1, 'mode_single'],
      [2, 'mode_single'],
    ]);
    expect(report.runs.map(({ blockedReason }) => blockedReason)).toEqual([null, 'mode_single', 'mode_single']);
  });

  it('shows a run that waits for what never comes as one that is under way', async () => {
    const { simulate } = simulated();
    const wait = {
      type: 'wait_for_trigger',
      triggers: [{ type: 'event', eventType: 'never' }],
      continueOnTimeout: true,
    };
    const report = await simulate({ data: { actions: [wait] }, scenario: { trigger: {} } });
    expect(report.runs.map(({ status }) => status)).toEqual(['running']);
    expect(report.stopped).toBeNull();
  });

  it('gives the same answer to the same question, but for ids', async () => {
    const { home, id, simulate, motion } = simulated();
    home.saveFlow({ name: 'Other', triggers: [{ type: 'state', ...motion() }], actions: [power(id('Lamp'), false)] });
    const data = {
      mode: 'parallel',
      triggers: [
        { type: 'state', ...motion() },
        { type: 'time_pattern', minutes: '/7' },
      ],
      actions: [
        { type: 'parallel', branches: [[power(id('Lamp'), true)], [{ type: 'delay', duration: { seconds: 7 } }]] },
        { type: 'notify', message: '{{ now() }}' },
      ],
    };
    const scenario = { durationS: 7_200, others: true, events: [{ at: 61, set: { ...motion(), value: true } }] };
    const ids = new Map<string, string>();
    const reported = async (): Promise<string> => {
      ids.clear();
      const text = JSON.stringify(await simulate({ data, scenario }));
      return text.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, (one) => {
        ids.set(one, ids.get(one) ?? `id ${ids.size}`);
        return ids.get(one) as string;
      });
    };
    const first = await reported();
    expect(first.length).toBeGreaterThan(5_000);
    expect(await reported()).toBe(first);
  });
});
