/**
 * Metrics of the process, under Prometheus's standard names (`process_…`, `nodejs_…`), and the delay of its event loop.
 * Measured from the first scrape on: an unmonitored relay needs no timer that fires a dozen times a second.
 */
import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks';
import { collectDefaultMetrics, Registry } from 'prom-client';
import { type MetricFamily, summary } from '../../app/metrics/metric-family.ts';

/** The sampling interval of the loop. */
const RESOLUTION_MS = 20;
const NS_PER_MS = 1_000_000;
const NS_PER_SECOND = 1_000_000_000;
const PERCENTILES = [50, 90, 99, 100] as const;
/**
 * prom-client's own delay metric counts the interval between two samples as delay, and samples rarely. Its handle
 * metrics are not useful.
 */
const LEFT_OUT = /^nodejs_(eventloop_lag|active)_/;
const HARDLY_EVER_MS = 3_600_000;

export class ProcessMetrics {
  readonly #registry = new Registry();
  readonly #delay: IntervalHistogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });

  #delaySum = 0;
  #delayCount = 0;

  constructor() {
    collectDefaultMetrics({ register: this.#registry, eventLoopMonitoringPrecision: HARDLY_EVER_MS });
    for (const { name } of this.#registry.getMetricsAsArray()) {
      if (LEFT_OUT.test(name)) this.#registry.removeSingleMetric(name);
    }
    this.#delay.enable();
  }

  async read(): Promise<readonly MetricFamily[]> {
    const metrics = await this.#registry.getMetricsAsJSON();
    return [this.#readDelay(), ...metrics.map(toFamily)];
  }

  /**
   * The quantiles are of the time since the last scrape; sum and count are of all time, as Prometheus expects of a
   * summary.
   */
  #readDelay(): MetricFamily {
    const delay = this.#delay;
    const late = (nanoseconds: number): number => Math.max(0, nanoseconds - RESOLUTION_MS * NS_PER_MS) / NS_PER_SECOND;
    const quantiles = PERCENTILES.map((percentile) => [percentile / 100, late(delay.percentile(percentile))] as const);
    // Without a sample the mean is NaN.
    if (delay.count > 0) this.#delaySum += late(delay.mean) * delay.count;
    this.#delayCount += delay.count;
    delay.reset();
    const help = 'How late the event loop ran; quantiles since the last scrape, quantile 1 is the worst';
    return summary('hearthd_event_loop_delay_seconds', help, {
      quantiles,
      sum: this.#delaySum,
      count: this.#delayCount,
    });
  }
}

type Metric = Awaited<ReturnType<Registry['getMetricsAsJSON']>>[number];

function toFamily({ name, help, type, values }: Metric): MetricFamily {
  const samples = values.map((value) => ({
    ...('metricName' in value && typeof value.metricName === 'string' && { name: value.metricName }),
    labels: Object.fromEntries(Object.entries(value.labels).map(([label, text]) => [label, String(text)])),
    value: value.value,
  }));
  const known = String(type);
  return { name, help, type: known === 'counter' || known === 'histogram' ? known : 'gauge', samples };
}
