/**
 * Recording state of one series: which values become samples, and when. The rules are in the header of `recorder.ts`.
 */
import type { CharacteristicValue } from '../../home/model.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { CatalogRow, SeriesKind } from './catalog.ts';
import type { SeriesSettings } from './history-settings.ts';
import type { HistoryStore, SeriesKey } from './history-store.ts';
import type { RawReading, SampleBuffer } from './sample-buffer.ts';

/** Floating-point differences come out slightly low: 0.3 − 0.2 is less than 0.1. */
const ROUNDING = 1e-6;
/** Mode names are shorter; a longer text is not a state. */
const MAX_TEXT_LENGTH = 1_024;

interface Deps {
  readonly store: HistoryStore;
  readonly buffer: SampleBuffer;
  readonly clock: Clock;
  readonly series: SeriesKey;
  readonly row: CatalogRow;
  readonly settings: SeriesSettings;
}

export class SeriesTrack {
  readonly #deps: Deps;
  /** When the last sample was recorded, by the monotonic clock; `undefined` if it was before this process started. */
  #recordedAt: number | undefined;
  /** A value that arrived before the interval ended, and the cancel function of its timer. */
  #held: { value: number | string; readonly cancel: () => void } | undefined;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  get series(): SeriesKey {
    return this.#deps.series;
  }

  /** Takes the current value of the characteristic, changed or not. */
  take(value: CharacteristicValue, at: number): void {
    const reading = toReading(this.#deps.row.kind, value);
    if (reading !== undefined) this.#judge(reading, at);
  }

  /** Drops the held value. */
  release(): void {
    this.#held?.cancel();
    this.#held = undefined;
  }

  #judge(value: number | string, at: number): void {
    const last = this.#lastRecorded();
    const isNews = !last || !this.#isWithinDeadband(value, last.value);
    const waitMs = last && isNews ? this.#remainingMs(last) : 0;
    if (waitMs > 0) {
      this.#hold(value, waitMs);
      return;
    }
    this.release();
    if (!isNews) return;
    this.#deps.buffer.add(this.#deps.series, { at, value });
    this.#recordedAt = this.#deps.clock.monotonic();
  }

  #hold(value: number | string, waitMs: number): void {
    if (this.#held) {
      this.#held.value = value;
      return;
    }
    const { clock } = this.#deps;
    const cancel = clock.after(waitMs, () => {
      const held = this.#held;
      this.#held = undefined;
      if (held) this.#judge(held.value, clock.now());
    });
    this.#held = { value, cancel };
  }

  #isWithinDeadband(value: number | string, last: number | string): boolean {
    if (value === last) return true;
    if (typeof value !== 'number' || typeof last !== 'number') return false;
    const { row, settings } = this.#deps;
    const deadband = row.deadbandOf === 'percent' ? (Math.abs(last) * settings.deadband) / 100 : settings.deadband;
    return Math.abs(value - last) < deadband * (1 - ROUNDING);
  }

  /** Time left in the interval. A clock that was set back does not extend it. */
  #remainingMs(last: RawReading): number {
    const { clock, settings } = this.#deps;
    const { minIntervalMs } = settings;
    const sinceMs =
      this.#recordedAt === undefined ? Math.max(0, clock.now() - last.at) : clock.monotonic() - this.#recordedAt;
    return Math.max(0, minIntervalMs - sinceMs);
  }

  /** `undefined` if there is no recorded value or it cannot be read now; the value then counts as the first. */
  #lastRecorded(): RawReading | undefined {
    const { buffer, store, series } = this.#deps;
    const waiting = buffer.lastOf(series);
    if (waiting) return waiting;
    try {
      const known = store.findSeries(series.homeId, series.accessoryId, series.characteristic);
      const latest = known && store.latest(known.id);
      if (!latest || series.kind !== 'string') return latest;
      return { at: latest.at, value: store.text(latest.value) ?? '' };
    } catch {
      return undefined;
    }
  }
}

/** @returns `undefined` if the value does not fit the kind: null, NaN, text instead of a number. */
function toReading(kind: SeriesKind, value: CharacteristicValue): number | string | undefined {
  if (kind === 'string') return typeof value === 'string' && value.length <= MAX_TEXT_LENGTH ? value : undefined;
  if (typeof value === 'boolean') return kind === 'numeric' ? undefined : Number(value);
  if (typeof value !== 'number' || !Number.isFinite(value)) return undefined;
  return kind === 'bool' ? Number(value !== 0) : value;
}
