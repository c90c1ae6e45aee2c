/**
 * History as CSV (RFC 4180): every sample, by series and then by time. Lines are produced on demand, a page at a time,
 * so neither a large history nor a slow reader costs memory. One export holds at most 200,000 samples; if there are
 * more, `next` is the cursor to continue from.
 */
import type { ExportQuery } from '../../contract/history.ts';
import type { Output } from '../../contract/parse.ts';
import { CSV_LINE_END, csvCell } from '../../kernel/csv.ts';
import { HearthError } from '../../kernel/errors.ts';
import { isoTime } from '../../kernel/iso-time.ts';
import { type CatalogRow, recordable } from './catalog.ts';
import type { Sample } from './downsample.ts';
import { nameValue } from './history-query.ts';
import type { HistoryStore, SeriesRow } from './history-store.ts';
import { type QueryLine, SLICE_ROWS } from './query-work.ts';

export interface HistoryExport {
  /** The text in chunks of many lines, starting with the header. */
  readonly chunks: AsyncIterable<string>;
  /** Cursor of the next export; `null` if this one is complete. */
  readonly next: string | null;
}

/** Wire-facts §13. */
export const MAX_EXPORT_ROWS = 200_000;

const COLUMNS = 'timestamp,accessory_id,characteristic,value,value_text,source';

/** A time range of one series. */
interface Stretch {
  readonly series: SeriesRow;
  readonly from: number;
  readonly to: number;
}

interface ExportDeps {
  readonly store: HistoryStore;
  readonly line: QueryLine;
  readonly series: readonly SeriesRow[];
  readonly sourceOf: (accessoryId: string) => string;
  readonly input: Omit<Output<typeof ExportQuery>, 'homeId'>;
  /** For tests, which cannot record as many rows. */
  readonly maxRows?: number;
}

/** @throws `invalid_value` invalid time or cursor */
export async function exportHistory(deps: ExportDeps): Promise<HistoryExport> {
  const { input, maxRows = MAX_EXPORT_ROWS } = deps;
  const { stretches, next } = await cut(deps, stretchesOf(deps.series, input), maxRows);
  return { chunks: chunksOf(deps, stretches), next };
}

function stretchesOf(series: readonly SeriesRow[], input: ExportDeps['input']): readonly Stretch[] {
  const { fromTs: from, toTs: to = Number.MAX_SAFE_INTEGER, cursor } = input;
  const start = cursor === undefined ? undefined : parseCursor(cursor);
  return [...series]
    .sort((a, b) => a.id - b.id)
    .filter(({ id }) => start === undefined || id >= start.seriesId)
    .map((row) => ({ series: row, from: row.id === start?.seriesId ? Math.max(from, start.at) : from, to }));
}

/** Counts, a page at a time, how far `maxRows` reach. */
async function cut(
  { store, line }: ExportDeps,
  stretches: readonly Stretch[],
  maxRows: number,
): Promise<{ stretches: readonly Stretch[]; next: string | null }> {
  let left = maxRows;
  for (const [index, { series, from, to }] of stretches.entries()) {
    for (let at = from; at < to; ) {
      const page = store.samples(series.id, at, to, Math.min(SLICE_ROWS, left + 1));
      const beyond = page[left];
      if (beyond) {
        const taken = [...stretches.slice(0, index), { series, from, to: beyond.at }];
        return { stretches: taken, next: `${series.id}.${beyond.at}` };
      }
      left -= page.length;
      await line.turn();
      const last = page.at(-1);
      if (!last) break;
      at = last.at + 1;
    }
  }
  return { stretches, next: null };
}

async function* chunksOf({ store, line, sourceOf }: ExportDeps, stretches: readonly Stretch[]): AsyncGenerator<string> {
  yield COLUMNS + CSV_LINE_END;
  for (const { series, from, to } of stretches) {
    const row = recordable(series.characteristic);
    const source = sourceOf(series.accessoryId);
    for (let at = from; at < to; ) {
      const page = store.samples(series.id, at, to, SLICE_ROWS);
      const last = page.at(-1);
      if (!last) break;
      yield page.map((sample) => lineOf(series, row, sample, source, store)).join('');
      await line.turn();
      at = last.at + 1;
    }
  }
}

function lineOf(
  series: SeriesRow,
  row: CatalogRow | undefined,
  { at, value }: Sample,
  source: string,
  store: HistoryStore,
): string {
  const named = nameValue(series, row, value, store);
  const { accessoryId, characteristic, kind } = series;
  const text = kind === 'numeric' ? '' : csvCell(named.valueText);
  const fields = [isoTime(at), accessoryId, characteristic, named.value ?? '', text, source];
  return fields.join(',') + CSV_LINE_END;
}

function parseCursor(text: string): { readonly seriesId: number; readonly at: number } {
  const [, seriesId, at] = /^(\d{1,15})\.(\d{1,16})$/.exec(text) ?? [];
  if (seriesId !== undefined && at !== undefined) return { seriesId: Number(seriesId), at: Number(at) };
  throw new HearthError('invalid_value', '"cursor" must be the one that the export before gave.', { field: 'cursor' });
}
