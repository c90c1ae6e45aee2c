/**
 * `npm run bench -- --markdown` and `-- --compare <git ref>`: one table of what people and programs wait for, of two
 * sides in turns. Both sides do the same, with the same pauses, in the same seconds.
 */
import { startFleet } from '../support/accessories/fleet.ts';
import { BenchDaemon, CONTROLLER } from './bench-daemon.ts';
import { listen } from './floor.ts';
import { KeepAliveClient } from './keep-alive-client.ts';
import { measureRawHome } from './raw-hap-controller.ts';
import { REQUESTS, type RequestName, type Side, type StartSide } from './sides.ts';
import { type Row, ratesOf, seriesOf, type Table } from './table.ts';

/** One bridge each where both sides have all accessories; several of at most so many where only ours has. */
const MAX_CHILDREN = 100;
const CLIENTS = 10;
const GAPS_MS = [60, 20, 0] as const;
const QUIET_MS = 60;
const HUE = 11;
const SETTLE_MS = 5_000;

/** How much is measured. */
export interface Extent {
  readonly sizes: readonly number[];
  /** One client's requests. */
  readonly turns: number;
  readonly rounds: number;
  readonly reports: number;
  readonly starts: number;
  readonly separateAccessories: number;
  /** Requests before the measured ones, and of each client in a round. */
  readonly requests: Readonly<Record<'short' | 'long', { readonly warmUp: number; readonly aRound: number }>>;
}

/**
 * Both sides are warm: Node compiles what runs often, and slows the first thousand requests. Processor time is counted
 * in steps of 10 ms, so that a round of short requests needs many of them.
 */
export const WHOLE: Extent = {
  sizes: [100, 500],
  turns: 150,
  rounds: 5,
  reports: 60,
  starts: 3,
  separateAccessories: 100,
  requests: { short: { warmUp: 1_000, aRound: 100 }, long: { warmUp: 50, aRound: 20 } },
};

/** A few of each, in a minute: whether everything runs, and not how fast it is. */
export const SMALL: Extent = {
  sizes: [10],
  turns: 10,
  rounds: 1,
  reports: 3,
  starts: 1,
  separateAccessories: 5,
  requests: { short: { warmUp: 20, aRound: 20 }, long: { warmUp: 5, aRound: 5 } },
};

/** Requests whose answer is a large part of the home. */
const LONG: ReadonlySet<RequestName> = new Set([
  'all accessories',
  'all accessories, unchanged',
  'the whole home by GraphQL',
]);

type Sides = readonly [ours: Side, other: Side];

const now = (): number => performance.timeOrigin + performance.now();
const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

export async function measureTable(
  table: Table,
  startOurs: StartSide,
  startOther: StartSide,
  programs: Programs,
  extent: Extent,
): Promise<void> {
  for (const size of extent.sizes) await measureHome(table, size, extent, startOurs, startOther);
  await measureStarts(table, extent, programs);
}

async function measureHome(
  table: Table,
  size: number,
  extent: Extent,
  startOurs: StartSide,
  startOther: StartSide,
): Promise<void> {
  const bridges = Math.ceil(size / MAX_CHILDREN);
  const children = Math.min(size, MAX_CHILDREN);
  const fleet = await startFleet({ count: 2 * bridges, children, controllers: [CONTROLLER] });
  const sides: Side[] = [];
  try {
    sides.push(await startOurs(fleet.members.slice(0, bridges)));
    sides.push(await startOther(fleet.members.slice(bridges)));
    const both = sides as unknown as Sides;
    await wait(SETTLE_MS);
    table.add(memoryRow(`RSS, ${size} accessories, connected`, both));
    for (const name of REQUESTS) {
      const what = `${name}, ${size} accessories`;
      table.add(await measureOneClient(what, name, extent, both));
      const rows = await measureManyClients(`${what}, ${CLIENTS} clients`, name, extent, both);
      for (const row of rows) table.add(row);
    }
    table.add(memoryRow(`RSS, ${size} accessories, after all these requests`, both));
    if (size !== extent.sizes[0]) return;
    for (const gapMs of GAPS_MS) {
      table.add(await measureReports(gapMs, extent.reports, both, fleet.set.bind(fleet)));
    }
  } finally {
    for (const side of sides) await side.stop();
    await fleet.stop();
  }
}

function memoryRow(what: string, sides: Sides): Row {
  const [ours, other] = sides.map((side) => seriesOf([side.residentMb()]));
  return { what, unit: 'MB', ours: ours as Row['ours'], other: other as Row['other'], better: 'small' };
}

async function measureOneClient(
  what: string,
  name: RequestName,
  { turns, requests }: Extent,
  sides: Sides,
): Promise<Row> {
  const { warmUp } = requests[LONG.has(name) ? 'long' : 'short'];
  const clients = await Promise.all(sides.map(({ url, token }) => KeepAliveClient.connect(url, token)));
  const times: [number[], number[]] = [[], []];
  for (let n = 0; n < warmUp + turns; n += 1) {
    for (const [index, side] of sides.entries()) {
      const start = now();
      await side.requests[name](clients[index] as KeepAliveClient, n, 0);
      if (n >= warmUp) times[index as 0 | 1].push(now() - start);
    }
  }
  for (const client of clients) client.close();
  return { what, unit: 'ms', ours: seriesOf(times[0]), other: seriesOf(times[1]), better: 'small' };
}

/** Also the processor time of the side, which stays the same on a busy computer. */
async function measureManyClients(
  what: string,
  name: RequestName,
  { rounds, requests }: Extent,
  sides: Sides,
): Promise<Row[]> {
  const { aRound } = requests[LONG.has(name) ? 'long' : 'short'];
  const times: [number[], number[]] = [[], []];
  const rates: [number[], number[]] = [[], []];
  const processor: [number[], number[]] = [[], []];
  const clients = await Promise.all(
    sides.map(({ url, token }) =>
      Promise.all(Array.from({ length: CLIENTS }, () => KeepAliveClient.connect(url, token))),
    ),
  );
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, side] of sides.entries()) {
      const own = times[index as 0 | 1];
      const begun = now();
      const spent = side.processorMs();
      await Promise.all(
        (clients[index] ?? []).map(async (client, lamp) => {
          for (let n = 0; n < aRound; n += 1) {
            const start = now();
            await side.requests[name](client, round * aRound + n, lamp);
            own.push(now() - start);
          }
        }),
      );
      rates[index as 0 | 1].push((CLIENTS * aRound * 1_000) / (now() - begun));
      processor[index as 0 | 1].push((side.processorMs() - spent) / (CLIENTS * aRound));
    }
  }
  for (const client of clients.flat()) client.close();
  return [
    { what, unit: 'ms', ours: seriesOf(times[0]), other: seriesOf(times[1]), better: 'small' },
    { what, unit: 'ms of processor', ours: seriesOf(processor[0]), other: seriesOf(processor[1]), better: 'small' },
    { what, unit: 'a second', ours: ratesOf(rates[0]), other: ratesOf(rates[1]), better: 'large' },
  ];
}

/** Two lamps report, one a gap after the other; the way of the last one is measured. */
async function measureReports(
  gapMs: number,
  reports: number,
  sides: Sides,
  set: (deviceId: string, aid: number, iid: number, value: unknown) => Promise<number>,
): Promise<Row> {
  const times: [number[], number[]] = [[], []];
  const onText: ((text: string) => void)[] = [() => {}, () => {}];
  const streams = await Promise.all(
    sides.map(({ url, token }, index) => listen(`${url}/events`, token, (text) => onText[index]?.(text))),
  );
  for (let round = 0; round < reports; round += 1) {
    const hue = (round % 359) + 1;
    for (const [index, { bridge }] of sides.entries()) {
      await wait(QUIET_MS);
      await set(bridge.deviceId, 2, HUE, hue);
      if (gapMs > 0) await wait(gapMs);
      const wanted = new RegExp(`(?:hue|value)\\W+${hue}\\b`, 'g');
      let seen = '';
      const arrival = new Promise<number>((resolve) => {
        onText[index] = (text) => {
          seen += text;
          if ((seen.match(wanted)?.length ?? 0) >= (gapMs > 0 ? 1 : 2)) resolve(now());
        };
      });
      const sentAt = await set(bridge.deviceId, 3, HUE, hue);
      times[index as 0 | 1].push((await arrival) - sentAt);
    }
  }
  for (const stream of streams) stream.destroy();
  const what = `a report → SSE, ${gapMs} ms after another lamp's`;
  return { what, unit: 'ms', ours: seriesOf(times[0]), other: seriesOf(times[1]), better: 'small' };
}

/** `bin/hearthd.js` of both sides; without the second one, raw hap-controller is the other side. */
export interface Programs {
  readonly ours?: string;
  readonly other?: string;
}

async function measureStarts(
  table: Table,
  { starts: turns, separateAccessories }: Extent,
  { ours, other }: Programs,
): Promise<void> {
  if (other !== undefined) {
    const starts = await startInTurns(turns, [], ours, other);
    table.add({ what: 'start, no accessories, until the API answers', unit: 's', better: 'small', ...starts.seconds });
    table.add({ what: 'RSS, no accessories', unit: 'MB', better: 'small', ...starts.residentMb });
  }
  const fleet = await startFleet({ count: separateAccessories, controllers: [CONTROLLER] });
  try {
    const starts =
      other === undefined
        ? await startBesideRaw(turns, fleet.members, ours)
        : await startInTurns(turns, fleet.members, ours, other);
    const what = `${separateAccessories} separate accessories`;
    table.add({ what: `start, until ${what} are read`, unit: 's', better: 'small', ...starts.seconds });
    table.add({ what: `RSS, ${what}`, unit: 'MB', better: 'small', ...starts.residentMb });
  } finally {
    await fleet.stop();
  }
}

type Members = Parameters<typeof BenchDaemon.start>[0];
type Starts = Readonly<Record<'seconds' | 'residentMb', Pick<Row, 'ours' | 'other'>>>;

interface Start {
  readonly seconds: number;
  readonly residentMb: number;
}

async function startInTurns(turns: number, members: Members, ours: string | undefined, other: string): Promise<Starts> {
  return measureInTurns(
    turns,
    () => startOnce(members, ours),
    () => startOnce(members, other),
  );
}

async function startBesideRaw(
  turns: number,
  members: Parameters<typeof measureRawHome>[0],
  ours?: string,
): Promise<Starts> {
  return measureInTurns(
    turns,
    () => startOnce(members, ours),
    () => measureRawHome(members, SETTLE_MS),
  );
}

async function measureInTurns(turns: number, ours: () => Promise<Start>, other: () => Promise<Start>): Promise<Starts> {
  const starts: { ours: Start; other: Start }[] = [];
  for (let turn = 0; turn < turns; turn += 1) starts.push({ ours: await ours(), other: await other() });
  const pick = (key: keyof Start): Pick<Row, 'ours' | 'other'> => ({
    ours: seriesOf(starts.map((start) => start.ours[key])),
    other: seriesOf(starts.map((start) => start.other[key])),
  });
  return { seconds: pick('seconds'), residentMb: pick('residentMb') };
}

async function startOnce(members: Members, program: string | undefined): Promise<Start> {
  const daemon = BenchDaemon.pairedWith(members, program === undefined ? {} : { program });
  const started = performance.now();
  try {
    await daemon.start();
    if (members.length > 0) await daemon.untilConnected(members.length);
    const seconds = (performance.now() - started) / 1_000;
    await wait(SETTLE_MS);
    return { seconds, residentMb: daemon.residentMb() };
  } finally {
    await daemon.stop();
  }
}
