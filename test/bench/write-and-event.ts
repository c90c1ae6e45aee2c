/**
 * A REST write until the accessory has it, and an accessory's event until REST shows it, against raw hap-controller.
 */
import { performance } from 'node:perf_hooks';
import { type Fleet, type FleetMember, type FleetWrite, startFleet } from '../support/accessories/fleet.ts';
import { BenchDaemon, CONTROLLER } from './bench-daemon.ts';
import { setBodies } from './floor.ts';
import { KeepAliveClient } from './keep-alive-client.ts';
import { rawClient } from './raw-hap-controller.ts';
import { median, printFinding, quantile } from './report.ts';

const SIZES = [100, 500] as const;
const MAX_CHILDREN = 100;
const WARM_UP = 300;
const WRITES = 1_000;
const QUIET_MS = 60;
const EVENTS = 200;
/** What a real device takes to answer a write, at its quickest: accessories on Wi-Fi need 10 to 100 ms. */
const DEVICE_MS = 10;
const SLOW_WRITES = 150;

const now = (): number => performance.timeOrigin + performance.now();
const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

export async function benchWriteAndEvent(): Promise<void> {
  for (const size of SIZES) await benchWrites(size);
  await benchEvents();
}

/** A home of `size` lamps, of which one is set, beside raw hap-controller with a bridge of its own. */
async function benchWrites(size: number): Promise<void> {
  let arrived: (write: FleetWrite) => void = () => {};
  const fleet = await startFleet({
    count: 1 + Math.ceil(size / MAX_CHILDREN),
    children: MAX_CHILDREN,
    controllers: [CONTROLLER],
    onWrite: (write) => arrived(write),
  });
  const [theirs, ...bridges] = fleet.members;
  const [ours] = bridges;
  if (!ours || !theirs) throw new Error('no fleet');
  const daemon = await BenchDaemon.start(bridges);
  const raw = rawClient(theirs);
  try {
    await daemon.untilConnected(bridges.length);
    const rest = await KeepAliveClient.connect(daemon.url, daemon.token);
    const body = await setBodies(daemon, ours);
    const viaRest = (n: number): Promise<unknown> => rest.post('/rest/state', body(n));
    const viaRaw = (n: number): Promise<unknown> => raw.setCharacteristics({ '2.10': n % 101 });

    for (let n = 0; n < WARM_UP; n += 1) {
      await viaRest(n);
      await viaRaw(n);
    }
    const answered = { rest: [] as number[], raw: [] as number[] };
    const reached = { rest: [] as number[], raw: [] as number[] };
    for (let n = 0; n < WRITES; n += 1) {
      for (const [door, write] of [
        ['rest', viaRest],
        ['raw', viaRaw],
      ] as const) {
        const start = now();
        const arrival = new Promise<number>((resolve) => {
          arrived = (received) => resolve(received.at);
        });
        await write(n);
        answered[door].push(now() - start);
        reached[door].push((await arrival) - start);
      }
    }
    for (const [what, times] of Object.entries({ 'accessory has it': reached, answered })) {
      printFinding({
        what: `REST write, ${size} accessories → ${what}`,
        ours: median(times.rest),
        baseline: median(times.raw),
        unit: 'ms',
        note: `p99 ${quantile(times.rest, 0.99).toFixed(2)} against ${quantile(times.raw, 0.99).toFixed(2)} ms`,
      });
    }
    await raw.close();
    rest.close();
  } finally {
    await daemon.stop();
    await fleet.stop();
  }
}

/** The accessory's own time is part of both: a door is judged by what it adds to a device as devices are. */
export async function benchWriteToRealisticDevice(): Promise<void> {
  const fleet = await startFleet({ count: 2, controllers: [CONTROLLER], replyDelayMs: DEVICE_MS });
  const [ours, theirs] = fleet.members;
  if (!ours || !theirs) throw new Error('no fleet');
  const daemon = await BenchDaemon.start([ours]);
  const raw = rawClient(theirs);
  try {
    await daemon.untilConnected(1);
    const rest = await KeepAliveClient.connect(daemon.url, daemon.token);
    const body = await writeBody(rest);
    const times = { rest: [] as number[], raw: [] as number[] };
    for (let n = 0; n < SLOW_WRITES; n += 1) {
      let start = now();
      await rest.post('/rest/state', body(n));
      times.rest.push(now() - start);
      start = now();
      await raw.setCharacteristics({ '1.10': n % 101 });
      times.raw.push(now() - start);
    }
    printFinding({
      what: `REST write → answered, accessory that takes ${DEVICE_MS} ms`,
      ours: median(times.rest),
      baseline: median(times.raw),
      unit: 'ms',
      target: { at: 'most', value: 1.25 },
      note: 'the quickest that real accessories answer',
    });
    await raw.close();
    rest.close();
  } finally {
    await daemon.stop();
    await fleet.stop();
  }
}

/** Two accessories alike: one is the daemon's, the other raw hap-controller's. */
async function benchEvents(): Promise<void> {
  const fleet = await startFleet({ count: 2, controllers: [CONTROLLER] });
  const [ours, theirs] = fleet.members;
  if (!ours || !theirs) throw new Error('no fleet');
  const daemon = await BenchDaemon.start([ours]);
  const raw = rawClient(theirs);
  try {
    await daemon.untilConnected(1);
    const rest = await KeepAliveClient.connect(daemon.url, daemon.token);
    await compareEvents(fleet, ours, theirs, rest, raw);
    await raw.close();
    rest.close();
  } finally {
    await daemon.stop();
    await fleet.stop();
  }
}

async function compareEvents(
  fleet: Fleet,
  ours: FleetMember,
  theirs: FleetMember,
  rest: KeepAliveClient,
  raw: ReturnType<typeof rawClient>,
): Promise<void> {
  const seen = { rest: [] as number[], raw: [] as number[] };
  let receivedEvents: (at: number) => void = () => {};
  raw.on('event', () => receivedEvents(now()));
  await raw.subscribeCharacteristics(['1.11']);
  for (let n = 1; n <= EVENTS; n += 1) {
    const hue = (n % 359) + 1;
    await wait(QUIET_MS);
    const sentAt = fleet.set(ours.deviceId, 1, 11, hue);
    const wanted = `"hue":${hue},`;
    while (!(await rest.get('/rest/state')).includes(wanted));
    seen.rest.push(now() - (await sentAt));
    await wait(QUIET_MS);
    const event = new Promise<number>((resolve) => {
      receivedEvents = resolve;
    });
    const rawSentAt = await fleet.set(theirs.deviceId, 1, 11, hue);
    seen.raw.push((await event) - rawSentAt);
  }
  printFinding({
    what: 'accessory event → visible by REST',
    ours: median(seen.rest),
    baseline: median(seen.raw),
    unit: 'ms',
    note: `asked in a loop until it shows, p99 ${quantile(seen.rest, 0.99).toFixed(2)} ms; the baseline hears the event itself`,
  });
}

/** The body that sets the one lamp's brightness, with its real slug keys. */
async function writeBody(rest: KeepAliveClient): Promise<(n: number) => string> {
  const state = JSON.parse((await rest.get('/rest/state')).toString()) as Record<string, Record<string, object>>;
  const own = (record: object): string => Object.keys(record).find((key) => !key.startsWith('_')) ?? '';
  const home = own(state);
  const room = own(state[home] ?? {});
  const [accessory = ''] = Object.keys(state[home]?.[room] ?? {});
  return (n) => JSON.stringify({ [home]: { [room]: { [accessory]: { brightness: n % 101 } } } });
}
