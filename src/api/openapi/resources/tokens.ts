import { z } from 'zod';
import { AccessToken, CreatedToken, NewToken, RevokedToken } from '../../../contract/access-tokens.ts';
import type { Resource } from '../operation.ts';
import { HOME_ID } from './homes.ts';

export const tokens: Resource = {
  tag: 'Access tokens',
  description:
    'Personal tokens for scripts and programs. A session manages them only while its account has Developer Mode on: `developer_mode_required`.',
  operations: [
    {
      method: 'get',
      path: '/rest/tokens',
      id: 'listTokens',
      summary: 'The access tokens',
      audience: 'admin of any home',
      answer: {
        description: 'The tokens, without their secret part.',
        schema: z.array(AccessToken),
      },
    },
    {
      method: 'post',
      path: '/rest/tokens',
      id: 'createToken',
      summary: 'Make an access token',
      description: 'A token can never do more than its maker. The answer is the only place where it is shown whole.',
      audience: 'admin of any home',
      body: {
        schema: NewToken,
        examples: {
          'For everything': { name: 'Scripts' },
          'To look only': {
            name: 'Wall panel',
            homePermissions: { [HOME_ID]: 'view' },
            expiresAt: '2031-01-31T12:00:00Z',
          },
        },
      },
      answer: {
        description: 'The token.',
        schema: CreatedToken,
      },
      errors: [404],
    },
    {
      method: 'delete',
      path: '/rest/tokens/:id',
      id: 'revokeToken',
      summary: 'Revoke an access token',
      audience: 'admin of any home',
      query: [
        {
          name: 'endWhatItMade',
          description: 'End what it made as well; also of a token that is revoked already.',
          schema: { type: 'boolean', default: false },
        },
      ],
      answer: {
        description: 'It opens no door any more.',
        schema: RevokedToken,
      },
    },
  ],
};
