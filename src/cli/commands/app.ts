import { Command } from 'commander';
import { type Cli, examples } from '../action.ts';
import type { AuthorizedAppResource, UserResource } from '../api-resources.ts';
import { CliError, EXIT } from '../exit-codes.ts';
import { madeLines } from '../made-things.ts';
import { requireOne } from '../require-one.ts';

/** `hearthd app …`: apps that users authorized by OAuth. */
export function appCommand(cli: Cli): Command {
  const command = new Command('app')
    .description('list the apps that people let in, or shut one out')
    .addHelpText('after', examples('hearthd app list', 'hearthd app revoke "Home Assistant"'));
  command
    .command('list')
    .description('list the apps that people let in')
    .action(
      cli.run(async ({ api, output }) => {
        const apps = await api.get<AuthorizedAppResource[]>('/rest/authorized-apps');
        const users = await api.get<UserResource[]>('/rest/users');
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
        const head = ['Name (unverified)', 'Leads to', 'Let in by', 'Scope', 'Homes', 'Last used', 'Id'];
        output.result(apps, () => output.table(head, rows, 'Nobody has let an app in.'));
        return EXIT.ok;
      }),
    );
  command
    .command('revoke')
    .description('shut an app out at once with what it made, whoever let it in')
    .argument('<app>', 'name or id')
    .option('--yes', 'also where something ends with it')
    .action(
      cli.run(async ({ api, output }, text: string, { yes }: { yes?: boolean }) => {
        const apps = await api.get<AuthorizedAppResource[]>('/rest/authorized-apps');
        const app = findApp(apps, text);
        const made = apps.filter(({ clientId }) => clientId === app.clientId).flatMap((one) => one.made);
        if (made.length > 0 && !yes) {
          const ends = `These end with ${app.clientName}, because it made them:\n${madeLines(made)}`;
          throw new CliError(EXIT.refused, 'ends_with_it', `${ends}\nAdd --yes to shut it out all the same.`);
        }
        const answer = await api.send('DELETE', `/rest/authorized-apps/${encodeURIComponent(app.clientId)}`);
        output.result(answer, () => {
          output.line(`${app.clientName} (${app.redirectDomain}) is shut out.`);
          if (made.length > 0) output.note(`These have ended with it:\n${madeLines(made)}`);
        });
        return EXIT.ok;
      }),
    );
  return command;
}

/** Apps choose their own names; ids distinguish apps with the same name. */
function findApp(apps: readonly AuthorizedAppResource[], text: string): AuthorizedAppResource {
  const wanted = text.toLowerCase();
  const matches = apps.filter(({ clientId, clientName }) => clientId === wanted || clientName.toLowerCase() === wanted);
  // An app that several users authorized counts as one app.
  const byId = new Map(matches.map((app) => [app.clientId, app]));
  return requireOne([...byId.values()], text, {
    noun: 'app',
    none: `There is no app "${text}".`,
    shownBy: 'hearthd app list shows what there is.',
    names: apps.map(({ clientName }) => clientName),
    lineOf: ({ clientId }) => clientId,
  });
}
