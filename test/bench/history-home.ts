/**
 * A home with a year of history behind it: the store filled directly, with what ten climate sensors would have left
 * there.
 */
import { History } from '../../src/app/history/history.ts';
import { HistorySettings } from '../../src/app/history/history-settings.ts';
import { HistorySettingsStore } from '../../src/app/history/history-settings-store.ts';
import { HistoryStore, type NewSample } from '../../src/app/history/history-store.ts';
import { Rollups } from '../../src/app/history/rollups.ts';
import type { DescribedAccessory } from '../../src/home/accessory-driver.ts';
import type { Accessory } from '../../src/home/model.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { silentLogger } from '../../src/kernel/logger.ts';
import { DisposableDatabase } from '../../src/storage/disposable-database.ts';
import { characteristic, information, service } from '../support/sample-accessories.ts';
import { createTempDirectory } from '../support/temp-directory.ts';
import { createTestHome } from '../support/test-home.ts';

const SENSORS = 10;
/** Tenths of a degree, and whole percents, which take less room. */
const RECORDED = ['current_temperature', 'relative_humidity'] as const;
export const SERIES = SENSORS * RECORDED.length;
export const DAYS = 365;
const DAY_MS = 86_400_000;
/** In one transaction; the daemon writes a hundred, which costs the disk more and the processor no less. */
const SAMPLES_A_BATCH = 100_000;

export interface HistoryHome extends AsyncDisposable {
  readonly homeId: string;
  readonly sensors: readonly Accessory[];
  readonly store: HistoryStore;
  readonly history: History;
  readonly path: string;
  /** The time of the first sample and the one after the last. */
  readonly from: number;
  readonly to: number;
  readonly insertMs: number;
  readonly rollupMs: number;
  /** Before there are roll-ups. */
  readonly bytesPerSample: number;
}

/** @param samples of all series together, evenly over a year; each wanders by a tenth or a percent or two. */
export async function buildHistoryHome(samples: number): Promise<HistoryHome> {
  const directory = createTempDirectory('history-bench');
  const home = createTestHome();
  for (let index = 0; index < SENSORS; index += 1) {
    const deviceId = `20:00:00:00:00:${index.toString(16).padStart(2, '0').toUpperCase()}`;
    const name = `Sensor ${index + 1}`;
    home.driver.attach(home.home.id, { deviceId, name, setupCode: '031-45-154', accessories: [climateSensor(name)] });
  }
  const path = directory.file('history.db');
  const clock = systemClock;
  const database = new DisposableDatabase({ path, clock, logger: silentLogger });
  database.start();
  const store = new HistoryStore(database);
  const settings = new HistorySettings({
    store: new HistorySettingsStore(home.database),
    clock,
    maxBytes: () => Number.POSITIVE_INFINITY,
  });
  settings.setHome(home.home.id, { enabled: true });
  const parts = { store, settings, state: home.state, access: home.access, clock };
  const history = new History({ ...parts, recorder: { flush() {}, discard: () => 0 }, eraseActivity: async () => {} });

  const sensors = home.state.accessories(home.home.id);
  const ids = sensors.flatMap(({ id: accessoryId, homeId }) =>
    RECORDED.map((characteristic) =>
      store.openSeries({ homeId, accessoryId, characteristic, kind: 'numeric', unit: null }),
    ),
  );
  const to = Math.floor(clock.now() / 3_600_000) * 3_600_000;
  const from = to - DAYS * DAY_MS;
  const insertMs = fill(store, ids, { from, to, samples });
  const bytesPerSample = store.usedBytes() / samples;
  const start = performance.now();
  await new Rollups({ store, clock }).build(to);
  const rollupMs = performance.now() - start;

  return {
    homeId: home.home.id,
    sensors,
    store,
    history,
    path,
    from,
    to,
    insertMs,
    rollupMs,
    bytesPerSample,
    async [Symbol.asyncDispose]() {
      database.stop();
      home.close();
      directory.remove();
    },
  };
}

/**
 * In the order in which a home would record them. @returns how long the store took, the making up of samples not
 * counted.
 */
function fill(
  store: HistoryStore,
  ids: readonly number[],
  span: { from: number; to: number; samples: number },
): number {
  const stepMs = (span.to - span.from) / (span.samples / ids.length);
  const last = ids.map(() => 200);
  let batch: NewSample[] = [];
  let ms = 0;
  const write = (): void => {
    const start = performance.now();
    store.insert(batch);
    ms += performance.now() - start;
    batch = [];
  };
  for (let moment = 0; moment < span.samples / ids.length; moment += 1) {
    for (const [index, seriesId] of ids.entries()) {
      const wander = ((moment * 7 + index * 3) % 5) - 2 + ((moment >> 5) % 2 === 0 ? 1 : -1);
      const tenths = Math.max(100, Math.min(300, (last[index] as number) + wander));
      last[index] = tenths;
      const at = Math.floor(span.from + moment * stepMs) + index;
      batch.push({ seriesId, at, value: index % 2 === 0 ? tenths / 10 : Math.round(tenths / 5) });
    }
    if (batch.length >= SAMPLES_A_BATCH) write();
  }
  write();
  return ms;
}

function climateSensor(name: string): DescribedAccessory {
  const services = [
    information(name),
    service('8', '8A', [characteristic('9', '11', 'float', 20, {}, ['pr', 'ev'])]),
    service('10', '82', [characteristic('11', '10', 'float', 50, {}, ['pr', 'ev'])]),
  ];
  return { aid: '1', name, category: 10, services };
}
