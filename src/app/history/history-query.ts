/**
 * One series over one window: reads pages of samples or roll-ups and brings them down to points or states. No permissions and no
 * names here; `history.ts` has decided who asks and what is meant.
 *
 * Windows reach from `fromMs`, included, to `toMs`, excluded. Of hours and days only whole ones (UTC) are kept, so at those
 * resolutions the window grows to whole hours or days at both ends.
 */
import { type CatalogRow, type SeriesKind, stateWord } from './catalog.ts';
import {
  alignedGrid,
  evenGrid,
  type Grid,
  NumericDownsampler,
  type Point,
  type Sample,
  type StateBucket,
  StateDownsampler,
  type Summary,
} from './downsample.ts';
import type { HistoryStore, SeriesRow } from './history-store.ts';
import type { QueryWork } from './query-work.ts';
import { SLICE_ROWS } from './query-work.ts';
import { DAY_MS, floorToHour, HOUR_MS, type RollupRow, type RollupTable, SPAN_MS } from './rollup-store.ts';

/** Left to itself, a query reads single samples up to this span (wire-facts §13). */
const LONGEST_RAW_MS = 48 * HOUR_MS;
/** And hours, not days, while each point stands for this much at most. */
const LONGEST_HOURLY_BUCKET_MS = 6 * HOUR_MS;

export const RESOLUTIONS = ['raw', 'hourly', 'daily'] as const;
export type Resolution = (typeof RESOLUTIONS)[number];

export interface Window {
  /** Milliseconds since the epoch. */
  readonly fromMs: number;
  readonly toMs: number;
  readonly maxPoints: number;
  readonly resolution: Resolution;
}

/** A state that began in the window. */
export interface StateChange {
  readonly at: number;
  /** The characteristic's own number; `null` where the value is a text. */
  readonly value: number | null;
  readonly valueText: string;
}

export interface NamedStateBucket {
  readonly at: number;
  /** The state that held longest; `null` where the value is a text. */
  readonly dominant: number | null;
  readonly dominantText: string;
  /** Milliseconds by the state's number, or by the text itself. */
  readonly stateMs: Readonly<Record<string, number>>;
  readonly transitions: number;
}

/** What one series was like. `points` for a numeric one, `states` or else `stateBuckets` for any other. */
export interface SeriesData {
  readonly kind: SeriesKind;
  readonly unit: string | null;
  readonly resolution: Resolution;
  /** What held when the window began; `null` if nothing had been recorded by then. */
  readonly prevValue: number | null;
  readonly prevValueText: string | null;
  readonly points: readonly Point[];
  readonly states: readonly StateChange[];
  readonly stateBuckets: readonly NamedStateBucket[];
  /** Of a numeric series, over the whole window and as exact as its resolution; `null` if nothing is known of it. */
  readonly summary: Summary | null;
}

/** What a query reads from. */
export type HistorySource = Pick<HistoryStore, 'samples' | 'lastBefore' | 'text' | 'rollups'>;

/** Which roll-ups each resolution reads before it comes to single samples. */
const TABLES: Readonly<Record<Resolution, readonly RollupTable[]>> = {
  raw: [],
  hourly: ['hourly'],
  daily: ['daily', 'hourly'],
};

/**
 * Raw up to 48 hours, hours while a point is six of them at most, days beyond.
 * @param rawFrom before it, hours are the finest that is kept.
 */
export function chooseResolution(fromMs: number, toMs: number, maxPoints: number, rawFrom: number): Resolution {
  const span = toMs - fromMs;
  if (span <= LONGEST_RAW_MS) return fromMs >= rawFrom ? 'raw' : 'hourly';
  return span / maxPoints <= LONGEST_HOURLY_BUCKET_MS ? 'hourly' : 'daily';
}

/** A series of which nothing has been recorded. */
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
    summary: null,
  };
}

/** Whether anything at all is known of the window. */
export function isKnown({ prevValueText, points, states, stateBuckets }: SeriesData): boolean {
  return prevValueText !== null || points.length + states.length + stateBuckets.length > 0;
}

export class SeriesQuery {
  readonly #store: HistorySource;
  readonly #series: SeriesRow;
  readonly #row: CatalogRow;
  readonly #window: Window;
  readonly #grid: Grid;
  /** Where what has happened ends. */
  readonly #until: number;
  readonly #work: QueryWork;

  /** @param now no value is carried forward beyond it. */
  constructor(parts: {
    store: HistorySource;
    series: SeriesRow;
    row: CatalogRow;
    window: Window;
    now: number;
    work: QueryWork;
  }) {
    const { window, now } = parts;
    this.#store = parts.store;
    this.#series = parts.series;
    this.#row = parts.row;
    this.#window = window;
    this.#work = parts.work;
    this.#grid = gridOf(window);
    this.#until = Math.min(this.#grid.to, now);
  }

  /** Reads the series in slices; see `QueryWork.did` for what it throws. */
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
      summary: sampler.summary() ?? null,
    };
  }

  async #runStates(opening: number | undefined): Promise<SeriesData> {
    const sampler = new StateDownsampler(this.#grid, opening);
    const changes = new FirstSamples(this.#window.maxPoints);
    await this.#feed({
      addSpan: (start, end, row) => sampler.addSpan({ ...row, start, end, stateMs: statesOf(row) }),
      add(sample) {
        // Only what differs from what held is a change of state.
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
    };
  }

  /** Days, then hours, then single samples: each as far as it goes, for the last hour and day are not complete yet. */
  async #feed(sink: Sink): Promise<void> {
    const { id } = this.#series;
    const store = this.#store;
    const { from, to } = this.#grid;
    let at = from;
    for (const table of TABLES[this.#window.resolution]) at = await this.#feedRollups(table, at, sink);
    const readOn = (start: number, limit: number): readonly Sample[] => store.samples(id, start, to, limit);
    await this.#page(at, to, readOn, (sample) => sample.at + 1, sink.add);
  }

  /** @returns how far the table goes: what is later must come from elsewhere. */
  async #feedRollups(table: RollupTable, from: number, sink: Sink): Promise<number> {
    const { id } = this.#series;
    const { rollups } = this.#store;
    const end = Math.min(this.#grid.to, Math.max(from, rollups.builtUntil(table, id)));
    const readOn = (start: number, limit: number): readonly RollupRow[] => rollups.read(table, id, start, end, limit);
    const endOf = ({ start }: RollupRow): number => start + SPAN_MS[table];
    await this.#page(from, end, readOn, endOf, (row) => sink.addSpan(row.start, endOf(row), row));
    return end;
  }

  /** @param read at most `limit` rows from a time on · @param next where to go on after a row */
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

  #nameBucket({ at, dominant, stateMs, transitions }: StateBucket): NamedStateBucket {
    const { value, valueText } = this.#named(dominant);
    const byKey = [...stateMs].map(([state, ms]) => {
      const named = this.#named(state);
      return [named.value === null ? named.valueText : String(named.value), ms] as const;
    });
    return { at, dominant: value, dominantText: valueText, stateMs: Object.fromEntries(byKey), transitions };
  }
}

/** What held at a moment. Where samples are no longer kept, the hour before says it. */
export function valueBefore(store: HistorySource, seriesId: number, at: number): number | undefined {
  return store.lastBefore(seriesId, at)?.value ?? store.rollups.lastBefore('hourly', seriesId, floorToHour(at))?.last;
}

/**
 * A stored number as people and clients read it.
 * @param row none for what is no longer in the catalog.
 */
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

/** The samples themselves as long as they are few enough to be shown one by one. */
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

  /** `undefined` if they were too many. */
  get all(): readonly Sample[] | undefined {
    return this.#samples;
  }
}

function gridOf({ fromMs, toMs, maxPoints, resolution }: Window): Grid {
  if (resolution === 'raw') return evenGrid(fromMs, toMs, maxPoints);
  return alignedGrid(fromMs, toMs, resolution === 'hourly' ? HOUR_MS : DAY_MS, maxPoints);
}

function pointOf({ at, value }: Sample): Point {
  return { at, min: value, avg: value, max: value, last: value, count: 1 };
}

function statesOf({ stateMs }: RollupRow): ReadonlyMap<number, number> {
  return new Map(Object.entries(stateMs ?? {}).map(([state, ms]) => [Number(state), ms]));
}
