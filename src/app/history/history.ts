/**
 * The operations of the history: configure recording, read and delete. The recorder listens to events by itself; it is
 * only called to flush its buffer before a read.
 *
 * Reading requires the right to view the accessory. A share link also requires that its home shares its history. No
 * operation blocks the event loop, however large the request (see `query-work.ts`). While a home's history is off, its
 * queries and reports are empty. Earlier samples stay and can be exported or purged.
 */
import {
  ExportQuery,
  type HistoryData,
  HistoryPurge,
  HistoryQuery,
  HomeHistoryChanges,
  SeriesChanges,
} from '../../contract/history.ts';
import { parseInput } from '../../contract/parse.ts';
import type { Home } from '../../home/model.ts';
import { HearthError } from '../../kernel/errors.ts';
import type { AppDeps } from '../access/app-deps.ts';
import { type AccessLevel, notFound } from '../access/authorize.ts';
import type { Caller } from '../access/caller.ts';
import { exportHistory, type HistoryExport } from './history-export.ts';
import { HistoryOverview, type SeriesInfo, type StorageStats } from './history-overview.ts';
import { chooseResolution, emptySeries, SeriesQuery, type Window } from './history-query.ts';
import { type HistoryReport, HistoryReports, type ReportInput } from './history-report.ts';
import type { HistorySettings, HomeHistory } from './history-settings.ts';
import type { HistoryStore, SeriesRow } from './history-store.ts';
import { QueryLine, QueryWork, SLICE_ROWS } from './query-work.ts';
import { type RecordableCharacteristic, RecordedThings, requireShared, type SeriesFilter } from './recorded-things.ts';
import type { HistoryRecorder } from './recorder.ts';

export type { HistoryExport } from './history-export.ts';
export type { SeriesInfo, StorageStats } from './history-overview.ts';
export type { HistoryReport } from './history-report.ts';

interface Abortable {
  /** Aborts the query when the client has disconnected. */
  readonly signal?: AbortSignal | undefined;
}

const SECOND_MS = 1_000;

export interface HistoryDeps extends AppDeps<'state' | 'access' | 'clock'> {
  readonly store: HistoryStore;
  readonly settings: HistorySettings;
  /** Flushes its buffer, so that a read sees it, and discards samples it cannot write. */
  readonly recorder: Pick<HistoryRecorder, 'flush' | 'discard'>;
  /** Deletes what the activity log has of a home, or of an accessory in it. */
  readonly eraseActivity: (homeId: string, accessoryId: string | undefined, before: number) => Promise<void>;
}

export class History {
  readonly #deps: HistoryDeps;
  readonly #things: RecordedThings;
  readonly #overview: HistoryOverview;
  readonly #reports: HistoryReports;
  readonly #line = new QueryLine();

  constructor(deps: HistoryDeps) {
    this.#deps = deps;
    this.#things = new RecordedThings(deps);
    this.#overview = new HistoryOverview(deps);
    this.#reports = new HistoryReports({ ...deps, things: this.#things });
  }

  // — recording settings —

  /** The history settings of a home. Requires view access to the home. @throws `home_not_found` */
  home(caller: Caller, homeId: string): HomeHistory {
    return this.#deps.settings.home(this.#authorizedHome(caller, 'view', homeId).id);
  }

  /**
   * Changes the given settings. Requires an admin of the home.
   * @throws `home_not_found` · `insufficient_permissions` · `invalid_value`
   */
  updateHome(caller: Caller, homeId: string, changes: HomeHistoryChanges): HomeHistory {
    const { id } = this.#authorizedHome(caller, 'manage', homeId);
    return this.#deps.settings.setHome(id, parseInput(HomeHistoryChanges, changes));
  }

  /** Turns recording on or off. Recorded samples stay. Permissions and errors as `updateHome`. */
  setEnabled(caller: Caller, homeId: string, enabled: boolean): HomeHistory {
    return this.updateHome(caller, homeId, { enabled });
  }

  /** Sets whether share links of the home include history. Permissions and errors as `updateHome`. */
  setShared(caller: Caller, homeId: string, shared: boolean): HomeHistory {
    return this.updateHome(caller, homeId, { shared });
  }

  /**
   * Recordable and recorded series of a home, by name and most informative first. Requires view access to the
   * accessories.
   * @throws `home_not_found` · `insufficient_permissions` not shared
   */
  async series(caller: Caller, homeId: string): Promise<readonly SeriesInfo[]> {
    const { id } = this.#readableHome(caller, homeId);
    this.#deps.recorder.flush();
    const work = new QueryWork(this.#line, undefined);
    try {
      return await this.#overview.list(id, this.#things.list(caller, id), work);
    } finally {
      work.end();
    }
  }

  /**
   * Configures the recording of one series. Requires an admin of the home.
   * @throws `home_not_found` · `accessory_not_found` · `insufficient_permissions` · `characteristic_not_found` not
   *         recordable · `invalid_value`
   */
  setSeries(caller: Caller, input: SeriesChanges): SeriesInfo {
    const { id } = this.#authorizedHome(caller, 'manage', input.homeId);
    const parsed = parseInput(SeriesChanges, input);
    const thing = this.#things.getIn(caller, id, parsed.accessoryId);
    const recordable = this.#things.resolve(thing, parsed.characteristicType);
    const { characteristic } = recordable;
    // Runs before any change because it may throw.
    const stored = this.#deps.store.findSeries(id, thing.id, characteristic);
    const { homeId: _home, accessoryId: _, characteristicType: __, minIntervalS, ...changes } = parsed;
    const minIntervalMs = minIntervalS && Math.round(minIntervalS * SECOND_MS);
    this.#deps.settings.setSeries(
      { homeId: id, accessoryId: thing.id, characteristic },
      { ...changes, ...(minIntervalMs !== undefined && { minIntervalMs }) },
    );
    return this.#overview.describe(thing, recordable, stored);
  }

  // — recorded data —

  /**
   * Queries up to six series over a window, each reduced to `maxPoints`. Requires view access to the accessories.
   * @throws `home_not_found` · `accessory_not_found` · `insufficient_permissions` not shared ·
   *         `characteristic_not_found` not recordable · `invalid_value` · `rate_limited` · `storage_unavailable`
   */
  async query(caller: Caller, input: HistoryQuery & Abortable): Promise<readonly HistoryData[]> {
    const { id } = this.#readableHome(caller, input.homeId);
    const { series, fromTs: fromMs, toTs: toMs, maxPoints, resolution } = parseInput(HistoryQuery, input);
    if (fromMs >= toMs) {
      throw new HearthError('invalid_value', 'Invalid value for toTs: it takes a time later than fromTs.', {
        field: 'toTs',
      });
    }
    const wanted = series.map(({ accessoryId, characteristicType }) => {
      const thing = this.#things.getIn(caller, id, accessoryId);
      return { accessoryId: thing.id, ...this.#things.resolve(thing, characteristicType) };
    });
    const window = { fromMs, toMs, maxPoints, resolution: resolution === 'auto' ? undefined : resolution };
    return this.#read(id, wanted, window, input.signal);
  }

  /**
   * The history of one accessory, found by name (API §4.1.2). Requires view access to it.
   * @throws `invalid_request` no accessory named · `home_not_found`, `accessory_not_found` no match ·
   *         `characteristic_not_found` not recordable · `invalid_value` · `rate_limited` · `storage_unavailable`
   */
  async report(caller: Caller, input: ReportInput): Promise<HistoryReport> {
    const request = this.#reports.prepare(caller, input);
    const { home, window, picked } = request;
    requireShared(caller, this.#deps.settings.home(home.id).shared);
    const wanted = picked.map((recordable) => ({ accessoryId: request.accessory.id, ...recordable }));
    const series = await this.#read(home.id, wanted, { ...window, resolution: undefined }, input.signal);
    return this.#reports.finish(request, series);
  }

  /**
   * Exports every sample as CSV, series by series, in chunks read on demand; at most 200,000 per export. Requires view
   * access to the accessories.
   * @throws `home_not_found` · `accessory_not_found` · `insufficient_permissions` not shared ·
   *         `characteristic_not_found` · `invalid_value` · `storage_unavailable`
   */
  async export(caller: Caller, query: ExportQuery): Promise<HistoryExport> {
    const { id } = this.#readableHome(caller, query.homeId);
    const input = parseInput(ExportQuery, query);
    this.#deps.recorder.flush();
    const rows = this.#things.seriesIn(caller, id, input);
    const sources = new Map(this.#things.list(caller, id).map((thing) => [thing.id, thing.source]));
    const maySeeAll = this.#deps.access.mayIn(caller, 'view', id);
    return exportHistory({
      store: this.#deps.store,
      line: this.#line,
      series: rows.filter(({ accessoryId }) => maySeeAll || sources.has(accessoryId)),
      sourceOf: (accessoryId) => sources.get(accessoryId) ?? 'device',
      input,
    });
  }

  /**
   * Permanently deletes samples and roll-ups, and with all characteristics the activity too. Requires an admin of the
   * home.
   * @returns the number of deleted samples.
   * @throws `home_not_found` · `accessory_not_found` · `insufficient_permissions` · `characteristic_not_found` ·
   *         `invalid_value`
   */
  async purge(caller: Caller, which: HistoryPurge): Promise<{ readonly deleted: number }> {
    const { id } = this.#authorizedHome(caller, 'manage', which.homeId);
    const { beforeTs: before = Number.MAX_SAFE_INTEGER, ...input } = parseInput(HistoryPurge, which);
    this.#deps.recorder.flush();
    const rows = this.#things.seriesIn(caller, id, input);
    let deleted = this.#discardWaiting(id, input, rows, before);
    for (const row of rows) {
      for (let done = false; !done; ) {
        const slice = this.#deps.store.erase(row.id, before, SLICE_ROWS);
        deleted += slice.samples;
        done = slice.done;
        await this.#line.turn();
      }
    }
    if (input.characteristicType === undefined) {
      await this.#deps.eraseActivity(id, input.accessoryId?.toLowerCase(), before);
    }
    return { deleted };
  }

  /** Storage used by a home. Requires view access to it. @throws `home_not_found` · `storage_unavailable` */
  stats(caller: Caller, homeId: string): StorageStats {
    const { id } = this.#authorizedHome(caller, 'view', homeId);
    this.#deps.recorder.flush();
    return this.#overview.stats(id);
  }

  /** Samples still buffered because the disk is full would otherwise be written after a purge. */
  #discardWaiting(homeId: string, which: SeriesFilter, rows: readonly SeriesRow[], before: number): number {
    const accessoryId = which.accessoryId?.toLowerCase();
    const characteristics = new Set(rows.map(({ characteristic }) => characteristic));
    return this.#deps.recorder.discard(
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
  ): Promise<readonly HistoryData[]> {
    this.#deps.recorder.flush();
    const enabled = this.#deps.settings.isEnabled(homeId);
    const work = new QueryWork(this.#line, signal);
    const results: HistoryData[] = [];
    try {
      for (const { accessoryId, characteristic, row } of wanted) {
        const series = enabled ? this.#deps.store.findSeries(homeId, accessoryId, characteristic) : undefined;
        const resolution =
          window.resolution ?? chooseResolution(window.fromMs, window.toMs, window.maxPoints, series?.rawFrom ?? 0);
        const parts = {
          store: this.#deps.store,
          row,
          window: { ...window, resolution },
          now: this.#deps.clock.now(),
          work,
        };
        const data = series ? await new SeriesQuery({ ...parts, series }).run() : emptySeries(row, resolution);
        results.push({ accessoryId, characteristicType: characteristic, ...data });
      }
    } finally {
      work.end();
    }
    return results;
  }

  /** A home that the caller may view, or a share of it that includes history. */
  #readableHome(caller: Caller, homeId: string): Home {
    const { principal } = caller;
    const home = this.#deps.state.home(homeId);
    if (principal.kind !== 'share_link') return this.#authorizedHome(caller, 'view', homeId);
    if (!home || !principal.homeIds.has(home.id)) throw notFound('home_not_found');
    requireShared(caller, this.#deps.settings.home(home.id).shared);
    return home;
  }

  #authorizedHome(caller: Caller, action: AccessLevel, homeId: string): Home {
    return this.#deps.access.authorizeHome(caller, action, this.#deps.state.home(homeId));
  }
}
