/** The write side of history beside a sample home whose clock the test moves: real stores, real SQLite. */

import type { Sample } from '../../../src/app/history/downsample.ts';
import { HistorySettings } from '../../../src/app/history/history-settings.ts';
import { HistorySettingsStore } from '../../../src/app/history/history-settings-store.ts';
import { HistoryStore } from '../../../src/app/history/history-store.ts';
import { HistoryRecorder } from '../../../src/app/history/recorder.ts';
import { RetentionJob } from '../../../src/app/history/retention.ts';
import { Rollups } from '../../../src/app/history/rollups.ts';
import { type Logger, silentLogger } from '../../../src/kernel/logger.ts';
import { DisposableDatabase } from '../../../src/storage/disposable-database.ts';
import { createTestHome } from '../../support/test-home.ts';

export interface HistoryFixtureOptions {
  /** Files, to open the same again; in memory if left out. */
  readonly paths?: { readonly relay: string; readonly history: string };
  readonly logger?: Logger;
  readonly start?: boolean;
}

export type HistoryFixture = ReturnType<typeof openHistoryFixture>;

export function openHistoryFixture({ paths, logger = silentLogger, start = true }: HistoryFixtureOptions = {}) {
  const home = createTestHome({ sample: true, ...(paths && { path: paths.relay }) });
  const { clock, state, bus } = home;
  const database = new DisposableDatabase({ path: paths?.history ?? ':memory:', clock, logger });
  database.start();
  const store = new HistoryStore(database);
  const settingsUpTo = (maxBytes: number): HistorySettings => {
    const opened = new HistorySettings({
      store: new HistorySettingsStore(home.database),
      clock,
      maxBytes: () => maxBytes,
    });
    opened.start();
    return opened;
  };
  const settings = settingsUpTo(Number.POSITIVE_INFINITY);
  const recorder = new HistoryRecorder({ store, settings, state, bus, clock, logger });
  const rollups = new Rollups({ store, clock });
  const retentionUpTo = (maxBytes: number): RetentionJob =>
    new RetentionJob({ store, settings: settingsUpTo(maxBytes), rollups, state, clock, logger });
  const retention = new RetentionJob({ store, settings, rollups, state, clock, logger });
  if (start) recorder.start();

  /** All samples of a series that are on the disk. */
  function samplesOf(accessory: string, characteristic: string): readonly Sample[] {
    const series = store.findSeries(home.home.id, accessoryId(accessory), characteristic);
    return series ? store.samples(series.id, 0, Number.MAX_SAFE_INTEGER, 1_000_000) : [];
  }

  /** By name, or an id as it is. */
  function accessoryId(accessory: string): string {
    return state.accessories().find(({ name }) => name === accessory)?.id ?? accessory;
  }

  return {
    home,
    clock,
    database,
    store,
    settings,
    recorder,
    rollups,
    keeper: retention,
    /** Another keeper, of a history that may not grow beyond this. */
    keeperUpTo: retentionUpTo,
    samplesOf,
    /** Values of a series, after everything recorded so far was written. */
    valuesOf(accessory: string, characteristic: string): readonly number[] {
      recorder.flush();
      return samplesOf(accessory, characteristic).map(({ value }) => value);
    },
    /** What a device reports. */
    report(accessory: string, iid: string, value: boolean | number | string | null): void {
      state.applyValue(accessoryId(accessory), iid, value, 'device');
    },
    enable(): void {
      settings.setHome(home.home.id, { enabled: true });
    },
    async close(): Promise<void> {
      await retention.stop();
      recorder.stop();
      database.stop();
      home.close();
    },
  };
}
