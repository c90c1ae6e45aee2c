/** A new one-time code to claim an unclaimed relay. */
import { Hono } from 'hono';
import type { SetupCodes } from '../../app/users/setup-codes.ts';
import type { SetupCode } from '../../contract/users.ts';
import type { ApiEnv } from '../env.ts';
import type { GuardOptions } from '../guards.ts';
import { isLoopbackHost } from '../lan-origin.ts';
import { presentTime } from '../present/time.ts';
import { answerJson } from '../respond.ts';
import { linkOrigin } from '../share-url.ts';

export interface SetupCodeRoutesDeps {
  readonly setupCodes: SetupCodes;
  readonly guards: GuardOptions;
}

export function setupCodeRoutes({ setupCodes, guards }: SetupCodeRoutesDeps): Hono<ApiEnv> {
  const originOf = linkOrigin(guards);
  return new Hono<ApiEnv>().post('/', (c) => {
    const { code, expiresAt } = setupCodes.renew(c.get('caller'));
    const origin = originOf(c);
    const isOnlyHere = origin === '' || isLoopbackHost(new URL(origin).hostname);
    const origins = new Set([...(isOnlyHere ? [] : [origin]), ...(guards.lanOrigins?.() ?? [])]);
    const addresses = [...origins].map((one) => `${one}/`);
    const answer: SetupCode = { code, url: `${origin}/`, addresses, expiresAt: presentTime(expiresAt) };
    return answerJson(answer);
  });
}
