/**
 * `/metrics` for Prometheus, after authentication: an operation provides the metrics, `exposition.ts` writes the text.
 * This file adds only the metrics of requests, which the API measures (`request-timings.ts`), and of the process.
 */
import { Hono } from 'hono';
import type { MetricSources, ReadMetrics } from '../../app/metrics/metric-sources.ts';
import { loadOnce } from '../../kernel/load-once.ts';
import { type ApiEnv, headerOf } from '../env.ts';
import { answer } from '../respond.ts';

export const METRICS_PATH = '/metrics';

const loadFormat = loadOnce(async () => {
  const { negotiate, write } = await import('./exposition.ts');
  const { ProcessMetrics } = await import('./process-metrics.ts');
  // One per process, for any number of APIs.
  return { negotiate, write, ofProcess: new ProcessMetrics() };
});

interface MetricsDeps {
  readonly metrics: MetricSources;
  /** The API's own metrics. */
  readonly ofApi: ReadMetrics;
}

/** For admins of any home, and the system. */
export function metricsRoutes({ metrics, ofApi }: MetricsDeps): Hono<ApiEnv> {
  return new Hono<ApiEnv>().get('/', async (c) => {
    const collected = metrics.read(c.get('caller'));
    const { negotiate, write, ofProcess } = await loadFormat();
    const type = negotiate(headerOf(c, 'accept'));
    const text = await write([...collected, ...ofApi(), ...(await ofProcess.read())], type);
    return answer(text, 200, { 'Content-Type': type, Vary: 'Accept' });
  });
}
