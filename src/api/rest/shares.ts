/** Shares for their managers; `api/share` opens them. */
import { Hono } from 'hono';
import { z } from 'zod';
import type { Share, Shares } from '../../app/sharing/shares.ts';
import { HearthError } from '../../kernel/errors.ts';
import type { ApiContext, ApiEnv } from '../env.ts';
import type { GuardOptions } from '../guards.ts';
import { presentTime } from '../present/time.ts';
import { readBody } from '../read-body.ts';
import { queryId, queryText } from '../read-query.ts';
import { answerJson } from '../respond.ts';
import { shareUrls } from '../share-url.ts';

/** The operations check the values; `null` is the same as omitted, or removes the value. */
const SHARE_FIELDS = {
  passcode: z.string().nullish(),
  name: z.string().nullish(),
  accessSchedule: z.unknown().optional(),
  requirePost: z.boolean().optional(),
};
export const NewShareBody = z.strictObject({
  entityType: z.string(),
  entityId: z.string(),
  accessType: z.string(),
  role: z.string(),
  homeId: z.string().nullish(),
  userEmail: z.string().nullish(),
  ...SHARE_FIELDS,
});
export const ShareChangesBody = z.strictObject({ role: z.string().optional(), ...SHARE_FIELDS });

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
      const { share } = await shares.create(c.get('caller'), await readBody(c, NewShareBody));
      return answerJson(present(c, share));
    })
    .patch('/:id', async (c) => {
      const changes = await readBody(c, ShareChangesBody);
      return answerJson(present(c, await shares.update(c.get('caller'), c.req.param('id'), changes)));
    })
    .delete('/:id', (c) => {
      const id = c.req.param('id').toLowerCase();
      shares.delete(c.get('caller'), id);
      return answerJson({ success: true, shareId: id });
    });
}

export function presentShare(share: Share, urlOf: (hash: string) => string): object {
  return { ...share, createdAt: presentTime(share.createdAt), shareUrl: urlOf(share.shareHash) };
}
