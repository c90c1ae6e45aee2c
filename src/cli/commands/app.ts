import { Command } from 'commander';
import { type Cli, examples } from '../action.ts';
import type { AuthorizedAppResource, UserResource } from '../api-resources.ts';
import { EXIT } from '../exit-codes.ts';
import { whenText } from '../output.ts';
import { requireOne } from '../require-one.ts';

/** `hearthd app …`: apps that people let in by OAuth. */
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
          whenText(app.lastUsedAt),
          app.clientId,
        ]);
        const head = ['Name (unverified)', 'Leads to', 'Let in by', 'Scope', 'Homes', 'Last used', 'Id'];
        output.result(apps, () => output.table(head, rows, 'Nobody has let an app in.'));
        return EXIT.ok;
      }),
    );
  command
    .command('revoke')
    .description('shut an app out at once, whoever let it in')
    .argument('<app>', 'name or id')
    .action(
      cli.run(async ({ api, output }, text: string) => {
        const app = findApp(await api.get<AuthorizedAppResource[]>('/rest/authorized-apps'), text);
        const answer = await api.send('DELETE', `/rest/authorized-apps/${encodeURIComponent(app.clientId)}`);
        output.result(answer, () => output.line(`${app.clientName} (${app.redirectDomain}) is shut out.`));
        return EXIT.ok;
      }),
    );
  return command;
}

/** Names are the apps' own choice: two of one name are told apart by their ids. */
function findApp(apps: readonly AuthorizedAppResource[], text: string): AuthorizedAppResource {
  const wanted = text.toLowerCase();
  const matches = apps.filter(({ clientId, clientName }) => clientId === wanted || clientName.toLowerCase() === wanted);
  // One that several people let in is one app.
  const byId = new Map(matches.map((app) => [app.clientId, app]));
  return requireOne([...byId.values()], text, {
    noun: 'app',
    none: `There is no app "${text}". hearthd app list shows what there is.`,
    lineOf: ({ clientId }) => clientId,
  });
}
