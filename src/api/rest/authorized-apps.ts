/** Apps that a user authorized. */
import { Hono } from 'hono';
import { z } from 'zod';
import type { AuthorizedApp, AuthorizedApps } from '../../app/oauth/authorized-apps.ts';
import type { ApiEnv } from '../env.ts';
import { presentTime } from '../present/time.ts';
import { readBody } from '../read-body.ts';
import { answerJson } from '../respond.ts';

export const AppChanges = z.strictObject({
  /** An object, or `null` for all homes. */
  homePermissions: z.unknown(),
});

export function authorizedAppRoutes({
  authorizedApps: apps,
}: {
  readonly authorizedApps: AuthorizedApps;
}): Hono<ApiEnv> {
  return new Hono<ApiEnv>()
    .get('/', (c) => answerJson(apps.list(c.get('caller')).map(presentApp)))
    .patch('/:clientId', async (c) => {
      const { homePermissions } = await readBody(c, AppChanges);
      return answerJson(presentApp(apps.update(c.get('caller'), c.req.param('clientId'), homePermissions)));
    })
    .delete('/:clientId', (c) => {
      const clientId = c.req.param('clientId');
      const ended = apps.revoke(c.get('caller'), clientId);
      return answerJson({ success: true, clientId, ended });
    });
}

function presentApp(app: AuthorizedApp): object {
  return {
    clientId: app.clientId,
    clientName: app.clientName,
    clientUri: app.clientUri,
    logoUri: app.logoUri,
    redirectDomain: app.redirectDomain,
    scope: app.scope,
    homePermissions: app.homePermissions,
    userId: app.userId,
    createdAt: presentTime(app.createdAt),
    lastUsedAt: presentTime(app.lastUsedAt),
    made: app.made,
  };
}
