/**
 * Decisions §9 on deliveries, with the faults (A7 84–91) and the checks (C4 37–40, 42) that belong to it. One `it` a
 * sentence. Webhooks as people manage them: `section-6-1-webhooks.test.ts`; their bytes:
 * `wire-facts-5-webhooks.test.ts`.
 */
import { createHmac } from 'node:crypto';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { attempt } from '../../src/app/webhooks/attempt.ts';
import { EVENT_TYPES, generateSecret } from '../../src/app/webhooks/webhook.ts';
import { GuardedSender } from '../../src/drivers/http/guarded-sender.ts';
import { VERSION } from '../../src/kernel/version.ts';
import { type DeliveryFixture, openDeliveryFixture, Receivers } from '../app/webhooks/delivery-fixture.ts';
import { OWN_ADDRESSES, OWN_PORT, REFUSED_URLS } from '../support/refused-urls.ts';
import { TestClock } from '../support/test-clock.ts';
import { createTestHome, systemCaller, type TestHome } from '../support/test-home.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

let fixture: DeliveryFixture;
beforeEach(() => {
  fixture = openDeliveryFixture();
});
afterEach(() => fixture.kill());

describe('event types', () => {
  let home: TestHome;
  let receivers: Receivers;
  beforeEach(async () => {
    const clock = new TestClock();
    receivers = new Receivers(clock);
    home = createTestHome({ clock, http: receivers, sample: true });
    home.deliverer.start();
  });
  afterEach(async () => {
    await home.deliverer.stop();
    home.close();
  });

  const sentTypes = () => receivers.received.map(({ body }) => body.type);

  async function createHook(eventTypes: readonly string[]) {
    const url = 'http://192.168.1.20/hook';
    return home.webhooks.create(systemCaller, { name: 'All', url, eventTypes, rateLimitPerMinute: null }).webhook;
  }

  it('are state.changed … webhook.test; `*` selects all; one event per confirmed change, by any cause', async () => {
    expect(EVENT_TYPES.map(({ eventType }) => eventType).sort()).toEqual([
      ...[
        'accessory.added',
        'accessory.reachability_changed',
        'accessory.removed',
        'automation.failed',
        'automation.fired',
      ],
      ...['relay.started', 'scene.executed', 'state.changed', 'webhook.test'],
    ]);
    await createHook(['*']);
    const lamp = home.named('Lamp');
    home.driver.event('10:00:00:00:00:01', '1', '9', true);
    home.bus.emit('relay.started', { version: VERSION, at: home.clock.now() });
    home.driver.setReachable('10:00:00:00:00:02', false);
    const run = { homeId: home.home.id, automationId: 'a', kind: 'flow' as const, name: 'A', runId: 'r', at: 0 };
    home.bus.emit('automation.fired', run);
    home.bus.emit('automation.failed', { ...run, error: 'It was stopped' });
    home.bus.emit('scene.executed', { homeId: home.home.id, sceneId: 's', name: 'Night', success: true, at: 0 });
    await home.clock.advance(SECOND_MS);
    expect(sentTypes().filter((type) => type !== 'state.changed')).toEqual([
      ...['relay.started', 'accessory.reachability_changed', 'automation.fired', 'automation.failed', 'scene.executed'],
    ]);
    receivers.received.length = 0;
    await home.control.setProperties(systemCaller, [{ accessoryId: lamp.id, settings: { brightness: 17 } }]);
    await home.clock.advance(SECOND_MS);
    const reported = receivers.received.filter(({ body }) => body.data.characteristicType === 'brightness');
    expect(reported.map(({ body }) => body.data)).toEqual([
      {
        ...{ accessoryId: lamp.id, accessoryName: 'Lamp', homeId: home.home.id, roomId: lamp.roomId },
        ...{ serviceId: `${lamp.id}.8`, characteristicType: 'brightness', value: 17 },
      },
    ]);
  });

  it('that a webhook does not select do not reach it', async () => {
    await createHook(['relay.started']);
    home.driver.event('10:00:00:00:00:01', '1', '9', true);
    home.bus.emit('relay.started', { version: VERSION, at: home.clock.now() });
    await home.clock.advance(SECOND_MS);
    expect(sentTypes()).toEqual(['relay.started']);
  });
});

describe('signatures', () => {
  it('both kinds of receiver verify; after rotation the old secret signs too for 24 hours', async () => {
    const [fresh, old] = [generateSecret(), generateSecret()];
    const previousSecretUntil = fixture.clock.now() + 24 * HOUR_MS;
    const webhook = fixture.add({ secret: fresh, previousSecret: old, previousSecretUntil });
    const verifiers = async () => {
      fixture.receivers.received.length = 0;
      fixture.happen('one');
      await fixture.until(() => fixture.receivers.received.length === 1);
      const [{ request }] = fixture.receivers.received as [(typeof fixture.receivers.received)[number]];
      const headers = { ...request.headers } as Record<string, string>;
      const [time = '', ...given] = (headers['X-Homecast-Signature'] ?? '').split(',');
      return [fresh, old].map((secret) => {
        const expected = createHmac('sha256', secret)
          .update(`${time.slice(2)}.${request.body}`)
          .digest('hex');
        const body = request.body ?? '';
        const at = new Date(Number(headers['webhook-timestamp']) * SECOND_MS);
        const standard = new StandardWebhook(secret).sign(headers['webhook-id'] ?? '', at, body);
        return [given.includes(`v1=${expected}`), headers['webhook-signature']?.split(' ').includes(standard)];
      });
    };
    expect(webhook.secret).toMatch(/^whsec_/);
    expect(Buffer.from(fresh.slice(6), 'base64')).toHaveLength(32);
    await expect(verifiers()).resolves.toEqual([
      [true, true],
      [true, true],
    ]);
    await fixture.clock.advance(24 * HOUR_MS);
    await expect(verifiers()).resolves.toEqual([
      [true, true],
      [false, false],
    ]);
  });
});

describe('attempts', () => {
  it('are maxRetries + 1, after 1, 2, 4, 8, 16, then doubling, with jitter; 2xx is success', async () => {
    for (const status of [200, 201, 204, 299]) {
      const taken = fixture.add();
      fixture.receivers.answer(taken.url, () => status);
      fixture.happen('one');
      await fixture.until(() => fixture.deliverer.stats().queued === 0);
      expect(fixture.receivers.at(taken.url)).toHaveLength(1);
      fixture.delete(taken.id);
    }
    for (const maxRetries of [0, 3, 10]) {
      const webhook = fixture.add({ maxRetries });
      fixture.receivers.answer(webhook.url, () => 503);
      fixture.happen('one');
      await fixture.clock.advance(HOUR_MS);
      const times = fixture.receivers.at(webhook.url).map(({ at }) => at);
      expect(times).toHaveLength(maxRetries + 1);
      for (const [index, at] of times.slice(1).entries()) {
        const wait = (at - (times[index] ?? 0)) / SECOND_MS;
        expect(wait).toBeGreaterThanOrEqual(0.9 * 2 ** index);
        expect(wait).toBeLessThanOrEqual(1.1 * 2 ** index + 0.01);
      }
    }
  });

  it('410 disables; redirects are not followed, and are failures', async () => {
    const [gone, moved] = [fixture.add(), fixture.add({ maxRetries: 0 })];
    fixture.receivers.answer(gone.url, () => 410);
    fixture.receivers.answer(moved.url, () => ({ status: 301, headers: { location: 'http://127.0.0.1/' } }));
    fixture.happen('one');
    await fixture.until(() => fixture.deliverer.stats().failed === 2);
    await fixture.clock.advance(SECOND_MS);
    expect(fixture.registry.find(gone.id)).toMatchObject({ status: 'disabled' });
    expect(fixture.registry.find(moved.id)).toMatchObject({ status: 'active', consecutiveFailures: 1 });
    expect(fixture.receivers.received).toHaveLength(2);
  });

  it('consecutiveFailures counts deliveries whose attempts are used up; resumeWebhook → active, counter 0', async () => {
    const home = createTestHome({ clock: fixture.clock, http: fixture.receivers, sample: true });
    home.deliverer.start();
    const url = 'http://192.168.1.20/';
    const { webhook } = home.webhooks.create(systemCaller, {
      name: 'Bad',
      url,
      maxRetries: 1,
      rateLimitPerMinute: null,
    });
    fixture.receivers.answer(url, () => 500);
    for (let count = 1; count <= 5; count++) {
      home.bus.emit('relay.started', { version: VERSION, at: home.clock.now() });
      await home.clock.advance(3 * SECOND_MS);
      expect(home.webhooks.get(systemCaller, webhook.id).consecutiveFailures).toBe(count);
    }
    expect(home.webhooks.get(systemCaller, webhook.id).status).toBe('disabled');
    const reported = home.notifications.history(systemCaller).map(({ title }) => title);
    expect(reported).toEqual(['Webhook disabled']);
    const resumed = home.webhooks.resume(systemCaller, webhook.id);
    expect(resumed).toMatchObject({ status: 'active', consecutiveFailures: 0 });
    await home.deliverer.stop();
    home.close();
  });

  it('rateLimitPerMinute is enforced; excess waits, up to 10,000 queued per webhook', async () => {
    const webhook = fixture.add({ rateLimitPerMinute: 5 });
    fixture.happen(...Array.from({ length: 12 }, (_, index) => String(index)));
    await fixture.clock.advance(MINUTE_MS - SECOND_MS);
    expect(fixture.receivers.at(webhook.url)).toHaveLength(5);
    await fixture.clock.advance(MINUTE_MS);
    expect(fixture.receivers.at(webhook.url)).toHaveLength(10);
    expect(fixture.deliveries.queuedCount(webhook.id)).toBe(2);
  });
});

describe('targets', () => {
  it('loopback, link-local, metadata addresses and hearthd itself are refused, however they are written', async () => {
    const webhook = fixture.add();
    const outcomes = await Promise.all(
      REFUSED_URLS.map(async ([url, resolved]) => {
        const http = new GuardedSender({
          clock: fixture.clock,
          allowLoopback: false,
          ownAddresses: () => OWN_ADDRESSES,
          ownPorts: () => [OWN_PORT],
          resolve: async () => [{ address: resolved ?? '93.184.215.14', family: resolved?.includes(':') ? 6 : 4 }],
        });
        const parcel = { id: 'd', eventId: 'evt_1', eventType: 'state.changed', data: '{}', occurredAt: 0 };
        const { result, error } = await attempt({ http, clock: fixture.clock }, { ...webhook, url }, parcel);
        return { url, result, isRefused: error?.includes('nothing is sent there') };
      }),
    );
    expect(outcomes.length).toBeGreaterThanOrEqual(60);
    expect(outcomes.filter(({ result, isRefused }) => result !== 'failure' || !isRefused)).toEqual([]);
  });
});
