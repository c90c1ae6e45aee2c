/** wire-facts §5 on deliveries, item by item, with the Standard Webhooks headers beside them (decisions §9). */
import { createHmac } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Webhook } from '../../src/app/webhooks/webhook.ts';
import { HttpSendError } from '../../src/home/http-sender.ts';
import { type DeliveryFixture, openDeliveryFixture, type Received } from '../app/webhooks/delivery-fixture.ts';

const SECOND_MS = 1_000;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

let fixture: DeliveryFixture;
let webhook: Webhook;
beforeEach(() => {
  fixture = openDeliveryFixture();
  webhook = fixture.add({ name: 'Kitchen' });
});
afterEach(() => fixture.kill());

async function deliver(): Promise<Received> {
  const before = fixture.receivers.received.length;
  fixture.happen('Night');
  await fixture.until(() => fixture.receivers.received.length > before);
  return fixture.receivers.received.at(-1) as Received;
}

const records = () => fixture.deliveries.history(webhook.id, { limit: 50, offset: 0 }).deliveries;

describe('wire-facts §5', () => {
  it('2: the body has id (evt_ and 16 hex), type, timestamp (ISO 8601 UTC), webhook_id, data, metadata', async () => {
    const { body, at } = await deliver();
    expect(body).toEqual({
      id: expect.stringMatching(/^evt_[0-9a-f]{16}$/),
      type: 'scene.executed',
      timestamp: new Date(at).toISOString(),
      webhook_id: webhook.id,
      data: { sceneId: expect.any(String), sceneName: 'Night', success: true, homeId: expect.any(String) },
      metadata: { webhook_version: '1.0', webhook_name: 'Kitchen', occurred_at: expect.stringMatching(/Z$/) },
    });
  });

  it('2: for webhook.test, data is {test:true} and the id is evt_test_<epoch ms>', async () => {
    const at = fixture.clock.now();
    await fixture.deliveries.sendTest(webhook);
    const [{ body }] = fixture.receivers.received as [Received];
    expect(body).toMatchObject({ id: `evt_test_${at}`, type: 'webhook.test', data: { test: true } });
  });

  it('3: headers: Content-Type, User-Agent, X-Homecast-Signature, -Timestamp, -Event, -Delivery; test_<uuid> for tests', async () => {
    const { request, body, at } = await deliver();
    expect(request).toMatchObject({ method: 'POST', url: webhook.url, timeoutMs: webhook.timeoutMs });
    const seconds = String(Math.floor(at / SECOND_MS));
    expect(request.headers).toEqual({
      'Content-Type': 'application/json',
      'User-Agent': 'Homecast-Webhook/1.0',
      'X-Homecast-Signature': expect.any(String),
      'X-Homecast-Timestamp': seconds,
      'X-Homecast-Event': 'scene.executed',
      'X-Homecast-Delivery': expect.stringMatching(UUID),
      'webhook-id': body.id,
      'webhook-timestamp': seconds,
      'webhook-signature': expect.stringMatching(/^v1,[A-Za-z0-9+/]{43}=$/),
    });
    await fixture.deliveries.sendTest(webhook);
    expect(fixture.receivers.received.at(-1)?.delivery).toMatch(/^test_/);
  });

  it('4: the signature is t=<seconds>,v1=<hex of HMAC-SHA256 with the whole secret over "<t>.<raw body>">', async () => {
    const { request } = await deliver();
    const seconds = request.headers['X-Homecast-Timestamp'];
    const hex = createHmac('sha256', webhook.secret).update(`${seconds}.${request.body}`).digest('hex');
    expect(request.headers['X-Homecast-Signature']).toBe(`t=${seconds},v1=${hex}`);
  });

  it('4: each attempt has a new signature with a fresh timestamp; the body’s id stays, its timestamp is new', async () => {
    fixture.receivers.answer(webhook.url, () => 500);
    await deliver();
    await fixture.clock.advance(10 * SECOND_MS);
    const attempts = fixture.receivers.received;
    expect(attempts).toHaveLength(4);
    const distinct = (read: (one: Received) => unknown) => new Set(attempts.map(read)).size;
    expect(distinct(({ body }) => body.id)).toBe(1);
    expect(distinct(({ delivery }) => delivery)).toBe(1);
    expect(distinct(({ body }) => body.metadata.occurred_at)).toBe(1);
    expect(distinct(({ body }) => body.timestamp)).toBe(4);
    expect(distinct(({ request }) => request.headers['X-Homecast-Timestamp'])).toBe(4);
    expect(distinct(({ request }) => request.headers['webhook-signature'])).toBe(4);
  });

  it('6: attempts = maxRetries + 1; the row is retrying with nextRetryAt, then failed; one row a delivery', async () => {
    fixture.receivers.answer(webhook.url, () => ({ status: 502, body: 'b'.repeat(300) }));
    const { delivery, body } = await deliver();
    await fixture.clock.advance(100);
    expect(records()).toMatchObject([
      {
        ...{ id: delivery, webhookId: webhook.id, eventId: body.id, eventType: 'scene.executed', status: 'retrying' },
        ...{ attemptNumber: 1, maxAttempts: 4, responseStatusCode: 502, nextRetryAt: expect.any(Number) },
        errorMessage: `HTTP 502: ${'b'.repeat(200)}`,
      },
    ]);
    await fixture.clock.advance(10 * SECOND_MS);
    expect(records()).toMatchObject([{ id: delivery, status: 'failed', attemptNumber: 4, nextRetryAt: null }]);
  });

  it('6: any non-2xx, network error or timeout fails; the text of a timeout is "Request timeout"', async () => {
    for (const [answer, message] of [
      [new HttpSendError('timeout', 'receiver.example did not answer within 30 s'), 'Request timeout'],
      [new HttpSendError('network', 'receiver.example could not be reached'), 'receiver.example could not be reached'],
      [302, 'HTTP 302: '],
      [404, 'HTTP 404: '],
    ] as const) {
      fixture.delete(webhook.id);
      webhook = fixture.add({ maxRetries: 0 });
      fixture.receivers.answer(webhook.url, () => answer);
      await deliver();
      await fixture.clock.advance(100);
      expect(records()).toMatchObject([{ status: 'failed', errorMessage: message }]);
      expect(fixture.registry.find(webhook.id)?.lastFailureReason).toBe(message);
    }
  });

  it('7: after five, status is disabled; what still waits is stored as dead_letter, and new events skip it; success resets to 0', async () => {
    fixture.delete(webhook.id);
    webhook = fixture.add({ maxRetries: 0 });
    fixture.receivers.answer(webhook.url, () => 500);
    fixture.happen(...'abcdefg');
    await fixture.until(() => fixture.deliverer.stats().queued === 0);
    expect(fixture.registry.find(webhook.id)).toMatchObject({ status: 'disabled', consecutiveFailures: 5 });
    expect(records().map(({ status }) => status)).toEqual([
      ...['dead_letter', 'dead_letter', 'failed', 'failed', 'failed', 'failed', 'failed'],
    ]);
    expect(records()[0]?.errorMessage).toMatch(/disabled/);
    fixture.happen('skipped');
    await fixture.clock.advance(SECOND_MS);
    expect(records()).toHaveLength(7);
    fixture.update(webhook.id, { status: 'active', consecutiveFailures: 4 });
    fixture.receivers.answer(webhook.url, () => 200);
    await deliver();
    await fixture.clock.advance(100);
    expect(fixture.registry.find(webhook.id)).toMatchObject({ status: 'active', consecutiveFailures: 0 });
  });
});
