import { Hono } from 'hono';
import { HearthError } from '../../kernel/errors.ts';
import type { FaceEnv } from '../env.ts';

/** Background images belong to the Cloud edition (API §4.1); here their addresses say so. */
export function backgroundRoutes(): Hono<FaceEnv> {
  const refuse = (): never => {
    throw new HearthError('cloud_only', 'Background images are available in the Cloud edition only');
  };
  return new Hono<FaceEnv>().get('/presets', refuse).post('/', refuse).delete('/', refuse);
}
