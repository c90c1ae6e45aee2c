import { NewToken } from '../../rest/tokens.ts';
import { arrayOf, flag, id, mapOf, object, oneOf, orNull, ref, success, text, time } from '../json-schema.ts';
import type { Resource } from '../operation.ts';
import { HOME_ID } from './homes.ts';
import { MADE, MADE_THINGS } from './made-things.ts';

const TOKEN_ID = '6b0c8a54-5d0d-4c43-a0f3-0c4a1f6f7e10';
const TOKEN = {
  id: TOKEN_ID,
  name: 'Wall panel',
  tokenPrefix: 'hc_3fK9xQ2b',
  homePermissions: { [HOME_ID]: 'view' },
  createdAt: '2030-01-31T12:00:00.000Z',
  lastUsedAt: null,
  expiresAt: null,
  revokedAt: null,
  made: [],
};
const FULL_TOKEN = 'hc_3fK9xQ2b…';

const PERMISSIONS = mapOf(oneOf(['control', 'view']), 'From home ids to what the token may do there.');

export const tokens: Resource = {
  tag: 'Access tokens',
  description:
    'Personal tokens for scripts and programs. A session manages them only while its account has Developer Mode on: `developer_mode_required`.',
  schemas: {
    AccessToken: object({
      id: id(),
      name: text(),
      tokenPrefix: text('The first eleven characters, to tell tokens apart.'),
      homePermissions: orNull({
        ...PERMISSIONS,
        description: 'From home ids to `control` or `view`; `null`: no limit of its own.',
      }),
      createdAt: time(),
      lastUsedAt: orNull(time('To the minute.')),
      expiresAt: orNull(time('`null`: never.')),
      revokedAt: orNull(time('`null`: it is active.')),
      made: { ...MADE_THINGS, description: 'What it made, or changed, that goes on without it.' },
    }),
  },
  operations: [
    {
      method: 'get',
      path: '/rest/tokens',
      id: 'listTokens',
      summary: 'The access tokens',
      audience: 'admin of any home',
      answer: {
        description: 'The tokens, without their secret part.',
        schema: arrayOf(ref('AccessToken')),
        example: [TOKEN],
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
        fields: {
          name: 'For people.',
          homePermissions: {
            anyOf: [PERMISSIONS, text('The same object as JSON text.'), { type: 'null' }],
            description: 'What the token may do in which home. Left out or `null`: as much as its maker.',
          },
          expiresAt: orNull(time('With a time zone. Left out or `null`: never.')),
        },
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
        schema: success({ token: text('The whole token. It is never shown again.'), accessToken: ref('AccessToken') }),
        example: { success: true, token: FULL_TOKEN, accessToken: TOKEN },
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
        schema: success({
          tokenId: id(),
          made: { ...MADE_THINGS, description: 'What it made, or changed: it goes on, or has ended now.' },
          hasEndedWhatItMade: flag(),
        }),
        example: { success: true, tokenId: TOKEN_ID, made: MADE, hasEndedWhatItMade: false },
      },
    },
  ],
};
