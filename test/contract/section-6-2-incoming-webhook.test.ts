/** API §6.2, decisions §10 and wire-facts §6.6: incoming webhooks, sentence by sentence. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Flow } from '../../src/app/automations/flow.ts';
import type { Trace } from '../../src/app/automations/program.ts';
import type { Json } from '../../src/kernel/json.ts';
import { startDaemon } from '../cli/running-daemon.ts';
import { type AutomationHome, createAutomationHome } from '../support/automation-home.ts';
import { createRestClient, createTestApi, createToken, type RestClient } from '../support/rest-client.ts';
import { systemCaller } from '../support/test-home.ts';

const MINUTE_MS = 60_000;
const KIB = 1024;

let home: AutomationHome;
/** Sends no credentials, as programs outside do. */
let outside: RestClient;

beforeEach(() => {
  home = createAutomationHome({ sample: true });
  outside = createRestClient(createTestApi(home));
});
afterEach(() => home.stop());

/** Keeps what it was sent in variables, where its trace shows them. */
const KEEP = {
  type: 'variables',
  variables: { payload: '{{ trigger.webhook_payload }}', at: '{{ trigger.timestamp }}' },
};

function hookedFlow(trigger: object = {}, fields: object = {}): Flow {
  return home.saveFlow({ triggers: [{ id: 'call', type: 'webhook', ...trigger }], actions: [KEEP], ...fields });
}

function webhookIdOf({ triggers }: Flow): string {
  const [trigger] = triggers;
  if (trigger?.type !== 'webhook') throw new Error('The flow has no webhook');
  return trigger.webhookId;
}

const pathOf = (flow: Flow): string => `/webhook/${webhookIdOf(flow)}`;

/** What its only run was sent. */
async function receivedBy(flow: Flow): Promise<Json | undefined> {
  await home.settle();
  const [trace] = home.tracesOf(flow.id);
  return trace?.triggerData.webhook_payload;
}

describe('API §6.2', () => {
  it('an automation fires when an HTTP POST request reaches its URL', async () => {
    const flow = hookedFlow();
    const { status, body } = await outside.post(pathOf(flow), { hello: 'world' });
    expect([status, body]).toEqual([202, { success: true, runId: expect.any(String) }]);
    await home.settle();
    const [trace] = home.tracesOf(flow.id);
    expect(trace).toMatchObject({ id: body.runId, status: 'success', blockedReason: null });
  });

  it('the full URL is displayed after saving', async () => {
    const owner = createRestClient(createTestApi(home), createToken(home));
    const { body } = await owner.post('/rest/flows', {
      homeId: home.home.id,
      name: 'Bell',
      triggers: [{ type: 'webhook' }],
      actions: [],
    });
    expect(body.webhookUrls).toEqual([`http://localhost/webhook/${body.triggers[0].webhookId}`]);
    const url = new URL(body.webhookUrls[0]);
    expect((await outside.post(url.pathname)).status).toBe(202);
  });

  it('the webhook ID is a unique identifier: no other automation can take it', () => {
    const id = webhookIdOf(hookedFlow());
    expect(() => hookedFlow({ webhookId: id })).toThrow(/used already/);
  });

  it('trigger.webhook_payload is the full JSON body; nested fields are reached by dot notation', async () => {
    const flow = hookedFlow(
      {},
      { actions: [{ type: 'variables', variables: { deep: '{{ trigger.webhook_payload.a.b[1] }}' } }] },
    );
    await outside.post(pathOf(flow), { a: { b: [1, { c: 'found' }] } });
    await home.settle();
    expect(home.tracesOf(flow.id)[0]).toMatchObject({
      variables: { deep: { c: 'found' } },
      triggerData: { type: 'webhook', id: 'call', webhook_payload: { a: { b: [1, { c: 'found' }] } } },
    });
  });

  it('trigger.timestamp is when the webhook was received, in seconds since 1970', async () => {
    const flow = hookedFlow();
    await home.clock.advance(12_345);
    await outside.post(pathOf(flow));
    await home.settle();
    expect(home.tracesOf(flow.id)[0]?.variables.at).toBe(home.clock.now() / 1000);
  });

  it('anyone holding the URL can fire the automation: no token is asked for, and a bad one does no harm', async () => {
    const flow = hookedFlow({}, { mode: 'parallel' });
    const headers = { Authorization: 'Bearer nonsense' };
    expect((await outside.post(pathOf(flow), undefined, headers)).status).toBe(202);
    expect((await outside.post(pathOf(flow))).status).toBe(202);
  });
});

describe('decisions §10', () => {
  it('the id has at least 128 bits of randomness', () => {
    const ids = Array.from({ length: 50 }, () => webhookIdOf(hookedFlow()));
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) expect(Buffer.from(id, 'base64url')).toHaveLength(16);
  });

  it.each([null, true, 7, 'text', [1, [2]], { a: null }])('the body is JSON: %j', async (value) => {
    const flow = hookedFlow();
    expect((await outside.post(pathOf(flow), JSON.stringify(value))).status).toBe(202);
    expect(await receivedBy(flow)).toEqual(value);
  });

  it('an empty body is null', async () => {
    const flow = hookedFlow();
    expect((await outside.post(pathOf(flow))).status).toBe(202);
    expect(await receivedBy(flow)).toBeNull();
  });

  it('up to 64 KiB: a byte more is refused, announced or not', async () => {
    const flow = hookedFlow();
    const fits = JSON.stringify('x'.repeat(64 * KIB - 2));
    const tooMuch = JSON.stringify('x'.repeat(64 * KIB - 1));
    expect((await outside.post(pathOf(flow), fits)).status).toBe(202);
    const announced = { 'Content-Length': String(tooMuch.length) };
    for (const headers of [{}, announced]) {
      const { status, body } = await outside.post(pathOf(flow), tooMuch, headers);
      expect([status, body]).toEqual([
        413,
        { error: 'A body may have 65536 bytes at most.', code: 'payload_too_large' },
      ]);
    }
    expect(home.tracesOf(flow.id)).toHaveLength(1);
  });

  it.each(['x', '../rest/flows', '%00', 'A'.repeat(22), 'A'.repeat(5000), '__proto__', 'constructor'])(
    'an unknown id (%s) is 404, in every form',
    async (id) => {
      hookedFlow();
      const plain = await outside.post('/webhook/unknown', { a: 1 });
      expect([plain.status, plain.body]).toEqual([404, { error: 'Not found', code: 'not_found' }]);
      const path = `/webhook/${encodeURIComponent(id)}`;
      for (const method of ['POST', 'GET', 'PUT', 'DELETE']) {
        const answer = await outside.request(method, path);
        expect([answer.status, answer.text]).toEqual([404, plain.text]);
      }
    },
  );

  it('the id of a deleted flow is unknown', async () => {
    const flow = hookedFlow();
    const owner = createRestClient(createTestApi(home), createToken(home));
    await owner.delete(`/rest/flows/${flow.id}`);
    expect((await outside.post(pathOf(flow))).status).toBe(404);
  });

  it('an automation that has run ten times within a minute is rate limited: 429, when to try again, and a trace', async () => {
    const flow = hookedFlow({}, { mode: 'parallel' });
    for (let call = 0; call < 10; call += 1) expect((await outside.post(pathOf(flow))).status).toBe(202);
    const { status, headers, body } = await outside.post(pathOf(flow));
    expect([status, headers.get('retry-after')]).toEqual([429, '60']);
    expect(body).toMatchObject({ success: false, blockedReason: 'rate_limit', code: 'rate_limited' });
    expect(home.tracesOf(flow.id).find(({ id }) => id === body.runId)?.blockedReason).toBe('rate_limit');
    await home.clock.advance(MINUTE_MS + 1);
    expect((await outside.post(pathOf(flow))).status).toBe(202);
  });

  it('a webhook that is called without end is rate limited before its body is read', async () => {
    const flow = hookedFlow();
    const statuses: number[] = [];
    for (let call = 0; call < 70; call += 1) statuses.push((await outside.post(pathOf(flow), 'no JSON')).status);
    expect(statuses.slice(0, 60)).toEqual(Array.from({ length: 60 }, () => 400));
    expect(statuses.slice(60)).toEqual(Array.from({ length: 10 }, () => 429));
    const other = hookedFlow();
    expect((await outside.post(pathOf(other))).status).toBe(202);
  });
});

describe('a request that begins no run', () => {
  it('of a disabled flow is refused, and leaves a trace', async () => {
    const flow = hookedFlow({}, { enabled: false });
    const { status, body } = await outside.post(pathOf(flow), { a: 1 });
    expect([status, body]).toEqual([202, { success: false, runId: expect.any(String), blockedReason: 'disabled' }]);
    const [trace] = home.tracesOf(flow.id);
    expect(trace).toMatchObject({ id: body.runId, blockedReason: 'disabled' });
  });

  it('of a disabled trigger is refused', async () => {
    const flow = hookedFlow({ enabled: false });
    const { body } = await outside.post(pathOf(flow));
    expect(body).toEqual({ success: false, runId: null, blockedReason: 'disabled' });
    expect(home.tracesOf(flow.id)).toEqual([]);
  });

  it('while one runs is refused by the mode single', async () => {
    const flow = hookedFlow({}, { actions: [{ type: 'delay', duration: { minutes: 1 } }] });
    await outside.post(pathOf(flow));
    const { status, body } = await outside.post(pathOf(flow));
    expect([status, body.success, body.blockedReason]).toEqual([202, false, 'mode_single']);
  });
});

describe('a run that waits for a webhook', () => {
  function waitingFlow(): { readonly flow: Flow; readonly path: string } {
    const flow = home.saveFlow({
      actions: [{ id: 'wait', type: 'wait_for_trigger', triggers: [{ id: 'call', type: 'webhook' }] }, KEEP],
    });
    const [wait] = flow.actions;
    const trigger = wait?.type === 'wait_for_trigger' ? wait.triggers[0] : undefined;
    return { flow, path: `/webhook/${trigger?.type === 'webhook' ? trigger.webhookId : ''}` };
  }

  it('goes on when it is called, and its id is answered', async () => {
    const { flow, path } = waitingFlow();
    const { runId } = home.run(flow.id);
    await home.settle();
    const { status, body } = await outside.post(path, { go: true });
    expect([status, body]).toEqual([202, { success: true, runId }]);
    await home.settle();
    const [trace] = home.tracesOf(flow.id) as [Trace];
    expect(trace.status).toBe('success');
  });

  it('is not there: the request is refused', async () => {
    const { flow, path } = waitingFlow();
    const { status, body } = await outside.post(path);
    expect([status, body]).toEqual([202, { success: false, runId: null, blockedReason: 'not_waiting' }]);
    expect(home.tracesOf(flow.id)).toEqual([]);
  });
});

describe('other methods', () => {
  it.each(['GET', 'PUT', 'DELETE', 'PATCH'])('%s is 405 with Allow, and fires nothing', async (method) => {
    const flow = hookedFlow();
    const { status, headers } = await outside.request(method, pathOf(flow));
    expect([status, headers.get('allow')]).toEqual([405, 'POST']);
    expect(home.tracesOf(flow.id)).toEqual([]);
  });

  it('are taken where allowedMethods has them (wire-facts §6.6), POST beside them', async () => {
    const flow = hookedFlow({ allowedMethods: ['PUT'] }, { mode: 'parallel' });
    expect((await outside.request('PUT', pathOf(flow), { by: 'put' })).status).toBe(202);
    expect(await receivedBy(flow)).toEqual({ by: 'put' });
    expect((await outside.post(pathOf(flow))).status).toBe(202);
    expect((await outside.get(pathOf(flow))).headers.get('allow')).toBe('POST, PUT');
  });

  it('of a GET the parameters are the payload', async () => {
    const flow = hookedFlow({ allowedMethods: ['GET'] });
    expect((await outside.get(`${pathOf(flow)}?a=1&b=x&b=y&__proto__=z`)).status).toBe(202);
    expect(await receivedBy(flow)).toEqual({ a: '1', b: ['x', 'y'] });
  });

  it('HEAD never fires, nor does a prefetch or a preview', async () => {
    const flow = hookedFlow({ allowedMethods: ['GET'] });
    expect((await outside.request('HEAD', pathOf(flow))).status).toBe(405);
    for (const headers of [{ 'Sec-Purpose': 'prefetch;prerender' }, { Purpose: 'prefetch' }, { 'X-Moz': 'prefetch' }]) {
      expect((await outside.get(pathOf(flow), headers)).status).toBe(400);
    }
    expect(home.tracesOf(flow.id)).toEqual([]);
  });
});

describe('hostile requests', () => {
  it('JSON that is broken is 400', async () => {
    const flow = hookedFlow();
    for (const text of ['{', '{"a":1}x', '\u0000', 'undefined']) {
      expect((await outside.post(pathOf(flow), text)).status).toBe(400);
    }
    expect(home.tracesOf(flow.id)).toEqual([]);
  });

  it.each(['application/x-www-form-urlencoded', 'text/plain', 'multipart/form-data; boundary=x', 'text/html'])(
    'a body of type %s is 415, so that no form of a web page fires it',
    async (type) => {
      const flow = hookedFlow();
      expect((await outside.post(pathOf(flow), '{"a":1}', { 'Content-Type': type })).status).toBe(415);
      expect(home.tracesOf(flow.id)).toEqual([]);
    },
  );

  it('ten thousand lists within each other are 400 and do no harm', async () => {
    const flow = hookedFlow();
    const nested = `${'['.repeat(10_000)}${']'.repeat(10_000)}`;
    expect((await outside.post(pathOf(flow), nested)).status).toBe(400);
    expect(home.tracesOf(flow.id)).toEqual([]);
  });

  it('a number that JSON cannot hold is 400', async () => {
    const flow = hookedFlow();
    expect((await outside.post(pathOf(flow), '[1e999]')).status).toBe(400);
  });

  it('__proto__ reaches no prototype', async () => {
    const flow = hookedFlow(
      {},
      { actions: [{ type: 'variables', variables: { got: '{{ trigger.webhook_payload }}' } }] },
    );
    const body =
      '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}},"a":{"__proto__":{"b":1}}}';
    expect((await outside.post(pathOf(flow), body)).status).toBe(202);
    expect(await receivedBy(flow)).toEqual({ constructor: { prototype: { polluted: true } }, a: {} });
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });

  it('a web page of another site is refused, and so is a foreign Host', async () => {
    const flow = hookedFlow();
    const page = await outside.post(pathOf(flow), {}, { Origin: 'https://evil.example' });
    expect(page.status).toBe(403);
    const rebound = await outside.post(`http://evil.example${pathOf(flow)}`, {});
    expect(rebound.status).toBe(403);
    expect(home.tracesOf(flow.id)).toEqual([]);
  });

  it('who may only view the home is not shown the address', async () => {
    const flow = hookedFlow();
    const viewer = createRestClient(createTestApi(home), createToken(home, { [home.home.id]: 'view' }));
    const { text, body } = await viewer.get(`/rest/flows/${flow.id}`);
    expect(body.webhookUrls).toEqual([]);
    expect(text).not.toContain(webhookIdOf(flow));
  });

  it('nothing of its address is in the log when it fails', async () => {
    const lines: unknown[] = [];
    const record = (...line: unknown[]): void => {
      lines.push(line);
    };
    const flow = hookedFlow();
    const logger = { debug: record, info: record, warn: record, error: record, child: () => logger };
    home.incomingWebhooks.receive = () => {
      throw new Error('broken');
    };
    const app = createTestApi(home, { logger: logger as never });
    expect((await createRestClient(app).post(pathOf(flow), { secret: 'text' })).status).toBe(500);
    const log = JSON.stringify(lines);
    expect(log).toContain('broken');
    expect(log).toContain('/webhook/…');
    expect(log).not.toContain(webhookIdOf(flow));
    expect(log).not.toContain('secret');
  });
});

describe('over a real socket', () => {
  /** A body of unknown length, sent in pieces. */
  function pieces(count: number): ReadableStream<Uint8Array> {
    const piece = new TextEncoder().encode('x'.repeat(KIB));
    const texts = [
      new TextEncoder().encode('"'),
      ...Array.from({ length: count }, () => piece),
      new TextEncoder().encode('"'),
    ];
    return ReadableStream.from(texts) as ReadableStream<Uint8Array>;
  }

  it('a program posts, with a length or without, and is stopped at 64 KiB', async () => {
    const daemon = await startDaemon();
    try {
      for (const part of Object.values(daemon.home.automation.startables)) await part.start();
      const data = { name: 'Bell', mode: 'parallel', triggers: [{ type: 'webhook' }], actions: [KEEP] };
      const flow = daemon.home.flows.save(systemCaller, { homeId: daemon.home.home.id, data });
      const url = `http://127.0.0.1:${daemon.port}${pathOf(flow)}`;
      const headers = { 'Content-Type': 'application/json' };
      const send = (init: RequestInit & { duplex?: 'half' }) => fetch(url, { method: 'POST', ...init });
      expect((await send({})).status).toBe(202);
      expect((await send({ headers, body: '{"a":1}' })).status).toBe(202);
      expect((await send({ headers, body: pieces(60), duplex: 'half' })).status).toBe(202);
      expect((await send({ headers, body: JSON.stringify('x'.repeat(70 * KIB)) })).status).toBe(413);
      const endless = await send({ headers, body: pieces(70), duplex: 'half' }).then(
        ({ status }) => status,
        // The connection may be closed before all of it is sent.
        () => 413,
      );
      expect(endless).toBe(413);
      expect((await fetch(url, { method: 'HEAD' })).status).toBe(405);
      expect(daemon.home.traces.list(systemCaller, flow.id)).toHaveLength(3);
    } finally {
      await daemon.stop();
    }
  });
});
