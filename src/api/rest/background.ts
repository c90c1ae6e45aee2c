import { Hono } from 'hono';
import { HearthError } from '../../kernel/errors.ts';
import type { ApiEnv } from '../env.ts';

/** Background images belong to the Cloud edition (API §4.1); these routes return that error. */
export function backgroundRoutes(): Hono<ApiEnv> {
  const refuse = (): never => {
    throw new HearthError('cloud_only', 'Background images are available in the Cloud edition only');
  };
  return new Hono<ApiEnv>().get('/presets', refuse).post('/', refuse).delete('/', refuse);
}
