/** Apps that a user authorized. */
import { Hono } from 'hono';
import type { AuthorizedApps } from '../../app/oauth/authorized-apps.ts';
import { AppChanges, type RevokedApp } from '../../contract/authorized-apps.ts';
import type { ApiEnv } from '../env.ts';
import { presentApp } from '../present/authorized-app.ts';
import { readInput } from '../read-body.ts';
import { answerJson } from '../respond.ts';

export function authorizedAppRoutes({
  authorizedApps: apps,
}: {
  readonly authorizedApps: AuthorizedApps;
}): Hono<ApiEnv> {
  return new Hono<ApiEnv>()
    .get('/', (c) => answerJson(apps.list(c.get('caller')).map(presentApp)))
    .patch('/:clientId', async (c) => {
      const { homePermissions } = await readInput(c, AppChanges);
      return answerJson(presentApp(apps.update(c.get('caller'), c.req.param('clientId'), homePermissions)));
    })
    .delete('/:clientId', (c) => {
      const clientId = c.req.param('clientId');
      const answer: RevokedApp = { success: true, clientId, ended: apps.revoke(c.get('caller'), clientId) };
      return answerJson(answer);
    });
}
