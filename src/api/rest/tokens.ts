import { Hono } from 'hono';
import type { AccessTokens } from '../../app/access/access-tokens.ts';
import { NewToken } from '../../contract/access-tokens.ts';
import { HearthError } from '../../kernel/errors.ts';
import type { ApiEnv } from '../env.ts';
import { parseTime } from '../parse-time.ts';
import { presentToken } from '../present/access-token.ts';
import { readInput } from '../read-body.ts';
import { queryFlag } from '../read-query.ts';
import { answerJson } from '../respond.ts';

/** Access tokens (API §5.1). Only the response to the creation contains the full token. */
export function tokenRoutes({ tokens }: { readonly tokens: AccessTokens }): Hono<ApiEnv> {
  return new Hono<ApiEnv>()
    .get('/', (c) => answerJson(tokens.list(c.get('caller')).map(presentToken)))
    .post('/', async (c) => {
      const { name, homePermissions, expiresAt } = await readInput(c, NewToken);
      const { token, info } = tokens.create(c.get('caller'), {
        name,
        homePermissions: parsePermissions(homePermissions),
        expiresAt: parseTime(expiresAt, 'expiresAt'),
      });
      return answerJson({ success: true, token, accessToken: presentToken(info) });
    })
    .delete('/:id', (c) => {
      const endWhatItMade = queryFlag(c, 'endWhatItMade');
      const revoked = tokens.revoke(c.get('caller'), c.req.param('id'), { endWhatItMade });
      const { id: tokenId, made, hasEndedWhatItMade } = revoked;
      return answerJson({ success: true, tokenId, made, hasEndedWhatItMade });
    });
}

function parsePermissions(input: unknown): unknown {
  if (typeof input !== 'string') return input;
  try {
    return JSON.parse(input);
  } catch {
    throw new HearthError('invalid_value', '"homePermissions" must be an object, or a text that is one in JSON.', {
      field: 'homePermissions',
    });
  }
}
