/**
 * Queries one series over one window: reads pages of samples or roll-ups and reduces them to points or states.
 * Permissions and names are resolved in `history.ts`.
 *
 * Windows reach from `fromMs`, inclusive, to `toMs`, exclusive. Only whole hours and days (UTC) are stored, so at those
 * resolutions the window extends to whole hours or days at both ends.
 */
import type { HistoryData, HistoryPoint, HistoryStateBucket, Resolution } from '../../contract/history.ts';
import { type CatalogRow, stateWord } from './catalog.ts';
import {
  alignedGrid,
  evenGrid,
  type Grid,
  NumericDownsampler,
  type Sample,
  type StateBucket,
  StateDownsampler,
} from './downsample.ts';
import type { HistoryStore, SeriesRow } from './history-store.ts';
import type { QueryWork } from './query-work.ts';
import { SLICE_ROWS } from './query-work.ts';
import { DAY_MS, floorToHour, HOUR_MS, type RollupRow, type RollupTable, SPAN_MS } from './rollup-store.ts';

/** By default, a query reads single samples up to this span (wire-facts §13). */
const MAX_RAW_MS = 48 * HOUR_MS;
/** And hours, not days, while each point covers at most this much. */
const MAX_HOURLY_BUCKET_MS = 6 * HOUR_MS;

export interface Window {
  /** Milliseconds since the epoch. */
  readonly fromMs: number;
  readonly toMs: number;
  readonly maxPoints: number;
  readonly resolution: Resolution;
}

/** The data of one series: `points` if numeric, otherwise `states` or `stateBuckets`. */
export type SeriesData = Omit<HistoryData, 'accessoryId' | 'characteristicType'>;

/** What a query reads from. */
export type HistorySource = Pick<HistoryStore, 'samples' | 'lastBefore' | 'text' | 'rollups'>;

/** The roll-up tables that each resolution reads before single samples. */
const TABLES: Readonly<Record<Resolution, readonly RollupTable[]>> = {
  raw: [],
  hourly: ['hourly'],
  daily: ['daily', 'hourly'],
};

/**
 * Raw up to 48 hours, hours while a point is six of them at most, days beyond.
 * @param rawFrom the start of single samples; before it, hours are the finest resolution.
 */
export function chooseResolution(fromMs: number, toMs: number, maxPoints: number, rawFrom: number): Resolution {
  const span = toMs - fromMs;
  if (span <= MAX_RAW_MS) return fromMs >= rawFrom ? 'raw' : 'hourly';
  return span / maxPoints <= MAX_HOURLY_BUCKET_MS ? 'hourly' : 'daily';
}

/** A series without recorded data. */
export function emptySeries({ kind, unit }: CatalogRow, resolution: Resolution): SeriesData {
  return {
    kind,
    unit,
    resolution,
    prevValue: null,
    prevValueText: null,
    points: [],
    states: [],
    stateBuckets: [],
    recordedFrom: null,
    stateMs: {},
    summary: null,
  };
}

/** Whether any value is known in the window. */
export function isKnown({ prevValueText, points, states, stateBuckets }: SeriesData): boolean {
  return prevValueText !== null || points.length + states.length + stateBuckets.length > 0;
}

export class SeriesQuery {
  readonly #store: HistorySource;
  readonly #series: SeriesRow;
  readonly #row: CatalogRow;
  readonly #window: Window;
  readonly #grid: Grid;
  /** End of the window. The last bucket of the grid may extend beyond it. */
  readonly #end: number;
  /** End of the known data in the window. */
  readonly #until: number;
  readonly #work: QueryWork;

  /** @param now no value is carried forward beyond it. */
  constructor(deps: {
    store: HistorySource;
    series: SeriesRow;
    row: CatalogRow;
    window: Window;
    now: number;
    work: QueryWork;
  }) {
    const { window, now } = deps;
    this.#store = deps.store;
    this.#series = deps.series;
    this.#row = deps.row;
    this.#window = window;
    this.#work = deps.work;
    this.#grid = gridOf(window);
    this.#end = endOf(window);
    this.#until = Math.min(this.#end, now);
  }

  /** Reads the series in slices. @throws as `QueryWork.did` */
  async run(): Promise<SeriesData> {
    const opening = valueBefore(this.#store, this.#series.id, this.#grid.from);
    return this.#series.kind === 'numeric' ? this.#runNumeric(opening) : this.#runStates(opening);
  }

  async #runNumeric(opening: number | undefined): Promise<SeriesData> {
    const sampler = new NumericDownsampler(this.#grid, opening);
    const first = new FirstSamples(this.#window.maxPoints);
    await this.#feed({
      addSpan: (start, end, row) => sampler.addSpan({ ...row, start, end }),
      add(sample) {
        sampler.add(sample.at, sample.value);
        first.add(sample);
      },
    });
    const buckets = sampler.finish(this.#until);
    const single = this.#window.resolution === 'raw' ? first.all : undefined;
    return {
      ...this.#answer(opening),
      points: single ? single.map(pointOf) : buckets,
      recordedFrom: sampler.knownFrom ?? null,
      summary: sampler.summary() ?? null,
    };
  }

  async #runStates(opening: number | undefined): Promise<SeriesData> {
    const sampler = new StateDownsampler(this.#grid, opening);
    const changes = new FirstSamples(this.#window.maxPoints);
    await this.#feed({
      addSpan: (start, end, row) => sampler.addSpan({ ...row, start, end, stateMs: statesOf(row) }),
      add(sample) {
        // Only a value that differs from the current one is a change of state.
        if (sample.value !== sampler.held) changes.add(sample);
        sampler.add(sample.at, sample.value);
      },
    });
    const buckets = sampler.finish(this.#until);
    const single = this.#window.resolution === 'raw' ? changes.all : undefined;
    return {
      ...this.#answer(opening),
      states: single?.map(({ at, value }) => ({ at, ...this.#named(value) })) ?? [],
      stateBuckets: single ? [] : buckets.map((bucket) => this.#nameBucket(bucket)),
      recordedFrom: sampler.knownFrom ?? null,
      stateMs: this.#nameStates(sampler.stateMs),
    };
  }

  /**
   * Reads days, then hours, then single samples, each as far as it reaches: the last hour and day are not complete yet.
   */
  async #feed(sink: Sink): Promise<void> {
    const { id } = this.#series;
    const store = this.#store;
    const { from } = this.#grid;
    const to = this.#end;
    let at = from;
    for (const table of TABLES[this.#window.resolution]) at = await this.#feedRollups(table, at, sink);
    const readOn = (start: number, limit: number): readonly Sample[] => store.samples(id, start, to, limit);
    await this.#page(at, to, readOn, (sample) => sample.at + 1, sink.add);
  }

  /** @returns how far the table reaches; later data must come from elsewhere. */
  async #feedRollups(table: RollupTable, from: number, sink: Sink): Promise<number> {
    const { id } = this.#series;
    const { rollups } = this.#store;
    const end = Math.min(this.#end, Math.max(from, rollups.builtUntil(table, id)));
    const readOn = (start: number, limit: number): readonly RollupRow[] => rollups.read(table, id, start, end, limit);
    const spanEnd = ({ start }: RollupRow): number => start + SPAN_MS[table];
    await this.#page(from, end, readOn, spanEnd, (row) => sink.addSpan(row.start, spanEnd(row), row));
    return end;
  }

  /** @param read reads at most `limit` rows from a time on · @param next the time to continue from after a row */
  async #page<Row>(
    from: number,
    to: number,
    read: (from: number, limit: number) => readonly Row[],
    next: (row: Row) => number,
    take: (row: Row) => void,
  ): Promise<void> {
    for (let at = from; at < to; ) {
      const rows = read(at, SLICE_ROWS);
      for (const row of rows) take(row);
      await this.#work.did(rows.length);
      const last = rows.at(-1);
      if (last === undefined || rows.length < SLICE_ROWS) return;
      at = next(last);
    }
  }

  #answer(opening: number | undefined): SeriesData {
    const empty = { ...emptySeries(this.#row, this.#window.resolution), unit: this.#series.unit };
    if (opening === undefined) return empty;
    const { value, valueText } = this.#named(opening);
    return { ...empty, prevValue: value, prevValueText: valueText };
  }

  #named(value: number): { value: number | null; valueText: string } {
    return nameValue(this.#series, this.#row, value, this.#store);
  }

  #nameBucket({ at, dominant, stateMs, transitions }: StateBucket): HistoryStateBucket {
    const { value, valueText } = this.#named(dominant);
    return { at, dominant: value, dominantText: valueText, stateMs: this.#nameStates(stateMs), transitions };
  }

  #nameStates(stateMs: ReadonlyMap<number, number>): Readonly<Record<string, number>> {
    const byKey = [...stateMs].map(([state, ms]) => {
      const named = this.#named(state);
      return [named.value === null ? named.valueText : String(named.value), ms] as const;
    });
    return Object.fromEntries(byKey);
  }
}

/** The value at a moment. If samples are no longer kept, the value of the hour before. */
export function valueBefore(store: HistorySource, seriesId: number, at: number): number | undefined {
  return store.lastBefore(seriesId, at)?.value ?? store.rollups.lastBefore('hourly', seriesId, floorToHour(at))?.last;
}

/** Converts a stored number to its name or text. @param row none if the characteristic is no longer in the catalog. */
export function nameValue(
  { kind }: Pick<SeriesRow, 'kind'>,
  row: CatalogRow | undefined,
  value: number,
  texts: Pick<HistoryStore, 'text'>,
): { value: number | null; valueText: string } {
  if (kind === 'string') return { value: null, valueText: texts.text(value) ?? '' };
  return { value, valueText: kind === 'numeric' || !row ? String(value) : stateWord(row, value) };
}

interface Sink {
  addSpan(start: number, end: number, row: RollupRow): void;
  add(sample: Sample): void;
}

/** Keeps the samples themselves while they are few enough to be shown one by one. */
class FirstSamples {
  readonly #max: number;
  #samples: Sample[] | undefined = [];

  constructor(max: number) {
    this.#max = max;
  }

  add(sample: Sample): void {
    if (this.#samples === undefined) return;
    if (this.#samples.length < this.#max) this.#samples.push(sample);
    else this.#samples = undefined;
  }

  /** `undefined` if there were too many. */
  get all(): readonly Sample[] | undefined {
    return this.#samples;
  }
}

/** Only whole hours and days are stored. */
function endOf({ toMs, resolution }: Window): number {
  if (resolution === 'raw') return toMs;
  const unitMs = resolution === 'hourly' ? HOUR_MS : DAY_MS;
  return Math.ceil(toMs / unitMs) * unitMs;
}

function gridOf({ fromMs, toMs, maxPoints, resolution }: Window): Grid {
  if (resolution === 'raw') return evenGrid(fromMs, toMs, maxPoints);
  return alignedGrid(fromMs, toMs, resolution === 'hourly' ? HOUR_MS : DAY_MS, maxPoints);
}

function pointOf({ at, value }: Sample): HistoryPoint {
  return { at, min: value, avg: value, max: value, last: value, count: 1 };
}

function statesOf({ stateMs }: RollupRow): ReadonlyMap<number, number> {
  return new Map(Object.entries(stateMs ?? {}).map(([state, ms]) => [Number(state), ms]));
}
