/**
 * Every kind of action from end to end: a button is pressed at one accessory, another one gets what the flow does, and
 * the trace shows each step. All through the API.
 */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { Characteristic } from '@homebridge/hap-nodejs';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, eventually } from '../support/e2e-relay.ts';
import { TestClock } from '../support/test-clock.ts';
import { AutomationFixture } from './automation-fixture.ts';

const MINUTE_MS = 60_000;

let fixture: AutomationFixture;
let web: Server;
const requests: { method: string; url: string; body: string; header: unknown }[] = [];
let answer: () => number = () => 200;

beforeAll(async () => {
  web = createServer(async (request, response) => {
    const { method = '', url = '', headers } = request;
    requests.push({ method, url, body: await text(request), header: headers['x-lab'] });
    response.writeHead(answer(), { 'Content-Type': 'application/json' }).end('{"moon":"full"}');
  }).listen(0, '127.0.0.1');
  await once(web, 'listening');
  fixture = await AutomationFixture.start({ clock: new TestClock(), config: { webhooksAllowLoopback: true } });
  await fixture.virtual('Clicks', 'counter');
  await fixture.virtual('Note', 'text');
});
afterAll(async () => {
  await fixture[Symbol.asyncDispose]();
  web.close();
});
afterEach(async () => {
  await fixture.forgetAll();
  await fixture.pass(MINUTE_MS);
});

const webUrl = (path: string): string => `http://127.0.0.1:${(web.address() as AddressInfo).port}${path}`;

/** A flow that a press of the button triggers. */
const save = (actions: readonly object[], more: object = {}): Promise<Answer['body']> =>
  fixture.save({ name: 'On Press', triggers: [pressed('Button')], actions, ...more });

const pressed = (name: string) => ({
  type: 'state',
  accessoryId: fixture.id(name),
  characteristicType: 'programmable_switch_event',
  to: 0,
});

/** Of an `if_then_else`. */
const branches = (yes: readonly object[], no: readonly object[]): object =>
  Object.fromEntries([
    ['then', yes],
    ['else', no],
  ]);

/** What arrives at a lamp while something is done. */
async function arriving(accessory: string, act: () => Promise<unknown>): Promise<readonly unknown[]> {
  const before = fixture.demoHome.written(accessory).length;
  await act();
  return fixture.demoHome.written(accessory).slice(before);
}

/** Presses the button and waits for the end of the run that it triggered. @returns the trace */
async function press(flow: { id: string }): Promise<Answer['body']> {
  fixture.demoHome.press('Button');
  const [trace] = await fixture.untilEnded(flow.id);
  return trace;
}

/** The same where it takes its time: a device that does not answer. */
async function pressAndPass(flow: { id: string }): Promise<Answer['body']> {
  fixture.demoHome.press('Button');
  return eventually(async () => {
    await fixture.pass(1_000);
    const [trace] = await fixture.traces(flow.id);
    return trace !== undefined && trace.status !== 'running' && trace;
  }, 'the run to end');
}

const stepOf = (trace: Answer['body'], nodeId: string): Answer['body'] =>
  trace.steps.find((step: Answer['body']) => step.nodeId === nodeId);

describe('devices', () => {
  it('set_characteristic: a value, and one from an expression', async () => {
    const flow = await save([fixture.dim('Echo', 11), fixture.dim('Echo', '{{ 10 + trigger.to_value + 2 }}')]);
    expect(await arriving('Echo', () => press(flow))).toEqual([11, 12]);
  });

  it('set_characteristic: a failure stops the run; `continue` does not; `retry` tries again', async () => {
    await fixture.demoHome.unplug('Hall Lamp');
    await fixture.pass(5_000);
    const stops = await save([fixture.dim('Hall Lamp', 50, { id: 'hall' }), fixture.dim('Echo', 13)]);
    expect(await arriving('Echo', () => pressAndPass(stops))).toEqual([]);
    expect((await fixture.traces(stops.id))[0]).toMatchObject({
      status: 'error',
      error: expect.stringMatching(/unreachable/),
    });
    await fixture.forgetAll();
    const goesOn = await save([fixture.dim('Hall Lamp', 50, { onError: 'continue' }), fixture.dim('Echo', 14)]);
    expect(await arriving('Echo', () => pressAndPass(goesOn))).toEqual([14]);
    await fixture.forgetAll();
    const triesAgain = await save([
      fixture.dim('Hall Lamp', 51, { id: 'hall', onError: 'retry', maxRetries: 5, retryDelayMs: 20_000 }),
    ]);
    fixture.demoHome.press('Button');
    await fixture.pass(5_000);
    await fixture.demoHome.plugIn('Hall Lamp');
    for (let n = 0; n < 90 && (await fixture.traces(triesAgain.id))[0]?.status !== 'success'; n += 1)
      await fixture.pass(2_000);
    const [trace] = await fixture.traces(triesAgain.id);
    expect(trace.status).toBe('success');
    const results = trace.steps.flatMap(({ nodeId, result }: Answer['body']) => (nodeId === 'hall' ? [result] : []));
    expect(results.length).toBeGreaterThan(1);
    expect(results.at(-1)).toBe('executed');
    expect(fixture.demoHome.written('Hall Lamp').filter((value) => value === 51)).toHaveLength(1);
    await fixture.untilReachable(['Hall Lamp']);
  });

  it('set_service_group: all of its members', async () => {
    const accessoryIds = [fixture.id('Lamp'), fixture.id('Spare')];
    const group = await fixture.ask('POST', '/rest/service-groups', {
      homeId: fixture.homeId,
      name: 'Both',
      accessoryIds,
    });
    const flow = await save([
      { type: 'set_service_group', groupId: group.id, characteristicType: 'brightness', value: 21 },
    ]);
    expect(await arriving('Lamp', () => arriving('Spare', () => press(flow)))).toEqual([21]);
    expect(fixture.demoHome.written('Spare').at(-1)).toBe(21);
  });

  it('execute_scene: all of it, and what of it failed', async () => {
    const settings = [
      { accessoryId: fixture.id('Lamp'), characteristicType: 'brightness', targetValue: 90 },
      { accessoryId: fixture.id('Spare'), characteristicType: 'on', targetValue: true },
    ];
    const scene = await fixture.ask('POST', '/rest/scenes', {
      homeId: fixture.homeId,
      name: 'Bright',
      actions: settings,
    });
    const flow = await save([{ id: 'bright', type: 'execute_scene', sceneId: scene.id }]);
    let trace: Answer['body'];
    const values = await arriving('Lamp', async () => {
      trace = await press(flow);
    });
    expect(values).toEqual([90]);
    expect(fixture.demoHome.written('Spare', 'On').at(-1)).toBe(true);
    expect(stepOf(trace, 'bright').output).toMatchObject({ success: true, failed: 0, errors: [] });
  });

  it('virtual: counters, texts', async () => {
    const flow = await save([
      { type: 'virtual', accessoryId: fixture.id('Clicks'), operation: 'increment', step: '{{ 2 + 3 }}' },
      { type: 'virtual', accessoryId: fixture.id('Note'), operation: 'set', value: 'pressed {{ trigger.to_value }}' },
    ]);
    expect(await press(flow)).toMatchObject({ status: 'success' });
    expect([await fixture.valueOf('Clicks'), await fixture.valueOf('Note')]).toEqual([5, 'pressed 0']);
  });
});

describe('time', () => {
  it('delay', async () => {
    const flow = await save([
      fixture.dim('Echo', 31),
      { type: 'delay', duration: { minutes: 2 } },
      fixture.dim('Echo', 32),
    ]);
    const values = await arriving('Echo', async () => {
      fixture.demoHome.press('Button');
      await fixture.untilWritten('Echo', 31);
      await fixture.pass(2 * MINUTE_MS - 2_000);
      expect(fixture.demoHome.written('Echo').at(-1)).toBe(31);
      await fixture.pass(3_000);
      await fixture.untilEnded(flow.id);
    });
    expect(values).toEqual([31, 32]);
  });

  it('wait_for_trigger: until another accessory does something', async () => {
    const bell = { ...pressed('Doorbell'), id: 'bell' };
    const flow = await save([
      { type: 'wait_for_trigger', triggers: [bell], timeout: { minutes: 5 } },
      {
        type: 'choose',
        choices: [
          { conditions: { type: 'template', expression: 'wait.completed' }, actions: [fixture.dim('Echo', 33)] },
        ],
      },
    ]);
    const values = await arriving('Echo', async () => {
      fixture.demoHome.press('Button');
      await fixture.pass(2_000);
      expect((await fixture.traces(flow.id))[0].status).toBe('running');
      fixture.demoHome.press('Doorbell');
      await fixture.untilEnded(flow.id);
    });
    expect(values).toEqual([33]);
  });

  it('wait_for_trigger: in vain, which ends the run if it is to', async () => {
    const wait = { type: 'wait_for_trigger', triggers: [pressed('Doorbell')], timeout: { seconds: 30 } };
    const flow = await save([{ ...wait, continueOnTimeout: false }, fixture.dim('Echo', 34)]);
    fixture.demoHome.press('Button');
    await fixture.pass(35_000);
    const [trace] = await fixture.untilEnded(flow.id);
    expect(trace.status).not.toBe('success');
    expect(fixture.demoHome.written('Echo')).not.toContain(34);
  });

  it('wait_for_template', async () => {
    fixture.demoHome.report('Window', Characteristic.ContactSensorState, 0);
    await fixture.untilShown('Window', 'contact_state', 0);
    const flow = await save([
      { type: 'wait_for_template', expression: "states('Window', 'contact_state') == 1" },
      fixture.dim('Echo', 35),
    ]);
    fixture.demoHome.press('Button');
    await fixture.pass(2_000);
    expect(fixture.demoHome.written('Echo')).not.toContain(35);
    fixture.demoHome.report('Window', Characteristic.ContactSensorState, 1);
    expect((await fixture.untilEnded(flow.id))[0].status).toBe('success');
    expect(fixture.demoHome.written('Echo').at(-1)).toBe(35);
  });
});

describe('steering', () => {
  const isOpen = () => ({
    type: 'state',
    accessoryId: fixture.id('Window'),
    characteristicType: 'contact_state',
    value: 1,
  });
  const windowIs = async (value: 0 | 1): Promise<void> => {
    fixture.demoHome.report('Window', Characteristic.ContactSensorState, value);
    await fixture.untilShown('Window', 'contact_state', value);
  };

  it('choose and if_then_else', async () => {
    await windowIs(1);
    const flow = await save([
      {
        type: 'choose',
        choices: [{ conditions: isOpen(), actions: [fixture.dim('Echo', 41)] }],
        default: [fixture.dim('Echo', 42)],
      },
      { type: 'if_then_else', condition: isOpen(), ...branches([fixture.dim('Echo', 43)], [fixture.dim('Echo', 44)]) },
    ]);
    expect(await arriving('Echo', () => press(flow))).toEqual([41, 43]);
    await windowIs(0);
    const values = await arriving('Echo', async () => {
      fixture.demoHome.press('Button');
      await fixture.untilEnded(flow.id, 2);
    });
    expect(values).toEqual([42, 44]);
  });

  it('repeat: so many times, for each, while, until', async () => {
    const dim = (expression: string) => fixture.dim('Echo', `{{ ${expression} }}`);
    const until = { type: 'template', expression: 'repeat.index >= 2' };
    const flow = await save([
      { type: 'repeat', mode: 'count', count: 3, sequence: [dim('50 + repeat.index')] },
      { type: 'repeat', mode: 'for_each', forEachItems: [61, 62], sequence: [dim('repeat.item')] },
      {
        type: 'repeat',
        mode: 'while',
        whileCondition: { type: 'template', expression: 'repeat.index <= 2' },
        sequence: [dim('70 + repeat.index')],
      },
      { type: 'repeat', mode: 'until', untilCondition: until, sequence: [dim('80 + repeat.index')] },
    ]);
    expect(await arriving('Echo', () => press(flow))).toEqual([51, 52, 53, 61, 62, 71, 72, 81, 82]);
  });

  it('parallel: both branches', async () => {
    const flow = await save([{ type: 'parallel', branches: [[fixture.dim('Echo', 91)], [fixture.dim('Spare', 92)]] }]);
    expect(await arriving('Echo', () => press(flow))).toEqual([91]);
    expect(fixture.demoHome.written('Spare').at(-1)).toBe(92);
  });

  it('variables, merge, stop', async () => {
    const flow = await save([
      { type: 'variables', variables: { bright: '{{ 20 * 2 }}' } },
      { id: 'a', type: 'fire_event', eventType: 'lab.a', eventData: { n: 1 } },
      { id: 'b', type: 'fire_event', eventType: 'lab.b', eventData: { n: 2 } },
      { id: 'both', type: 'merge', mode: 'append', inputIds: ['a', 'b'] },
      fixture.dim('Echo', '{{ bright + len(nodes.both.data.merged) }}'),
      { type: 'stop', reason: 'that is it' },
      fixture.dim('Echo', 1),
    ]);
    expect(await arriving('Echo', () => press(flow))).toEqual([42]);
    expect((await fixture.traces(flow.id))[0].status).toBe('stopped');
  });

  it('stop with an error, which notifies those that watch', async () => {
    const watcher = await fixture.save({
      name: 'Watcher',
      triggers: [{ type: 'error' }],
      actions: [fixture.dim('Spare', 17)],
    });
    const flow = await save([{ type: 'stop', reason: 'the cat', error: true }]);
    expect(await press(flow)).toMatchObject({ status: 'error', error: expect.stringContaining('the cat') });
    const [trace] = await fixture.untilEnded(watcher.id);
    expect(trace.triggerData.event_data).toMatchObject({ automationName: 'On Press' });
    expect(fixture.demoHome.written('Spare').at(-1)).toBe(17);
  });
});

describe('others', () => {
  it('fire_event', async () => {
    const ear = await fixture.save({
      name: 'Ear',
      triggers: [{ type: 'event', eventType: 'lab.pressed' }],
      actions: [fixture.dim('Echo', '{{ trigger.event_data.bright }}')],
    });
    const flow = await save([{ type: 'fire_event', eventType: 'lab.pressed', eventData: { bright: 56 } }]);
    const values = await arriving('Echo', async () => {
      await press(flow);
      await fixture.untilEnded(ear.id);
    });
    expect(values).toEqual([56]);
  });

  it('fire_webhook: its body goes to a real server, and the answer into the flow', async () => {
    const flow = await save([
      {
        id: 'call',
        type: 'fire_webhook',
        url: webUrl('/moon?x=1'),
        method: 'PUT',
        headers: { 'X-Lab': 'kind {{ trigger.to_value }}' },
        body: { pressed: '{{ trigger.to_value }}' },
      },
      {
        type: 'if_then_else',
        condition: { type: 'template', expression: "nodes.call.data.body.moon == 'full'" },
        ...branches([fixture.dim('Echo', 57)], []),
      },
    ]);
    expect(await arriving('Echo', () => press(flow))).toEqual([57]);
    expect(requests).toEqual([{ method: 'PUT', url: '/moon?x=1', body: '{"pressed":0}', header: 'kind 0' }]);
  });

  it('fire_webhook: `retry` sends it until the server takes it', async () => {
    requests.length = 0;
    answer = () => (requests.length < 3 ? 503 : 200);
    const flow = await save([
      { type: 'fire_webhook', url: webUrl('/again'), method: 'POST', onError: 'retry', retryDelayMs: 1_000 },
    ]);
    fixture.demoHome.press('Button');
    await fixture.pass(10_000);
    expect((await fixture.untilEnded(flow.id))[0].status).toBe('success');
    expect(requests).toHaveLength(3);
    answer = () => 200;
  });

  it('toggle_automation: disables, enables, triggers', async () => {
    const other = await fixture.save({ name: 'Other', actions: [fixture.dim('Echo', 58)] });
    const toggle = (action: string) => ({ type: 'toggle_automation', automationId: other.id, action });
    const flow = await save([toggle('disable'), toggle('trigger'), toggle('enable'), toggle('trigger')]);
    const values = await arriving('Echo', async () => {
      await press(flow);
      await fixture.untilEnded(other.id, 2);
    });
    expect(values).toEqual([58]);
    expect((await fixture.traces(other.id)).map(({ blockedReason }) => blockedReason)).toEqual([null, 'disabled']);
  });

  it('call_script: with variables, and what it answers', async () => {
    const script = await fixture.save({
      name: 'Script',
      actions: [
        { type: 'variables', variables: { result: '{{ n * 3 }}' } },
        { type: 'stop', responseVariable: 'result' },
      ],
    });
    const flow = await save([
      { type: 'call_script', scriptId: script.id, variables: { n: 20 }, responseVariable: 'answer' },
      fixture.dim('Echo', '{{ answer }}'),
    ]);
    expect(await arriving('Echo', () => press(flow))).toEqual([60]);
  });

  it('notify', async () => {
    const flow = await save([
      { id: 'tell', type: 'notify', title: 'Door', message: 'Pressed: {{ trigger.to_value }}', icon: 'door-open' },
    ]);
    const trace = await press(flow);
    expect(stepOf(trace, 'tell').output).toMatchObject({ success: true, channels: ['local'] });
    const [note] = await fixture.ask('GET', '/rest/notifications');
    expect(note).toMatchObject({ title: 'Door', message: 'Pressed: 0' });
  });
});
