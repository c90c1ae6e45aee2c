/**
 * API §2.4, §3, §4.2 and §6.1 on webhooks as things that people manage, with wire-facts §4.3 and §5 and decisions §7 on
 * them; through GraphQL and REST. What is delivered and when: `decisions-9-webhooks.test.ts`,
 * `wire-facts-5-webhooks.test.ts`.
 */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { HttpAnswer, HttpRequest } from '../../src/home/http-sender.ts';
import { silentLogger } from '../../src/kernel/logger.ts';
import { createRestClient, createTestApi, createToken, type RestClient } from '../support/rest-client.ts';
import { findings, spellings } from '../support/secret-search.ts';
import { createTestHome, type TestHome } from '../support/test-home.ts';
import { CountingHasher, createUser } from '../support/test-users.ts';

const NOTHING = '00000000-0000-4000-8000-000000000000';
const URL_ = 'http://192.168.1.20/hook';
const ALL_FIELDS = `id name url secretPrefix status eventTypes homeIds roomIds accessoryIds collectionIds maxRetries
  rateLimitPerMinute timeoutMs consecutiveFailures lastTriggeredAt lastSuccessAt lastFailureAt createdAt lastFailureReason rawSecret`;

let home: TestHome;
let rest: RestClient;
let sent: HttpRequest[];
let answer: Partial<HttpAnswer>;
/** The data of a document, or of one that must fail its first error. */
// biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects, and fails if it is not there.
let ask: (query: string, variables?: object, token?: string) => Promise<any>;

beforeEach(() => {
  sent = [];
  answer = {};
  const http = {
    send: async (request: HttpRequest) => {
      sent.push(request);
      return { status: 200, statusText: 'OK', headers: {}, body: 'thanks', ...answer };
    },
  };
  home = createTestHome({ sample: true, http, passwordHasher: new CountingHasher() });
  rest = createRestClient(createTestApi(home), createToken(home));
  ask = async (query, variables, token) => {
    const headers = token === undefined ? {} : { Authorization: `Bearer ${token}` };
    const { body } = await rest.post('/graphql', { query, variables }, headers);
    return body.errors?.[0] ?? body.data;
  };
});
afterEach(() => home.close());

async function create(choices = '') {
  const { createWebhook } = await ask(
    `mutation { createWebhook(name: "Alarm", url: "${URL_}" ${choices}) { success error rawSecret webhook { ${ALL_FIELDS} } } }`,
  );
  return createWebhook;
}

describe('API §2.4 and §4.2: webhooks', () => {
  it('createWebhook(name, url, …?) → CreateWebhookResult: success, webhook, error; rawSecret on both (wire-facts §4.2)', async () => {
    const { success, error, rawSecret, webhook } = await create();
    expect([success, error]).toEqual([true, null]);
    expect(rawSecret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(webhook).toEqual({
      ...{ id: expect.any(String), name: 'Alarm', url: URL_, secretPrefix: `${rawSecret.slice(0, 12)}...`, rawSecret },
      ...{ status: 'active', eventTypes: ['*'], homeIds: [], roomIds: [], accessoryIds: [], collectionIds: [] },
      ...{ maxRetries: 3, rateLimitPerMinute: 60, timeoutMs: 30_000, consecutiveFailures: 0 },
      ...{ lastTriggeredAt: null, lastSuccessAt: null, lastFailureAt: null, lastFailureReason: null },
      createdAt: '2026-01-15T12:00:00.000Z',
    });
  });

  it('createWebhook takes every optional argument', async () => {
    const lamp = home.named('Lamp');
    const lists = `eventTypes: ["state.changed"], homeIds: ["${home.home.id}"], roomIds: ["${lamp.roomId}"], accessoryIds: ["${lamp.id}"], collectionIds: []`;
    const { webhook } = await create(`${lists}, maxRetries: 5, rateLimitPerMinute: null, timeoutMs: 5000`);
    expect(webhook).toMatchObject({
      ...{ eventTypes: ['state.changed'], homeIds: [home.home.id], roomIds: [lamp.roomId], accessoryIds: [lamp.id] },
      ...{ collectionIds: [], maxRetries: 5, rateLimitPerMinute: null, timeoutMs: 5_000 },
    });
  });

  it('createWebhook gives an argument that is null its default', async () => {
    const { webhook } = await create('homeIds: null, maxRetries: null, timeoutMs: null');
    expect(webhook).toMatchObject({ homeIds: [], maxRetries: 3, timeoutMs: 30_000 });
  });

  it('what can’t be is reported in the result, with the field (wire-facts §5 item 5)', async () => {
    for (const [choices, error] of [
      ['maxRetries: 11', 'Invalid value for maxRetries: it takes a whole number from 0 to 10.'],
      ['timeoutMs: 999', 'Invalid value for timeoutMs: it takes a whole number from 1000 to 120000.'],
      ['rateLimitPerMinute: 0', 'Invalid value for rateLimitPerMinute: it takes a whole number from 1 to 1000.'],
      [`homeIds: ["${NOTHING}"]`, `Home not found: ${NOTHING}`],
    ] as const) {
      expect(await create(choices)).toEqual({ success: false, error, rawSecret: null, webhook: null });
    }
  });

  it('webhooks(status, limit, offset) → [WebhookInfo]; webhook(webhookId) → WebhookInfo; none of them has the secret', async () => {
    const { rawSecret, webhook } = await create();
    await create();
    const { webhooks } = await ask('{ webhooks(limit: 1, offset: 0, status: "active") { id name rawSecret } }');
    expect(webhooks).toEqual([{ id: webhook.id, name: 'Alarm', rawSecret: null }]);
    const one = await ask(`query($id: String!) { webhook(webhookId: $id) { ${ALL_FIELDS} } }`, { id: webhook.id });
    expect(one).toEqual({ webhook: { ...webhook, rawSecret: null } });
    expect(JSON.stringify([webhooks, one])).not.toContain(rawSecret.slice(12));
    expect(await ask(`{ webhook(webhookId: "${NOTHING}") { id } }`)).toMatchObject({
      message: 'Webhook not found',
      extensions: { code: 'NOT_FOUND' },
    });
  });

  it('webhookEventTypes → [WebhookEventTypeInfo]: eventType, displayName, description, category (wire-facts §4.3; decisions §9)', async () => {
    const { webhookEventTypes } = await ask('{ webhookEventTypes { eventType displayName description category } }');
    const types: readonly { eventType: string }[] = webhookEventTypes;
    expect(types[0]).toEqual({
      ...{ eventType: 'state.changed', displayName: 'State Changed', category: 'Device' },
      description: expect.any(String),
    });
    expect(types.map(({ eventType }) => eventType)).toEqual([
      ...['state.changed', 'accessory.reachability_changed', 'accessory.added', 'accessory.removed', 'scene.executed'],
      ...['automation.fired', 'automation.failed', 'relay.started', 'webhook.test'],
    ]);
  });

  it('updateWebhook(webhookId, …?) → UpdateWebhookResult; null leaves as it is; rateLimitPerMinute: null is no limit', async () => {
    const { id } = (await create()).webhook;
    const { updateWebhook } = await ask(
      `mutation($id: String!) { updateWebhook(webhookId: $id, name: "Siren", url: null, homeIds: null, rateLimitPerMinute: null)
        { success error webhook { name url homeIds rateLimitPerMinute rawSecret } } }`,
      { id },
    );
    const webhook = { name: 'Siren', url: URL_, homeIds: [], rateLimitPerMinute: null, rawSecret: null };
    expect(updateWebhook).toEqual({ success: true, error: null, webhook });
  });

  it('deleteWebhook(webhookId) → DeleteWebhookResult: success, error', async () => {
    const { id } = (await create()).webhook;
    const drop = `mutation { deleteWebhook(webhookId: "${id}") { success error } }`;
    expect(await ask(drop)).toEqual({ deleteWebhook: { success: true, error: null } });
    expect(await ask(drop)).toEqual({ deleteWebhook: { success: false, error: 'Webhook not found' } });
  });

  it('an id that is not there: "Webhook not found" for update, "Not found" for pause, resume and rotate (wire-facts §5 item 8)', async () => {
    const answers = await ask(`mutation {
      update: updateWebhook(webhookId: "${NOTHING}") { success error webhook { id } }
      pause: pauseWebhook(webhookId: "${NOTHING}") { success error webhook { id } }
      resume: resumeWebhook(webhookId: "${NOTHING}") { success error webhook { id } }
      rotate: rotateWebhookSecret(webhookId: "${NOTHING}") { success error webhook { id } }
    }`);
    const failed = (error: string) => ({ success: false, error, webhook: null });
    const [update, other] = [failed('Webhook not found'), failed('Not found')];
    expect(answers).toEqual({ update, pause: other, resume: other, rotate: other });
  });

  it('testWebhook(webhookId) → TestWebhookResult: success, statusCode, responseTimeMs, error: sends a test delivery', async () => {
    const { id } = (await create()).webhook;
    const test = `mutation { testWebhook(webhookId: "${id}") { success statusCode responseTimeMs error } }`;
    expect(await ask(test)).toEqual({
      testWebhook: { success: true, statusCode: 200, responseTimeMs: expect.any(Number), error: null },
    });
    answer = { status: 500, body: 'Oh no' };
    const { testWebhook } = await ask(test);
    expect(testWebhook).toMatchObject({ success: false, statusCode: 500, error: 'HTTP 500: Oh no' });
    expect(sent.map(({ url, method }) => [url, method])).toEqual([
      [URL_, 'POST'],
      [URL_, 'POST'],
    ]);
  });

  it('webhookDeliveryHistory(webhookId, offset?, limit?, status?) → deliveries, total, offset, limit (50 by default)', async () => {
    const { id } = (await create()).webhook;
    await rest.post(`/rest/webhooks/${id}/test`);
    const history = `query($id: String!, $status: String, $limit: Int, $offset: Int) {
      webhookDeliveryHistory(webhookId: $id, status: $status, limit: $limit, offset: $offset) { total offset limit deliveries {
        id webhookId eventType eventId status attemptNumber maxAttempts responseStatusCode responseBody latencyMs errorMessage
        createdAt nextRetryAt } } }`;
    const { webhookDeliveryHistory } = await ask(history, { id });
    const delivery = {
      ...{ id: expect.stringMatching(/^test_/), webhookId: id, eventType: 'webhook.test', status: 'success' },
      ...{ eventId: expect.stringMatching(/^evt_test_\d+$/), attemptNumber: 1, maxAttempts: 1 },
      ...{ responseStatusCode: 200, responseBody: 'thanks', latencyMs: expect.any(Number), errorMessage: null },
      ...{ createdAt: expect.stringMatching(/Z$/), nextRetryAt: null },
    };
    expect(webhookDeliveryHistory).toEqual({ total: 1, offset: 0, limit: 50, deliveries: [delivery] });
    const failed = await ask(history, { id, status: 'failed', limit: 5, offset: 0 });
    expect(failed).toEqual({ webhookDeliveryHistory: { total: 0, offset: 0, limit: 5, deliveries: [] } });
    const resend = `mutation { resendWebhookDelivery(webhookId: "${id}", deliveryId: "none") { success code delivery { id } } }`;
    const notThere = { success: false, code: 'not_found', delivery: null };
    expect(await ask(resend)).toEqual({ resendWebhookDelivery: notThere });
  });
});

describe('API §3: the states of a webhook', () => {
  it('active → pauseWebhook → paused → resumeWebhook → active', async () => {
    const { id } = (await create()).webhook;
    const act = (verb: string) => ask(`mutation { ${verb}(webhookId: "${id}") { success webhook { status } } }`);
    expect(await act('pauseWebhook')).toEqual({ pauseWebhook: { success: true, webhook: { status: 'paused' } } });
    expect(await act('resumeWebhook')).toEqual({ resumeWebhook: { success: true, webhook: { status: 'active' } } });
  });
});

describe('API §6.1: webhooks', () => {
  it('a signing secret: only secretPrefix is listed; rotateWebhookSecret replaces it', async () => {
    const { rawSecret: first, webhook } = await create();
    const { rotateWebhookSecret } = await ask(
      `mutation { rotateWebhookSecret(webhookId: "${webhook.id}") { success error rawSecret webhook { rawSecret secretPrefix } } }`,
    );
    const { rawSecret: second } = rotateWebhookSecret;
    expect(second).not.toBe(first);
    const rotated = { rawSecret: second, secretPrefix: `${second.slice(0, 12)}...` };
    expect(rotateWebhookSecret).toEqual({ success: true, error: null, rawSecret: second, webhook: rotated });
    const listed = await rest.get('/rest/webhooks');
    expect(listed.body[0].secretPrefix).toBe(`${second.slice(0, 12)}...`);
    for (const secret of [first, second]) expect(listed.text).not.toContain(secret.slice(12));
  });

  it('no answer, refusal, history or log line has a secret, however it is spelt (security C4 42)', async () => {
    const lines: unknown[] = [];
    const write = (...line: readonly unknown[]): void => void lines.push(line);
    const logger = { ...silentLogger, debug: write, info: write, warn: write, error: write };
    rest = createRestClient(createTestApi(home, { logger }), createToken(home));
    const { rawSecret, webhook } = await create();
    const path = `/rest/webhooks/${webhook.id}`;
    const rotated = (await rest.post(`${path}/rotate-secret`)).body.rawSecret;
    answer = { status: 500, body: 'x'.repeat(70_000) };
    const answers = [
      await rest.post(`${path}/test`),
      await rest.get(`${path}/deliveries`),
      await rest.get('/rest/webhooks'),
      await rest.get(path),
      await rest.patch(path, { name: 'Siren' }),
      await rest.patch(path, { name: 7 }),
      await rest.post(`${path}/pause`),
      await rest.post(`${path}/resume`),
      await rest.post('/graphql', { query: `{ webhooks { ${ALL_FIELDS} } webhookEventTypes { eventType } }` }),
      await rest.post('/graphql', { query: `mutation { testWebhook(webhookId: "${webhook.id}") { error } }` }),
      await rest.delete(path),
    ];
    const secrets = [rawSecret, rotated].flatMap((secret: string) => spellings('a secret', secret.slice(12)));
    expect(sent).toHaveLength(2);
    for (const { text } of answers) expect(findings(text.slice(0, 200), text, secrets)).toEqual([]);
    expect(findings('the log', JSON.stringify(lines), secrets)).toEqual([]);
    expect(findings('what receivers are sent', JSON.stringify(sent), secrets)).toEqual([]);
    expect(
      findings('the database', JSON.stringify(home.database.prepare('SELECT * FROM webhook_queue').all()), secrets),
    ).toEqual([]);
  });

  it('the same over REST: made, listed, shown, changed, paused, resumed, rotated, tested, looked into and deleted', async () => {
    const made = await rest.post('/rest/webhooks', { name: 'Alarm', url: URL_, eventTypes: ['state.changed'] });
    const { webhook, rawSecret } = made.body;
    expect(made.body).toEqual({ success: true, rawSecret: expect.stringMatching(/^whsec_/), webhook });
    const path = `/rest/webhooks/${webhook.id}`;
    expect((await rest.get('/rest/webhooks?status=active&limit=5')).body).toEqual([webhook]);
    expect((await rest.get(path)).body).toEqual(webhook);
    expect((await rest.patch(path, { rateLimitPerMinute: null })).body).toEqual({
      ...webhook,
      rateLimitPerMinute: null,
    });
    expect((await rest.patch(path, {})).status).toBe(200);
    expect((await rest.post(`${path}/pause`)).body.status).toBe('paused');
    expect((await rest.post(`${path}/resume`)).body.status).toBe('active');
    expect((await rest.post(`${path}/rotate-secret`)).body.rawSecret).not.toBe(rawSecret);
    expect((await rest.post(`${path}/test`)).body).toMatchObject({ success: true, statusCode: 200 });
    expect((await rest.get(`${path}/deliveries?limit=1`)).body).toMatchObject({ total: 1, limit: 1, offset: 0 });
    expect((await rest.post(`${path}/deliveries/none/resend`)).status).toBe(404);
    expect((await rest.get('/rest/webhooks/event-types')).body).toHaveLength(9);
    expect((await rest.delete(path)).body).toEqual({ success: true, webhookId: webhook.id });
    expect([(await rest.get(path)).status, (await rest.get(path)).body.code]).toEqual([404, 'webhook_not_found']);
  });

  it.each([
    [400, '/rest/webhooks', { name: 'W' }],
    [400, '/rest/webhooks', { name: 'W', url: URL_, secret: 'whsec_mine' }],
    [422, '/rest/webhooks', { name: 'W', url: URL_, eventTypes: 'state.changed' }],
    [422, '/rest/webhooks', { name: 'W', url: URL_, timeoutMs: '5' }],
    [422, '/rest/webhooks', { name: 'W', url: URL_, maxRetries: 99 }],
    [404, '/rest/webhooks', { name: 'W', url: URL_, roomIds: [NOTHING] }],
  ])('%i for POST %s %j', async (status, path, body) => {
    expect((await rest.post(path, body)).status).toBe(status);
  });
});

describe('decisions §7: who may', () => {
  it('owner and admin: webhooks; a session only with Developer Mode on; the CLI and existing tokens are unaffected', async () => {
    const { token, caller } = await createUser(home, { name: 'Ann', role: 'admin' });
    const viewer = await createUser(home, { name: 'Vic', role: 'view' });
    expect(await ask('{ webhooks { id } }', {}, viewer.token)).toMatchObject({ extensions: { code: 'FORBIDDEN' } });
    const DEVELOPER = { extensions: { code: 'DEVELOPER_MODE_REQUIRED' } };
    const make = `mutation { createWebhook(name: "W", url: "${URL_}") { success } }`;
    expect(await ask('{ webhooks { id } }', {}, token)).toMatchObject(DEVELOPER);
    expect(await ask(make, {}, token)).toMatchObject(DEVELOPER);
    home.userSettings.update(caller, { developerMode: true });
    const own = home.tokens.create(caller, { name: 'Own' }).token;
    expect(await ask(make, {}, token)).toEqual({ createWebhook: { success: true } });
    home.userSettings.update(caller, { developerMode: false });
    expect(await ask('{ webhooks { id } }', {}, token)).toMatchObject(DEVELOPER);
    expect(await ask('{ webhooks { name } }', {}, own)).toEqual({ webhooks: [{ name: 'W' }] });
    expect(await ask('{ webhooks { name } }')).toEqual({ webhooks: [{ name: 'W' }] });
  });
});
