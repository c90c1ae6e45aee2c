import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { GuardedSender } from '../../../../src/drivers/http/guarded-sender.ts';
import { systemClock } from '../../../../src/kernel/clock.ts';
import type { JsonObject } from '../../../../src/kernel/json.ts';
import { PATIENCE_MS } from '../../../support/patience.ts';
import type { TestHomeOptions } from '../../../support/test-home.ts';
import { createActionHome } from './run-actions.ts';

let home: ReturnType<typeof createActionHome>;
const open = (options: TestHomeOptions = {}): typeof home => {
  home = createActionHome(options);
  return home;
};
const closers: (() => unknown)[] = [];
afterEach(async () => {
  await home.stop();
  for (const close of closers.splice(0).reverse()) await close();
});

describe('fire_event', () => {
  it('notifies the automations of the home, with the cause of the run', async () => {
    const { runActions, automationEvents, home: inventory } = open();
    const received = vi.fn();
    closers.push(automationEvents.on(inventory.id, 'bell', received));
    const { output, flowId } = await runActions(
      [{ id: 'ring', type: 'fire_event', eventType: 'bell', eventData: { times: '{{ n }}' } }],
      { name: 'Door', variables: { n: 2 } },
    );
    expect(output('ring')).toEqual({ eventType: 'bell', eventData: { times: 2 } });
    expect(received).toHaveBeenCalledTimes(1);
    expect(received.mock.calls[0]?.[0]).toMatchObject({
      homeId: inventory.id,
      eventData: { times: 2 },
      cause: { chain: [{ automationId: flowId, name: 'Door' }] },
    });
  });

  it('has no data where none is given', async () => {
    const { runActions } = open();
    const { output } = await runActions([{ id: 'ring', type: 'fire_event', eventType: 'bell' }]);
    expect(output('ring')).toEqual({ eventType: 'bell', eventData: {} });
  });
});

describe('fire_webhook', () => {
  async function serve(listener: RequestListener): Promise<string> {
    const server = createServer(listener).listen(0, '127.0.0.1');
    await once(server, 'listening');
    closers.push(() => {
      server.close();
      server.closeAllConnections();
    });
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  function openWithSender(allowLoopback = true): typeof home {
    const http = new GuardedSender({
      clock: systemClock,
      allowLoopback,
      ownAddresses: () => [],
      ownPorts: () => [],
    });
    closers.push(() => http.stop());
    return open({ http });
  }

  /** The request goes through a real network: the run is through when it is through. */
  async function send(action: JsonObject, flow: JsonObject = {}) {
    const { flowId } = await home.runActions([{ id: 'send', type: 'fire_webhook', method: 'POST', ...action }], flow);
    const ended = () => expect(home.latest(flowId).trace.status).not.toBe('running');
    await vi.waitFor(ended, { timeout: PATIENCE_MS });
    return home.latest(flowId);
  }

  async function bodyOf(incoming: IncomingMessage): Promise<string> {
    let body = '';
    for await (const chunk of incoming.setEncoding('utf8')) body += chunk as string;
    return body;
  }

  it.each<[string, JsonObject['body'], string | undefined, string]>([
    ['an object as JSON', { level: '{{ n }}', room: 'hall' }, 'application/json', '{"level":2,"room":"hall"}'],
    ['a text as text', 'level {{ n }}', 'text/plain; charset=utf-8', 'level 2'],
    ['a text that is JSON as JSON', '{"a": 1}', 'application/json', '{"a": 1}'],
    ['nothing where there is none', undefined, undefined, ''],
  ])('sends %s', async (_, body, type, sent) => {
    openWithSender();
    const seen: unknown[] = [];
    const url = await serve(async (incoming, answer) => {
      seen.push([incoming.method, incoming.url, incoming.headers['content-type'], await bodyOf(incoming)]);
      answer.end();
    });
    const { output } = await send(
      { url: `${url}/n/{{ n }}`, ...(body !== undefined && { body }) },
      { variables: { n: 2 } },
    );
    expect(seen).toEqual([['POST', '/n/2', type, sent]]);
    expect(output('send')).toMatchObject({ status: 200, ok: true });
  });

  it('sends the headers given, templates and a type of its own among them', async () => {
    openWithSender();
    const seen: IncomingMessage['headers'][] = [];
    const url = await serve((incoming, answer) => {
      seen.push(incoming.headers);
      answer.end();
    });
    const headers = { 'X-Level': '{{ n }}', 'content-type': 'text/xml' };
    await send({ url, method: 'PUT', headers, body: '<a/>' }, { variables: { n: 2 } });
    expect(seen).toMatchObject([{ 'x-level': '2', 'content-type': 'text/xml' }]);
  });

  it('reads an answer that is JSON as JSON, and any other as text', async () => {
    openWithSender();
    const url = await serve((incoming, answer) => {
      const isJson = incoming.url === '/json';
      answer.writeHead(200, { 'Content-Type': isJson ? 'application/problem+json' : 'text/html' }).end('{"on":true}');
    });
    expect((await send({ url: `${url}/json` })).output('send')).toMatchObject({ body: { on: true } });
    expect((await send({ url: `${url}/text` })).output('send')).toMatchObject({ body: '{"on":true}' });
  });

  it.each([204, 302, 404, 500])('goes on after %i, whether it is good or not', async (status) => {
    openWithSender();
    const url = await serve((_, answer) => answer.writeHead(status, { Location: '/elsewhere' }).end());
    const { trace, output } = await send({ url });
    expect(trace.status).toBe('success');
    expect(output('send')).toMatchObject({ status, ok: status === 204 });
  });

  it('goes on where nothing answers or nothing may be sent, with the reason', async () => {
    openWithSender(false);
    const { trace, output } = await send({ url: 'http://127.0.0.1:9/' });
    expect(trace.status).toBe('success');
    expect(output('send')).toEqual({
      status: 0,
      statusText: '',
      headers: {},
      body: null,
      ok: false,
      error: '127.0.0.1 is an address of this computer itself (loopback): nothing is sent there',
    });
  });

  it('is sent again where the action asks for it, and the run goes on after the last time', async () => {
    openWithSender();
    const statuses = [500, 503, 500];
    const url = await serve((_, answer) => answer.writeHead(statuses.shift() ?? 200).end());
    const { flowId } = await home.runActions([
      { id: 'send', type: 'fire_webhook', url, method: 'POST', onError: 'retry', maxRetries: 2, retryDelayMs: 100 },
      { id: 'seen', type: 'variables', variables: { ok: "{{ nodes['send'].data.ok }}" } },
    ]);
    await vi.waitFor(
      async () => {
        await home.clock.advance(1_000);
        expect(home.latest(flowId).trace.status).toBe('success');
      },
      { timeout: PATIENCE_MS },
    );
    expect(statuses).toEqual([]);
    const attempts = home.latest(flowId).trace.steps.filter(({ nodeId }) => nodeId === 'send');
    expect(attempts.map(({ attempt, result }) => [attempt, result])).toEqual([
      [1, 'error'],
      [2, 'error'],
      [3, 'error'],
    ]);
    expect(home.latest(flowId).output('seen')).toEqual({ ok: false });
  });

  it('shows neither the query of its URL nor its headers in the line for people', async () => {
    openWithSender();
    const url = await serve((_, answer) => answer.end());
    const withPassword = url.replace('//', '//user:secret@');
    const { step } = await send({ url: `${withPassword}/hook?token=secret`, headers: { 'X-Key': 'secret' } });
    expect(step('send').nodeSummary).toBe(`POST ${url}/hook`);
  });
});

describe('notify', () => {
  const notify = (rest: JsonObject = {}): JsonObject => ({
    id: 'tell',
    type: 'notify',
    message: 'It is {{ t }} °C',
    ...rest,
  });

  it('notifies people and reports the channels', async () => {
    const { runActions } = open();
    const { output } = await runActions([notify({ title: 'Cold', icon: 'mdi:snow' })], { variables: { t: 3 } });
    expect(output('tell')).toEqual({
      notificationId: expect.any(String),
      message: 'It is 3 °C',
      title: 'Cold',
      icon: 'mdi:snow',
      iconRejected: false,
      success: true,
      delivered: true,
      channels: ['local'],
      rateLimited: false,
      reason: null,
    });
  });

  it.each([
    ['door-open', false],
    ['https://example.org/icon.png', false],
    ['http://example.org/icon.png', true],
    ['javascript:alert(1)', true],
    ['https://user:password@example.org/icon.png', true],
    ['data:image/png;base64,AA', true],
    ['two words', true],
  ])('the icon %s is left out: %s', async (icon, iconRejected) => {
    const { runActions } = open();
    const { output } = await runActions([notify({ icon })], { variables: { t: 3 } });
    expect(output('tell')).toMatchObject({ icon: iconRejected ? null : icon, iconRejected, success: true });
  });

  it('refuses a message that came to nothing', async () => {
    const { runActions } = open();
    const { step } = await runActions([notify({ message: '{{ t }}' })], { variables: { t: ' ' } });
    expect(step('tell').error).toBe('The message is empty');
    const list = await runActions([notify({ message: '{{ t }}' })], { variables: { t: [1] } });
    expect(list.step('tell').error).toBe('message came to [1]; it must be a text');
  });
});

describe('virtual', () => {
  it.each<[string, string, JsonObject, JsonObject, unknown]>([
    ['input_boolean', 'turn_on', {}, {}, true],
    ['input_boolean', 'toggle', {}, {}, true],
    ['counter', 'increment', { initial: 5 }, {}, 6],
    ['counter', 'increment', { initial: 5 }, { step: '{{ n }}' }, 7],
    ['counter', 'decrement', { initial: 5 }, { step: 3 }, 2],
    ['input_number', 'set', { min: 0, max: 10, step: 1 }, { value: '{{ n }}' }, 2],
    ['input_text', 'set', {}, { value: 'n is {{ n }}' }, 'n is 2'],
    ['input_boolean', 'toggle', { controllable: false }, {}, true],
  ])('%s: %s', async (type, operation, config, rest, state) => {
    const { runActions, virtual } = open();
    const accessoryId = virtual('Helper', type, config).id;
    const { output } = await runActions([{ id: 'do', type: 'virtual', accessoryId, operation, ...rest }], {
      variables: { n: 2 },
    });
    expect(output('do')).toEqual({ accessoryId, operation, state, timer: null, success: true });
  });

  it('starts a timer for as long as a template gives', async () => {
    const { runActions, virtual } = open();
    const accessoryId = virtual('Egg', 'timer', { duration: '1m' }).id;
    const { output } = await runActions(
      [{ id: 'do', type: 'virtual', accessoryId, operation: 'start', duration: { minutes: '{{ n }}', seconds: 30 } }],
      { variables: { n: 2 } },
    );
    expect(output('do')).toMatchObject({ success: true, timer: { status: 'active', durationMs: 150_000 } });
  });

  it('fails with the sentence of the accessory', async () => {
    const { runActions, virtual } = open();
    const accessoryId = virtual('Egg', 'timer', { duration: '1m' }).id;
    const { step } = await runActions([{ id: 'do', type: 'virtual', accessoryId, operation: 'pause' }]);
    expect(step('do')).toMatchObject({
      result: 'error',
      error: expect.stringContaining('pause needs one that is active'),
    });
  });
});
