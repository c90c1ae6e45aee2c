import { Hono } from 'hono';
import { z } from 'zod';
import type { AccessTokenInfo } from '../../app/access/access-token.ts';
import type { AccessTokens } from '../../app/access/access-tokens.ts';
import { HearthError } from '../../kernel/errors.ts';
import type { FaceEnv } from '../env.ts';
import { parseTime } from '../parse-time.ts';
import { answerJson } from '../respond.ts';
import { presentTime } from './present-time.ts';
import { readBody } from './request.ts';

export const NewToken = z.strictObject({
  name: z.string(),
  /** An object, or a JSON string that holds one (API §2.6). */
  homePermissions: z.unknown().optional(),
  expiresAt: z.unknown().optional(),
});

/** Access tokens (API §5.1). The full token is in the answer to its creation and nowhere else. */
export function tokenRoutes({ tokens }: { readonly tokens: AccessTokens }): Hono<FaceEnv> {
  return new Hono<FaceEnv>()
    .get('/', (c) => answerJson(tokens.list(c.get('caller')).map(presentToken)))
    .post('/', async (c) => {
      const { name, homePermissions, expiresAt } = await readBody(c, NewToken);
      const { token, info } = tokens.create(c.get('caller'), {
        name,
        homePermissions: parsePermissions(homePermissions),
        expiresAt: parseTime(expiresAt, 'expiresAt'),
      });
      return answerJson({ success: true, token, accessToken: presentToken(info) });
    })
    .delete('/:id', (c) => {
      const { id } = tokens.revoke(c.get('caller'), c.req.param('id'));
      return answerJson({ success: true, tokenId: id });
    });
}

function presentToken({ id, name, tokenPrefix, homePermissions, ...times }: AccessTokenInfo): object {
  const { createdAt, lastUsedAt, expiresAt, revokedAt } = times;
  return {
    id,
    name,
    tokenPrefix,
    homePermissions,
    createdAt: presentTime(createdAt),
    lastUsedAt: presentTime(lastUsedAt),
    expiresAt: presentTime(expiresAt),
    revokedAt: presentTime(revokedAt),
  };
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
