/**
 * Figures: what the house can be asked about how it does, in Prometheus' terms but in nobody's format. Names follow its conventions
 * (`hearthd_…`, base units, `_total` for what only rises); labels have few values, all of them ours: never a name, an id or an address.
 */
import type { DurationCounts } from '../../kernel/tally.ts';

export type Labels = Readonly<Record<string, string>>;

export interface Figure {
  readonly name: string;
  /** For people. */
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly samples: readonly Sample[];
}

export interface Sample {
  /** Its own name, where it is one of several numbers of a figure. */
  readonly name?: string;
  readonly labels: Labels;
  readonly value: number;
}

const MS_PER_SECOND = 1_000;

/** What only rises. @param name ends in `_total` */
export function counter(name: string, help: string, samples: Iterable<Sample>): Figure {
  return { name, help, type: 'counter', samples: [...samples] };
}

/** What rises and falls. */
export function gauge(name: string, help: string, samples: Iterable<Sample>): Figure {
  return { name, help, type: 'gauge', samples: [...samples] };
}

/** @param name ends in `_seconds` */
export function histogram(
  name: string,
  help: string,
  series: Iterable<{ readonly labels: Labels; readonly counts: DurationCounts }>,
): Figure {
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

/** The one sample of a figure without labels. */
export function only(value: number): readonly Sample[] {
  return [{ labels: {}, value }];
}

/** One sample a name, under one label. */
export function* by(label: string, counts: Iterable<readonly [string, number]>): Generator<Sample> {
  for (const [name, value] of counts) yield { labels: { [label]: name }, value };
}
