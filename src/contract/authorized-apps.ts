/** Apps that a user authorized by OAuth (API §5.2). */
import { z } from 'zod';
import { homePermissions, PERMISSIONS } from './access-tokens.ts';
import { id, success, text, time } from './fields.ts';
import { MadeThing } from './made-things.ts';
import { SCOPES } from './oauth-scope.ts';
import type { Output } from './parse.ts';

const MADE = z.array(MadeThing);

export const AuthorizedApp = z
  .object({
    clientId: id('The id that it registered under.'),
    clientName: text('Its own name, unverified.', 'Home Assistant'),
    clientUri: text('Its site, by its own word.').nullable(),
    logoUri: text('Its picture, by its own word. It is never fetched.').nullable(),
    redirectDomain: text(
      'Where people are sent back to: a host, or the scheme of an app’s own.',
      'my.home-assistant.io',
    ),
    scope: text(`${SCOPES.map((scope) => `\`${scope}\``).join(', ')}: with blanks between them.`, 'mcp:read mcp:write'),
    homePermissions: homePermissions('null: all homes of the user'),
    userId: id('The user who authorized it.'),
    createdAt: time('When it was authorized.'),
    lastUsedAt: time('When it was used last, to the minute; null if it never was.').nullable(),
    made: MADE.describe('What it made. It ends with the authorization.'),
  })
  .meta({ id: 'AuthorizedApp' });
export type AuthorizedApp = Output<typeof AuthorizedApp>;

/** The operation parses the permissions. */
export const AppChanges = z.strictObject({
  homePermissions: z.unknown().meta({
    description: 'What the app may do in which home. `null`: as much as its scope allows, in all homes.',
    anyOf: [PERMISSIONS, { type: 'null' }],
  }),
});

export const RevokedApp = success({ clientId: id(), ended: MADE.describe('What has ended with it.') });
export type RevokedApp = Output<typeof RevokedApp>;
