import type { User } from '../../contract/users.ts';
import { USER } from '../accounts.ts';
import { repeated } from '../action.ts';
import { defineCommand } from '../define-command.ts';
import { loadInventory } from '../inventory.ts';
import { PASSWORD, readNewSecret, stdinOption } from '../read-secret.ts';
import { list, remove, rename } from '../resource-commands.ts';

/** `hearthd user …`: accounts of the people who sign in. */
export const userCommand = defineCommand({
  name: 'user',
  description: 'list, add, rename or remove users, set passwords, turn two-step sign-in off',
  examples: [
    'hearthd user add ada@example.org --name Ada --role admin',
    'hearthd user password ada@example.org',
    'pass show home/ada | hearthd user password Ada --password-stdin',
  ],
  commands: [
    list({
      description: 'list the users',
      load: (api) => api.get<User[]>('/rest/users'),
      columns: ({ name, email, isFounder, createdAt, lastLoginAt, id }, output) => ({
        Name: name,
        Address: email,
        Note: isFounder ? 'claimed this relay' : '',
        Since: output.when(createdAt),
        'Last sign-in': output.when(lastLoginAt),
        Id: id,
      }),
      empty: 'No users. Create the code for the owner account with hearthd setup-code.',
    }),
    defineCommand({
      name: 'add',
      description: 'create an account; the first one becomes the owner',
      arguments: [['<address>', 'e-mail address or user name for signing in']],
      options: [
        ['--name <name>', 'display name (default: the part before the @)'],
        ['--role <role>', 'owner, admin, control or view (default: no access to any home)'],
        ['--home <home>', 'only in this home (repeatable; default: all homes)', repeated],
        stdinOption(PASSWORD),
      ],
      async run({ api, output }, email, { name, role, home: homes, passwordStdin }) {
        const inventory = homes && (await loadInventory(api));
        const homeIds = homes?.map((home) => inventory?.home(home).id);
        const password = await readNewSecret(output.terminal, PASSWORD, passwordStdin ?? false);
        const account = email.includes('@') || name !== undefined ? { email, name } : { name: email };
        const user = await api.send<User>('POST', '/rest/users', { ...account, password, role, homeIds });
        output.done(user, `Added ${user.name} (${user.email}).`);
      },
    }),
    defineCommand({
      name: 'password',
      description: 'set the password of a user and end their sessions',
      arguments: [USER.argument],
      options: [stdinOption(PASSWORD)],
      async run({ api, output }, text, { passwordStdin }) {
        const user = await USER.find(api, text);
        const password = await readNewSecret(output.terminal, PASSWORD, passwordStdin ?? false);
        const answer = await api.send('POST', `${USER.path(user)}/password`, { password });
        output.done(answer, `Set the password of ${user.email} and ended all sessions.`);
      },
    }),
    defineCommand({
      name: 'reset-2fa',
      description: 'turn two-step sign-in off and remove the passkeys, for a user who has lost them',
      arguments: [USER.argument],
      async run({ api, output }, text) {
        const user = await USER.find(api, text);
        const answer = await api.send('DELETE', `${USER.path(user)}/second-factor`);
        output.done(
          answer,
          `Turned two-step sign-in off for ${user.email} and removed the passkeys. The password is enough now; sessions stay.`,
        );
      },
    }),
    rename(USER, {
      description: 'rename a user',
      done: (name, user) => `Renamed ${user.name} to ${name} (${user.email}).`,
    }),
    remove(USER, {
      name: 'remove',
      description: 'delete a user with their sessions, access tokens and apps',
      done: ({ email }) => `Removed ${email}.`,
    }),
  ],
});
