/**
 * Metrics in a format of Prometheus: its text format, or OpenMetrics. prom-client writes both; this file adapts the
 * metrics and negotiates the format. Loaded at the first scrape: most homes are never scraped.
 */
import { type Metric, type OpenMetricsContentType, type PrometheusContentType, Registry } from 'prom-client';
import type { MetricFamily } from '../../app/metrics/metric-family.ts';

export type ContentType = PrometheusContentType | OpenMetricsContentType;

/** The format that the scraper prefers; the older one without a preference. */
export function negotiate(accept: string | undefined): ContentType {
  const openMetrics = preference(accept ?? '', 'application/openmetrics-text');
  const plain = Math.max(preference(accept ?? '', 'text/plain'), preference(accept ?? '', 'text/*'));
  return openMetrics > 0 && openMetrics >= plain ? Registry.OPENMETRICS_CONTENT_TYPE : Registry.PROMETHEUS_CONTENT_TYPE;
}

/** The weight of a media type in an Accept header (RFC 9110 §12.5.1); 0 if it is not named. */
function preference(accept: string, type: string): number {
  const weights = accept.split(',').map((range) => {
    const [name = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
    if (name !== type) return 0;
    const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
    return weight === undefined ? 1 : Number(weight) || 0;
  });
  return Math.max(...weights);
}

/** All metrics in one text. Names are unique. */
export function write(families: readonly MetricFamily[], type: ContentType): Promise<string> {
  const registry = new Registry<ContentType>();
  registry.setContentType(type);
  for (const family of families) registry.registerMetric(toMetric(family) as unknown as Metric);
  return registry.metrics();
}

/**
 * The part of a metric that the registry reads. It shortens the name of a counter for OpenMetrics, and adds `_total`
 * again itself.
 */
function toMetric({ name, help, type, samples }: MetricFamily) {
  const values = samples.map(({ name: metricName, labels, value }) => ({ metricName, labels, value }));
  return {
    name,
    type,
    async get() {
      return { name: this.name, help, type, values };
    },
  };
}
