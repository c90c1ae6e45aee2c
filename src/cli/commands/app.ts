import type { AuthorizedApp } from '../../contract/authorized-apps.ts';
import { userAddresses } from '../accounts.ts';
import { defineCommand } from '../define-command.ts';
import { CliError, EXIT } from '../exit-codes.ts';
import { madeLines } from '../made-things.ts';
import { requireOne } from '../require-one.ts';

/** `hearthd app …`: apps that users authorized by OAuth. */
export const appCommand = defineCommand({
  name: 'app',
  description: 'list or revoke apps that users authorized',
  examples: ['hearthd app list', 'hearthd app revoke "Home Assistant"'],
  commands: [
    defineCommand({
      name: 'list',
      description: 'list authorized apps',
      async run({ api, output }) {
        const apps = await api.get<AuthorizedApp[]>('/rest/authorized-apps');
        const addresses = await userAddresses(api);
        output.list(
          apps,
          (app) => ({
            'Name (unverified)': app.clientName,
            'Redirects to': app.redirectDomain,
            'Authorized by': addresses.get(app.userId) ?? app.userId,
            Scope: app.scope,
            Homes: app.homePermissions === null ? 'all' : Object.keys(app.homePermissions).length,
            'Last used': output.when(app.lastUsedAt),
            Id: app.clientId,
          }),
          'No apps are authorized.',
        );
      },
    }),
    defineCommand({
      name: 'revoke',
      description: 'revoke an app’s access for all users and delete what it created',
      arguments: [['<app>', 'name or id']],
      options: [['--yes', 'confirm that items created by the app are deleted']],
      async run({ api, output }, text, { yes }) {
        const apps = await api.get<AuthorizedApp[]>('/rest/authorized-apps');
        const app = findApp(apps, text);
        const made = apps.filter(({ clientId }) => clientId === app.clientId).flatMap((one) => one.made);
        if (made.length > 0 && !yes) {
          const ends = `Revoking ${app.clientName} also deletes what it created:\n${madeLines(made)}`;
          throw new CliError(EXIT.refused, 'ends_with_it', `${ends}\nTo revoke it anyway, add --yes.`);
        }
        const answer = await api.send('DELETE', `/rest/authorized-apps/${encodeURIComponent(app.clientId)}`);
        output.result(answer, () => {
          output.line(`${app.clientName} (${app.redirectDomain}) is revoked.`);
          if (made.length > 0) output.note(`Deleted with it:\n${madeLines(made)}`);
        });
      },
    }),
  ],
});

/** Apps choose their own names; ids distinguish apps with the same name. */
function findApp(apps: readonly AuthorizedApp[], text: string): AuthorizedApp {
  const wanted = text.toLowerCase();
  const matches = apps.filter(({ clientId, clientName }) => clientId === wanted || clientName.toLowerCase() === wanted);
  // An app that several users authorized counts as one app.
  const byId = new Map(matches.map((app) => [app.clientId, app]));
  return requireOne([...byId.values()], text, {
    noun: 'app',
    none: `No app "${text}".`,
    shownBy: 'hearthd app list lists them.',
    names: apps.map(({ clientName }) => clientName),
    lineOf: ({ clientId }) => clientId,
  });
}
