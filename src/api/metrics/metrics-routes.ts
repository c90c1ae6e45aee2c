/**
 * `/metrics` for Prometheus, after authentication: an operation provides the metrics, `exposition.ts` writes the text.
 * This file adds only the metrics of requests, which the API measures (`request-timings.ts`), and of the process.
 */
import { Hono } from 'hono';
import type { Figures, ReadFigures } from '../../app/metrics/figures.ts';
import { loadOnce } from '../../kernel/load-once.ts';
import { type ApiEnv, headerOf } from '../env.ts';
import { answer } from '../respond.ts';

export const METRICS_PATH = '/metrics';

const loadFormat = loadOnce(async () => {
  const { negotiate, write } = await import('./exposition.ts');
  const { ProcessFigures } = await import('./process-figures.ts');
  // One per process, for any number of APIs.
  return { negotiate, write, ofProcess: new ProcessFigures() };
});

interface MetricsDeps {
  readonly figures: Figures;
  /** The API's own metrics. */
  readonly ofApi: ReadFigures;
}

/** For admins of any home, and the system. */
export function metricsRoutes({ figures, ofApi }: MetricsDeps): Hono<ApiEnv> {
  return new Hono<ApiEnv>().get('/', async (c) => {
    const ofHouse = figures.read(c.get('caller'));
    const { negotiate, write, ofProcess } = await loadFormat();
    const type = negotiate(headerOf(c, 'accept'));
    const text = await write([...ofHouse, ...ofApi(), ...(await ofProcess.read())], type);
    return answer(text, 200, { 'Content-Type': type, Vary: 'Accept' });
  });
}
