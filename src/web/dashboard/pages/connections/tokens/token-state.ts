/** Whether a token can still be used. */
import type { ResultOf } from '../../../api/graphql.ts';
import type { TokensQuery } from '../documents.ts';

export type Token = NonNullable<NonNullable<ResultOf<typeof TokensQuery>['accessTokens']>[number]>;

export const isOver = ({ revokedAt, expiresAt }: Token): boolean =>
  revokedAt !== null || (expiresAt !== null && Date.parse(expiresAt) <= Date.now());
