/**
 * A REST write until the accessory has it, and an accessory's event until REST shows it, against raw hap-controller.
 */
import { performance } from 'node:perf_hooks';
import { type Fleet, type FleetMember, type FleetWrite, startFleet } from '../support/accessories/fleet.ts';
import { BenchDaemon, CONTROLLER } from './bench-daemon.ts';
import { KeepAliveClient } from './keep-alive-client.ts';
import { rawClient } from './raw-hap-controller.ts';
import { median, printFinding, quantile } from './report.ts';

const WARM_UP = 300;
const WRITES = 1_500;
const EVENTS = 200;
/** What a real device takes to answer a write, at its quickest: accessories on Wi-Fi need 10 to 100 ms. */
const DEVICE_MS = 10;
const SLOW_WRITES = 150;

const now = (): number => performance.timeOrigin + performance.now();

/** Two accessories alike: one is the daemon's, the other raw hap-controller's. */
export async function benchWriteAndEvent(): Promise<void> {
  let arrived: (write: FleetWrite) => void = () => {};
  const fleet = await startFleet({ count: 2, controllers: [CONTROLLER], onWrite: (write) => arrived(write) });
  const [ours, theirs] = fleet.members;
  if (!ours || !theirs) throw new Error('no fleet');
  const daemon = await BenchDaemon.start([ours]);
  const raw = rawClient(theirs);
  try {
    await daemon.untilConnected(1);
    const rest = await KeepAliveClient.connect(daemon.url, daemon.token);
    const body = await writeBody(rest);
    const viaRest = (n: number): Promise<unknown> => rest.post('/rest/state', body(n));
    const viaRaw = (n: number): Promise<unknown> => raw.setCharacteristics({ '1.10': n % 101 });

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
    const at = (values: readonly number[]): string => `p99 ${quantile(values, 0.99).toFixed(2)} ms`;
    printFinding({
      what: 'REST write → accessory has it',
      ours: median(reached.rest),
      baseline: median(reached.raw),
      unit: 'ms',
      note: `an accessory on loopback that answers at once; ${at(reached.rest)} against ${at(reached.raw)}`,
    });
    printFinding({
      what: 'REST write → answered',
      ours: median(answered.rest),
      baseline: median(answered.raw),
      unit: 'ms',
      note: `the same writes, to the end; ${at(answered.rest)} against ${at(answered.raw)}`,
    });
    await benchEvents(fleet, ours, theirs, rest, raw);
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

async function benchEvents(
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
    const sentAt = fleet.set(ours.deviceId, 1, 11, hue);
    const wanted = `"hue":${hue},`;
    while (!(await rest.get('/rest/state')).includes(wanted));
    seen.rest.push(now() - (await sentAt));
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
