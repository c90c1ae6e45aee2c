/** A new one-time code with which the relay can be claimed, while nobody has. */
import { Hono } from 'hono';
import type { SetupCodes } from '../../app/users/setup-codes.ts';
import type { FaceEnv } from '../env.ts';
import { answerJson } from '../respond.ts';
import { presentTime } from './present-time.ts';

export function setupCodeRoutes({ setupCodes }: { readonly setupCodes: SetupCodes }): Hono<FaceEnv> {
  return new Hono<FaceEnv>().post('/', (c) => {
    const { code, expiresAt } = setupCodes.renew(c.get('caller'));
    return answerJson({ code, expiresAt: presentTime(expiresAt) });
  });
}
