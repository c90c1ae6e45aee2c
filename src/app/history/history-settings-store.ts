import type { Database } from '../../storage/database.ts';

/** History settings of a home. */
export interface HomeHistory {
  readonly homeId: string;
  /** Whether anything is recorded (API: "Analytics"). */
  readonly enabled: boolean;
  /** Whether share links include history. */
  readonly shared: boolean;
  /** Retention of samples in days; `null` = the default. Roll-ups are kept for ever. */
  readonly rawRetentionDays: number | null;
}

/** Overrides of one series; `null` = the catalog's default. */
export interface SeriesOverride {
  readonly homeId: string;
  readonly accessoryId: string;
  readonly characteristic: string;
  readonly enabled: boolean | null;
  readonly minIntervalMs: number | null;
  readonly deadband: number | null;
  readonly retentionDays: number | null;
}

interface HomeRecord {
  home_id: string;
  enabled: 0 | 1;
  shared: 0 | 1;
  raw_retention_days: number | null;
}

interface SeriesRecord {
  home_id: string;
  accessory_id: string;
  characteristic: string;
  enabled: 0 | 1 | null;
  min_interval_s: number | null;
  deadband: number | null;
  retention_days: number | null;
}

const SECOND_MS = 1_000;

/** The tables `history_homes` and `history_series_settings` of relay.db. */
export class HistorySettingsStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  homes(): readonly HomeHistory[] {
    return this.#database
      .prepare<[], HomeRecord>('SELECT * FROM history_homes')
      .all()
      .map((row) => ({
        homeId: row.home_id,
        enabled: row.enabled === 1,
        shared: row.shared === 1,
        rawRetentionDays: sane(row.raw_retention_days, 1),
      }));
  }

  putHome({ homeId, enabled, shared, rawRetentionDays }: HomeHistory, now: number): void {
    this.#database
      .prepare(
        `INSERT INTO history_homes (home_id, enabled, shared, raw_retention_days, changed_at) VALUES (?, ?, ?, ?, ?)
         ON CONFLICT (home_id) DO UPDATE SET enabled = excluded.enabled, shared = excluded.shared,
           raw_retention_days = excluded.raw_retention_days, changed_at = excluded.changed_at`,
      )
      .run(homeId, Number(enabled), Number(shared), rawRetentionDays, now);
  }

  overrides(): readonly SeriesOverride[] {
    return this.#database
      .prepare<[], SeriesRecord>('SELECT * FROM history_series_settings')
      .all()
      .map((row) => ({
        homeId: row.home_id,
        accessoryId: row.accessory_id,
        characteristic: row.characteristic,
        enabled: row.enabled === null ? null : row.enabled === 1,
        minIntervalMs: sane(row.min_interval_s === null ? null : Math.round(row.min_interval_s * SECOND_MS), 0),
        deadband: sane(row.deadband, 0),
        retentionDays: sane(row.retention_days, 1),
      }));
  }

  putOverride(override: SeriesOverride): void {
    const { homeId, accessoryId, characteristic, enabled, minIntervalMs, deadband, retentionDays } = override;
    this.#database
      .prepare(
        `INSERT INTO history_series_settings
           (home_id, accessory_id, characteristic, enabled, min_interval_s, deadband, retention_days)
         VALUES (?, ?, ?, ?, ?, ?, ?)
         ON CONFLICT (accessory_id, characteristic) DO UPDATE SET home_id = excluded.home_id,
           enabled = excluded.enabled, min_interval_s = excluded.min_interval_s, deadband = excluded.deadband,
           retention_days = excluded.retention_days`,
      )
      .run(
        homeId,
        accessoryId,
        characteristic,
        enabled === null ? null : Number(enabled),
        minIntervalMs === null ? null : minIntervalMs / SECOND_MS,
        deadband,
        retentionDays,
      );
  }

  removeOverride(accessoryId: string, characteristic: string): void {
    this.#database
      .prepare('DELETE FROM history_series_settings WHERE accessory_id = ? AND characteristic = ?')
      .run(accessoryId, characteristic);
  }
}

/** A value corrupted on disk must neither delete everything nor record everything; the default applies instead. */
function sane(value: number | null, min: number): number | null {
  return value !== null && value >= min ? value : null;
}
