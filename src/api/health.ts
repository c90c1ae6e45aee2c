import { Hono } from 'hono';
import { HearthError } from '../kernel/errors.ts';
import type { ApiEnv } from './env.ts';
import { answerJson } from './respond.ts';

/** Public information about the relay: no more than it announces over mDNS anyway. */
export interface RelayInfo {
  readonly name: string;
  readonly version: string;
  /** Eight hex digits, constant for this installation. */
  readonly instanceId: string;
}

/**
 * `/health`: the process responds. `/ready`: it has started and finished its first discovery. Neither needs a token or
 * contains data of the home. Clients read `status` and `mode` (wire-facts §10.6).
 */
export function healthRoutes({ info, isReady }: { info: RelayInfo; isReady: () => boolean }): Hono<ApiEnv> {
  const { name, version, instanceId } = info;
  const health = { status: 'ok', mode: 'community', name, version, instanceId, authEnabled: true };
  return new Hono<ApiEnv>()
    .get('/health', () => answerJson(health))
    .get('/ready', () => {
      if (isReady()) return answerJson({ status: 'ready' });
      throw new HearthError('relay_not_connected', 'Relay not connected: it is still starting.', {
        retryAfterSeconds: 2,
      });
    });
}
