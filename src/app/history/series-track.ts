/** One series as it is being recorded: which values are worth a sample, and when. The rules are in `recorder.ts`'s first lines. */
import type { CharacteristicValue } from '../../home/model.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { CatalogRow, SeriesKind } from './catalog.ts';
import type { SeriesSettings } from './history-settings.ts';
import type { HistoryStore, SeriesKey } from './history-store.ts';
import type { Reading, SampleBuffer } from './sample-buffer.ts';

/** Differences of decimals come out a little short: 0.3 − 0.2 is less than 0.1. */
const ROUNDING = 1e-6;
/** A mode's name is shorter; what is longer is no state. */
const LONGEST_TEXT = 1_024;

interface Parts {
  readonly store: HistoryStore;
  readonly buffer: SampleBuffer;
  readonly clock: Clock;
  readonly series: SeriesKey;
  readonly row: CatalogRow;
  readonly settings: SeriesSettings;
}

export class SeriesTrack {
  readonly #parts: Parts;
  /** When the last sample was recorded, by the monotonic clock; `undefined` if that was before this program started. */
  #recordedAt: number | undefined;
  /** What came before the interval was over, and the end of waiting for it. */
  #held: { value: number | string; readonly cancel: () => void } | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  get series(): SeriesKey {
    return this.#parts.series;
  }

  /** A value that the characteristic has now, whether it is new or not. */
  take(value: CharacteristicValue, at: number): void {
    const reading = toReading(this.#parts.row.kind, value);
    if (reading !== undefined) this.#judge(reading, at);
  }

  /** Gives up what is held back. */
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
    this.#parts.buffer.add(this.#parts.series, { at, value });
    this.#recordedAt = this.#parts.clock.monotonic();
  }

  #hold(value: number | string, waitMs: number): void {
    if (this.#held) {
      this.#held.value = value;
      return;
    }
    const { clock } = this.#parts;
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
    const { row, settings } = this.#parts;
    const deadband = row.deadbandOf === 'percent' ? (Math.abs(last) * settings.deadband) / 100 : settings.deadband;
    return Math.abs(value - last) < deadband * (1 - ROUNDING);
  }

  /** How much of the interval is left. A clock that was set back does not make it longer than it is. */
  #remainingMs(last: Reading): number {
    const { clock, settings } = this.#parts;
    const { minIntervalMs } = settings;
    const sinceMs =
      this.#recordedAt === undefined ? Math.max(0, clock.now() - last.at) : clock.monotonic() - this.#recordedAt;
    return Math.max(0, minIntervalMs - sinceMs);
  }

  /** `undefined` if there is none, or none that can be read now: then the value counts as the first. */
  #lastRecorded(): Reading | undefined {
    const { buffer, store, series } = this.#parts;
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

/** @returns `undefined` for what is no value of this kind: null, NaN, text where a number belongs. */
function toReading(kind: SeriesKind, value: CharacteristicValue): number | string | undefined {
  if (kind === 'string') return typeof value === 'string' && value.length <= LONGEST_TEXT ? value : undefined;
  if (typeof value === 'boolean') return kind === 'numeric' ? undefined : Number(value);
  if (typeof value !== 'number' || !Number.isFinite(value)) return undefined;
  return kind === 'bool' ? Number(value !== 0) : value;
}
