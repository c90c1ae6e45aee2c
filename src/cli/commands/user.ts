import { Command } from 'commander';
import type { User } from '../../contract/users.ts';
import { findUser, USER_ARGUMENT } from '../accounts.ts';
import { type Cli, examples, repeated } from '../action.ts';
import { EXIT } from '../exit-codes.ts';
import { loadInventory } from '../inventory.ts';
import { PASSWORD, readNewSecret, stdinOption } from '../read-secret.ts';

interface NewUserOptions {
  readonly name?: string;
  readonly role?: string;
  readonly home?: readonly string[];
  readonly passwordStdin?: true;
}

/** `hearthd user …`: accounts of the people who sign in. */
export function userCommand(cli: Cli): Command {
  const command = new Command('user')
    .description('list, add, rename or remove users, or set their passwords')
    .addHelpText(
      'after',
      examples(
        'hearthd user add ada@example.org --name Ada --role admin',
        'hearthd user password ada@example.org',
        'pass show home/ada | hearthd user password Ada --password-stdin',
      ),
    );
  for (const add of [addList, addAdd, addPassword, addRename, addRemove]) add(command, cli);
  return command;
}

function addList(command: Command, cli: Cli): void {
  command
    .command('list')
    .description('list the users')
    .action(
      cli.run(async ({ api, output }) => {
        const users = await api.get<User[]>('/rest/users');
        const rows = users.map(({ name, email, isFounder, createdAt, lastLoginAt, id }) => [
          name,
          email,
          isFounder ? 'claimed this relay' : '',
          output.when(createdAt),
          output.when(lastLoginAt),
          id,
        ]);
        const head = ['Name', 'Address', 'Note', 'Since', 'Last sign-in', 'Id'];
        const empty = 'No users. Create the code for the owner account with hearthd setup-code.';
        output.result(users, () => output.table(head, rows, empty));
        return EXIT.ok;
      }),
    );
}

function addAdd(command: Command, cli: Cli): void {
  command
    .command('add')
    .description('create an account; the first one becomes the owner')
    .argument('<address>', 'e-mail address or user name for signing in')
    .option('--name <name>', 'display name (default: the part before the @)')
    .option('--role <role>', 'owner, admin, control or view (default: no access to any home)')
    .option('--home <home>', 'only in this home (repeatable; default: all homes)', repeated)
    .option(...stdinOption(PASSWORD))
    .action(
      cli.run(async ({ api, output }, email: string, options: NewUserOptions) => {
        const { name, role, home: homes } = options;
        const inventory = homes && (await loadInventory(api));
        const homeIds = homes?.map((home) => inventory?.home(home).id);
        const password = await readNewSecret(output.terminal, PASSWORD, options.passwordStdin ?? false);
        const account = email.includes('@') || name !== undefined ? { email, name } : { name: email };
        const user = await api.send<User>('POST', '/rest/users', { ...account, password, role, homeIds });
        output.result(user, () => output.line(`Added ${user.name} (${user.email}).`));
        return EXIT.ok;
      }),
    );
}

function addPassword(command: Command, cli: Cli): void {
  command
    .command('password')
    .description('set the password of a user and end their sessions')
    .argument(...USER_ARGUMENT)
    .option(...stdinOption(PASSWORD))
    .action(
      cli.run(async ({ api, output }, text: string, options: { passwordStdin?: true }) => {
        const user = await findUser(api, text);
        const password = await readNewSecret(output.terminal, PASSWORD, options.passwordStdin ?? false);
        const answer = await api.send('POST', `/rest/users/${user.id}/password`, { password });
        output.result(answer, () => output.line(`Set the password of ${user.email} and ended all sessions.`));
        return EXIT.ok;
      }),
    );
}

function addRename(command: Command, cli: Cli): void {
  command
    .command('rename')
    .description('rename a user')
    .argument(...USER_ARGUMENT)
    .argument('<name>', 'new name')
    .action(
      cli.run(async ({ api, output }, text: string, name: string) => {
        const user = await findUser(api, text);
        const renamed = await api.send<User>('PATCH', `/rest/users/${user.id}`, { name });
        output.result(renamed, () => output.line(`Renamed ${user.name} to ${renamed.name} (${user.email}).`));
        return EXIT.ok;
      }),
    );
}

function addRemove(command: Command, cli: Cli): void {
  command
    .command('remove')
    .description('delete a user with their sessions, access tokens and apps')
    .argument(...USER_ARGUMENT)
    .action(
      cli.run(async ({ api, output }, text: string) => {
        const user = await findUser(api, text);
        const answer = await api.send('DELETE', `/rest/users/${user.id}`);
        output.result(answer, () => output.line(`Removed ${user.email}.`));
        return EXIT.ok;
      }),
    );
}
