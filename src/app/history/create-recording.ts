/** Builds what records the history and keeps it within its limits. Contains no rules of its own. */
import type { Database } from '../../storage/database.ts';
import type { DisposableDatabase } from '../../storage/disposable-database.ts';
import type { AppDeps } from '../access/app-deps.ts';
import { HistorySettings } from './history-settings.ts';
import { HistorySettingsStore } from './history-settings-store.ts';
import { HistoryStore } from './history-store.ts';
import { HistoryRecorder } from './recorder.ts';
import { RetentionJob } from './retention.ts';
import { Rollups } from './rollups.ts';

interface Deps extends AppDeps<'state' | 'bus' | 'clock' | 'logger'> {
  readonly database: Database;
  readonly historyDatabase: DisposableDatabase;
  readonly historyMaxBytes: () => number;
}

export function createRecording({ database, historyDatabase, historyMaxBytes: maxBytes, ...deps }: Deps) {
  const { clock } = deps;
  const store = new HistoryStore(historyDatabase);
  const settings = new HistorySettings({ store: new HistorySettingsStore(database), clock, maxBytes });
  const rollups = new Rollups({ store, clock });
  const recorder = new HistoryRecorder({ ...deps, store, settings });
  const keeper = new RetentionJob({ ...deps, store, settings, rollups });
  return { store, settings, rollups, recorder, keeper };
}
