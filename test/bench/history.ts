/**
 * History: how fast samples are written and how small they are, and how long queries take, and hold the event loop, in
 * a database of ten million samples. The baseline is bare better-sqlite3 on the same rows in the same run.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setImmediate } from 'node:timers/promises';
import { openSqlite } from '../../src/storage/sqlite.ts';
import { createTempDirectory } from '../support/temp-directory.ts';
import { systemCaller } from '../support/test-home.ts';
import { buildHistoryHome, type HistoryHome, SERIES } from './history-home.ts';
import { median, printFinding, quantile } from './report.ts';

const SAMPLES = 10_000_000;
const BARE_SAMPLES = 1_000_000;
const QUERIES = 200;
const POINTS = 200;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

export async function benchHistory(): Promise<void> {
  const bare = bareInsertsPerSecond();
  await using home = await buildHistoryHome(SAMPLES);
  const seconds = (home.insertMs + home.rollupMs) / 1_000;
  printFinding({
    what: `History, writing samples of ${SERIES} series`,
    ours: (SAMPLES / home.insertMs) * 1_000,
    baseline: bare,
    unit: 'samples/s',
    target: { at: 'least', value: 0.5 },
    note: `${SAMPLES.toLocaleString('en')} samples with their hours and days in ${seconds.toFixed(1)} s`,
  });
  printFinding({
    what: 'History, on the disk, half of it with decimals',
    ours: home.bytesPerSample,
    unit: 'bytes a sample',
    target: { at: 'most', value: 24 },
    note: `with hours and days ${(home.store.usedBytes() / SAMPLES).toFixed(1)}`,
  });
  const bareReads = openSqlite(home.path, { readonly: true });
  try {
    await benchWindow(home, 'a day of samples', DAY_MS, 10, (id, from, to) =>
      bareReads.prepare('SELECT at, value FROM samples WHERE series_id = ? AND at >= ? AND at < ?').all(id, from, to),
    );
    await benchWindow(home, 'a year', 365 * DAY_MS, 50, (id, from, to) =>
      bareReads.prepare('SELECT * FROM daily WHERE series_id = ? AND start >= ? AND start < ?').all(id, from, to),
    );
    await benchEventLoop(home, (id) => bareReads.prepare('SELECT at, value FROM samples WHERE series_id = ?').all(id));
  } finally {
    bareReads.close();
  }
}

/** Windows that end at random moments of the recorded year, of one series each. */
async function benchWindow(
  home: HistoryHome,
  what: string,
  spanMs: number,
  limitMs: number,
  readBare: (seriesId: number, from: number, to: number) => unknown,
): Promise<void> {
  const { homeId, sensors, history, store } = home;
  const ours: number[] = [];
  const bare: number[] = [];
  for (let count = 0; count < QUERIES; count += 1) {
    const { id: accessoryId } = sensors[count % sensors.length] as { id: string };
    const slackMs = Math.max(0, home.to - home.from - spanMs);
    const toTs = home.to - Math.floor((slackMs * ((count * 37) % QUERIES)) / QUERIES);
    const fromTs = toTs - spanMs;
    const series = [{ accessoryId, characteristicType: 'current_temperature' }];
    const seriesId = store.findSeries(homeId, accessoryId, 'current_temperature')?.id ?? 0;
    bare.push(await timed(() => readBare(seriesId, fromTs, toTs)));
    ours.push(await timed(() => history.query(systemCaller, { homeId, series, fromTs, toTs, maxPoints: POINTS })));
    await setImmediate();
  }
  printFinding({
    what: `History, ${POINTS} points of ${what}, p99`,
    ours: quantile(ours, 0.99),
    unit: 'ms',
    target: { at: 'most', value: limitMs },
    note: `median ${median(ours).toFixed(2)} ms; the bare SELECT of its rows ${median(bare).toFixed(2)} ms: ${(median(ours) / median(bare)).toFixed(1)} ×`,
  });
}

/** Everything that was ever recorded, sample by sample: what a browser or a script may ask for. */
async function benchEventLoop(home: HistoryHome, readBare: (seriesId: number) => unknown): Promise<void> {
  const { homeId, sensors, history, store } = home;
  const series = sensors
    .slice(0, 6)
    .map(({ id: accessoryId }) => ({ accessoryId, characteristicType: 'current_temperature' }));
  const window = { fromTs: home.from, toTs: home.to, maxPoints: POINTS, resolution: 'raw' };
  const idle = await loopP99(() => setImmediate());
  const reading = await loopP99(() => history.query(systemCaller, { homeId, series, ...window }));
  const exporting = await loopP99(async () => {
    const { chunks } = await history.export(systemCaller, { homeId });
    for await (const chunk of chunks) if (chunk.length === 0) throw new Error('An empty chunk');
  });
  const [first] = store.allSeries();
  const bareMs = await timed(() => readBare(first?.id ?? 0));
  const note = `idle ${idle.toFixed(1)} ms; the bare SELECT of one series of it holds the loop for ${bareMs.toFixed(0)} ms`;
  const target = { at: 'most', value: 50 } as const;
  const what = `History, event loop, p99, while all samples of ${series.length} series are read`;
  printFinding({ what, ours: reading, unit: 'ms', target, note });
  printFinding({ what: 'History, event loop, p99, during an export', ours: exporting, unit: 'ms', target });
}

async function timed(work: () => unknown): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** How late the event loop was, in milliseconds. */
async function loopP99(work: () => Promise<unknown>): Promise<number> {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const end = performance.now() + 1_000;
  do await work();
  while (performance.now() < end);
  delay.disable();
  return delay.percentile(99) / 1e6;
}

/** The same rows into a plain table, one prepared statement in transactions of the same size. */
function bareInsertsPerSecond(): number {
  using directory = createTempDirectory('history-bare');
  const database = openSqlite(directory.file('bare.db'));
  database.pragma('journal_mode = WAL');
  database.pragma('synchronous = NORMAL');
  database.exec(
    'CREATE TABLE samples (series_id INTEGER, at INTEGER, value REAL, PRIMARY KEY (series_id, at)) WITHOUT ROWID',
  );
  const insert = database.prepare('INSERT INTO samples VALUES (?, ?, ?)');
  const start = performance.now();
  for (let done = 0; done < BARE_SAMPLES; done += 100_000) {
    database.transaction(() => {
      for (let index = done; index < done + 100_000; index += 1) insert.run(index % SERIES, index, (index % 97) / 10);
    })();
  }
  const ms = performance.now() - start;
  database.close();
  return (BARE_SAMPLES / ms) * 1_000;
}
