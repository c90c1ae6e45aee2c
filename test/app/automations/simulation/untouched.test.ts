/**
 * That a dry run touches nothing, stays within its limits, refuses invalid input, and is for users who may see the
 * home.
 */
import { afterEach, describe, expect, it } from 'vitest';
import { SimulationBudget } from '../../../../src/app/automations/simulation/simulation-budget.ts';
import type { HearthError } from '../../../../src/kernel/errors.ts';
import { TestClock } from '../../../support/test-clock.ts';
import { systemCaller, tokenCaller } from '../../../support/test-home.ts';
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

/** Every row of every table. */
function dump({ home: { database } }: SimulationFixture): string {
  const tables = database.prepare<[], { name: string }>("SELECT name FROM sqlite_master WHERE type = 'table'").all();
  return JSON.stringify(tables.map(({ name }) => [name, database.prepare(`SELECT * FROM "${name}"`).all()]));
}

describe('A dry run touches nothing', () => {
  it('no device, no virtual accessory, no person, no server, no row, no other automation, and no client is notified', async () => {
    const place = simulated();
    const { home, id, simulate, motion } = place;
    const homeId = home.home.id;
    const counter = home.virtuals.create(systemCaller, { homeId, name: 'Eggs', type: 'counter' }).id;
    const timer = home.virtuals.create(systemCaller, { homeId, name: 'Egg', type: 'timer', duration: 60 }).id;
    const person = home.people.create(systemCaller, { homeId, name: 'Ada' }).id;
    const other = home.saveFlow({ name: 'Other', triggers: [{ type: 'state', ...motion() }], actions: [] });
    await home.settle();
    const received: string[] = [];
    for (const name of [
      'state.changed',
      'button.pressed',
      'presence.changed',
      'person.moved',
      'automation.fired',
    ] as const) {
      home.bus.on(name, () => received.push(name));
    }
    home.bus.on('scene.executed', () => received.push('scene.executed'));
    home.bus.on('notification.sent', () => received.push('notification.sent'));
    home.bus.on('layout.changed', () => received.push('layout.changed'));
    home.bus.on('accessory.reachability_changed', () => received.push('reachability'));
    const before = { rows: dump(place), state: JSON.stringify(home.state.accessories()), version: home.state.version };
    const report = await simulate({
      data: {
        mode: 'parallel',
        triggers: [{ type: 'event', eventType: 'go' }],
        actions: [
          power(id('Lamp'), true),
          { type: 'virtual', accessoryId: counter, operation: 'increment' },
          { type: 'virtual', accessoryId: timer, operation: 'start' },
          { type: 'delay', duration: { minutes: 2 } },
          { type: 'notify', message: 'Hello' },
          { type: 'fire_event', eventType: 'done' },
          { type: 'fire_webhook', url: 'https://example.com/', method: 'POST' },
          { type: 'toggle_automation', automationId: other.id, action: 'disable' },
        ],
      },
      scenario: {
        others: true,
        events: [
          { at: 0, event: { eventType: 'go' } },
          { at: 1, set: { ...motion(), value: true } },
          { at: 2, set: { accessoryId: counter, characteristicType: 'count', value: 7 } },
          { at: 3, presence: { personId: person, atHome: true } },
          { at: 4, move: { personId: person, latitude: 1, longitude: 1 } },
          { at: 5, press: { accessoryId: id('Button') } },
          { at: 6, reachable: { accessoryId: id('Lamp'), reachable: false } },
        ],
      },
    });
    expect(report.runs.map(({ error }) => error)).toEqual([null, null]);
    const counts = [report.writes, report.notifications, report.events, report.requests, report.commands];
    expect(counts.map(({ length }) => length)).toEqual([3, 1, 1, 1, 1]);
    await home.settle();
    expect(home.driver.writes).toEqual([]);
    expect(received).toEqual([]);
    expect(JSON.stringify(home.state.accessories())).toBe(before.state);
    expect(home.state.version).toBe(before.version);
    expect(dump(place)).toBe(before.rows);
    expect(home.traces.list(systemCaller, other.id)).toEqual([]);
    expect(home.notifications.history(systemCaller, {})).toEqual([]);
  });
});

describe('A dry run takes no more than it may', () => {
  it('ends after a thousand runs', async () => {
    const { simulate } = simulated();
    const report = await simulate({
      data: { mode: 'parallel', triggers: [{ type: 'time_pattern', seconds: '/1' }] },
      scenario: { durationS: 31 * 86_400 },
    });
    expect(report.stopped).toBe('The dry run was ended before its time: 1,000 runs are the most.');
    expect(report.runs).toHaveLength(1_000);
  });

  it('gives all others a turn after some steps, however many a run has', async () => {
    const { simulate } = simulated();
    const note = { type: 'variables', variables: { x: 1 } };
    let turns = 0;
    let isOver = false;
    const count = (): void => {
      turns += 1;
      if (!isOver) setImmediate(count);
    };
    count();
    const report = await simulate({
      data: { actions: [{ type: 'repeat', mode: 'count', count: 1_000, sequence: [note, note, note] }] },
      scenario: { trigger: {} },
    });
    isOver = true;
    expect(report.runs.map(({ status }) => status)).toEqual(['success']);
    // Fifty steps in a turn of the event loop.
    expect(turns).toBeGreaterThanOrEqual(60);
  });

  it('ends after a hundred thousand steps, five seconds of work, or more than can be reported', async () => {
    const clock = new TestClock();
    const steps = new SimulationBudget(clock);
    for (let n = 0; n < 100_000; n += 1) steps.takeStep();
    expect(steps.stopped).toBeNull();
    expect(steps.takeStep()).toBe(false);
    expect(steps.stopped).toBe('The dry run was ended before its time: 100,000 steps are the most.');
    const work = new SimulationBudget(clock);
    await work.settle();
    expect(work.stopped).toBeNull();
    await clock.advance(5_001);
    await work.settle();
    expect(work.stopped).toBe('The dry run was ended before its time: 5 seconds of work are the most.');
    const reported = new SimulationBudget(clock);
    reported.takeBytes(9 * 1024 * 1024);
    expect(reported.stopped).toBe('The dry run was ended before its time: the notifications exceed 8 MiB.');
  });

  it('passes a month in which hardly anything happens at once', async () => {
    const { id, simulate, motion } = simulated();
    const day = 86_400;
    const report = await simulate({
      data: {
        triggers: [{ type: 'state', ...motion(), to: true }],
        actions: [{ type: 'delay', duration: { hours: 24 } }, power(id('Lamp'), true)],
      },
      scenario: { durationS: 31 * day, events: [{ at: 30 * day, set: { ...motion(), value: true } }] },
    });
    expect(report.writes.map(({ at }) => seconds(report, at))).toEqual([31 * day]);
    expect(report.stopped).toBeNull();
  });

  it('reports loops of automations as the engine does', async () => {
    const { home, id, simulate } = simulated();
    const lamp = { accessoryId: id('Lamp'), characteristicType: 'power_state' };
    home.saveFlow({
      name: 'Off',
      mode: 'parallel',
      triggers: [{ type: 'state', ...lamp, to: true }],
      actions: [power(id('Lamp'), false)],
    });
    const report = await simulate({
      data: {
        name: 'On',
        mode: 'parallel',
        triggers: [{ type: 'state', ...lamp, to: false }],
        actions: [power(id('Lamp'), true)],
      },
      scenario: { others: true, events: [{ at: 1, set: { ...lamp, value: true } }] },
    });
    expect(report.blocked.map(({ reason }) => reason)).toContain('loop');
    expect(report.stopped).toBeNull();
  });

  it('lets four be under way, and asks the fifth to come later', async () => {
    const { simulate } = simulated();
    const all = await Promise.allSettled([1, 2, 3, 4, 5].map(() => simulate({ data: {} })));
    expect(all.map(({ status }) => status)).toEqual([...Array(4).fill('fulfilled'), 'rejected']);
    expect((all[4] as PromiseRejectedResult).reason).toMatchObject({ code: 'rate_limited' });
    await expect(simulate({ data: {} })).resolves.toMatchObject({ stopped: null });
  });
});

describe('A dry run refuses, with the place of the fault,', () => {
  const NO_CALLER = '00000000-0000-4000-8000-000000000000';
  const faults: readonly (readonly [scenario: unknown, field: string])[] = [
    ['now', 'scenario'],
    [{ when: 1 }, 'scenario.when'],
    [{ start: 'tomorrow' }, 'scenario.start'],
    [{ start: '2030-01-01T07:00:00' }, 'scenario.start'],
    [{ start: '25:00' }, 'scenario.start'],
    [{ start: '1950-01-01T07:00:00Z' }, 'scenario.start'],
    [{ durationS: -1 }, 'scenario.durationS'],
    [{ durationS: 32 * 86_400 }, 'scenario.durationS'],
    [{ timeZone: 'Mars/Olympus' }, 'scenario.timeZone'],
    [{ others: 'yes' }, 'scenario.others'],
    [{ trigger: { triggerId: 'none' } }, 'scenario.trigger.triggerId'],
    [{ trigger: { data: { to: 1 } } }, 'scenario.trigger.data.to'],
    [{ trigger: { variables: { 'not a name': 1 } } }, 'scenario.trigger.variables'],
    [{ events: {} }, 'scenario.events'],
    [{ events: [{ at: 1 }] }, 'scenario.events[0]'],
    [{ events: [{ event: { eventType: 'x' } }] }, 'scenario.events[0].at'],
    [{ events: [{ at: -1, event: { eventType: 'x' } }] }, 'scenario.events[0].at'],
    [{ events: [{ at: '2000-01-02T00:00:00Z', event: { eventType: 'x' } }] }, 'scenario.events[0].at'],
    [{ events: [{ at: 1, event: { eventType: 'x' }, connected: { connected: true } }] }, 'scenario.events[0]'],
    [{ events: [{ at: 1, event: { eventType: 'x', data: 1 } }] }, 'scenario.events[0].event.data'],
    [{ events: [{ at: 1, presence: { personId: NO_CALLER, atHome: true } }] }, 'scenario.events[0].presence.personId'],
    [{ events: [{ at: 1, press: { accessoryId: NO_CALLER } }] }, 'scenario.events[0].press.accessoryId'],
    [{ events: [{ at: 1, reachable: { accessoryId: NO_CALLER } }] }, 'scenario.events[0].reachable.accessoryId'],
    [{ http: [{ status: 99 }] }, 'scenario.http[0].status'],
    [{ http: [{ headers: { a: 1 } }] }, 'scenario.http[0].headers.a'],
  ];
  it.each(faults)('%j', async (scenario, field) => {
    const { simulate } = simulated();
    const error: HearthError = await simulate({ data: {}, scenario }).then(
      () => expect.unreachable(),
      (reason) => reason,
    );
    expect(error.details).toMatchObject({ field });
    expect(['invalid_value', 'invalid_request', 'accessory_not_found', 'person_not_found']).toContain(error.code);
  });

  it('values that a device has not, and a button that is none', async () => {
    const { id, simulate, motion } = simulated();
    const refused = (event: object) => simulate({ data: {}, scenario: { events: [{ at: 0, ...event }] } });
    await expect(refused({ set: { ...motion(), value: 'maybe' } })).rejects.toMatchObject({
      details: { field: 'scenario.events[0].set.value' },
    });
    await expect(refused({ set: { ...motion(), characteristicType: 'smell', value: 1 } })).rejects.toMatchObject({
      code: 'characteristic_not_found',
      details: { field: 'scenario.events[0].set.characteristicType' },
    });
    await expect(refused({ press: { accessoryId: id('Lamp') } })).rejects.toMatchObject({
      details: { field: 'scenario.events[0].press.accessoryId' },
    });
  });

  it('a flow with a fault in it, as saving it would', async () => {
    const { simulate } = simulated();
    await expect(simulate({ data: { actions: [{ type: 'dance' }] } })).rejects.toMatchObject({
      details: { field: 'actions[0].type' },
    });
    await expect(simulate({})).rejects.toMatchObject({ code: 'invalid_request' });
    await expect(simulate({ data: {}, document: 'x' })).rejects.toMatchObject({ code: 'invalid_request' });
  });
});

describe('A dry run is for callers who may view the home', () => {
  it('and for no one else', async () => {
    const { home, id } = simulated();
    const homeId = home.home.id;
    const flow = home.saveFlow({ name: 'Stored', actions: [power(id('Lamp'), true)] });
    const ask = (caller: ReturnType<typeof tokenCaller>, request: object) => home.simulations.simulate(caller, request);
    const data = { name: 'Dry', triggers: [], actions: [] };
    const viewer = tokenCaller({ [homeId]: 'view' });
    await expect(ask(viewer, { automationId: flow.id })).resolves.toMatchObject({ automationName: 'Stored' });
    await expect(ask(viewer, { homeId, data })).resolves.toMatchObject({ automationName: 'Dry' });
    const call = {
      type: 'fire_webhook',
      url: 'https://ann:pw@example.com/?key=1',
      method: 'POST',
      headers: { Key: 'x1' },
    };
    const secret = home.saveFlow({ name: 'Secret', actions: [call] });
    const script = home.saveFlow({ name: 'Caller', actions: [{ type: 'call_script', scriptId: secret.id }] });
    for (const { id: automationId } of [secret, script]) {
      const request = { automationId, scenario: { trigger: {} } };
      expect((await ask(viewer, request)).requests.map(({ url }) => url)).toEqual(['https://example.com/']);
      expect(JSON.stringify(await ask(viewer, request))).not.toMatch(/x1|ann:pw|key=1/);
      expect((await ask(systemCaller, request)).requests[0]?.headers.Key).toBe('x1');
    }
    const stranger = tokenCaller({});
    await expect(ask(stranger, { automationId: flow.id })).rejects.toMatchObject({ code: 'automation_not_found' });
    await expect(ask(stranger, { homeId, data })).rejects.toMatchObject({ code: 'home_not_found' });
    const second = home.homes.create(systemCaller, { name: 'Second' });
    await expect(ask(systemCaller, { homeId: second.id, automationId: flow.id })).rejects.toMatchObject({
      code: 'automation_not_found',
    });
    const foreign = { ...data, actions: [power(id('Lamp'), true)] };
    await expect(ask(systemCaller, { homeId: second.id, data: foreign })).rejects.toMatchObject({
      code: 'accessory_not_found',
    });
  });
});
