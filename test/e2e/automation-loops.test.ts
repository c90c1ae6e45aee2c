/**
 * Automations that trigger each other without end: stopped after a few rounds on any path of the loop, reported with
 * the names of its members, and no harm to the others.
 */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, eventually } from '../support/e2e-relay.ts';
import { TestClock } from '../support/test-clock.ts';
import { AutomationFixture } from './automation-fixture.ts';

const MINUTE_MS = 60_000;
/** Both together: five deep, and the one that began it. */
const MAX_RUNS = 6;

let fixture: AutomationFixture;
beforeAll(async () => {
  fixture = await AutomationFixture.start({ clock: new TestClock() });
  await fixture.virtual('Lever', 'switch');
});
afterAll(() => fixture[Symbol.asyncDispose]());
afterEach(async () => {
  await fixture.forgetAll();
  await fixture.pass(MINUTE_MS);
});

const changed = (name: string, to?: unknown) => ({
  type: 'state',
  accessoryId: fixture.id(name),
  characteristicType: 'power_state',
  ...(to !== undefined && { to }),
});
const turn = (name: string, value: unknown) => ({
  type: 'set_characteristic',
  accessoryId: fixture.id(name),
  characteristicType: 'power_state',
  value,
});
const flip = (name: string) => turn(name, `{{ not states('${name}') }}`);
const isRefused = ({ blockedReason }: Answer['body']): boolean => blockedReason === 'loop';

/** Two flows, `A` and `B`, of which the first is triggered: they end, and the trace and the home's error name both. */
async function expectStopped(a: object, b: object): Promise<void> {
  const watcher = await fixture.save({
    name: 'Watcher',
    triggers: [{ type: 'error' }],
    actions: [fixture.dim('Echo', 77)],
  });
  const bystander = await fixture.save({
    name: 'Bystander',
    triggers: [{ ...changed('Button', 0), characteristicType: 'programmable_switch_event' }],
    actions: [fixture.dim('Spare', 78)],
  });
  // With mode single, it would refuse its own triggers while it runs.
  const loop = (name: string, parts: object) => fixture.save({ name, mode: 'parallel', ...parts });
  const [first, second] = [await loop('A', a), await loop('B', b)];
  await fixture.run(first.id);
  fixture.demoHome.press('Button');
  const all = async (): Promise<Answer['body'][]> => [
    ...(await fixture.traces(first.id)),
    ...(await fixture.traces(second.id)),
  ];
  const refused = await eventually(async () => (await all()).find(isRefused), 'the loop to be stopped');
  expect(refused.error).toMatch(
    /^Automations trigger each other without end: (A → B → A|B → A → B|A → Script → B → A)\./,
  );
  await fixture.untilEnded(bystander.id);
  expect((await fixture.traces(bystander.id)).map(({ status }) => status)).toEqual(['success']);
  const reported = await fixture.untilEnded(watcher.id);
  expect(reported.map(({ status }) => status)).toEqual(['success']);
  expect(reported[0].triggerData.event_data).toMatchObject({ error: refused.error });
  await fixture.untilWritten('Echo', 77);
  // Nothing goes on behind their backs.
  await fixture.pass(3_000);
  const ran = (await all()).filter(({ blockedReason }) => blockedReason === null);
  expect(ran.length).toBeLessThanOrEqual(MAX_RUNS);
  expect((await all()).filter(isRefused)).toHaveLength(1);
}

describe('a loop of two automations is stopped and named, and a third one works', () => {
  it('through devices that flip each other', () =>
    expectStopped(
      { triggers: [changed('Lamp')], actions: [flip('Hall Lamp')] },
      { triggers: [changed('Hall Lamp')], actions: [flip('Lamp')] },
    ));

  it('through a virtual accessory', () =>
    expectStopped(
      { triggers: [changed('Lever')], actions: [flip('Lamp')] },
      {
        triggers: [changed('Lamp')],
        actions: [{ type: 'virtual', accessoryId: fixture.id('Lever'), operation: 'toggle' }],
      },
    ));

  it('through scenes', async () => {
    const scene = async (name: string, targetValue: boolean): Promise<string> => {
      const actions = [{ accessoryId: fixture.id('Lamp'), characteristicType: 'on', targetValue }];
      return (await fixture.ask('POST', '/rest/scenes', { homeId: fixture.homeId, name, actions })).id;
    };
    const [lit, dark] = [await scene('Lit', true), await scene('Dark', false)];
    await fixture.ask('POST', `/rest/scenes/${dark}/execute`);
    await expectStopped(
      { triggers: [changed('Lamp', false)], actions: [{ type: 'execute_scene', sceneId: lit }] },
      { triggers: [changed('Lamp', true)], actions: [{ type: 'execute_scene', sceneId: dark }] },
    );
  });

  it('through a service group', async () => {
    const accessoryIds = [fixture.id('Hall Lamp')];
    const group = await fixture.ask('POST', '/rest/service-groups', {
      homeId: fixture.homeId,
      name: 'Hall',
      accessoryIds,
    });
    const set = { type: 'set_service_group', groupId: group.id, characteristicType: 'power_state' };
    await expectStopped(
      { triggers: [changed('Lamp')], actions: [{ ...set, value: "{{ not states('Hall Lamp') }}" }] },
      { triggers: [changed('Hall Lamp')], actions: [flip('Lamp')] },
    );
    await fixture.forgetAll();
    await fixture.ask('DELETE', `/rest/service-groups/${group.id}`);
  });

  it('through events', () =>
    expectStopped(
      {
        triggers: [{ type: 'event', eventType: 'lab.ping' }],
        actions: [{ type: 'fire_event', eventType: 'lab.pong' }],
      },
      {
        triggers: [{ type: 'event', eventType: 'lab.pong' }],
        actions: [{ type: 'fire_event', eventType: 'lab.ping' }],
      },
    ));
});

it('a loop through a script fails at the call that would close it, and reports it', async () => {
  const script = await fixture.save({ name: 'Script', actions: [flip('Hall Lamp')] });
  const mode = 'parallel';
  const call = { type: 'call_script', scriptId: script.id };
  const first = await fixture.save({ name: 'A', mode, triggers: [changed('Lamp')], actions: [call] });
  await fixture.save({ name: 'B', mode, triggers: [changed('Hall Lamp')], actions: [flip('Lamp')] });
  await fixture.run(first.id);
  const isStopped = ({ status }: Answer['body']): boolean => status === 'error';
  const trace = await eventually(
    async () => (await fixture.traces(first.id)).find(isStopped),
    'the loop to be stopped',
  );
  expect(trace.error).toMatch(/A → .*B → A/);
  await fixture.pass(3_000);
  expect((await fixture.traces(first.id)).length).toBeLessThanOrEqual(MAX_RUNS);
});

it('an automation that sets itself off is stopped and named', async () => {
  const flow = await fixture.save({
    name: 'Narcissus',
    mode: 'queued',
    triggers: [changed('Lamp')],
    actions: [flip('Lamp')],
  });
  await fixture.run(flow.id);
  const refused = await eventually(
    async () => (await fixture.traces(flow.id)).find(isRefused),
    'the loop to be stopped',
  );
  expect(refused.error).toMatch(/without end: Narcissus → Narcissus\./);
  await fixture.pass(3_000);
  expect((await fixture.traces(flow.id)).filter(({ blockedReason }) => blockedReason === null)).toHaveLength(5);
});

it('an automation of mode `single` does not even begin what it triggers itself', async () => {
  const flow = await fixture.save({ name: 'Single', triggers: [changed('Lever')], actions: [flip('Lever')] });
  await fixture.run(flow.id);
  const traces = await fixture.untilEnded(flow.id, 2);
  expect(traces.map(({ blockedReason }) => blockedReason).sort()).toEqual(['mode_single', null].sort());
});

it('flows that start each other by name are not even saved', async () => {
  const first = await fixture.save({ name: 'A' });
  const second = await fixture.save({ name: 'B', actions: [{ type: 'call_script', scriptId: first.id }] });
  const { status, body } = await fixture.relay.asSystem('PUT', `/rest/flows/${first.id}`, {
    name: 'A',
    triggers: [],
    actions: [{ type: 'toggle_automation', automationId: second.id, action: 'trigger' }],
  });
  expect([status, body.field]).toEqual([422, 'actions[0].automationId']);
});

it('a flow that calls a webhook of this relay is refused by the sender', async () => {
  const flow = await fixture.save({
    name: 'Caller',
    triggers: [{ type: 'webhook' }],
    actions: [{ id: 'call', type: 'fire_webhook', url: `${fixture.relay.url}/webhook/0123456789012345678901` }],
  });
  await fixture.run(flow.id);
  const [trace] = await fixture.untilEnded(flow.id);
  const call = trace.steps.find(({ nodeId }: Answer['body']) => nodeId === 'call');
  expect(JSON.stringify([call.output, call.error])).toMatch(/this computer|loopback|own/i);
  expect(await fixture.traces(flow.id)).toHaveLength(1);
});
