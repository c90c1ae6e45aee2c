/**
 * How soon clients receive what an accessory reports, against raw hap-controller in the same run; and what ten thousand
 * changes in ten seconds do to a daemon to which webhooks, streams, WebSockets and a broker listen.
 */
import { once } from 'node:events';
import { createServer, get } from 'node:http';
import type { AddressInfo } from 'node:net';
import { performance } from 'node:perf_hooks';
import { WebSocket } from 'ws';
import { type Fleet, type FleetMember, startFleet } from '../support/accessories/fleet.ts';
import { type Received, Subscribers } from '../support/subscribers/subscribers.ts';
import { BenchDaemon, CONTROLLER } from './bench-daemon.ts';
import { LoopProbe } from './loop-probe.ts';
import { rawClient } from './raw-hap-controller.ts';
import { median, printFinding, quantile } from './report.ts';

const HUE = 11;
const WARM_UP = 50;
const EVENTS = 300;
/** Longer than anything gathers that follows at once: this is the latency of a home in which little happens. */
const QUIET_MS = 60;
const FLAGS = ['--webhooks-allow-loopback', 'true'];

const CHANGES = 10_000;
const SECONDS = 10;
const ACCESSORIES = 100;
const MANY = { receivers: 5, streams: 50, sockets: 50, deaf: 0 };
const MAX_LOOP_P99_MS = 50;
/** All that five receivers get, one after the other each. */
const DRAIN_MS = 300_000;

const now = (): number => performance.timeOrigin + performance.now();
const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

type Entry = 'WebSocket' | 'SSE' | 'webhook';

export async function benchBroadcasting(): Promise<void> {
  const fleet = await startFleet({ count: 2, controllers: [CONTROLLER] });
  const [ours, theirs] = fleet.members as [FleetMember, FleetMember];
  const daemon = await BenchDaemon.start([ours], { flags: FLAGS });
  const raw = rawClient(theirs);
  const receivedAt: Partial<Record<Entry | 'raw', (at: number) => void>> = {};
  const next = (entry: Entry | 'raw'): Promise<number> =>
    new Promise((resolve) => {
      receivedAt[entry] = resolve;
    });
  try {
    await daemon.untilConnected(1);
    raw.on('event', () => receivedAt.raw?.(now()));
    await raw.subscribeCharacteristics([`1.${HUE}`]);
    const close = await listenEverywhere(daemon, (entry) => receivedAt[entry]?.(now()));
    const times: Record<Entry | 'raw', number[]> = { WebSocket: [], SSE: [], webhook: [], raw: [] };
    for (let round = 0; round < WARM_UP + EVENTS; round += 1) {
      const hue = (round % 359) + 1;
      await wait(QUIET_MS);
      const arrivals = (['WebSocket', 'SSE', 'webhook'] as const).map(
        async (entry) => [entry, await next(entry)] as const,
      );
      const sentAt = await fleet.set(ours.deviceId, 1, HUE, hue);
      for (const [entry, at] of await Promise.all(arrivals)) times[entry].push(at - sentAt);
      await wait(QUIET_MS);
      const arrival = next('raw');
      const rawSentAt = await fleet.set(theirs.deviceId, 1, HUE, hue);
      times.raw.push((await arrival) - rawSentAt);
    }
    const baseline = times.raw.slice(WARM_UP);
    for (const entry of ['WebSocket', 'SSE', 'webhook'] as const) {
      const measured = times[entry].slice(WARM_UP);
      printFinding({
        what: `accessory event → received by ${entry}`,
        ours: median(measured),
        baseline: median(baseline),
        unit: 'ms',
        note: `p99 ${quantile(measured, 0.99).toFixed(2)} against ${quantile(baseline, 0.99).toFixed(2)} ms`,
      });
    }
    close();
    await raw.close();
  } finally {
    await daemon.stop();
    await fleet.stop();
  }
}

/** One of each, in this process. @returns what closes them */
async function listenEverywhere(daemon: BenchDaemon, onChange: (entry: Entry) => void): Promise<() => void> {
  const receiver = createServer((request, response) => {
    request.resume();
    request.on('end', () => {
      onChange('webhook');
      response.writeHead(204).end();
    });
  });
  receiver.listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  await addWebhook(daemon, `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`);

  const authorization = `Bearer ${daemon.token}`;
  const stream = get(`${daemon.url}/events`, { headers: { authorization } });
  const [answer] = await once(stream, 'response');
  answer.on('data', (bytes: Buffer) => {
    if (bytes.includes('event: state.changed')) onChange('SSE');
  });

  const socket = new WebSocket(daemon.socketUrl);
  await once(socket, 'open');
  const ask = (id: string, action: string, payload: object): void =>
    socket.send(JSON.stringify({ id, type: 'request', action, payload }));
  ask('1', 'authenticate', { token: daemon.token });
  ask('2', 'subscribe', { scopes: [{ type: 'home', id: await daemon.homeId() }], ttl: 300 });
  await new Promise<void>((resolve) => {
    socket.on('message', (data: Buffer) => {
      if (data.includes('"characteristic_update"')) onChange('WebSocket');
      else if (data.includes('"id":"2"')) resolve();
    });
  });
  return () => {
    socket.terminate();
    stream.destroy();
    receiver.closeAllConnections();
    receiver.close();
  };
}

async function addWebhook(daemon: BenchDaemon, url: string): Promise<void> {
  const hook = { name: `Bench ${url}`, url, eventTypes: ['state.changed'], rateLimitPerMinute: null };
  const { status, body } = await daemon.asSystem('POST', '/rest/webhooks', hook);
  if (status >= 300) throw new Error(`A webhook was refused: ${JSON.stringify(body)}`);
}

/** Changes rise by one, so that a receiver sees what is out of order. */
async function sendChanges(fleet: Fleet, eachSecond: () => void): Promise<number> {
  const { members } = fleet;
  const started = performance.now();
  let sent = 0;
  for (let second = 1; second <= SECONDS; second += 1) {
    const goal = (second * CHANGES) / SECONDS;
    while (sent < goal) {
      const due = Math.min(goal, ((performance.now() - started) / 1_000) * (CHANGES / SECONDS));
      if (sent >= due) await wait(1);
      const batch: Promise<number>[] = [];
      for (; sent < due; sent += 1) {
        batch.push(fleet.set((members[sent % members.length] as FleetMember).deviceId, 1, HUE, sent + 1));
      }
      await Promise.all(batch);
    }
    eachSecond();
  }
  return (performance.now() - started) / 1_000;
}

export async function benchBroadcast(): Promise<void> {
  const fleet = await startFleet({ count: ACCESSORIES, controllers: [CONTROLLER] });
  const subscribers = await Subscribers.open(MANY);
  const probe = new LoopProbe();
  const daemon = await BenchDaemon.start(fleet.members, {
    flags: FLAGS,
    variables: probe.variables,
  });
  try {
    await daemon.untilConnected(ACCESSORIES);
    const homeId = await daemon.homeId();
    for (const url of subscribers.receiverUrls) await addWebhook(daemon, url);
    await daemon.asSystem('POST', `/rest/homes/${homeId}/mqtt/brokers`, {
      name: 'Bench',
      host: '127.0.0.1',
      port: subscribers.brokerPort,
    });
    await subscribers.listen({ url: daemon.url, socketUrl: daemon.socketUrl, token: daemon.token, homeId });
    await wait(3_000);
    const before = daemon.residentMb();
    const p99s: number[] = [];
    const seconds = await sendChanges(fleet, () => p99s.push(probe.read().p99));
    const peak = daemon.residentMb();
    const received = await untilReceived(subscribers);
    printFinding({
      what: `${CHANGES} changes in ${seconds.toFixed(1)} s to ${MANY.receivers} webhooks, ${MANY.streams} streams, ${MANY.sockets} WebSockets and a broker: event loop, p99`,
      ours: Math.max(...p99s),
      unit: 'ms',
      target: { at: 'most', value: MAX_LOOP_P99_MS },
      note: `the worst of ${p99s.length} seconds, median ${median(p99s).toFixed(1)} ms; ${before.toFixed(0)} MB resident before, ${peak.toFixed(0)} MB after, ${daemon.residentMb().toFixed(0)} MB at the end`,
    });
    console.log(`    ${describe(received)}`);
  } finally {
    await subscribers.close();
    await daemon.stop();
    await fleet.stop();
    probe.remove();
  }
}

/** Until the receivers have everything, and none receives anything new. */
async function untilReceived(subscribers: Subscribers): Promise<Received & { readonly seconds: number }> {
  const started = performance.now();
  let received = await subscribers.received();
  while (received.receivers.some(({ deliveries }) => deliveries < CHANGES) && performance.now() - started < DRAIN_MS) {
    await wait(500);
    received = await subscribers.received();
  }
  return { ...received, seconds: (performance.now() - started) / 1_000 };
}

function describe({ receivers, streams, sockets, topics, seconds }: Received & { seconds: number }): string {
  const range = (values: readonly number[]): string => `${Math.min(...values)}–${Math.max(...values)}`;
  const hues = Object.values(topics).flatMap((text) => (text.startsWith('{') ? [JSON.parse(text).hue ?? 0] : []));
  return [
    `each receiver had ${range(receivers.map(({ deliveries }) => deliveries))} deliveries after ${seconds.toFixed(0)} s more,`,
    `${range(receivers.map(({ repeated }) => repeated))} twice, ${range(receivers.map(({ disordered }) => disordered))} out of order;`,
    `streams ${range(streams.map(({ changes }) => changes))} changes and ${range(streams.map(({ missedChanges }) => missedChanges))} told to be missed;`,
    `sockets ${range(sockets.map(({ changes }) => changes))} and ${range(sockets.map(({ missedChanges }) => missedChanges))};`,
    `broker: ${hues.filter((hue) => hue > CHANGES - ACCESSORIES).length} of ${ACCESSORIES} accessories at their last value`,
  ].join(' ');
}
