import { Command } from 'commander';
import type { AuthorizedApp } from '../../contract/authorized-apps.ts';
import type { User } from '../../contract/users.ts';
import { type Cli, examples } from '../action.ts';
import { CliError, EXIT } from '../exit-codes.ts';
import { madeLines } from '../made-things.ts';
import { requireOne } from '../require-one.ts';

/** `hearthd app …`: apps that users authorized by OAuth. */
export function appCommand(cli: Cli): Command {
  const command = new Command('app')
    .description('list or revoke apps that users authorized')
    .addHelpText('after', examples('hearthd app list', 'hearthd app revoke "Home Assistant"'));
  command
    .command('list')
    .description('list authorized apps')
    .action(
      cli.run(async ({ api, output }) => {
        const apps = await api.get<AuthorizedApp[]>('/rest/authorized-apps');
        const users = await api.get<User[]>('/rest/users');
        const addresses = new Map(users.map(({ id, email }) => [id, email]));
        const rows = apps.map((app) => [
          app.clientName,
          app.redirectDomain,
          addresses.get(app.userId) ?? app.userId,
          app.scope,
          app.homePermissions === null ? 'all' : String(Object.keys(app.homePermissions).length),
          output.when(app.lastUsedAt),
          app.clientId,
        ]);
        const head = ['Name (unverified)', 'Redirects to', 'Authorized by', 'Scope', 'Homes', 'Last used', 'Id'];
        output.result(apps, () => output.table(head, rows, 'No apps are authorized.'));
        return EXIT.ok;
      }),
    );
  command
    .command('revoke')
    .description('revoke an app’s access for all users and delete what it created')
    .argument('<app>', 'name or id')
    .option('--yes', 'confirm that items created by the app are deleted')
    .action(
      cli.run(async ({ api, output }, text: string, { yes }: { yes?: boolean }) => {
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
        return EXIT.ok;
      }),
    );
  return command;
}

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
