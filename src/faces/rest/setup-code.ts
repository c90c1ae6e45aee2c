/** A new one-time code with which the relay can be claimed, while nobody has. */
import { Hono } from 'hono';
import type { SetupCodes } from '../../app/users/setup-codes.ts';
import type { FaceEnv } from '../env.ts';
import type { GuardOptions } from '../guards.ts';
import { answerJson } from '../respond.ts';
import { linkOrigin } from '../share-url.ts';
import { presentTime } from './present-time.ts';

export interface SetupCodeRoutesDeps {
  readonly setupCodes: SetupCodes;
  readonly guards: GuardOptions;
}

export function setupCodeRoutes({ setupCodes, guards }: SetupCodeRoutesDeps): Hono<FaceEnv> {
  const originOf = linkOrigin(guards);
  return new Hono<FaceEnv>().post('/', (c) => {
    const { code, expiresAt } = setupCodes.renew(c.get('caller'));
    return answerJson({ code, url: `${originOf(c)}/`, expiresAt: presentTime(expiresAt) });
  });
}
