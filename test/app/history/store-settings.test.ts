import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DEFAULT_RETENTION_DAYS, HistorySettings } from '../../../src/app/history/history-settings.ts';
import { HistorySettingsStore } from '../../../src/app/history/history-settings-store.ts';
import { type Database, openDatabase } from '../../../src/storage/database.ts';
import { TestClock } from '../../support/test-clock.ts';

const HOME_ID = '0a000000-0000-4000-8000-0000000000aa';
const lamp = { homeId: HOME_ID, accessoryId: 'lamp', characteristic: 'brightness' };

let database: Database;
let settings: HistorySettings;

beforeEach(() => {
  database = openDatabase(':memory:');
  database
    .prepare('INSERT INTO homes (id, name, name_key, created_at) VALUES (?, ?, ?, 0)')
    .run(HOME_ID, 'Home', 'home');
  settings = reopen();
});
afterEach(() => database.close());

function reopen(): HistorySettings {
  const opened = new HistorySettings({
    store: new HistorySettingsStore(database),
    clock: new TestClock(),
    maxBytes: () => 1,
  });
  opened.start();
  return opened;
}

describe('what is to be recorded', () => {
  it('is nothing without a setting', () => {
    expect(settings.isEnabled(HOME_ID)).toBe(false);
    expect(settings.home(HOME_ID)).toEqual({ homeId: HOME_ID, enabled: false, shared: false, rawRetentionDays: null });
  });

  it('is kept over a restart, each setting by itself', () => {
    settings.setHome(HOME_ID, { enabled: true });
    settings.setHome(HOME_ID, { shared: true, rawRetentionDays: 30 });
    settings.setSeries(lamp, { deadband: 5 });
    settings.setSeries(lamp, { minIntervalMs: 1_500 });
    const after = reopen();
    expect(after.home(HOME_ID)).toEqual({ homeId: HOME_ID, enabled: true, shared: true, rawRetentionDays: 30 });
    expect(after.series(HOME_ID, 'lamp', 'brightness')).toEqual({
      enabled: true,
      minIntervalMs: 1_500,
      deadband: 5,
      retentionDays: 30,
    });
  });

  it('is as in the catalog by default, for the second service too', () => {
    const usual = { enabled: true, minIntervalMs: 5_000, deadband: 1, retentionDays: DEFAULT_RETENTION_DAYS };
    expect(settings.series(HOME_ID, 'lamp', 'brightness_2')).toEqual(usual);
    expect(settings.series(HOME_ID, 'lamp', 'hue').enabled).toBe(false);
    settings.setSeries(lamp, { enabled: false, retentionDays: 3 });
    settings.setSeries(lamp, { enabled: null, retentionDays: null });
    expect(settings.series(HOME_ID, 'lamp', 'brightness')).toEqual(usual);
    expect(database.prepare('SELECT * FROM history_series_settings').all()).toEqual([]);
  });

  it('reports to its listener, until it unsubscribes', () => {
    const reported: string[] = [];
    const end = settings.onChanged((homeId) => reported.push(homeId));
    settings.setHome(HOME_ID, { enabled: true });
    settings.setSeries(lamp, { deadband: 2 });
    end();
    settings.setHome(HOME_ID, { enabled: false });
    expect(reported).toEqual([HOME_ID, HOME_ID]);
  });

  it('is as usual where a number has rotted on the disk', () => {
    settings.setHome(HOME_ID, { enabled: true, rawRetentionDays: 30 });
    settings.setSeries(lamp, { minIntervalMs: 10, deadband: 3, retentionDays: 4 });
    database.exec('UPDATE history_homes SET raw_retention_days = -7');
    database.exec('UPDATE history_series_settings SET min_interval_s = -1, deadband = -2, retention_days = 0');
    const after = reopen();
    expect(after.series(HOME_ID, 'lamp', 'brightness')).toEqual({
      enabled: true,
      minIntervalMs: 5_000,
      deadband: 1,
      retentionDays: DEFAULT_RETENTION_DAYS,
    });
  });
});
