/**
 * `/metrics` for Prometheus: who asks is known, the figures are an operation's, the text is `exposition.ts`. It holds no figures but those of
 * requests, which the face alone knows (`request-timings.ts`), and of the process.
 */
import { Hono } from 'hono';
import type { Figures, ReadFigures } from '../../app/metrics/figures.ts';
import { loadOnce } from '../../kernel/load-once.ts';
import { type FaceEnv, headerOf } from '../env.ts';
import { answer } from '../respond.ts';

export const METRICS_PATH = '/metrics';

const loadFormat = loadOnce(async () => {
  const { negotiate, write } = await import('./exposition.ts');
  const { ProcessFigures } = await import('./process-figures.ts');
  // One a process, whatever number of faces it has.
  return { negotiate, write, ofProcess: new ProcessFigures() };
});

interface MetricsDeps {
  readonly figures: Figures;
  /** What the face counts itself. */
  readonly ofFace: ReadFigures;
}

/** For admins of any home, and the system. */
export function metricsRoutes({ figures, ofFace }: MetricsDeps): Hono<FaceEnv> {
  return new Hono<FaceEnv>().get('/', async (c) => {
    const ofHouse = figures.read(c.get('caller'));
    const { negotiate, write, ofProcess } = await loadFormat();
    const type = negotiate(headerOf(c, 'accept'));
    const text = await write([...ofHouse, ...ofFace(), ...(await ofProcess.read())], type);
    return answer(text, 200, { 'Content-Type': type, Vary: 'Accept' });
  });
}
