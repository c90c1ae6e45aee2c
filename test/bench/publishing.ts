/**
 * What a HomeKit bridge of the home costs: a write through it until the device has it, an event until the controller
 * has it, and memory. Beside a write to the device itself, and beside Homebridge with as many lamps.
 */
import { HttpClient } from 'hap-controller';
import { type Fleet, type FleetMember, type FleetWrite, startFleet } from '../support/accessories/fleet.ts';
import { BenchDaemon, CONTROLLER } from './bench-daemon.ts';
import { Homebridge } from './homebridge.ts';
import { KeepAliveClient } from './keep-alive-client.ts';
import { rawClient } from './raw-hap-controller.ts';
import { median, printFinding, quantile } from './report.ts';

const SIZES = [20, 150, 400];
const WARM_UP = 200;
const ROUNDS = 500;
const EVENTS = 100;
/** Homebridge holds most events back for a quarter of a second. */
const PAUSE_MS = 60;
const SETTLE_MS = 5_000;
/** Brightness of the fleet's accessories. */
const BRIGHTNESS_IID = 10;
const BRIGHTNESS = /^0*8(-|$)/;
/** The first of the fleet, by its name. */
const LAMP = 'Fleet 1';
const MAX_MORE_MB = 60;

const now = (): number => performance.timeOrigin + performance.now();
const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const p99 = (values: readonly number[]): string => `p99 ${quantile(values, 0.99).toFixed(2)} ms`;

interface Bridge {
  readonly deviceId: string;
  readonly port: number;
  readonly setupCode: string;
}

/** A controller that paired with a bridge, and the brightness of its first lamp. */
interface Controller {
  readonly client: HttpClient;
  readonly brightness: string;
}

export async function benchPublishing(): Promise<void> {
  let arrived: (at: number) => void = () => {};
  for (const count of SIZES) {
    const onWrite = ({ at }: FleetWrite): void => arrived(at);
    const fleet = await startFleet({ count, controllers: [CONTROLLER], onWrite });
    const daemon = await BenchDaemon.start(fleet.members);
    const homebridge = await Homebridge.start(count);
    homebridge.onReport(({ type, at }) => {
      if (type === 'write') arrived(at);
    });
    try {
      await daemon.untilConnected(count);
      await wait(SETTLE_MS);
      const before = daemon.residentMb();
      const bridges = await publish(daemon);
      const ours = await pair(bridges[0] as Bridge);
      const theirs = await pair(homebridge);
      await wait(SETTLE_MS);
      printFinding({
        what: `memory of a bridge with ${count} accessories`,
        ours: daemon.residentMb(),
        baseline: homebridge.residentMb(),
        unit: 'MB',
        note: `${(daemon.residentMb() - before).toFixed(0)} MB more than without it, of at most ${MAX_MORE_MB}`,
      });
      if (count === SIZES[0]) {
        await benchWrites(daemon, fleet, ours, theirs, (listen) => {
          arrived = listen;
        });
        await benchEvents(daemon, fleet, ours, theirs, homebridge);
      }
      await ours.client.close();
      await theirs.client.close();
    } finally {
      await daemon.stop();
      await homebridge.stop();
      await fleet.stop();
    }
  }
}

async function publish(daemon: BenchDaemon): Promise<readonly Bridge[]> {
  const { status, body } = await daemon.asSystem('POST', '/rest/publications', { name: 'Bench', kind: 'homekit' });
  if (status !== 201 && status !== 200) throw new Error(`The home was not published: ${JSON.stringify(body)}`);
  return body.bridges;
}

async function pair({ deviceId, port, setupCode }: Bridge): Promise<Controller> {
  const setup = new HttpClient(deviceId, '127.0.0.1', port);
  await setup.pairSetup(setupCode);
  const pairing = setup.getLongTermData();
  if (!pairing) throw new Error('The bridge did not pair');
  const client = new HttpClient(deviceId, '127.0.0.1', port, pairing, { usePersistentConnections: true });
  const { accessories } = await client.getAccessories();
  const lamps = accessories.flatMap(({ aid, services }) => {
    const all = services.flatMap(({ characteristics }) => characteristics);
    const brightness = all.find(({ type }) => BRIGHTNESS.test(type ?? ''));
    return brightness ? [{ point: `${aid}.${brightness.iid}`, names: all.map(({ value }) => value) }] : [];
  });
  const lamp = lamps.find(({ names }) => names.includes(LAMP)) ?? lamps[0];
  if (!lamp) throw new Error('The bridge has no lamp');
  return { client, brightness: lamp.point };
}

async function benchWrites(
  daemon: BenchDaemon,
  fleet: Fleet,
  ours: Controller,
  theirs: Controller,
  listen: (arrived: (at: number) => void) => void,
): Promise<void> {
  const direct = rawClient(fleet.members[1] as FleetMember);
  const rest = await KeepAliveClient.connect(daemon.url, daemon.token);
  const body = await bodyFor(LAMP, rest);
  const ways = {
    bridge: (value: number) => ours.client.setCharacteristics({ [ours.brightness]: value }),
    rest: (value: number) => rest.post('/rest/state', body(value)),
    direct: (value: number) => direct.setCharacteristics({ [`1.${BRIGHTNESS_IID}`]: value }),
    homebridge: (value: number) => theirs.client.setCharacteristics({ [theirs.brightness]: value }),
  };
  const reached = { bridge: [] as number[], rest: [] as number[], direct: [] as number[], homebridge: [] as number[] };
  for (let round = 0; round < WARM_UP + ROUNDS; round += 1) {
    for (const way of ['bridge', 'rest', 'direct', 'homebridge'] as const) {
      const arrival = new Promise<number>((resolve) => listen(resolve));
      const start = now();
      await ways[way](round % 101);
      const took = (await arrival) - start;
      if (round >= WARM_UP) reached[way].push(took);
    }
  }
  await direct.close();
  rest.close();
  printFinding({
    what: 'write through the bridge → the device has it',
    ours: median(reached.bridge),
    baseline: median(reached.rest),
    unit: 'ms',
    target: { at: 'most', value: 1.5 },
    note: `the baseline sets it over REST; ${p99(reached.bridge)} against ${p99(reached.rest)}`,
  });
  printFinding({
    what: 'write through the bridge → the device has it, beside a controller of the device itself',
    ours: median(reached.bridge),
    baseline: median(reached.direct),
    unit: 'ms',
    note: `two encrypted connections instead of one; ${p99(reached.bridge)} against ${p99(reached.direct)}`,
  });
  printFinding({
    what: 'write through the bridge → the device has it, beside Homebridge, whose plugin is the device',
    ours: median(reached.bridge),
    baseline: median(reached.homebridge),
    unit: 'ms',
    note: `${p99(reached.bridge)} against ${p99(reached.homebridge)}`,
  });
}

/** @returns what sets the brightness of an accessory in the default room over REST */
async function bodyFor(name: string, rest: KeepAliveClient): Promise<(value: number) => string> {
  const state = JSON.parse((await rest.get('/rest/state')).toString()) as Record<string, Record<string, object>>;
  const keyIn = (record: object, matches: (key: string) => boolean): string => Object.keys(record).find(matches) ?? '';
  const home = keyIn(state, (key) => !key.startsWith('_'));
  const room = keyIn(state[home] ?? {}, (key) => !key.startsWith('_'));
  const slug = `${name.toLowerCase().replace(' ', '_')}_`;
  const accessory = keyIn(state[home]?.[room] ?? {}, (key) => key.startsWith(slug));
  return (brightness) => JSON.stringify({ [home]: { [room]: { [accessory]: { brightness } } } });
}

/** From the device to a controller of the bridge, and to a client of the relay's own live events. */
async function benchEvents(
  daemon: BenchDaemon,
  fleet: Fleet,
  ours: Controller,
  theirs: Controller,
  homebridge: Homebridge,
): Promise<void> {
  const arrived: Record<'bridge' | 'homebridge' | 'live', (at: number) => void> = {
    bridge() {},
    homebridge() {},
    live() {},
  };
  const next = (way: keyof typeof arrived): Promise<number> =>
    new Promise((resolve) => {
      arrived[way] = resolve;
    });
  ours.client.on('event', () => arrived.bridge(now()));
  theirs.client.on('event', () => arrived.homebridge(now()));
  const stopLive = await listenLive(daemon, () => arrived.live(now()));
  await ours.client.subscribeCharacteristics([ours.brightness]);
  await theirs.client.subscribeCharacteristics([theirs.brightness]);
  const { deviceId } = fleet.members[0] as FleetMember;
  const times = { bridge: [] as number[], homebridge: [] as number[], later: [] as number[] };
  for (let round = 0; round < EVENTS; round += 1) {
    const value = (round % 50) + 1;
    const [viaBridge, live] = [next('bridge'), next('live')];
    const setAt = await fleet.set(deviceId, 1, BRIGHTNESS_IID, value);
    const bridgeAt = await viaBridge;
    times.bridge.push(bridgeAt - setAt);
    times.later.push(bridgeAt - (await live));
    await wait(PAUSE_MS);
    const viaHomebridge = next('homebridge');
    const start = now();
    homebridge.set(value);
    times.homebridge.push((await viaHomebridge) - start);
    await wait(PAUSE_MS);
  }
  stopLive();
  printFinding({
    what: 'device’s event → a controller of the bridge',
    ours: median(times.bridge),
    baseline: median(times.homebridge),
    unit: 'ms',
    note: `the baseline is Homebridge’s plugin to its controller; ${p99(times.bridge)} against ${p99(times.homebridge)}`,
  });
  printFinding({
    what: 'that controller’s event after our own live event',
    ours: median(times.later),
    unit: 'ms',
    target: { at: 'most', value: 5 },
    note: p99(times.later),
  });
}

/** @returns what ends it */
async function listenLive({ url, token }: BenchDaemon, onEvent: () => void): Promise<() => void> {
  const ending = new AbortController();
  const headers = { authorization: `Bearer ${token}` };
  const { body } = await fetch(`${url}/events`, { headers, signal: ending.signal });
  if (!body) throw new Error('No live events');
  void (async () => {
    const decoder = new TextDecoder();
    for await (const chunk of body) if (decoder.decode(chunk).includes('state.changed')) onEvent();
  })().catch(() => {});
  return () => ending.abort();
}
