import type { Session } from '../../contract/users.ts';
import { USER, userAddresses } from '../accounts.ts';
import type { ApiClient } from '../api-client.ts';
import { defineCommand } from '../define-command.ts';
import { CliError, EXIT, usageError } from '../exit-codes.ts';

/** Fewer characters of an id are probably a typing error. */
const MIN_ID_LENGTH = 4;

/** `hearthd session …`: the sessions of users. */
export const sessionCommand = defineCommand({
  name: 'session',
  description: 'list sessions or sign users out',
  examples: ['hearthd session list', 'hearthd session end --user ada@example.org'],
  commands: [
    defineCommand({
      name: 'list',
      description: 'list the sessions of users',
      options: [['--user <user>', 'only this user: address, name or id']],
      async run({ api, output }, { user }) {
        const addresses = await userAddresses(api);
        const sessions = await listSessions(api, user === undefined ? undefined : (await USER.find(api, user)).id);
        const { deviceInWords } = await import('../../api/html/device-words.ts');
        const { texts } = await import('../../api/html/texts.ts');
        output.list(
          sessions,
          ({ userId, device, address, createdAt, lastUsedAt, expiresAt, id }) => ({
            User: addresses.get(userId) ?? userId,
            Device: deviceInWords(device, texts.en),
            From: address,
            Since: output.when(createdAt),
            'Last used': output.when(lastUsedAt),
            Ends: output.when(expiresAt),
            Id: id,
          }),
          'No sessions.',
        );
      },
    }),
    defineCommand({
      name: 'end',
      description: 'end one session, or all sessions of a user',
      arguments: [['[session]', 'session id or its first characters']],
      options: [['--user <user>', 'all sessions of this user: address, name or id']],
      async run({ api, output }, text, { user }) {
        if ((text === undefined) === (user === undefined)) throw usageError('Pass either a session or --user.');
        if (user !== undefined) {
          const { id, email } = await USER.find(api, user);
          const answer = await api.send<{ ended: number }>('DELETE', `/rest/sessions?user=${id}`);
          return output.done(answer, `Signed out ${email} (sessions: ${answer.ended}).`);
        }
        const { id } = findSession(await listSessions(api), text ?? '');
        output.done(await api.send('DELETE', `/rest/sessions/${id}`), 'Ended the session.');
      },
    }),
  ],
});

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
