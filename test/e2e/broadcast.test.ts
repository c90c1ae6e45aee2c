/**
 * A home in which very much happens at once, and all kinds of listeners: webhooks, streams, WebSockets and a broker in
 * a process of their own, genuine HAP servers in another. What was promised to each of them is counted; what the relay
 * keeps for them is read from its own metrics.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Fleet, startFleet } from '../support/accessories/fleet.ts';
import { E2eRelay, KNOWN_CONTROLLER, sharePairings } from '../support/e2e-relay.ts';
import { type Received, Subscribers } from '../support/subscribers/subscribers.ts';
import { createTempDirectory, type TempDirectory } from '../support/temp-directory.ts';

const HUE = 11;
const ACCESSORIES = 20;
const CHANGES = 2_000;
const AT_ONCE = 20;
const SIZE = { receivers: 5, streams: 20, sockets: 20, deaf: 1 };
/** Less than there are changes. */
const KEPT_EVENTS = 500;
/** Each webhook receives events of its own accessories: all events would take longer than all else here. */
const ACCESSORIES_A_WEBHOOK = ACCESSORIES / SIZE.receivers;
const DELIVERIES = CHANGES / SIZE.receivers;
/** Liveness only: a shared machine with a slow disk takes seconds. */
const PATIENCE_MS = 45_000;

let directory: TempDirectory;
let fleet: Fleet;
let subscribers: Subscribers;
let relay: E2eRelay;
let received: Received;
const kept: number[] = [];

beforeAll(async () => {
  directory = createTempDirectory('broadcast');
  fleet = await startFleet({ count: ACCESSORIES, controllers: [KNOWN_CONTROLLER] });
  sharePairings(
    directory,
    fleet.members.map((member) => ({ ...member, publicKey: member.accessoryPublicKey })),
  );
  subscribers = await Subscribers.open(SIZE);
  relay = await E2eRelay.start({
    directory,
    config: { webhooksAllowLoopback: true },
    overrides: { liveLimits: { mostEvents: KEPT_EVENTS } },
  });
  for (const { deviceId } of fleet.members) await relay.untilStatus(deviceId, 'connected');
  const [{ id: homeId }] = (await relay.asSystem('GET', '/rest/homes')).body;
  const accessories: { id: string }[] = (await relay.get('/rest/accessories')).body;
  for (const [index, url] of subscribers.receiverUrls.entries()) {
    const own = accessories.slice(index * ACCESSORIES_A_WEBHOOK, (index + 1) * ACCESSORIES_A_WEBHOOK);
    const rest = { eventTypes: ['state.changed'], accessoryIds: own.map(({ id }) => id), rateLimitPerMinute: null };
    expect((await relay.asSystem('POST', '/rest/webhooks', { name: url, url, ...rest })).status).toBeLessThan(300);
  }
  const broker = { name: 'Broker', host: '127.0.0.1', port: subscribers.brokerPort };
  expect((await relay.asSystem('POST', `/rest/homes/${homeId}/mqtt/brokers`, broker)).status).toBeLessThan(300);
  const socketUrl = `${relay.url.replace(/^http/, 'ws')}/ws`;
  await subscribers.listen({ url: relay.url, socketUrl, token: relay.token, homeId });
  await until(async () => Object.keys((await subscribers.received()).topics).length >= ACCESSORIES);

  await sendChanges();
  await until(async () => (await subscribers.received()).receivers.every(({ deliveries }) => deliveries >= DELIVERIES));
  subscribers.wake();
  await until(async () => {
    received = await subscribers.received();
    const everyone = [...received.streams, ...received.sockets];
    return everyone.every(hasAll) && lastHues(received).length === ACCESSORIES;
  });
}, 2 * PATIENCE_MS);

afterAll(async () => {
  await relay[Symbol.asyncDispose]();
  await Promise.all([subscribers.close(), fleet.stop()]);
  directory.remove();
});

/** Values that only rise, each accessory in its turn. */
async function sendChanges(): Promise<void> {
  for (let sent = 0; sent < CHANGES; sent += AT_ONCE) {
    const batch = fleet.members
      .slice(0, AT_ONCE)
      .map(({ deviceId }, index) => fleet.set(deviceId, 1, HUE, sent + index + 1));
    await Promise.all(batch);
    if (sent % (10 * AT_ONCE) === 0) kept.push(await metric('hearthd_live_kept_events'));
  }
}

async function metric(name: string): Promise<number> {
  const answer = await fetch(`${relay.url}/metrics`, { headers: { authorization: `Bearer ${relay.token}` } });
  return Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(await answer.text())?.[1]);
}

/** Ends after a time in any case: a missing event then fails a test. */
async function until(isSo: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  while (!(await isSo()) && performance.now() < deadline) await wait(100);
}

const hasAll = ({ changes, missedChanges }: Received['streams'][number]): boolean => changes + missedChanges >= CHANGES;

/** What the broker keeps, of those that are at their last value. */
function lastHues({ topics }: Received): readonly number[] {
  return Object.values(topics)
    .flatMap((text): number[] => (text.startsWith('{') ? [JSON.parse(text).hue ?? 0] : []))
    .filter((hue) => hue > CHANGES - ACCESSORIES);
}

describe('two thousand changes', () => {
  it('reach every webhook that subscribes to them, each once, in order', () => {
    const all = { deliveries: DELIVERIES, repeated: 0, disordered: 0 };
    expect(received.receivers).toEqual(Array.from({ length: SIZE.receivers }, () => all));
  });

  it.each(['streams', 'sockets'] as const)(
    'reach all %s in order, or they learn how many they missed; also those who read late',
    (kind) => {
      expect(received[kind]).toHaveLength(SIZE[kind]);
      expect(received[kind].filter((one) => !hasAll(one) || one.disordered > 0 || one.ended)).toEqual([]);
      // The missed events that it reports are real.
      expect(received[kind].filter(({ changes }) => changes > CHANGES)).toEqual([]);
    },
  );

  it('leave every accessory on the broker at its last value', () => {
    expect(lastHues(received)).toHaveLength(ACCESSORIES);
  });

  it('are kept within bounds, and nothing of them waits in the end', async () => {
    expect(kept.length).toBeGreaterThan(0);
    expect(kept.filter((count) => !(count <= KEPT_EVENTS))).toEqual([]);
    expect(await metric('hearthd_webhook_waiting_deliveries')).toBe(0);
    expect(await metric('hearthd_mqtt_waiting_changes')).toBe(0);
    expect(await metric('hearthd_live_kept_events')).toBe(KEPT_EVENTS);
  });
});
