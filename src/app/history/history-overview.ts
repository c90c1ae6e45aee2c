/**
 * Overview of the history: one line per series, and totals of a home. It counts no rows, because counting takes long.
 */
import type { HistorySeries, HistoryStats } from '../../contract/history.ts';
import type { InMilliseconds } from '../../contract/parse.ts';
import { DEFAULT_RETENTION_DAYS, type HistorySettings, type HomeHistory } from './history-settings.ts';
import type { HistoryStore, SeriesRow } from './history-store.ts';
import type { QueryWork } from './query-work.ts';
import { type RecordableCharacteristic, type RecordedThing, recordablesOf } from './recorded-things.ts';

/** Its ends are `null` if nothing is recorded. */
export type SeriesInfo = InMilliseconds<HistorySeries, 'firstAt' | 'lastAt'>;

type CountedHistory = InMilliseconds<HistoryStats, 'oldestAt'>;

export interface StorageStats extends Pick<HomeHistory, 'enabled' | 'shared'>, CountedHistory {
  /** The effective retention of this home, set or default. */
  readonly rawRetentionDays: number;
}

const SECOND_MS = 1_000;
/** Cost of looking up the ends of one series, in sequentially read rows. */
const LOOK_UP_ROWS = 20;

interface Deps {
  readonly store: HistoryStore;
  readonly settings: HistorySettings;
}

export class HistoryOverview {
  readonly #store: HistoryStore;
  readonly #settings: HistorySettings;

  constructor({ store, settings }: Deps) {
    this.#store = store;
    this.#settings = settings;
  }

  /** All recordable and recorded series of `things`, all of one home, most informative first. */
  async list(homeId: string, things: readonly RecordedThing[], work: QueryWork): Promise<readonly SeriesInfo[]> {
    const stored = groupSeries(this.#store.seriesOf(homeId));
    const infos: SeriesInfo[] = [];
    for (const thing of things) {
      const own = stored.get(thing.id);
      for (const recordable of recordablesOf(thing, own?.keys())) {
        infos.push(this.describe(thing, recordable, own?.get(recordable.characteristic)));
        await work.did(LOOK_UP_ROWS);
      }
    }
    return infos;
  }

  /** @param stored none if nothing is recorded. */
  describe(
    thing: RecordedThing,
    { characteristic, row }: RecordableCharacteristic,
    stored: SeriesRow | undefined,
  ): SeriesInfo {
    const settings = this.#settings.series(thing.homeId, thing.id, characteristic, row);
    return {
      accessoryId: thing.id,
      accessoryName: thing.name,
      characteristicType: characteristic,
      kind: row.kind,
      unit: stored?.unit ?? row.unit,
      enabled: settings.enabled,
      minIntervalS: settings.minIntervalMs / SECOND_MS,
      deadband: settings.deadband,
      retentionDays: settings.retentionDays,
      firstAt: stored ? this.#firstAt(stored) : null,
      lastAt: (stored && this.#store.lastBefore(stored.id, Number.MAX_SAFE_INTEGER)?.at) ?? null,
      sampleCount: stored?.sampleCount ?? 0,
    };
  }

  stats(homeId: string): StorageStats {
    const { enabled, shared, rawRetentionDays } = this.#settings.home(homeId);
    const rows = this.#store.seriesOf(homeId);
    const own = sumOf(rows);
    const all = sumOf(this.#store.allSeries());
    const share = (own.samples + own.rollups) / Math.max(1, all.samples + all.rollups);
    const oldestAt = rows
      .flatMap((row) => this.#firstAt(row) ?? [])
      .reduce((oldest, at) => Math.min(oldest, at), Number.POSITIVE_INFINITY);
    return {
      enabled,
      shared,
      rawRetentionDays: rawRetentionDays ?? DEFAULT_RETENTION_DAYS,
      seriesCount: rows.length,
      sampleRows: own.samples,
      rollupRows: own.rollups,
      estBytes: Math.round(this.#store.usedBytes() * share),
      oldestAt: Number.isFinite(oldestAt) ? oldestAt : null,
    };
  }

  /** Time of the first sample; if it has been pruned, the hour it was in. */
  #firstAt({ id, rawFrom }: SeriesRow): number | null {
    const sample = this.#store.firstFrom(id, 0)?.at;
    if (rawFrom === 0) return sample ?? null;
    return this.#store.rollups.read('hourly', id, 0, Number.MAX_SAFE_INTEGER, 1)[0]?.start ?? sample ?? null;
  }
}

function sumOf(rows: readonly SeriesRow[]): { readonly samples: number; readonly rollups: number } {
  return {
    samples: rows.reduce((sum, { sampleCount }) => sum + sampleCount, 0),
    rollups: rows.reduce((sum, { rollupCount }) => sum + rollupCount, 0),
  };
}

/** Series by accessory, then by characteristic. */
function groupSeries(rows: readonly SeriesRow[]): ReadonlyMap<string, ReadonlyMap<string, SeriesRow>> {
  const groups = new Map<string, Map<string, SeriesRow>>();
  for (const row of rows) {
    const group = groups.get(row.accessoryId) ?? new Map<string, SeriesRow>();
    groups.set(row.accessoryId, group.set(row.characteristic, row));
  }
  return groups;
}
