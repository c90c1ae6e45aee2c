import { z } from 'zod';
import { AppChanges, AuthorizedApp, RevokedApp } from '../../../contract/authorized-apps.ts';
import type { Resource } from '../operation.ts';
import { HOME_ID } from './homes.ts';

const CLIENT_ID = { clientId: 'The id that the app registered under.' };

export const authorizedApps: Resource = {
  tag: 'Authorized apps',
  description: 'Apps that users allowed by OAuth. Users see their own, the command line all.',
  operations: [
    {
      method: 'get',
      path: '/rest/authorized-apps',
      id: 'listAuthorizedApps',
      summary: 'The apps that a person authorized',
      audience: 'caretaker of apps',
      answer: { description: 'The apps, oldest first.', schema: z.array(AuthorizedApp) },
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
        examples: { 'To look only': { homePermissions: { [HOME_ID]: 'view' } } },
      },
      answer: { description: 'The app.', schema: AuthorizedApp },
      errors: [404],
    },
    {
      method: 'delete',
      path: '/rest/authorized-apps/:clientId',
      pathParameters: CLIENT_ID,
      id: 'revokeAuthorizedApp',
      summary: 'Shut an app out',
      description: 'With all its tokens and what it made, at once. The command line removes it for all users.',
      audience: 'caretaker of apps',
      answer: {
        description: 'Its access is removed.',
        schema: RevokedApp,
      },
    },
  ],
};
