/** Automations as the editor saves them: native where that is enough, else flows, with nothing lost on the way. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { nativeAsDraft } from '../../../../src/app/automations/drafts/native-as-draft.ts';
import { type AutomationHome, createAutomationHome } from '../../../support/automation-home.ts';
import { TestClock } from '../../../support/test-clock.ts';
import { callerOf, systemCaller } from '../../../support/test-home.ts';

const MINUTE = 60_000;

let home: AutomationHome;
let ann: string;

beforeEach(() => {
  home = createAutomationHome({ sample: true, clock: new TestClock('2026-01-15T12:00:00Z') });
  home.homes.update(systemCaller, home.home.id, { timeZone: 'UTC' });
  ann = home.people.create(systemCaller, { homeId: home.home.id, name: 'Ann' }).id;
});
afterEach(() => home.stop());

const id = (name: string) => home.named(name).id;
const lampIsOn = () => home.state.characteristic({ accessoryId: id('Lamp'), iid: '9' })?.value;
const set = (name: string, value: unknown = true) => ({
  ...{ type: 'set_characteristic', accessoryId: id(name), characteristicType: 'power_state', value },
});
const motionSeen = () => ({
  ...{ type: 'state', accessoryId: id('Motion'), characteristicType: 'motion_detected', to: true },
});
const notify = { type: 'notify', message: 'Motion' };

function save(data: object, automationId?: string) {
  const name = `Automation ${home.automations.list(systemCaller).length + home.flows.list(systemCaller).length + 1}`;
  return home.drafts.save(systemCaller, {
    ...{ homeId: home.home.id, automationId },
    data: { name, triggers: [], actions: [set('Lamp')], ...data },
  });
}

async function motion(): Promise<void> {
  home.driver.event('10:00:00:00:00:04', '1', '9', false);
  await home.settle();
  home.driver.event('10:00:00:00:00:04', '1', '9', true);
  await home.settle();
}

/** Native automations with every kind of part, in all their forms. */
const NATIVE: Readonly<Record<string, () => object>> = {
  values: () => ({
    type: 'event',
    events: [
      { ...reading(), triggerValue: 20 },
      { ...reading(), thresholdMin: 20.5 },
      { ...reading(), thresholdMin: 18, thresholdMax: 25 },
      reading(),
    ],
    conditions: [
      { ...reading(), operator: 'greaterThanOrEqualTo', value: 20 },
      { ...reading(), operator: 'notEqualTo', value: 21 },
    ],
  }),
  times: () => ({
    type: 'event',
    events: [
      { type: 'significantTime', significantEvent: 'sunset', offsetMinutes: -90 },
      { type: 'calendar', calendarComponents: { hour: 7, minute: 30 } },
      { type: 'calendar', calendarComponents: { hour: 7, minute: 30, second: 5 } },
      { type: 'calendar', calendarComponents: { hour: 7, minute: 0, second: 0 } },
      { type: 'calendar', calendarComponents: { minute: 15 } },
      { type: 'calendar', calendarComponents: { day: 1, hour: 9, minute: 0 } },
    ],
    endEvents: [
      { type: 'duration', durationSeconds: 300 },
      { type: 'calendar', calendarComponents: { hour: 23, minute: 0 } },
    ],
    conditions: [
      { type: 'time', afterTime: { hour: 22, minute: 0 }, beforeTime: { hour: 6, minute: 5, second: 30 } },
      { type: 'significantEvent', afterEvent: 'sunset', beforeEvent: 'sunrise' },
    ],
    recurrences: [{ weekday: 2 }, { weekday: 7 }],
    executeOnce: true,
  }),
  people: () => ({
    type: 'event',
    events: [
      { type: 'presence', presenceType: 'currentUser', presenceEvent: 'atHome', personIds: [ann] },
      { type: 'presence', presenceType: 'customUsers', presenceEvent: 'firstArrival', personIds: [ann, other()] },
      { type: 'presence', presenceType: 'allUsers', presenceEvent: 'lastDeparture' },
      { type: 'location', latitude: 1, longitude: 2, radius: 30, notifyOnEntry: false, notifyOnExit: true },
    ],
    conditions: [
      { type: 'presence', presenceType: 'customUsers', presenceEvent: 'atHome', personIds: [ann, other()] },
      { type: 'presence', presenceType: 'customUsers', presenceEvent: 'notAtHome', personIds: [ann, other()] },
      { type: 'presence', presenceType: 'allUsers', presenceEvent: 'notAtHome' },
    ],
  }),
  timer: () => ({
    type: 'timer',
    fireDate: '2030-01-01T07:00:00.000Z',
    recurrence: { day: 2 },
    timeZone: 'Asia/Tokyo',
    executeOnce: true,
  }),
};

function reading() {
  return { type: 'characteristic', accessoryId: id('Thermostat'), characteristicType: 'current_temperature' };
}

/** A second person. */
function other(): string {
  const { people } = home;
  const known = people.people(home.home.id).find(({ name }) => name === 'Bob');
  return (known ?? people.create(systemCaller, { homeId: home.home.id, name: 'Bob' })).id;
}

function native(trigger: object, name = 'Evening') {
  const actions = [
    { accessoryId: id('Lamp'), characteristicType: 'on', targetValue: true },
    { accessoryId: id('Lamp'), characteristicType: 'brightness', targetValue: 40 },
  ];
  return home.automations.create(systemCaller, { homeId: home.home.id, name, trigger, actions });
}

const dataOf = (automationId: string) =>
  JSON.parse(JSON.stringify(nativeAsDraft(home.automations.get(systemCaller, automationId), home.state)));

describe('a native automation', () => {
  it.each(Object.keys(NATIVE))('comes back from the editor as it was: %s', async (what) => {
    const before = native(NATIVE[what]?.() ?? {});
    expect(await save(dataOf(before.id), before.id)).toEqual({ id: before.id, kind: 'native' });
    expect(home.automations.get(systemCaller, before.id)).toEqual(before);
  });

  it('stays native while a native automation can express it, and stays switched off', async () => {
    const { id: automationId } = native(NATIVE.values?.() ?? {});
    const data = { ...dataOf(automationId), name: 'Later', enabled: false, actions: [set('Heater')] };
    expect((await save(data, automationId)).kind).toBe('native');
    expect(home.automations.get(systemCaller, automationId)).toMatchObject({ name: 'Later', enabled: false });
  });

  it('becomes a flow with its id, state and history once a step needs one, all or nothing', async () => {
    const { id: automationId, sceneId } = native({ type: 'event', events: [eventOfMotion()] });
    const caller = home.saveFlow({ actions: [{ type: 'toggle_automation', automationId, action: 'enable' }] });
    await motion();
    const runs = home.tracesOf(automationId).length;
    expect(runs).toBe(1);
    const data = dataOf(automationId);
    const wrong = { ...data, actions: [...data.actions, { type: 'notify' }] };
    await expect(save(wrong, automationId)).rejects.toMatchObject({ details: { field: 'actions[2].message' } });
    expect(home.automations.get(systemCaller, automationId).name).toBe('Evening');
    await expect(save({ ...data, name: caller.name, actions: [notify] }, automationId)).resolves.toBeDefined();
    expect(home.automations.find(automationId)).toBeUndefined();
    expect(home.state.scenes.find(sceneId)).toBeUndefined();
    await motion();
    expect(home.tracesOf(automationId)).toHaveLength(runs + 1);
    expect(home.flows.get(systemCaller, automationId)).toMatchObject({ enabled: true, triggerCount: 1 });
    home.run(caller.id);
    await home.settle();
    expect(home.tracesOf(caller.id)[0]).toMatchObject({ status: 'success' });
    const [now, before] = home.flows.versions(systemCaller, automationId);
    expect(now?.definition.actions).toMatchObject([{ type: 'notify' }]);
    expect(before?.definition.actions).toMatchObject([{ value: true }, { value: 40 }]);
  });

  it('does not become the flow of a token that extends it, nor one that sends requests', async () => {
    const token = callerOf({
      kind: 'access_token',
      tokenId: 't',
      homePermissions: null,
      makerId: null,
      expiresAt: 9e15,
    });
    const { id: automationId } = native({ type: 'event', events: [eventOfMotion()] });
    const extend = (action: object) =>
      home.drafts.save(token, {
        homeId: home.home.id,
        automationId,
        data: { ...dataOf(automationId), actions: [action] },
      });
    const request = { type: 'fire_webhook', url: 'https://example.org/', method: 'POST' };
    await expect(extend(request)).rejects.toMatchObject({ code: 'insufficient_permissions' });
    expect(home.automations.find(automationId)).toBeDefined();
    expect(await extend(notify)).toEqual({ id: automationId, kind: 'flow' });
    expect(home.makers.isOwn(token, 'outward_flow', automationId)).toBe(false);
  });

  it('becomes a flow although a person of it is gone', async () => {
    const { id: automationId } = native(NATIVE.people?.() ?? {});
    home.people.delete(systemCaller, other());
    const later = { triggers: [motionSeen()], actions: [notify] };
    expect(await save(later, automationId)).toEqual({ id: automationId, kind: 'flow' });
  });

  it('keeps an accessory that is gone while the rest of it becomes a flow', async () => {
    const { id: automationId } = native({ type: 'event', events: [eventOfMotion()] });
    home.state.putAccessories([{ ...home.named('Motion'), vanishedAt: 1 }]);
    const data = dataOf(automationId);
    expect((await save({ ...data, actions: [...data.actions, notify] }, automationId)).kind).toBe('flow');
    expect(home.flows.get(systemCaller, automationId).triggers).toMatchObject([{ type: 'state' }]);
  });
});

function eventOfMotion() {
  return { ...reading(), accessoryId: id('Motion'), characteristicType: 'motion_detected', triggerValue: true };
}

describe('a new automation', () => {
  it.each<readonly [string, () => object]>([
    ['a device that changes', () => ({ triggers: [motionSeen()] })],
    ['a time on some days', () => ({ triggers: [{ type: 'time', at: '07:00', weekdays: [1, 5] }] })],
    [
      'the sun, with an end',
      () => ({ triggers: [{ type: 'sun', event: 'sunset' }], until: [{ type: 'time', at: '23:00' }] }),
    ],
    [
      'darkness by a sensor',
      () => ({
        triggers: [motionSeen()],
        conditions: [{ type: 'numeric_state', ...place('Thermostat', 'current_temperature'), below: 20 }],
      }),
    ],
  ])('is native: %s', async (_, data) => {
    const saved = await save(data());
    expect(saved.kind).toBe('native');
    expect(home.automations.get(systemCaller, saved.id).enabled).toBe(true);
  });

  it.each<readonly [string, () => object]>([
    ['without a trigger', () => ({})],
    ['that notifies', () => ({ triggers: [motionSeen()], actions: [set('Lamp'), notify] })],
    ['with a duration', () => ({ triggers: [{ ...motionSeen(), for: { minutes: 5 } }] })],
    ['with a switched-off trigger', () => ({ triggers: [{ ...motionSeen(), enabled: false }] })],
    [
      'with other kinds of conditions',
      () => ({ triggers: [motionSeen()], conditions: [{ type: 'template', expression: 'true' }] }),
    ],
    [
      'with alternatives',
      () => ({
        triggers: [motionSeen()],
        conditions: {
          operator: 'or',
          conditions: [
            { type: 'time', after: '22:00' },
            { type: 'sun', after: 'sunset' },
          ],
        },
      }),
    ],
    [
      'with days for one of several triggers',
      () => ({ triggers: [motionSeen(), { type: 'time', at: '07:00', weekdays: [1] }] }),
    ],
    ['that sets one thing twice', () => ({ triggers: [motionSeen()], actions: [set('Lamp'), set('Lamp', false)] })],
    ['with a computed value', () => ({ triggers: [motionSeen()], actions: [set('Lamp', '{{ true }}')] })],
    [
      'that goes on after an error',
      () => ({ triggers: [motionSeen()], actions: [{ ...set('Lamp'), onError: 'continue' }] }),
    ],
    ['with another run mode', () => ({ triggers: [motionSeen()], mode: 'restart' })],
    ['with a note', () => ({ triggers: [motionSeen()], uiState: { notes: { a: 'x' } } })],
    [
      'above a bound',
      () => ({ triggers: [{ type: 'numeric_state', ...place('Thermostat', 'current_temperature'), above: 25 }] }),
    ],
    [
      'further from sunset than native ones go',
      () => ({ triggers: [{ type: 'location', latitude: 1, longitude: 1, radius: 2_000_000 }] }),
    ],
  ])('is a flow: %s', async (_, data) => {
    expect((await save(data())).kind).toBe('flow');
  });

  it('is a flow where native automations are read-only, and a flow stays one', async () => {
    const flow = await save({ triggers: [motionSeen()], actions: [notify] });
    const simple = { triggers: [motionSeen()] };
    expect(await save(simple, flow.id)).toEqual({ id: flow.id, kind: 'flow' });
    home.homes.update(systemCaller, home.home.id, { privileges: 'view' });
    expect((await save(simple)).kind).toBe('flow');
  });

  it('is refused in the form of a native automation that someone else has extended meanwhile', async () => {
    const { id: automationId } = native(NATIVE.people?.() ?? {});
    const opened = dataOf(automationId);
    await save({ triggers: [motionSeen()], actions: [notify] }, automationId);
    await expect(save(opened, automationId)).rejects.toMatchObject({
      code: 'conflict',
      details: { reason: 'extended_meanwhile' },
    });
  });

  it('names the place of an error in the draft', async () => {
    const end = { type: 'state', ...place('Motion', 'nonsense') };
    await expect(
      save({ triggers: [motionSeen()], until: [{ type: 'sun', event: 'sunrise' }, end] }),
    ).rejects.toMatchObject({
      message: expect.stringContaining('until[1].characteristicType'),
      details: { field: 'until[1].characteristicType' },
    });
    await expect(save({ until: 7 })).rejects.toMatchObject({ details: { field: 'until' } });
    await expect(save({ executeOnce: 'yes' })).rejects.toMatchObject({ details: { field: 'executeOnce' } });
    const past = { type: 'timer', fireDate: '2020-01-01T00:00:00Z' };
    await expect(save({ triggers: [past] })).rejects.toMatchObject({ details: { field: 'triggers[0].fireDate' } });
  });
});

function place(name: string, characteristicType: string) {
  return { accessoryId: id(name), characteristicType };
}

describe('a flow that ends', () => {
  const ending = { until: [{ type: 'duration', seconds: 300 }] };

  it('restores what was, later when it is triggered again, and parses as it is stored', async () => {
    const saved = await save({ triggers: [motionSeen()], actions: [set('Lamp'), notify], ...ending });
    expect(saved.kind).toBe('flow');
    await motion();
    expect(lampIsOn()).toBe(true);
    await home.clock.advance(4 * MINUTE);
    await motion();
    await home.clock.advance(4 * MINUTE);
    await home.settle();
    expect(lampIsOn()).toBe(true);
    await home.clock.advance(2 * MINUTE);
    await home.settle();
    expect(lampIsOn()).toBe(false);
    const { name, triggers, conditions, actions } = home.flows.get(systemCaller, saved.id);
    await save({ name, triggers, conditions, actions }, saved.id);
    expect(home.flows.get(systemCaller, saved.id)).toMatchObject({ version: 2, actions });
  });

  it('acts once where that is asked for', async () => {
    const { id: flowId } = await save({ triggers: [motionSeen()], actions: [set('Lamp'), notify], executeOnce: true });
    await motion();
    expect(lampIsOn()).toBe(true);
    expect(home.flows.get(systemCaller, flowId).enabled).toBe(false);
  });

  it('is tried like that by a dry run, of a native automation too', async () => {
    const { id: automationId } = native({ type: 'event', events: [eventOfMotion()] });
    const data = { ...dataOf(automationId), ...ending };
    const report = await home.simulations.simulate(systemCaller, {
      ...{ automationId, data: { ...data, actions: [...data.actions, notify] } },
      scenario: { trigger: {}, durationS: 600 },
    });
    expect(report.writes.map(({ value }) => value)).toEqual([true, 40, false, 50]);
    expect(report.notifications).toHaveLength(1);
  });
});
