import { Hono } from 'hono';
import type { Health, Readiness } from '../contract/health.ts';
import { HearthError } from '../kernel/errors.ts';
import type { ApiEnv } from './env.ts';
import { answerJson } from './respond.ts';

/** Public information about the relay: no more than it announces over mDNS anyway. */
export type RelayInfo = Pick<Health, 'name' | 'version' | 'instanceId'>;

const READY: Readiness = { status: 'ready' };

/**
 * `/health`: the process responds. `/ready`: it has started and finished its first discovery. Neither needs a token or
 * contains data of the home.
 */
export function healthRoutes({ info, isReady }: { info: RelayInfo; isReady: () => boolean }): Hono<ApiEnv> {
  const { name, version, instanceId } = info;
  const health: Health = { status: 'ok', mode: 'community', name, version, instanceId, authEnabled: true };
  return new Hono<ApiEnv>()
    .get('/health', () => answerJson(health))
    .get('/ready', () => {
      if (isReady()) return answerJson(READY);
      throw new HearthError('relay_not_connected', 'Relay not connected: it is still starting.', {
        retryAfterSeconds: 2,
      });
    });
}
