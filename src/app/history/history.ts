/**
 * The history as operations: what is recorded, what was recorded, and deleting it. Recording itself is the recorder's; it listens
 * and nobody calls it, but to have it write down what it still holds before something is read.
 *
 * Reading takes the right to view the accessory; a share link also needs its home to share its history. Nothing here holds the
 * event loop, however much is asked for (see `query-work.ts`). While a home's history is off, its queries and reports are empty;
 * what was recorded before stays, to be exported or purged.
 */
import type { HomeState } from '../../home/home-state.ts';
import type { Home } from '../../home/model.ts';
import type { Clock } from '../../kernel/clock.ts';
import { HearthError } from '../../kernel/errors.ts';
import { type Access, type Action, notFound } from '../access/authorize.ts';
import type { Caller } from '../access/caller.ts';
import { type ExportInput, exportHistory, type HistoryExport } from './history-export.ts';
import {
  checkDeadband,
  checkFlag,
  checkInterval,
  checkPoints,
  checkResolution,
  checkRetention,
  checkTime,
  checkWindow,
} from './history-input.ts';
import { HistoryOverview, type SeriesInfo, type StorageStats } from './history-overview.ts';
import { chooseResolution, emptySeries, type SeriesData, SeriesQuery, type Window } from './history-query.ts';
import { type HistoryReport, HistoryReports, type ReportInput } from './history-report.ts';
import type { HistorySettings, HomeHistory } from './history-settings.ts';
import type { HistoryStore, SeriesRow } from './history-store.ts';
import { QueryLine, QueryWork, SLICE_ROWS } from './query-work.ts';
import { type RecordableCharacteristic, RecordedThings, requireShared, type SeriesFilter } from './recorded-things.ts';
import type { HistoryRecorder } from './recorder.ts';

export type { HistoryExport } from './history-export.ts';
export type { SeriesInfo, StorageStats } from './history-overview.ts';
export type { HistoryReport } from './history-report.ts';

export interface SeriesName {
  /** An accessory's or a service group's id. */
  readonly accessoryId: string;
  /** Any spelling, also of a simplified property: `current_temperature`, `current_temp`, `on_2`. */
  readonly characteristicType: string;
}

export interface HistoryQuery {
  readonly homeId: string;
  /** One to six. */
  readonly series: readonly SeriesName[];
  /** Milliseconds since the epoch, included. */
  readonly fromTs: unknown;
  /** Excluded. */
  readonly toTs: unknown;
  /** 500 if left out; 10 to 2000. */
  readonly maxPoints?: unknown;
  /** `raw`, `hourly`, `daily`; by the length of the window if left out. */
  readonly resolution?: unknown;
  /** Ends the query when nobody waits for it any more. */
  readonly signal?: AbortSignal | undefined;
}

export interface SeriesResult extends SeriesData {
  readonly accessoryId: string;
  /** snake_case, numbered from the second service on. */
  readonly characteristicType: string;
}

export interface HomeHistoryChanges {
  readonly enabled?: unknown;
  readonly shared?: unknown;
  /** Days; `null` = as long as usual. */
  readonly rawRetentionDays?: unknown;
}

/** What is left out stays, `null` is as the catalog says. */
export interface SeriesChanges {
  readonly enabled?: unknown;
  readonly minIntervalS?: unknown;
  readonly deadband?: unknown;
  readonly retentionDays?: unknown;
}

export interface PurgeInput extends SeriesFilter {
  readonly homeId: string;
  /** Milliseconds since the epoch: only what is older; everything if left out. */
  readonly beforeTs?: unknown;
}

const MAX_SERIES = 6;
const DEFAULT_POINTS = 500;
const MIN_POINTS = 10;
const MAX_POINTS = 2_000;

export interface HistoryParts {
  readonly store: HistoryStore;
  readonly settings: HistorySettings;
  /** Writes down what it holds, so that a read sees it, and discards what it can't write. */
  readonly recorder: Pick<HistoryRecorder, 'flush' | 'discard'>;
  readonly state: HomeState;
  readonly access: Access;
  readonly clock: Clock;
}

export class History {
  readonly #store: HistoryStore;
  readonly #settings: HistorySettings;
  readonly #recorder: HistoryParts['recorder'];
  readonly #state: HomeState;
  readonly #access: Access;
  readonly #clock: Clock;
  readonly #things: RecordedThings;
  readonly #overview: HistoryOverview;
  readonly #reports: HistoryReports;
  readonly #line = new QueryLine();

  constructor(parts: HistoryParts) {
    this.#store = parts.store;
    this.#settings = parts.settings;
    this.#recorder = parts.recorder;
    this.#state = parts.state;
    this.#access = parts.access;
    this.#clock = parts.clock;
    this.#things = new RecordedThings(parts);
    this.#overview = new HistoryOverview(parts);
    this.#reports = new HistoryReports({ ...parts, things: this.#things });
  }

  // — what is recorded —

  /** What a home wants of its history. For whoever may view the home. @throws `home_not_found` */
  home(caller: Caller, homeId: string): HomeHistory {
    return this.#settings.home(this.#authorizedHome(caller, 'view', homeId).id);
  }

  /**
   * Sets what is given and keeps the rest. For admins of the home.
   * @throws `home_not_found` · `insufficient_permissions` · `invalid_value`
   */
  updateHome(caller: Caller, homeId: string, changes: HomeHistoryChanges): HomeHistory {
    const { id } = this.#authorizedHome(caller, 'manage', homeId);
    const { enabled, shared, rawRetentionDays } = changes;
    return this.#settings.setHome(id, {
      ...(enabled !== undefined && { enabled: checkFlag(enabled, 'enabled') }),
      ...(shared !== undefined && { shared: checkFlag(shared, 'shared') }),
      ...(rawRetentionDays !== undefined && { rawRetentionDays: checkRetention(rawRetentionDays, 'rawRetentionDays') }),
    });
  }

  /** Turns recording on or off. What was recorded stays. As `updateHome`. */
  setEnabled(caller: Caller, homeId: string, enabled: unknown): HomeHistory {
    return this.updateHome(caller, homeId, { enabled });
  }

  /** Whether share links of the home show history too. As `updateHome`. */
  setShared(caller: Caller, homeId: string, shared: unknown): HomeHistory {
    return this.updateHome(caller, homeId, { shared });
  }

  /**
   * What could be recorded in a home and what has been, by name and most telling first. For whoever may view the accessories.
   * @throws `home_not_found` · `insufficient_permissions` not shared
   */
  async series(caller: Caller, homeId: string): Promise<readonly SeriesInfo[]> {
    const { id } = this.#readableHome(caller, homeId);
    this.#recorder.flush();
    const work = new QueryWork(this.#line, undefined);
    try {
      return await this.#overview.list(id, this.#things.list(caller, id), work);
    } finally {
      work.end();
    }
  }

  /**
   * Sets how one series is recorded. For admins of the home.
   * @throws `home_not_found` · `accessory_not_found` · `insufficient_permissions` · `characteristic_not_found` not recordable ·
   *         `invalid_value`
   */
  setSeries(caller: Caller, input: SeriesName & SeriesChanges & { readonly homeId: string }): SeriesInfo {
    const { id } = this.#authorizedHome(caller, 'manage', input.homeId);
    const thing = this.#things.getIn(caller, id, input.accessoryId);
    const recordable = this.#things.resolve(thing, input.characteristicType);
    const { characteristic } = recordable;
    // Before anything is changed, for it may fail.
    const stored = this.#store.findSeries(id, thing.id, characteristic);
    const { enabled, minIntervalS, deadband, retentionDays } = input;
    this.#settings.setSeries(
      { homeId: id, accessoryId: thing.id, characteristic },
      {
        ...(enabled !== undefined && { enabled: enabled === null ? null : checkFlag(enabled, 'enabled') }),
        ...(minIntervalS !== undefined && { minIntervalMs: checkInterval(minIntervalS) }),
        ...(deadband !== undefined && { deadband: checkDeadband(deadband) }),
        ...(retentionDays !== undefined && { retentionDays: checkRetention(retentionDays, 'retentionDays') }),
      },
    );
    return this.#overview.describe(thing, recordable, stored);
  }

  // — what was recorded —

  /**
   * Up to six series over a window, each brought down to `maxPoints`. For whoever may view the accessories.
   * @throws `home_not_found` · `accessory_not_found` · `insufficient_permissions` not shared · `characteristic_not_found` not
   *         recordable · `invalid_value` · `rate_limited` · `storage_unavailable`
   */
  async query(caller: Caller, input: HistoryQuery): Promise<readonly SeriesResult[]> {
    const { id } = this.#readableHome(caller, input.homeId);
    if (input.series.length < 1 || input.series.length > MAX_SERIES) {
      throw new HearthError('invalid_value', `Give 1 to ${MAX_SERIES} series, not ${input.series.length}.`, {
        field: 'series',
      });
    }
    const { fromMs, toMs } = checkWindow(input.fromTs, input.toTs);
    const maxPoints = checkPoints(input.maxPoints, { otherwise: DEFAULT_POINTS, min: MIN_POINTS, max: MAX_POINTS });
    const resolution = checkResolution(input.resolution);
    const wanted = input.series.map(({ accessoryId, characteristicType }) => {
      const thing = this.#things.getIn(caller, id, accessoryId);
      return { accessoryId: thing.id, ...this.#things.resolve(thing, characteristicType) };
    });
    return this.#read(id, wanted, { fromMs, toMs, maxPoints, resolution }, input.signal);
  }

  /**
   * The history of one accessory, as people ask for it (API §4.1.2). For whoever may view it.
   * @throws `invalid_request` no accessory named · `home_not_found`, `accessory_not_found` nothing is called so ·
   *         `characteristic_not_found` not recordable · `invalid_value` · `rate_limited` · `storage_unavailable`
   */
  async report(caller: Caller, input: ReportInput): Promise<HistoryReport> {
    const request = this.#reports.prepare(caller, input);
    const { home, window, picked } = request;
    requireShared(caller, this.#settings.home(home.id).shared);
    const wanted = picked.map((recordable) => ({ accessoryId: request.accessory.id, ...recordable }));
    const series = await this.#read(home.id, wanted, { ...window, resolution: undefined }, input.signal);
    return this.#reports.finish(request, series);
  }

  /**
   * Every sample as CSV, series by series, in chunks that are read as they are taken; at most 200,000 at once. For whoever may
   * view the accessories.
   * @throws `home_not_found` · `accessory_not_found` · `insufficient_permissions` not shared · `characteristic_not_found` ·
   *         `invalid_value` · `storage_unavailable`
   */
  async export(caller: Caller, input: ExportInput): Promise<HistoryExport> {
    const { id } = this.#readableHome(caller, input.homeId);
    this.#recorder.flush();
    const rows = this.#things.seriesIn(caller, id, input);
    const sources = new Map(this.#things.list(caller, id).map((thing) => [thing.id, thing.source]));
    const maySeeAll = this.#access.mayIn(caller, 'view', id);
    return exportHistory({
      store: this.#store,
      line: this.#line,
      series: rows.filter(({ accessoryId }) => maySeeAll || sources.has(accessoryId)),
      sourceOf: (accessoryId) => sources.get(accessoryId) ?? 'device',
      input,
    });
  }

  /**
   * Deletes what was recorded, roll-ups too, for ever. For admins of the home.
   * @returns how many samples went.
   * @throws `home_not_found` · `accessory_not_found` · `insufficient_permissions` · `characteristic_not_found` · `invalid_value`
   */
  async purge(caller: Caller, input: PurgeInput): Promise<{ readonly deleted: number }> {
    const { id } = this.#authorizedHome(caller, 'manage', input.homeId);
    const before = input.beforeTs == null ? Number.MAX_SAFE_INTEGER : checkTime(input.beforeTs, 'beforeTs');
    this.#recorder.flush();
    const rows = this.#things.seriesIn(caller, id, input);
    let deleted = this.#discardWaiting(id, input, rows, before);
    for (const row of rows) {
      for (let done = false; !done; ) {
        const slice = this.#store.erase(row.id, before, SLICE_ROWS);
        deleted += slice.samples;
        done = slice.done;
        await this.#line.turn();
      }
    }
    return { deleted };
  }

  /** How much is kept of a home. For whoever may view it. @throws `home_not_found` · `storage_unavailable` */
  stats(caller: Caller, homeId: string): StorageStats {
    const { id } = this.#authorizedHome(caller, 'view', homeId);
    this.#recorder.flush();
    return this.#overview.stats(id);
  }

  /** What waits for a disk that takes nothing would come back behind a purge. */
  #discardWaiting(homeId: string, which: SeriesFilter, rows: readonly SeriesRow[], before: number): number {
    const accessoryId = which.accessoryId?.toLowerCase();
    const characteristics = new Set(rows.map(({ characteristic }) => characteristic));
    return this.#recorder.discard(
      (series, at) =>
        at < before &&
        series.homeId === homeId &&
        (accessoryId === undefined || series.accessoryId === accessoryId) &&
        (which.characteristicType === undefined || characteristics.has(series.characteristic)),
    );
  }

  async #read(
    homeId: string,
    wanted: readonly (RecordableCharacteristic & { readonly accessoryId: string })[],
    window: Omit<Window, 'resolution'> & { readonly resolution: Window['resolution'] | undefined },
    signal: AbortSignal | undefined,
  ): Promise<readonly SeriesResult[]> {
    this.#recorder.flush();
    const enabled = this.#settings.isEnabled(homeId);
    const work = new QueryWork(this.#line, signal);
    const results: SeriesResult[] = [];
    try {
      for (const { accessoryId, characteristic, row } of wanted) {
        const series = enabled ? this.#store.findSeries(homeId, accessoryId, characteristic) : undefined;
        const resolution =
          window.resolution ?? chooseResolution(window.fromMs, window.toMs, window.maxPoints, series?.rawFrom ?? 0);
        const parts = { store: this.#store, row, window: { ...window, resolution }, now: this.#clock.now(), work };
        const data = series ? await new SeriesQuery({ ...parts, series }).run() : emptySeries(row, resolution);
        results.push({ accessoryId, characteristicType: characteristic, ...data });
      }
    } finally {
      work.end();
    }
    return results;
  }

  /** A home that the caller may look into, or a share of it whose history is shared. */
  #readableHome(caller: Caller, homeId: string): Home {
    const { principal } = caller;
    const home = this.#state.home(homeId);
    if (principal.kind !== 'share_link') return this.#authorizedHome(caller, 'view', homeId);
    if (!home || !principal.homeIds.has(home.id)) throw notFound('home_not_found');
    requireShared(caller, this.#settings.home(home.id).shared);
    return home;
  }

  #authorizedHome(caller: Caller, action: Action, homeId: string): Home {
    return this.#access.authorizeHome(caller, action, this.#state.home(homeId));
  }
}
