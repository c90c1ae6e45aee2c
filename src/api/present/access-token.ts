import type { ListedToken } from '../../app/access/access-tokens.ts';
import type { AccessToken } from '../../contract/access-tokens.ts';
import { presentTime } from './time.ts';

export function presentToken({ id, name, tokenPrefix, homePermissions, made, ...times }: ListedToken): AccessToken {
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
    made,
  };
}
