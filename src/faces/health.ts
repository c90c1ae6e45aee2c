import { Hono } from 'hono';
import { HearthError } from '../kernel/errors.ts';
import type { FaceEnv } from './env.ts';
import { answerJson } from './respond.ts';

/** What a relay tells about itself to anybody: no more than it announces over mDNS anyway. */
export interface RelayInfo {
  readonly name: string;
  readonly version: string;
  /** Eight hex digits that stay the same for this installation. */
  readonly instanceId: string;
}

/**
 * `/health`: the process answers. `/ready`: it has started and looked around once. Both without a token, both without any
 * data of the home; `status` and `mode` are what clients look for (wire-facts §10.6).
 */
export function healthRoutes({ info, isReady }: { info: RelayInfo; isReady: () => boolean }): Hono<FaceEnv> {
  const { name, version, instanceId } = info;
  const health = { status: 'ok', mode: 'community', name, version, instanceId, authEnabled: true };
  return new Hono<FaceEnv>()
    .get('/health', () => answerJson(health))
    .get('/ready', () => {
      if (isReady()) return answerJson({ status: 'ready' });
      throw new HearthError('relay_not_connected', 'Relay not connected: it is still starting.', {
        retryAfterSeconds: 2,
      });
    });
}
