import { Command } from 'commander';
import type { Session, User } from '../../contract/users.ts';
import { findUser } from '../accounts.ts';
import { type Cli, examples } from '../action.ts';
import type { ApiClient } from '../api-client.ts';
import { CliError, EXIT, usageError } from '../exit-codes.ts';

/** Fewer characters of an id are probably a typing error. */
const MIN_ID_LENGTH = 4;

/** `hearthd session …`: the sessions of users. */
export function sessionCommand(cli: Cli): Command {
  const command = new Command('session')
    .description('list sessions or sign users out')
    .addHelpText('after', examples('hearthd session list', 'hearthd session end --user ada@example.org'));
  addList(command, cli);
  addEnd(command, cli);
  return command;
}

function addList(command: Command, cli: Cli): void {
  command
    .command('list')
    .description('list the sessions of users')
    .option('--user <user>', 'only this user: address, name or id')
    .action(
      cli.run(async ({ api, output }, { user }: { user?: string }) => {
        const users = await api.get<User[]>('/rest/users');
        const addresses = new Map(users.map(({ id, email }) => [id, email]));
        const sessions = await listSessions(api, user === undefined ? undefined : (await findUser(api, user)).id);
        const { deviceInWords } = await import('../../api/html/device-words.ts');
        const { en } = await import('../../api/html/texts/en.tsx');
        const rows = sessions.map(({ userId, device, address, createdAt, lastUsedAt, expiresAt, id }) => [
          addresses.get(userId) ?? userId,
          deviceInWords(device, en),
          address,
          output.when(createdAt),
          output.when(lastUsedAt),
          output.when(expiresAt),
          id,
        ]);
        const head = ['User', 'Device', 'From', 'Since', 'Last used', 'Ends', 'Id'];
        output.result(sessions, () => output.table(head, rows, 'No sessions.'));
        return EXIT.ok;
      }),
    );
}

function addEnd(command: Command, cli: Cli): void {
  command
    .command('end')
    .description('end one session, or all sessions of a user')
    .argument('[session]', 'session id or its first characters')
    .option('--user <user>', 'all sessions of this user: address, name or id')
    .action(
      cli.run(async ({ api, output }, text: string | undefined, { user }: { user?: string }) => {
        if ((text === undefined) === (user === undefined)) throw usageError('Pass either a session or --user.');
        if (user !== undefined) {
          const { id, email } = await findUser(api, user);
          const answer = await api.send<{ ended: number }>('DELETE', `/rest/sessions?user=${id}`);
          output.result(answer, () => output.line(`Signed out ${email} (sessions: ${answer.ended}).`));
          return EXIT.ok;
        }
        const { id } = findSession(await listSessions(api), text ?? '');
        const answer = await api.send('DELETE', `/rest/sessions/${id}`);
        output.result(answer, () => output.line('Ended the session.'));
        return EXIT.ok;
      }),
    );
}

async function listSessions(api: ApiClient, userId?: string): Promise<readonly Session[]> {
  const sessions = await api.get<Session[]>('/rest/sessions');
  return userId === undefined ? sessions : sessions.filter((session) => session.userId === userId);
}

function findSession(sessions: readonly Session[], text: string): Session {
  const wanted = text.toLowerCase();
  const [match, ...others] = wanted.length < MIN_ID_LENGTH ? [] : sessions.filter(({ id }) => id.startsWith(wanted));
  if (match && others.length === 0) return match;
  if (match) throw usageError(`Several sessions start with "${text}". Use more characters of the id.`);
  throw new CliError(EXIT.notFound, 'not_found', `No session "${text}". List sessions with hearthd session list.`);
}
