/** Shares for their managers; `api/share` opens them. */
import { Hono } from 'hono';
import type { Share, Shares } from '../../app/sharing/shares.ts';
import { NewShare, ShareChanges } from '../../contract/shares.ts';
import { HearthError } from '../../kernel/errors.ts';
import type { ApiContext, ApiEnv } from '../env.ts';
import type { GuardOptions } from '../guards.ts';
import { presentShare } from '../present/share.ts';
import { readInput } from '../read-body.ts';
import { queryId, queryText } from '../read-query.ts';
import { answerJson } from '../respond.ts';
import { shareUrls } from '../share-url.ts';

export interface ShareRouteDeps {
  readonly shares: Shares;
  readonly guards: GuardOptions;
}

export function shareRoutes({ shares, guards }: ShareRouteDeps): Hono<ApiEnv> {
  const urlsOf = shareUrls(guards);
  const present = (c: ApiContext, share: Share): object => presentShare(share, urlsOf(c));
  return new Hono<ApiEnv>()
    .get('/', (c) => {
      const caller = c.get('caller');
      const [entityType, entityId] = [queryText(c, 'entityType'), queryText(c, 'entityId')];
      const homeId = queryId(c, 'home');
      if (homeId !== undefined) return answerJson(shares.ofHome(caller, homeId).map((share) => present(c, share)));
      if (entityType === undefined && entityId === undefined) {
        return answerJson(shares.mine(caller).map((share) => present(c, share)));
      }
      if (entityType === undefined || entityId === undefined) {
        throw new HearthError('invalid_request', 'Give entityType and entityId, or neither for all that you share.');
      }
      return answerJson(shares.list(caller, entityType, entityId).map((share) => present(c, share)));
    })
    .post('/', async (c) => {
      const { share } = await shares.create(c.get('caller'), await readInput(c, NewShare));
      return answerJson(present(c, share));
    })
    .patch('/:id', async (c) => {
      const changes = await readInput(c, ShareChanges);
      return answerJson(present(c, await shares.update(c.get('caller'), c.req.param('id'), changes)));
    })
    .delete('/:id', (c) => {
      const id = c.req.param('id').toLowerCase();
      shares.delete(c.get('caller'), id);
      return answerJson({ success: true, shareId: id });
    });
}
