import { Command } from 'commander';
import { findUser, USER_ARGUMENT } from '../accounts.ts';
import { type Cli, examples, repeated } from '../action.ts';
import type { UserResource } from '../api-resources.ts';
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
    .description('list, add, rename or remove people who sign in, or set their password')
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
    .description('list the people with an account')
    .action(
      cli.run(async ({ api, output }) => {
        const users = await api.get<UserResource[]>('/rest/users');
        const rows = users.map(({ name, email, isFounder, createdAt, lastLoginAt, id }) => [
          name,
          email,
          isFounder ? 'claimed this relay' : '',
          output.when(createdAt),
          output.when(lastLoginAt),
          id,
        ]);
        const head = ['Name', 'Address', 'Note', 'Since', 'Last sign-in', 'Id'];
        const empty = 'Nobody has an account yet. hearthd setup-code makes a code to claim this relay with.';
        output.result(users, () => output.table(head, rows, empty));
        return EXIT.ok;
      }),
    );
}

function addAdd(command: Command, cli: Cli): void {
  command
    .command('add')
    .description('make an account; the first one is the owner’s')
    .argument('<address>', 'the e-mail address to sign in with, or a name without an @')
    .option('--name <name>', 'what they are called (default: what stands before the @)')
    .option('--role <role>', 'owner, admin, control or view (default: a member of no home)')
    .option('--home <home>', 'in this home alone (repeatable; default: all homes)', repeated)
    .option(...stdinOption(PASSWORD))
    .action(
      cli.run(async ({ api, output }, email: string, options: NewUserOptions) => {
        const { name, role, home: homes } = options;
        const house = homes && (await loadInventory(api));
        const homeIds = homes?.map((home) => house?.home(home).id);
        const password = await readNewSecret(output.terminal, PASSWORD, options.passwordStdin ?? false);
        const account = email.includes('@') || name !== undefined ? { email, name } : { name: email };
        const user = await api.send<UserResource>('POST', '/rest/users', { ...account, password, role, homeIds });
        output.result(user, () => output.line(`${user.name} has an account now (${user.email}).`));
        return EXIT.ok;
      }),
    );
}

function addPassword(command: Command, cli: Cli): void {
  command
    .command('password')
    .description('set somebody’s password, and end all their sessions; for whoever forgot it, the owner too')
    .argument(...USER_ARGUMENT)
    .option(...stdinOption(PASSWORD))
    .action(
      cli.run(async ({ api, output }, text: string, options: { passwordStdin?: true }) => {
        const user = await findUser(api, text);
        const password = await readNewSecret(output.terminal, PASSWORD, options.passwordStdin ?? false);
        const answer = await api.send('POST', `/rest/users/${user.id}/password`, { password });
        output.result(answer, () => output.line(`${user.email} has a new password, and is signed out everywhere.`));
        return EXIT.ok;
      }),
    );
}

function addRename(command: Command, cli: Cli): void {
  command
    .command('rename')
    .description('change what somebody is called')
    .argument(...USER_ARGUMENT)
    .argument('<name>', 'the new name')
    .action(
      cli.run(async ({ api, output }, text: string, name: string) => {
        const user = await findUser(api, text);
        const renamed = await api.send<UserResource>('PATCH', `/rest/users/${user.id}`, { name });
        output.result(renamed, () => output.line(`${user.name} is now called ${renamed.name} (${user.email}).`));
        return EXIT.ok;
      }),
    );
}

function addRemove(command: Command, cli: Cli): void {
  command
    .command('remove')
    .description('delete somebody’s account: sessions, access tokens and apps of theirs end at once')
    .argument(...USER_ARGUMENT)
    .action(
      cli.run(async ({ api, output }, text: string) => {
        const user = await findUser(api, text);
        const answer = await api.send('DELETE', `/rest/users/${user.id}`);
        output.result(answer, () => output.line(`${user.email} is removed.`));
        return EXIT.ok;
      }),
    );
}
