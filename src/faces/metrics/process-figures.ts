/**
 * What the process itself takes, under the names that every Prometheus knows (`process_…`, `nodejs_…`), and how late its event loop runs.
 * Watched from the first scrape on: a house that nobody measures need not have a timer that looks a dozen times a second.
 */
import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks';
import { collectDefaultMetrics, Registry } from 'prom-client';
import { type Figure, gauge } from '../../app/metrics/figure.ts';

/** How often the loop is looked at. */
const RESOLUTION_MS = 20;
const NS_PER_MS = 1_000_000;
const NS_PER_SECOND = 1_000_000_000;
const PERCENTILES = [50, 90, 99, 100] as const;
/** prom-client's own look at the loop counts the wait between two looks as delay: it hardly looks at all. Handles tell nobody anything. */
const LEFT_OUT = /^nodejs_(eventloop_lag|active)_/;
const HARDLY_EVER_MS = 3_600_000;

export class ProcessFigures {
  readonly #registry = new Registry();
  readonly #delay: IntervalHistogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });

  constructor() {
    collectDefaultMetrics({ register: this.#registry, eventLoopMonitoringPrecision: HARDLY_EVER_MS });
    for (const { name } of this.#registry.getMetricsAsArray()) {
      if (LEFT_OUT.test(name)) this.#registry.removeSingleMetric(name);
    }
    this.#delay.enable();
  }

  async read(): Promise<readonly Figure[]> {
    const metrics = await this.#registry.getMetricsAsJSON();
    return [this.#readDelay(), ...metrics.map(toFigure)];
  }

  /** Since the last time it was read. */
  #readDelay(): Figure {
    const samples = PERCENTILES.map((percentile) => {
      const late = this.#delay.percentile(percentile) - RESOLUTION_MS * NS_PER_MS;
      return { labels: { quantile: String(percentile / 100) }, value: Math.max(0, late) / NS_PER_SECOND };
    });
    this.#delay.reset();
    const help = 'How late the event loop ran since the last scrape; quantile 1 is the worst';
    return gauge('hearthd_event_loop_delay_seconds', help, samples);
  }
}

type Metric = Awaited<ReturnType<Registry['getMetricsAsJSON']>>[number];

function toFigure({ name, help, type, values }: Metric): Figure {
  const samples = values.map((value) => ({
    ...('metricName' in value && typeof value.metricName === 'string' && { name: value.metricName }),
    labels: Object.fromEntries(Object.entries(value.labels).map(([label, text]) => [label, String(text)])),
    value: value.value,
  }));
  const known = String(type);
  return { name, help, type: known === 'counter' || known === 'histogram' ? known : 'gauge', samples };
}
