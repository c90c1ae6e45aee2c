/**
 * hearthd beside the smallest possible relay (`floor-child.ts`): setting a lamp of a large bridge, one client after the
 * other answer and ten at once, and sending what the bridge reports, at several gaps between two reports.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { type ClientRequest, get } from 'node:http';
import { performance } from 'node:perf_hooks';
import { type Fleet, type FleetMember, type FleetWrite, startFleet } from '../support/accessories/fleet.ts';
import { BenchDaemon, CONTROLLER } from './bench-daemon.ts';
import { compileChild } from './compiled-child.ts';
import { KeepAliveClient } from './keep-alive-client.ts';
import { processorMs, residentMb } from './process-stats.ts';
import { rawMember } from './raw-hap-controller.ts';
import { median, printFinding, quantile } from './report.ts';

const WARM_UP = 300;
const WRITES = 1_000;
const CLIENTS = 10;
const SETS_EACH = 400;
const SET_ROUNDS = 3;
/** A bridge of as many accessories as the large homes that are measured, and one bridge of HAP's largest. */
const SIZES = [100, 500] as const;
const MAX_CHILDREN = 100;
const GAPS_MS = [60, 20, 10, 0] as const;
const REPORTS = 200;
const QUIET_MS = 60;
const COST_ROUNDS = 3;
const COST_REPORTS = 500;
const REPORT_PAUSE_MS = 12;
const BRIGHTNESS = 10;
const HUE = 11;

const now = (): number => performance.timeOrigin + performance.now();
const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Both sides have bridges of their own; ours has `size` accessories in all, and only the first is set. */
interface Sides {
  readonly fleet: Fleet;
  readonly daemon: BenchDaemon;
  readonly floor: Floor;
  readonly ours: FleetMember;
  readonly theirs: FleetMember;
  onWrite(listener: (write: FleetWrite) => void): void;
}

export class Floor {
  readonly #child: ChildProcess;
  readonly url: string;

  private constructor(child: ChildProcess, port: number) {
    this.#child = child;
    this.url = `http://127.0.0.1:${port}`;
  }

  static async start(member: FleetMember): Promise<Floor> {
    // A session of its own, as the daemon has: Linux shares the processors among sessions, and then within each.
    const child = fork(await compileChild('floor-child'), { execArgv: [], detached: true });
    child.send(rawMember(member));
    const [port] = (await once(child, 'message')) as [number];
    return new Floor(child, port);
  }

  /** Resident memory in MB. Linux only. */
  residentMb(): number {
    return residentMb(this.#child.pid);
  }

  /** Processor time in milliseconds. Linux only. */
  processorMs(): number {
    return processorMs(this.#child.pid);
  }

  stop(): void {
    this.#child.kill();
  }
}

async function withSides(size: number, reportWrites: boolean, run: (sides: Sides) => Promise<void>): Promise<void> {
  let onWrite: (write: FleetWrite) => void = () => {};
  const fleet = await startFleet({
    count: 1 + Math.ceil(size / MAX_CHILDREN),
    children: Math.min(size, MAX_CHILDREN),
    controllers: [CONTROLLER],
    ...(reportWrites && { onWrite: (write) => onWrite(write) }),
  });
  const [theirs, ...bridges] = fleet.members;
  const [ours] = bridges;
  if (!theirs || !ours) throw new Error('no fleet');
  const daemon = await BenchDaemon.start(bridges);
  const floor = await Floor.start(theirs);
  const listen = (listener: typeof onWrite): void => {
    onWrite = listener;
  };
  try {
    await daemon.untilConnected(bridges.length);
    await run({ fleet, daemon, floor, ours, theirs, onWrite: listen });
  } finally {
    floor.stop();
    await daemon.stop();
    await fleet.stop();
  }
}

export async function benchSet(): Promise<void> {
  for (const size of SIZES) await withSides(size, true, (sides) => benchClosedLoop(size, sides));
  await withSides(SIZES[0], false, benchThroughput);
}

/** One client that waits for each answer, in turns. */
async function benchClosedLoop(size: number, { daemon, floor, ours, theirs, onWrite }: Sides): Promise<void> {
  const bodies = await setBodies(daemon, ours);
  const sides = {
    ours: { client: await KeepAliveClient.connect(daemon.url, daemon.token), body: bodies, deviceId: ours.deviceId },
    floor: { client: await KeepAliveClient.connect(floor.url, ''), body: floorBody, deviceId: theirs.deviceId },
  };
  const reached = { ours: [] as number[], floor: [] as number[] };
  const answered = { ours: [] as number[], floor: [] as number[] };
  for (let n = 0; n < WARM_UP + WRITES; n += 1) {
    for (const side of ['ours', 'floor'] as const) {
      const { client, body, deviceId } = sides[side];
      const arrival = new Promise<number>((resolve) => {
        onWrite((write) => write.deviceId === deviceId && resolve(write.at));
      });
      const start = now();
      await client.post('/rest/state', body(n));
      answered[side].push(now() - start);
      reached[side].push((await arrival) - start);
    }
  }
  for (const { client } of Object.values(sides)) client.close();
  for (const [what, times] of Object.entries({ 'the device has it': reached, answered })) {
    const [own, least] = [times.ours.slice(WARM_UP), times.floor.slice(WARM_UP)];
    printFinding({
      what: `set, ${size} accessories → ${what}`,
      ours: median(own),
      baseline: median(least),
      unit: 'ms',
      target: { at: 'most', value: 1.1 },
      note: `p99 ${quantile(own, 0.99).toFixed(2)} against ${quantile(least, 0.99).toFixed(2)} ms`,
    });
  }
}

async function benchThroughput({ daemon, floor, ours }: Sides): Promise<void> {
  const body = await setBodies(daemon, ours);
  const rates = { ours: [] as number[], floor: [] as number[] };
  for (let round = 0; round < SET_ROUNDS; round += 1) {
    rates.ours.push(await setsASecond(daemon.url, daemon.token, body));
    rates.floor.push(await setsASecond(floor.url, '', floorBody));
  }
  printFinding({
    what: `sets, ${CLIENTS} clients, each waits for the device`,
    ours: median(rates.ours),
    baseline: median(rates.floor),
    unit: 'sets/s',
    target: { at: 'least', value: 1.6 },
  });
}

/** Each client sets lamps of its own in turns, so that no value replaces another. */
async function setsASecond(url: string, token: string, body: (n: number, lamp: number) => string): Promise<number> {
  const clients = await Promise.all(Array.from({ length: CLIENTS }, () => KeepAliveClient.connect(url, token)));
  const start = now();
  await Promise.all(
    clients.map(async (client, lamp) => {
      for (let n = 0; n < SETS_EACH; n += 1) await client.post('/rest/state', body(n, lamp));
    }),
  );
  const seconds = (now() - start) / 1_000;
  for (const client of clients) client.close();
  return (CLIENTS * SETS_EACH) / seconds;
}

export function floorBody(n: number, lamp = 0): string {
  return JSON.stringify({ [`${lamp + 2}.${BRIGHTNESS}`]: n % 101 });
}

/** The bodies that set the brightness of the bridge's lamps, with their real slug keys. */
export async function setBodies(
  daemon: BenchDaemon,
  bridge: FleetMember,
): Promise<(n: number, lamp?: number) => string> {
  const { body: accessories } = await daemon.asSystem('GET', '/rest/accessories');
  const { body: state } = await daemon.asSystem('GET', '/rest/state');
  const { body: pairings } = await daemon.asSystem('GET', '/rest/pairings');
  const own = pairings.find((pairing: { deviceId: string }) => pairing.deviceId === bridge.deviceId);
  const ids = new Set<string>((own?.accessories ?? []).map((one: { id: string }) => one.id));
  const lamps: readonly { id: string; name: string }[] = accessories.filter(
    ({ id, name }: { id: string; name: string }) => ids.has(id) && name.startsWith('Lamp'),
  );
  const [home, rooms] = Object.entries(state).find(([key]) => !key.startsWith('_')) as [string, object];
  const [room] = Object.entries(rooms).find(([key]) => !key.startsWith('_')) as [string, object];
  const keys = lamps.map(({ name, id }) => `${name.toLowerCase().replaceAll(' ', '_')}_${id.slice(-4).toLowerCase()}`);
  return (n, lamp = 0) => JSON.stringify({ [home]: { [room]: { [keys[lamp] ?? '']: { brightness: n % 101 } } } });
}

/** Two lamps report, one a gap after the other; the second one's way is measured. */
export async function benchEventGaps(): Promise<void> {
  await withSides(2, false, async ({ fleet, daemon, floor, ours, theirs }) => {
    const arrivals: Record<'ours' | 'floor', (text: string) => void> = { ours: () => {}, floor: () => {} };
    const streams = [
      await listen(`${daemon.url}/events`, daemon.token, (text) => arrivals.ours(text)),
      await listen(`${floor.url}/events`, '', (text) => arrivals.floor(text)),
    ];
    for (const gapMs of GAPS_MS) {
      const times = { ours: [] as number[], floor: [] as number[] };
      for (let round = 0; round < REPORTS; round += 1) {
        const hue = (round % 359) + 1;
        for (const [side, { deviceId }] of [
          ['ours', ours],
          ['floor', theirs],
        ] as const) {
          await wait(QUIET_MS);
          await fleet.set(deviceId, 2, HUE, hue);
          if (gapMs > 0) await wait(gapMs);
          const wanted = new RegExp(`(?:hue|value)\\W+${hue}\\b`, 'g');
          let seen = '';
          const arrival = new Promise<number>((resolve) => {
            arrivals[side] = (text) => {
              seen += text;
              if ((seen.match(wanted)?.length ?? 0) >= (gapMs > 0 ? 1 : 2)) resolve(now());
            };
          });
          const sentAt = await fleet.set(deviceId, 3, HUE, hue);
          times[side].push((await arrival) - sentAt);
        }
      }
      printFinding({
        what: `report → SSE, ${gapMs} ms after another lamp's`,
        ours: median(times.ours),
        baseline: median(times.floor),
        unit: 'ms',
        target: { at: 'most', value: 1.1 },
        note: `p99 ${quantile(times.ours, 0.99).toFixed(2)} against ${quantile(times.floor, 0.99).toFixed(2)} ms`,
      });
    }
    await benchReportCost({ fleet, daemon, floor, ours, theirs }, arrivals);
    for (const stream of streams) stream.destroy();
  });
}

/** What a report costs each side, which other programs on the computer do not lengthen. */
async function benchReportCost(
  { fleet, daemon, floor, ours, theirs }: Omit<Sides, 'onWrite'>,
  arrivals: Record<'ours' | 'floor', (text: string) => void>,
): Promise<void> {
  const costs = { ours: [] as number[], floor: [] as number[] };
  for (let round = 0; round < COST_ROUNDS; round += 1) {
    for (const [side, { deviceId }, program] of [
      ['ours', ours, daemon],
      ['floor', theirs, floor],
    ] as const) {
      const before = program.processorMs();
      for (let n = 0; n < COST_REPORTS; n += 1) {
        const wanted = new RegExp(`(?:hue|value)\\W+${(n % 359) + 1}\\b`);
        const arrival = new Promise<void>((resolve) => {
          arrivals[side] = (text) => {
            if (wanted.test(text)) resolve();
          };
        });
        await fleet.set(deviceId, 3, HUE, (n % 359) + 1);
        await arrival;
        // As sensors do: otherwise a burst would be gathered.
        await wait(REPORT_PAUSE_MS);
      }
      costs[side].push((program.processorMs() - before) / COST_REPORTS);
    }
  }
  printFinding({
    what: 'processor time of a report → SSE, with what is written down of it',
    ours: median(costs.ours),
    baseline: median(costs.floor),
    unit: 'ms',
  });
}

export async function listen(url: string, token: string, onText: (text: string) => void): Promise<ClientRequest> {
  const request = get(url, { headers: { authorization: `Bearer ${token}` } });
  const [response] = await once(request, 'response');
  response.setEncoding('utf8').on('data', onText);
  return request;
}
