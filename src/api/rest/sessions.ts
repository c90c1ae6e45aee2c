/** The sessions of users. */
import { Hono } from 'hono';
import type { Sessions } from '../../app/users/sessions.ts';
import type { Users } from '../../app/users/users.ts';
import type { ApiEnv } from '../env.ts';
import { presentSession, presentSignedIn } from '../present/user.ts';
import { queryFlag, queryId } from '../read-query.ts';
import { answerJson } from '../respond.ts';

interface SessionRoutesDeps {
  readonly sessions: Sessions;
  readonly users: Users;
}

export function sessionRoutes({ sessions, users }: SessionRoutesDeps): Hono<ApiEnv> {
  return new Hono<ApiEnv>()
    .get('/', (c) => answerJson(sessions.list(c.get('caller')).map(presentSession)))
    .post('/renew', async (c) => answerJson(presentSignedIn(await users.renewSession(c.get('caller')))))
    .get('/:id', (c) => answerJson(presentSession(sessions.get(c.get('caller'), c.req.param('id')))))
    .delete('/', (c) => {
      const userId = queryId(c, 'user');
      const which = { exceptCurrent: queryFlag(c, 'exceptCurrent'), ...(userId !== undefined && { userId }) };
      return answerJson({ success: true, ended: sessions.endAll(c.get('caller'), which) });
    })
    .delete('/:id', (c) => {
      const { id } = sessions.end(c.get('caller'), c.req.param('id'));
      return answerJson({ success: true, sessionId: id });
    });
}
