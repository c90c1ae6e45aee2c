import { AppChanges } from '../../rest/authorized-apps.ts';
import { arrayOf, id, mapOf, object, oneOf, orNull, ref, success, text, time } from '../json-schema.ts';
import type { Resource } from '../operation.ts';
import { HOME_ID } from './homes.ts';
import { MADE, MADE_THING, MADE_THINGS } from './made-things.ts';
import { USER } from './me.ts';

const APP = {
  clientId: '5d0a2f7e-8c31-4b6f-9f57-2b1c0d9e8a46',
  clientName: 'Home Assistant',
  clientUri: null,
  logoUri: null,
  redirectDomain: 'my.home-assistant.io',
  scope: 'mcp:read mcp:write',
  homePermissions: { [HOME_ID]: 'control' },
  userId: USER.id,
  createdAt: '2030-01-31T12:00:00.000Z',
  lastUsedAt: '2030-02-01T08:30:00.000Z',
  made: MADE,
};

const PERMISSIONS = mapOf(oneOf(['control', 'view']), 'From home ids to what the app may do there.');
const CLIENT_ID = { clientId: 'The id that the app registered under.' };

export const authorizedApps: Resource = {
  tag: 'Authorized apps',
  description: 'Apps that somebody let in by OAuth. Everybody sees their own, the command line all.',
  schemas: {
    AuthorizedApp: object({
      clientId: id('The id that it registered under.'),
      clientName: text('What it calls itself. Nobody has verified that.'),
      clientUri: orNull(text('Its site, by its own word.')),
      logoUri: orNull(text('Its picture, by its own word. It is never fetched.')),
      redirectDomain: text('Where people are sent back to: a host, or the scheme of an app’s own.'),
      scope: text('`mcp:read`, `mcp:write` and `mcp:admin`, with blanks between them.'),
      homePermissions: orNull({
        ...PERMISSIONS,
        description: 'From home ids to `control` or `view`; `null`: all homes of the person.',
      }),
      userId: id('Who let it in.'),
      createdAt: time(),
      lastUsedAt: orNull(time('To the minute.')),
      made: { ...MADE_THINGS, description: 'What it made. It ends when the app is shut out.' },
    }),
    MadeThing: MADE_THING,
  },
  operations: [
    {
      method: 'get',
      path: '/rest/authorized-apps',
      id: 'listAuthorizedApps',
      summary: 'The apps that one let in',
      audience: 'caretaker of apps',
      answer: { description: 'The apps, oldest first.', schema: arrayOf(ref('AuthorizedApp')), example: [APP] },
    },
    {
      method: 'patch',
      path: '/rest/authorized-apps/:clientId',
      pathParameters: CLIENT_ID,
      id: 'updateAuthorizedApp',
      summary: 'Change which homes an app reaches',
      description: 'At once, for the tokens that it has.',
      audience: 'session',
      body: {
        schema: AppChanges,
        fields: {
          homePermissions: {
            anyOf: [PERMISSIONS, { type: 'null' }],
            description: 'What the app may do in which home. `null`: as much as its scope allows, in all homes.',
          },
        },
        examples: { 'To look only': { homePermissions: { [HOME_ID]: 'view' } } },
      },
      answer: { description: 'The app.', schema: ref('AuthorizedApp'), example: APP },
      errors: [404],
    },
    {
      method: 'delete',
      path: '/rest/authorized-apps/:clientId',
      pathParameters: CLIENT_ID,
      id: 'revokeAuthorizedApp',
      summary: 'Shut an app out',
      description: 'With all its tokens and what it made, at once. The command line shuts it out for everybody.',
      audience: 'caretaker of apps',
      answer: {
        description: 'It is shut out.',
        schema: success({ clientId: id(), ended: { ...MADE_THINGS, description: 'What has ended with it.' } }),
        example: { success: true, clientId: APP.clientId, ended: MADE },
      },
    },
  ],
};
