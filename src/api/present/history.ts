import type { HistoryReport as Report, SeriesInfo, StorageStats } from '../../app/history/history.ts';
import type { HomeHistory as HomeSettings } from '../../app/history/history-settings.ts';
import type { HistoryReport, HistorySeries, HomeHistory, SeriesHistory } from '../../contract/history.ts';
import { slugKey } from '../../home/slug.ts';
import { presentTime } from './time.ts';

/** Wire-facts §13. */
export function presentReport({ home, accessory, fromMs, toMs, series, message }: Report): HistoryReport {
  return {
    home: slugKey(home.name, home.id),
    accessory: { key: slugKey(accessory.name, accessory.id), name: accessory.name, id: accessory.id },
    from: presentTime(fromMs),
    to: presentTime(toMs),
    series: series.map(presentData),
    _meta: { message },
  };
}

export function presentData(series: Report['series'][number]): SeriesHistory {
  const { characteristicType: characteristic, kind, unit, resolution, summary } = series;
  if (kind === 'numeric') {
    return {
      characteristic,
      kind,
      unit,
      resolution,
      values: series.points.map(({ at, avg }) => pair(at, hundredths(avg))),
      summary: summary && {
        min: hundredths(summary.min),
        max: hundredths(summary.max),
        avg: hundredths(summary.avg),
        latest: hundredths(summary.latest),
      },
    };
  }
  // If there were too many changes, each pair is the start of a bucket and the state that held longest in it.
  const transitions = [
    ...series.states.map(({ at, valueText }) => pair(at, valueText)),
    ...series.stateBuckets.map(({ at, dominantText }) => pair(at, dominantText)),
  ];
  return { characteristic, kind, unit: null, resolution, transitions, openingValue: series.prevValueText };
}

export function presentSeries({ firstAt, lastAt, ...info }: SeriesInfo): HistorySeries {
  return { ...info, firstAt: presentTime(firstAt), lastAt: presentTime(lastAt) };
}

export function presentHomeHistory(
  { homeId, enabled, shared, rawRetentionDays }: HomeSettings,
  stats: StorageStats,
): HomeHistory {
  const { seriesCount, sampleRows, rollupRows, estBytes, oldestAt } = stats;
  return {
    homeId,
    enabled,
    shared,
    rawRetentionDays,
    stats: { seriesCount, sampleRows, rollupRows, estBytes, oldestAt: presentTime(oldestAt) },
  };
}

function hundredths(value: number): number {
  // Adding 0 turns −0 into 0.
  return Math.round(value * 100) / 100 + 0;
}

function pair<T>(at: number, value: T): [string, T] {
  return [presentTime(at), value];
}
