/** Apps that a user authorized by OAuth (API §5.2). */
import { AuthorizedApp } from '../../contract/authorized-apps.ts';
import type { MadeThing as Made } from '../../contract/made-things.ts';
import { presentApp } from '../present/authorized-app.ts';
import { builder, LIST } from './builder.ts';
import { fieldsOf } from './contract-fields.ts';
import { ALL_OF_THEM, MadeThing } from './made-things.ts';
import { type ActionResult, MutationResult, reportOutcome } from './result.ts';
import { decodeJson, JSON_TEXT } from './scalars.ts';

const AuthorizedAppInfo = builder.objectRef<AuthorizedApp>('AuthorizedAppInfo').implement({
  description: 'An app that a person allowed. Its own description is unverified. Times are ISO 8601 in UTC.',
  fields: (t) => ({
    ...fieldsOf(t, AuthorizedApp.omit({ userId: true }), ['createdAt', 'redirectDomain']),
    homePermissions: t.string({
      description: 'A text that holds a JSON object, home id → `control` or `view`; null for all homes of the person.',
      resolve: ({ homePermissions }) => (homePermissions === null ? null : JSON.stringify(homePermissions)),
    }),
    made: t.expose('made', {
      type: [MadeThing],
      nullable: ALL_OF_THEM,
      description: 'What it made. It ends when the app’s access is removed.',
    }),
  }),
});

interface UpdatedApp extends ActionResult {
  readonly app: AuthorizedApp | null;
}

const UpdateAuthorizedAppResult = builder.objectRef<UpdatedApp>('UpdateAuthorizedAppResult').implement({
  description: 'What an app may do now.',
  interfaces: [MutationResult],
  fields: (t) => ({ app: t.expose('app', { type: AuthorizedAppInfo, description: 'The app.' }) }),
});

interface RevokedApp extends ActionResult {
  readonly ended: readonly Made[];
}

const RevokeAuthorizedAppResult = builder.objectRef<RevokedApp>('RevokeAuthorizedAppResult').implement({
  description: 'Whether the access of an app was removed.',
  interfaces: [MutationResult],
  fields: (t) => ({
    ended: t.expose('ended', {
      type: [MadeThing],
      nullable: ALL_OF_THEM,
      description: 'What it had made, which has ended with it.',
    }),
  }),
});

builder.queryFields((t) => ({
  authorizedApps: t.field({
    type: [AuthorizedAppInfo],
    nullable: LIST,
    description:
      'The apps that the caller’s person authorized, oldest first. For people who are signed in, access tokens without home limits and apps with `mcp:admin`.',
    resolve: (_, __, { caller, deps }) => deps.authorizedApps.list(caller).map(presentApp),
  }),
}));

builder.mutationFields((t) => ({
  updateAuthorizedApp: t.field({
    type: UpdateAuthorizedAppResult,
    description:
      'Changes which homes an app reaches, at once, for the tokens that it has. For the person who allowed it.',
    args: {
      clientId: t.arg.string({ required: true }),
      homePermissions: t.arg.string({
        description: 'A text that holds a JSON object: home id → `control` or `view`. Null for all homes.',
        ...JSON_TEXT,
      }),
    },
    resolve: (_, { clientId, homePermissions }, { caller, deps }) =>
      reportOutcome<Pick<UpdatedApp, 'app'>, Pick<UpdatedApp, 'app'>>(
        () => ({
          app: presentApp(deps.authorizedApps.update(caller, clientId, decodeJson(homePermissions, 'homePermissions'))),
        }),
        { app: null },
      ),
  }),
  revokeAuthorizedApp: t.field({
    type: RevokeAuthorizedAppResult,
    description:
      'Shuts an app out, with all its tokens and what it made, at once. For the person who let it in, and callers that may list it.',
    args: { clientId: t.arg.string({ required: true }) },
    resolve: (_, { clientId }, { caller, deps }) =>
      reportOutcome<Pick<RevokedApp, 'ended'>, Pick<RevokedApp, 'ended'>>(
        () => ({ ended: deps.authorizedApps.revoke(caller, clientId) }),
        { ended: [] },
      ),
  }),
}));
