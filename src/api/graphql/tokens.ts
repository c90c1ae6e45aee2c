/**
 * Access tokens (API §5.1): only the response to the creation contains the full token. A session may use them only
 * while its account has Developer Mode on: DEVELOPER_MODE_REQUIRED, an error of the field.
 */
import type { RevokedToken } from '../../app/access/access-tokens.ts';
import { AccessToken } from '../../contract/access-tokens.ts';
import { parseTime } from '../parse-time.ts';
import { presentToken } from '../present/access-token.ts';
import { builder, LIST } from './builder.ts';
import { fieldsOf } from './contract-fields.ts';
import { ALL_OF_THEM, MadeThing } from './made-things.ts';
import { type ActionResult, MutationResult, reportOutcome } from './result.ts';
import { decodeJson, JSON_TEXT } from './scalars.ts';

const AccessTokenInfo = builder.objectRef<AccessToken>('AccessTokenInfo').implement({
  description: 'An access token as it may be listed. Times are ISO 8601 in UTC.',
  fields: (t) => ({
    ...fieldsOf(t, AccessToken, ['createdAt']),
    homePermissions: t.string({
      description:
        'A text that holds a JSON object, home id → `control` or `view`; null for no limit beyond its maker’s own.',
      resolve: ({ homePermissions }) => (homePermissions === null ? null : JSON.stringify(homePermissions)),
    }),
    made: t.expose('made', {
      type: [MadeThing],
      nullable: ALL_OF_THEM,
      description: 'What it made, or changed, that goes on without it.',
    }),
  }),
});

interface CreatedToken extends ActionResult {
  readonly token: string | null;
  readonly accessToken: AccessToken | null;
}

const CreateAccessTokenResult = builder.objectRef<CreatedToken>('CreateAccessTokenResult').implement({
  description: 'A new access token.',
  interfaces: [MutationResult],
  fields: (t) => ({
    token: t.exposeString('token', { description: 'The whole token, this once only. Keep it safe.' }),
    rawToken: t.exposeString('token', { description: 'The same as `token`.' }),
    accessToken: t.expose('accessToken', { type: AccessTokenInfo, description: 'How it will be listed.' }),
  }),
});

type RevocationOfToken = ActionResult & Pick<RevokedToken, 'made' | 'hasEndedWhatItMade'>;
const NOT_REVOKED = { made: [], hasEndedWhatItMade: false };

const RevokeAccessTokenResult = builder.objectRef<RevocationOfToken>('RevokeAccessTokenResult').implement({
  description: 'Whether a token was revoked. Revoking one twice changes nothing.',
  interfaces: [MutationResult],
  fields: (t) => ({
    made: t.expose('made', {
      type: [MadeThing],
      nullable: ALL_OF_THEM,
      description: 'What it made, or changed: it goes on, or has ended now (`hasEndedWhatItMade`).',
    }),
    hasEndedWhatItMade: t.exposeBoolean('hasEndedWhatItMade', {
      nullable: false,
      description: 'Whether what it made has ended with it.',
    }),
  }),
});

builder.queryFields((t) => ({
  accessTokens: t.field({
    type: [AccessTokenInfo],
    nullable: LIST,
    description:
      'The access tokens that the caller may see, oldest first, revoked ones too. For admins of any home; DEVELOPER_MODE_REQUIRED for sessions without it.',
    resolve: (_, __, { caller, deps }) => deps.tokens.list(caller).map(presentToken),
  }),
}));

builder.mutationFields((t) => ({
  createAccessToken: t.field({
    type: CreateAccessTokenResult,
    description:
      'Makes a token that can do at most what its maker can, now and later. For admins of any home; DEVELOPER_MODE_REQUIRED for sessions without it.',
    args: {
      name: t.arg.string({ required: true }),
      homePermissions: t.arg.string({
        description: 'A text that holds a JSON object: home id → `control` or `view`. Null for all homes.',
        ...JSON_TEXT,
      }),
      expiresAt: t.arg.string({ description: 'ISO 8601 with a time zone: `2030-01-31T12:00:00Z`; null for never.' }),
    },
    resolve: (_, { name, homePermissions, expiresAt }, { caller, deps }) =>
      reportOutcome<Omit<CreatedToken, keyof ActionResult>, Omit<CreatedToken, keyof ActionResult>>(
        () => {
          const permissions = decodeJson(homePermissions, 'homePermissions');
          const until = parseTime(expiresAt, 'expiresAt');
          const { token, info } = deps.tokens.create(caller, { name, homePermissions: permissions, expiresAt: until });
          return { token, accessToken: presentToken(info) };
        },
        { token: null, accessToken: null },
      ),
  }),
  revokeAccessToken: t.field({
    type: RevokeAccessTokenResult,
    description: 'Ends a token at once. For callers who may list it; DEVELOPER_MODE_REQUIRED for sessions without it.',
    args: {
      tokenId: t.arg.string({ required: true }),
      endWhatItMade: t.arg.boolean({
        description: 'Ends what it made as well, as `made` lists it; also of a token that is revoked already.',
      }),
    },
    resolve: (_, { tokenId, endWhatItMade }, { caller, deps }) =>
      reportOutcome<Omit<RevocationOfToken, keyof ActionResult>, typeof NOT_REVOKED>(() => {
        const revoked = deps.tokens.revoke(caller, tokenId, { endWhatItMade: endWhatItMade ?? false });
        return { made: revoked.made, hasEndedWhatItMade: revoked.hasEndedWhatItMade };
      }, NOT_REVOKED),
  }),
}));
