/**
 * Metrics in Prometheus' terms, independent of the output format. Names follow its conventions (`hearthd_…`, base
 * units, `_total` for counters). Labels have few, fixed values: never a name, an id or an address.
 */
import type { DurationCounts } from '../../kernel/tally.ts';

export type Labels = Readonly<Record<string, string>>;

export interface MetricFamily {
  readonly name: string;
  /** For display. */
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram' | 'summary';
  readonly samples: readonly MetricSample[];
}

export interface MetricSample {
  /** Its own name, if it is one of several numbers of a metric. */
  readonly name?: string;
  readonly labels: Labels;
  readonly value: number;
}

const MS_PER_SECOND = 1_000;

/** A value that only increases. @param name ends in `_total` */
export function counter(name: string, help: string, samples: Iterable<MetricSample>): MetricFamily {
  return { name, help, type: 'counter', samples: [...samples] };
}

/** A value that increases and decreases. */
export function gauge(name: string, help: string, samples: Iterable<MetricSample>): MetricFamily {
  return { name, help, type: 'gauge', samples: [...samples] };
}

/** @param name ends in `_seconds` */
export function histogram(
  name: string,
  help: string,
  series: Iterable<{ readonly labels: Labels; readonly counts: DurationCounts }>,
): MetricFamily {
  const samples = [...series].flatMap(({ labels, counts: { buckets, count, sumMs } }) => [
    ...buckets.map(({ boundMs, count: value }) => ({
      name: `${name}_bucket`,
      labels: { ...labels, le: String(boundMs / MS_PER_SECOND) },
      value,
    })),
    { name: `${name}_bucket`, labels: { ...labels, le: '+Inf' }, value: count },
    { name: `${name}_sum`, labels, value: sumMs / MS_PER_SECOND },
    { name: `${name}_count`, labels, value: count },
  ]);
  return { name, help, type: 'histogram', samples };
}

/**
 * Quantiles of a distribution, with the sum and count of all observations since the start.
 * @param name ends in `_seconds`
 */
export function summary(
  name: string,
  help: string,
  {
    quantiles,
    sum,
    count,
  }: { readonly quantiles: Iterable<readonly [number, number]>; readonly sum: number; readonly count: number },
): MetricFamily {
  const samples = [
    ...[...quantiles].map(([quantile, value]) => ({ labels: { quantile: String(quantile) }, value })),
    { name: `${name}_sum`, labels: {}, value: sum },
    { name: `${name}_count`, labels: {}, value: count },
  ];
  return { name, help, type: 'summary', samples };
}

/** The single sample of a metric without labels. */
export function only(value: number): readonly MetricSample[] {
  return [{ labels: {}, value }];
}

/** One sample per name, under one label. */
export function* by(label: string, counts: Iterable<readonly [string, number]>): Generator<MetricSample> {
  for (const [name, value] of counts) yield { labels: { [label]: name }, value };
}
